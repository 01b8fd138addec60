"""What makes decoding fast, behind one call, `accelerate`. The readable models do not know of it."""

from __future__ import annotations

from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.fast.recurrent import FastRecurrent
from nmtcore.models.fast.transformer import FastTransformer
from nmtcore.models.recurrent import Recurrent
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.models.transformer import Transformer

FAST: dict[type[Seq2Seq], type[Accelerated]] = {Recurrent: FastRecurrent, Transformer: FastTransformer}


def accelerate(model: Seq2Seq) -> Seq2Seq:
    """A copy of a model that decodes faster and shares its weights; the model itself stays as it is.

    Its `encode`, `start` and `step` give the same numbers. It is of the same class, so that whatever asks a model
    for its weights can ask it too. Move a model before, not after it. An architecture without a fast copy, or a
    model that is one already, comes back as it is.
    """
    fast = FAST.get(type(model))
    return model if fast is None else fast(model)
