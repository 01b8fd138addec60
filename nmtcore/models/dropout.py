"""Dropout (Srivastava et al. 2014) with a fast mask on CPUs, where torch's own takes a sixth of an update."""

import torch
import torch.nn.functional as F
from torch import Tensor

LEVELS = 256


def apply_dropout(x: Tensor, rate: float, training: bool) -> Tensor:
    """Set each element of x to zero with probability `rate`, and scale the others so that the mean is kept.

    On a CPU the rate is rounded to a multiple of 1/256: PyTorch draws a 64-bit number for each element there, and
    one such number is enough for eight elements.
    """
    if not training or not rate:
        return x
    kept = LEVELS - round(LEVELS * rate)
    if x.device.type != "cpu" or kept in (0, LEVELS):
        return F.dropout(x, rate)
    words = torch.empty(-(-x.numel() // 8), dtype=torch.int64).random_(-(2**63), None)
    drawn = words.view(torch.uint8)[: x.numel()].view(x.shape)
    mask = torch.empty_like(x, requires_grad=False, memory_format=torch.contiguous_format)
    torch.lt(drawn, kept, out=mask)  # zeros and ones in the dtype of x: a bool mask would have to be converted
    return x * mask.mul_(LEVELS / kept)
