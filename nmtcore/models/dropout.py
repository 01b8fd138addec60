"""Dropout (Srivastava et al. 2014), drawn quickly on a CPU, where torch's own takes a sixth of an update."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

LEVELS = 256


def apply_dropout(x: Tensor, rate: float, training: bool) -> Tensor:
    """Zero about a share `rate` of x's elements and scale the rest so that the mean stays.

    On a CPU the rate is rounded to a 256th: PyTorch draws a 64-bit number for each element there, and one such
    number is enough for eight.
    """
    if not training or not rate:
        return x
    kept = LEVELS - round(LEVELS * rate)
    if x.device.type != "cpu" or kept in (0, LEVELS):
        return F.dropout(x, rate)
    words = torch.empty(-(-x.numel() // 8), dtype=torch.int64).random_(-(2**63), None)
    drawn = words.view(torch.uint8)[: x.numel()].view(x.shape)
    mask = torch.empty_like(x, requires_grad=False, memory_format=torch.contiguous_format)
    torch.lt(drawn, kept, out=mask)  # zeros and ones in the type of x: a mask of bools would be copied to it
    return x * mask.mul_(LEVELS / kept)
