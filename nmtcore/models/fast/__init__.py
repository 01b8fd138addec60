"""Fast inference: copies of the models that decode faster, made by `accelerate`, of which the models do not know."""

from __future__ import annotations

import pkgutil

from nmtcore.config import ARCHITECTURES
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.seq2seq import Seq2Seq


def accelerate(model: Seq2Seq) -> Seq2Seq:
    """A copy of a model that decodes faster and shares its weights; the model itself stays as it is.

    Its `encode`, `start` and `step` give the same numbers. It is of the same class, so that whatever asks a model
    for its weights can ask it too. Move a model before, not after it. An architecture without a fast copy, or a
    model that is one already, comes back as it is.
    """
    name = ARCHITECTURES[model.config.architecture].fast
    if not name or isinstance(model, Accelerated):
        return model
    fast: type[Accelerated] = pkgutil.resolve_name(name)
    return fast(model)
