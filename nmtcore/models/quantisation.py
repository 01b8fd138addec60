"""Row-wise absmax quantisation to int8: weights in half of float16's bytes (LLM.int8(), Dettmers et al. 2022).

Each row of a matrix has one scale, its largest magnitude / 127, so that a row of small weights keeps its precision.
"""

from __future__ import annotations

import torch
from torch import Tensor

LEVELS = 127  # whole numbers on either side of zero
SCALE = ".scale"  # ends the name of a tensor that holds the scales of another


def quantise(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Matrices as int8 beside their scales, float16, (rows, 1, ..); vectors as they are: they are few.

    A stored weight lies at most half of its row's scale from what it was. A scale is at least float16's smallest
    normal number, 6e-5, so that a row of zeros has one too.
    """
    stored: dict[str, Tensor] = {}
    for name, weight in weights.items():
        if weight.dim() < 2:
            stored[name] = weight
            continue
        rows = weight.float()
        scale = rows.abs().amax(tuple(range(1, weight.dim())), keepdim=True) / LEVELS  # (rows, 1, ..)
        scale = scale.clamp(min=torch.finfo(torch.float16).tiny).half()
        stored[name] = (rows / scale.float()).round().clamp(-LEVELS, LEVELS).to(torch.int8)
        stored[name + SCALE] = scale
    return stored


def dequantise(levels: Tensor, scale: Tensor) -> Tensor:
    """The weights that int8 levels and their rows' scales stand for, rounded to float16, as float32."""
    return (levels.float() * scale.float()).half().float()
