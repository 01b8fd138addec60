"""Row-wise absmax quantisation to int8: weights in half the bytes of float16 (LLM.int8(), Dettmers et al. 2022).

Each row of a matrix has one scale, its largest magnitude / 127, so that a row of small weights keeps its precision.
"""

import torch
from torch import Tensor

LEVELS = 127  # whole numbers on either side of zero
SCALE = ".scale"  # suffix of the tensor that holds another tensor's scales


def quantise(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Quantise matrices to int8, with float16 scales (rows, 1, ..) beside them; vectors, which are small, stay.

    The error of a stored weight is at most half its row's scale. A scale is at least float16's smallest normal number,
    6e-5, so that a row of zeros has one too.
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
    """Dequantise: int8 levels times their rows' scales, rounded to float16, as float32."""
    return (levels.float() * scale.float()).half().float()
