"""The attention head that represents a model's alignment, as found by the alignment test in its card."""

from collections.abc import Mapping
from typing import Any

from nmtcore.config import ConvolutionalConfig, ModelConfig, TransformerConfig


def aligning_head(config: ModelConfig, meta: Mapping[str, Any]) -> tuple[int, int] | None:
    """The layer and head, counted from 0, that align best in the test in a model's card; None without a test.

    Each row of a picture is labelled by the predicted word, so heads are compared by that word. A head that aligns
    the decoder's input, the word before it, would have all its rows one word too low.
    """
    alignments = meta.get("alignments")
    if not isinstance(alignments, dict):
        return None
    readings = [reading for reading in alignments.get("readings") or () if reading["head"] is not None]
    written = [reading for reading in readings if reading["position"] == "output"]
    named = min(written, key=lambda reading: float(reading["aer"]), default=alignments.get("best"))
    if not isinstance(named, dict):
        return None
    layer, head = named.get("layer"), named.get("head")
    if not isinstance(config, TransformerConfig | ConvolutionalConfig):
        return None
    if not isinstance(layer, int) or not isinstance(head, int):
        return None
    heads = config.heads if isinstance(config, TransformerConfig) else 1
    inside = 0 <= layer < config.decoder_layers and 0 <= head < heads
    return (layer, head) if inside else None


def drawn_head(config: ModelConfig, meta: Mapping[str, Any]) -> tuple[int, int] | None:
    """The head to draw in pictures of a model: the best in its own test, or in that of the model it began from."""
    return aligning_head(config, meta) or aligning_head(config, {"alignments": meta.get("alignments_at_start")})
