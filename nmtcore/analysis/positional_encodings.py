"""Positional encodings of a trained Transformer beside the sinusoids of the paper."""

from __future__ import annotations

from dataclasses import dataclass

from nmtcore.config import Positions
from nmtcore.decoding.trace import Array
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.transformer import Transformer, sinusoids


@dataclass(frozen=True, eq=False)
class PositionTable:
    """Positional encodings: what a Transformer adds to its embeddings.

    own: (N, D) of the model, fewer rows where a learned table ends, none without positions; sinusoids: (N, D) those of
    Vaswani et al. 2017 of that size.
    """

    kind: Positions
    own: Array | None
    sinusoids: Array


def position_table(checkpoint: Checkpoint, length: int) -> PositionTable:
    """The first `length` positions of a Transformer."""
    model = checkpoint.model
    assert isinstance(model, Transformer)
    own = None
    if model.config.absolute:
        own = model.positions.detach()[:length].float().cpu().numpy()
    return PositionTable(model.config.positions, own, sinusoids(length, model.config.width).numpy())
