"""Padding: sequences of unequal length as one matrix with a mask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from nmtcore.text.vocabulary import PAD


@dataclass(frozen=True)
class Padded:
    """A padded batch of sequences. ids: (B, S) int64; mask: (B, S) bool, True on tokens.

    lengths: (B,) int64, always on the CPU. Every decision that depends on the amount of padding uses `lengths`, since
    reading the mask from a GPU makes the CPU wait until the GPU has finished all its work.
    """

    ids: Tensor
    mask: Tensor
    lengths: Tensor

    @classmethod
    def of(cls, ids: Tensor, lengths: Tensor) -> Padded:
        """Make a padded batch from ids and lengths, with the mask on the device of `ids`."""
        mask = torch.arange(ids.size(1)) < lengths[:, None]  # (B, S)
        return cls(ids, mask.to(ids.device), lengths)

    @property
    def padding(self) -> bool:
        """Whether any row has padding."""
        return int(self.lengths.min()) < self.ids.size(1)

    def tokens(self, x: Tensor) -> Tensor:
        """Select the token rows of x (B, S, ...), without padding: (N, ...), the same as x[mask]."""
        if not self.padding:
            return x.flatten(0, 1)
        where = torch.nonzero_static(self.mask.flatten(), size=int(self.lengths.sum()))  # (N, 1), without waiting
        return x.flatten(0, 1).index_select(0, where[:, 0])

    def to(self, device: torch.device | str) -> Padded:
        """This batch on another device; pinned memory is copied without waiting."""
        pinned = self.ids.is_pinned()
        ids, mask = (tensor.to(device, non_blocking=pinned) for tensor in (self.ids, self.mask))
        return replace(self, ids=ids, mask=mask)

    def pin_memory(self) -> Padded:
        """This batch in pinned (page-locked) memory, from which a GPU reads while the CPU goes on working."""
        return replace(self, ids=self.ids.pin_memory(), mask=self.mask.pin_memory())


def pad(sequences: Sequence[Sequence[int]]) -> Padded:
    """Pad B sequences, none of them empty, with `<pad>` to a (B, S) matrix."""
    lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
    if not len(lengths) or not lengths.all():
        raise ValueError("There must be at least one sequence, and none may be empty.")
    mask = np.arange(lengths.max()) < lengths[:, None]  # (B, S)
    ids = np.full(mask.shape, PAD, np.int64)
    ids[mask] = np.concatenate([np.asarray(s, np.int64) for s in sequences])
    return Padded(torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(lengths))


def read_packed(network: nn.RNNBase, x: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Run a recurrent network over packed sequences (B, S, E): the backward direction starts at the end of each row.

    Returns its top states (B, S, D) and its last ones (L, B, D), without the cell state of an LSTM. Rows are sorted
    here because PyTorch, which can sort them too, would then wait for the device to return their order.
    """
    order = lengths.argsort(descending=True, stable=True)  # (B,) on the CPU
    back = order.argsort().to(x.device)
    packed = pack_padded_sequence(x.index_select(0, order.to(x.device)), lengths[order], batch_first=True)
    states, last = network(packed)
    states, _ = pad_packed_sequence(states, batch_first=True, total_length=x.size(1))
    hidden = last[0] if isinstance(last, tuple) else last
    return states.index_select(0, back), hidden.index_select(1, back)
