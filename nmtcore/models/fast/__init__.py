"""Fast inference: `accelerate` makes copies of models that decode faster. The models themselves do not know them."""

import pkgutil
from typing import Any

from nmtcore.config import ARCHITECTURES
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.seq2seq import Seq2Seq


def accelerate(model: Seq2Seq) -> Seq2Seq:
    """A copy of a model that decodes faster and shares its weights; the model itself stays as it is.

    Its `encode`, `start` and `step` return the same numbers. The copy is an instance of the model's class, so code
    that reads a model's weights can read the copy's. Move a model to its device first, then accelerate it. A model
    that is a fast copy already is returned unchanged.
    """
    if isinstance(model, Accelerated):
        return model
    name = ARCHITECTURES[model.config.architecture].fast
    packed: Any = type(f"Packed{type(model).__name__}", (Accelerated, type(model)), {})  # steps as they are
    fast: type[Accelerated] = pkgutil.resolve_name(name) if name else packed
    return fast(model)
