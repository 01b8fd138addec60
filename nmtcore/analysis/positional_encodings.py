"""Positional encodings of a trained Transformer, next to the sinusoids of the paper."""

from dataclasses import dataclass

from nmtcore.config import TransformerConfig
from nmtcore.decoding.trace import Array
from nmtcore.errors import InterventionError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.positions import sinusoids
from nmtcore.models.transformer import Transformer


@dataclass(frozen=True, eq=False)
class PositionTable:
    """Positional encodings: what a Transformer adds to its embeddings or concatenates with them.

    config: the model's, with the kind of positions and how they meet the embeddings. own: the model's, (N, D), with
    fewer rows if a learned table is shorter, and none without positions; sinusoids: those of Vaswani et al. 2017 of the
    same size, (N, D).
    """

    config: TransformerConfig
    own: Array | None
    sinusoids: Array


def position_table(checkpoint: Checkpoint, length: int) -> PositionTable:
    """The first `length` positions in a Transformer. Raises InterventionError for any other model."""
    model = checkpoint.model
    if not isinstance(model, Transformer):
        raise InterventionError("Only a Transformer has positional encodings of this kind: choose another model.")
    own = model.positions.detach()[:length].float().cpu().numpy() if model.config.absolute else None
    return PositionTable(model.config, own, sinusoids(length, model.config.width).numpy())
