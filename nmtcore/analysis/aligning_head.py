"""The head of a model that stands for its alignment, as the alignment test in its card found it."""

from collections.abc import Mapping
from typing import Any

from nmtcore.config import ConvolutionalConfig, ModelConfig, TransformerConfig


def aligning_head(config: ModelConfig, meta: Mapping[str, Any]) -> tuple[int, int] | None:
    """Layer and head, counted from 0, that align best in the test of a model's card; None without one.

    A row of a picture is the word that is written there, so heads are compared as they stand at the decoder's output:
    one that aligns the word read last, the decoder's input, would have all its rows one word too low.
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
    """The head whose attention pictures of a model draw: the best in its test, or in that of the one it began with."""
    return aligning_head(config, meta) or aligning_head(config, {"alignments": meta.get("alignments_at_start")})
