"""Positional encodings of a trained Transformer beside the sinusoids of the paper."""

from dataclasses import dataclass

from nmtcore.config import Positions
from nmtcore.decoding.trace import Array
from nmtcore.errors import InterventionError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.positions import sinusoids
from nmtcore.models.transformer import Transformer


@dataclass(frozen=True, eq=False)
class PositionTable:
    """Positional encodings: what a Transformer adds to its embeddings, or puts beside them.

    own: (N, D) of the model, fewer rows where a learned table ends, none without positions; sinusoids: (N, D) those of
    Vaswani et al. 2017 of that size. scaled: whether embeddings are multiplied by sqrt(D); concatenated: whether the
    table stands beside them, [e; PE] W.
    """

    kind: Positions
    own: Array | None
    sinusoids: Array
    scaled: bool = True
    concatenated: bool = False


def position_table(checkpoint: Checkpoint, length: int) -> PositionTable:
    """The first `length` positions of a Transformer. Raises InterventionError for every other model."""
    model = checkpoint.model
    if not isinstance(model, Transformer):
        raise InterventionError("Only a Transformer has positional encodings of this kind: choose another model.")
    own = None
    if model.config.absolute:
        own = model.positions.detach()[:length].float().cpu().numpy()
    c = model.config
    return PositionTable(
        c.positions, own, sinusoids(length, c.width).numpy(), c.scale_embedding, c.concatenate_positions
    )
