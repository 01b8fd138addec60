"""Padding: sequences of unequal length as one matrix with a mask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from nmtcore.text.vocabulary import PAD


@dataclass(frozen=True)
class Padded:
    """Sequences of unequal length as one matrix. ids: (B, S) int64; mask: (B, S) bool, True on tokens."""

    ids: Tensor
    mask: Tensor

    def to(self, device: torch.device | str) -> Padded:
        return Padded(self.ids.to(device), self.mask.to(device))


def pad(sequences: Sequence[Sequence[int]]) -> Padded:
    """Put B sequences, none empty, into a (B, S) matrix filled up with `<pad>`."""
    lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
    if not len(lengths) or not lengths.all():
        raise ValueError("There must be at least one sequence, and none may be empty.")
    mask = np.arange(lengths.max()) < lengths[:, None]  # (B, S)
    ids = np.full(mask.shape, PAD, np.int64)
    ids[mask] = np.concatenate([np.asarray(s, np.int64) for s in sequences])
    return Padded(torch.from_numpy(ids), torch.from_numpy(mask))
