"""Relative position bias: the number that each encoder head adds to a score, by the distance between two words."""

import math
from dataclasses import dataclass

import numpy as np

from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import InterventionError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.transformer import Transformer


@dataclass(frozen=True, eq=False)
class RelativeBias:
    """q_i . a^K_(j-i) / sqrt(d_k) for every encoder layer, head, query and distance (Shaw et al. 2018, eq. 5).

    distances: from -k to k; the first and last stand for everything farther away. bias: (L, H, S, 2k + 1).
    """

    distances: tuple[int, ...]
    bias: Array


def recompute_bias(checkpoint: Checkpoint, trace: Trace) -> RelativeBias:
    """Relative position biases for the sentence of `trace`.

    Raises InterventionError for a model without relative positions.
    """
    model = checkpoint.model
    if not isinstance(model, Transformer) or model.config.positions != "relative":
        raise InterventionError("Only a Transformer with relative positions has a bias by distance.")
    biases = []
    for layer, q in zip(model.encoder, trace.inner["encoder_query"], strict=True):  # q: (H, S, K)
        relative = layer.attention.relative
        assert relative is not None
        keys = relative.key.detach().float().cpu().numpy()  # a^K, (2k + 1, K)
        biases.append(q @ keys.T / math.sqrt(q.shape[-1]))
    max_relative_position = model.config.max_relative_position
    return RelativeBias(tuple(range(-max_relative_position, max_relative_position + 1)), np.stack(biases))
