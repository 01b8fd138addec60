"""Padding mask and causal mask: every attention of a padded batch, with its scores before masking."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from nmtcore.analysis.residual_stream import run_layers
from nmtcore.errors import InterventionError
from nmtcore.intervention import AttentionKind, Stack
from nmtcore.models.attention import AttentionOutput
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.padded import pad
from nmtcore.models.transformer import Transformer
from nmtcore.text.vocabulary import EOS, SOS, Vocab

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class PaddedBatch:
    """A batch of B sentences and their translations, and every attention over it."""

    sources: Rows  # B rows of S pieces, `<pad>` after the end of a sentence
    inputs: Rows  # what the decoder reads: `<sos>` y_1 .. y_{T-1}, then `<pad>`
    source_mask: Tensor  # (B, S), True on tokens
    input_mask: Tensor  # (B, T)
    attention: dict[AttentionKind, tuple[AttentionOutput, ...]]

    def scores(self, kind: AttentionKind, layer: int) -> Tensor:
        """q k^T / sqrt(d_k) for all heads of a layer, before masking: (B, H, T, S)."""
        attention = self.attention[kind][layer]
        return attention.query @ attention.key.mT / math.sqrt(attention.query.size(-1))


@torch.inference_mode()
def padded_batch(
    checkpoint: Checkpoint, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> PaddedBatch:
    """Teacher forcing of several sentences at once: source ids without `<eos>`, target ids with it.

    Raises InterventionError for a model that is not a Transformer, or whose scores are more than q . k.
    """
    model = checkpoint.model
    if not isinstance(model, Transformer) or model.config.positions == "relative":
        raise InterventionError("Masks of a padded batch are shown for Transformers without relative positions.")
    source = pad([[*ids, EOS] for ids in sources]).to(model.device)
    inputs = pad([[SOS, *ids[:-1]] for ids in targets]).to(model.device)
    runs = run_layers(model, source, inputs)
    places: tuple[tuple[AttentionKind, Stack, int], ...] = (
        *(("encoder", "encoder", 0), ("decoder", "decoder", 0), ("cross", "decoder", 1)),
    )
    return PaddedBatch(
        _pieces(checkpoint.vocab, source.ids),
        _pieces(checkpoint.vocab, inputs.ids),
        source.mask,
        inputs.mask,
        {kind: tuple(layer[place].out for layer in runs[stack].layers) for kind, stack, place in places},
    )


def _pieces(vocab: Vocab, ids: Tensor) -> Rows:
    return tuple(tuple(vocab.token(token) for token in row) for row in ids.tolist())


def padding_share(lengths: Sequence[int], rows: int) -> float:
    """The share of padding when sentences of these lengths are split, in this order, into batches of equal size."""
    batches = [lengths[first : first + rows] for first in range(0, len(lengths), rows)]
    places = sum(max(batch) * len(batch) for batch in batches)
    return 1 - sum(lengths) / places
