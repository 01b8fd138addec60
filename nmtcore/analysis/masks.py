"""Padding mask and causal mask: attention of one head in a padded batch, with masks and recomputed without them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from nmtcore.analysis.arithmetic import softmax
from nmtcore.analysis.residual_stream import run_layers
from nmtcore.decoding.trace import Array
from nmtcore.errors import InterventionError
from nmtcore.intervention import AttentionKind, Stack
from nmtcore.models.attention import AttentionOutput, causal_bias
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.padded import pad
from nmtcore.models.transformer import Transformer
from nmtcore.text.vocabulary import EOS, SOS, Vocab

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class MaskedAttention:
    """Attention of one head in one row of a padded batch, with its masks and without; (T, S) each.

    Masks are 1 where a query may attend and 0 elsewhere. Padding queries are computed too, although nothing reads
    their output: `real` is False for them.
    """

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    real: Array  # (T,) of bool
    padding: Array
    future: Array  # all ones, except in the decoder's self attention
    scores: Array  # q k^T / sqrt(d_k), before masking
    weights: Array  # the model's own: softmax of the scores after adding the masks' -inf

    @property
    def allowed(self) -> Array:
        """Both masks combined: their product."""
        return self.padding * self.future

    @property
    def unmasked(self) -> Array:
        """The weights without masks: softmax of all scores."""
        return softmax(self.scores)

    @property
    def kept(self) -> Array:
        """(T,) the share of each row's unmasked weight where the query may attend; masking makes it one."""
        share: Array = (self.unmasked * self.allowed).sum(1)
        return share


@dataclass(frozen=True, eq=False)
class PaddedBatch:
    """A batch of B sentences and their translations, and every attention over it."""

    sources: Rows  # B rows of S pieces, `<pad>` after the end of a sentence
    inputs: Rows  # what the decoder reads: `<sos>` y_1 .. y_{T-1}, then `<pad>`
    source_mask: Tensor  # (B, S), True on tokens
    input_mask: Tensor  # (B, T)
    attention: dict[AttentionKind, tuple[AttentionOutput, ...]]

    @property
    def padding_share(self) -> tuple[float, float]:
        """The shares of padding in the sources and in the inputs."""
        source, inputs = (1 - float(mask.float().mean()) for mask in (self.source_mask, self.input_mask))
        return source, inputs

    def scores(self, kind: AttentionKind, layer: int) -> Tensor:
        """q k^T / sqrt(d_k) for all heads of a layer, before masking: (B, H, T, S)."""
        attention = self.attention[kind][layer]
        return attention.query @ attention.key.mT / math.sqrt(attention.query.size(-1))

    def head(self, kind: AttentionKind, layer: int, head: int, row: int) -> MaskedAttention:
        """One head's attention in one row. Raises InterventionError for a head or a row that does not exist."""
        layers = self.attention[kind]
        if not (0 <= layer < len(layers) and 0 <= head < layers[0].weights.size(1) and 0 <= row < len(self.sources)):
            raise InterventionError(f"There is no row {row + 1}, layer {layer + 1}, head {head + 1} in this batch.")
        attention = layers[layer]
        key_mask = self.input_mask if kind == "decoder" else self.source_mask
        query_mask = self.source_mask if kind == "encoder" else self.input_mask
        length = query_mask.size(1)
        scores = self.scores(kind, layer)[row, head]  # (T, S)
        future = (causal_bias(length, scores.device) == 0).float() if kind == "decoder" else torch.ones_like(scores)
        return MaskedAttention(
            queries=(self.sources if kind == "encoder" else self.inputs)[row],
            keys=(self.inputs if kind == "decoder" else self.sources)[row],
            real=query_mask[row].cpu().numpy(),
            padding=key_mask[row].float().expand(length, -1).cpu().numpy(),
            future=future.cpu().numpy(),
            scores=scores.float().cpu().numpy(),
            weights=attention.weights[row, head].float().cpu().numpy(),
        )


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
