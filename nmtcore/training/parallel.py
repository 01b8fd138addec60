"""Data-parallel training and gradient accumulation: compute a batch's gradient in parts, in parallel or in turn.

`torchrun --nproc-per-node 2 -m nmtcore train ...` starts the same program twice, and so does Ray Train on several
machines (nmtcore/ray_train.py). Each process is a member of a Group and takes its rows of every batch. torch's
DistributedDataParallel averages the gradients of the processes, so each process multiplies its loss by size * its own
tokens / tokens in the whole batch: the average is then the gradient of the mean loss over all tokens, as in a single
process. Only process 0 writes, prints and decides; the others follow.
"""

import contextlib
import datetime
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor
from torch.nn.parallel import DistributedDataParallel

from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.training.batches import Batch
from nmtcore.training.config import TrainingConfig
from nmtcore.training.loss import autocast, batch_loss, with_sampled_inputs

TIMEOUT = datetime.timedelta(hours=1)  # how long the others wait while process 0 translates, draws and writes
MESSAGE = 8  # numbers in a message from process 0


class Stopped(Exception):
    """Process 0 has been asked to stop."""


@dataclass(frozen=True)
class Group:
    """The processes that train one model together; a single process is process 0 of a group of one."""

    rank: int = 0
    size: int = 1
    messages: Any = None  # torch's group for messages between CPUs; gradients between GPUs use another

    @contextlib.contextmanager
    def first(self) -> Iterator[None]:
        """A barrier: process 0 runs the block first, then the others do."""
        if self.rank:
            self.receive()
        yield
        if not self.rank:
            self.broadcast()

    def all(self, mine: bool) -> bool:
        """Whether something is true in every process; all of them must call this."""
        if self.size == 1:
            return mine
        agreed = torch.tensor(int(mine))
        dist.all_reduce(agreed, dist.ReduceOp.MIN, group=self.messages)
        return bool(agreed)

    def broadcast(self, *values: float, go_on: bool = True) -> None:
        """Send numbers from process 0 to the others, at most MESSAGE - 2 of them."""
        if self.size > 1:
            message = [float(go_on), len(values), *values, *[0.0] * (MESSAGE - 2 - len(values))]
            dist.broadcast(torch.tensor(message, dtype=torch.float64), 0, self.messages)

    def receive(self) -> list[float]:
        """Receive the numbers that process 0 sends. Raises Stopped."""
        message = torch.zeros(MESSAGE, dtype=torch.float64)
        dist.broadcast(message, 0, self.messages)
        go_on, count, *values = message.tolist()
        if not go_on:
            raise Stopped
        return values[: int(count)]


ALONE = Group()


def rank() -> int:
    """The rank of this process, even before it has joined its group."""
    return int(os.environ.get("RANK", "0"))


def local_rank() -> int:
    """The rank of this process on its machine, which is also the number of its GPU."""
    return int(os.environ.get("LOCAL_RANK", "0"))


def grouped() -> bool:
    """Whether torchrun or Ray Train has started this process."""
    return "RANK" in os.environ and "WORLD_SIZE" in os.environ


@contextlib.contextmanager
def process_group(device: torch.device) -> Iterator[Group]:
    """Join the process group that torchrun has prepared; ALONE without torchrun. NCCL for GPUs, gloo for CPUs.

    Ray Train joins and leaves the group itself.
    """
    if not grouped():
        yield ALONE
        return
    if device.type == "cuda":
        torch.cuda.set_device(device)
    joined = dist.is_initialized()
    if not joined:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo", timeout=TIMEOUT)
    try:
        messages = dist.new_group(backend="gloo", timeout=TIMEOUT)
        yield Group(dist.get_rank(), dist.get_world_size(), messages)
    finally:
        if not joined:
            dist.destroy_process_group()


def take_rows(batch: Batch, rows: Sequence[int]) -> Batch:
    """Some rows of a batch, padded to the longest of these rows."""
    labels = torch.split(batch.labels, batch.inputs.lengths.tolist())
    return Batch(_take(batch.source, rows), _take(batch.inputs, rows), torch.cat([labels[row] for row in rows]))


def _take(padded: Padded, rows: Sequence[int]) -> Padded:
    lengths = padded.lengths[list(rows)]
    return Padded.of(padded.ids[list(rows), : int(lengths.max())], lengths)


def split_rows(batch: Batch, count: int) -> list[Batch]:
    """Split a batch into `count` parts of similar length, each with every count-th row; fewer if rows are fewer."""
    if count == 1:
        return [batch]
    rows = range(len(batch.source.ids))
    return [take_rows(batch, rows[first::count]) for first in range(min(count, len(rows)))]


class Gradient:
    """The gradient of the mean loss over a batch's target tokens; each process in a group computes a share of it.

    parts: gradient accumulation, the number of parts into which a batch is split and processed in turn. It needs less
    memory and gives the same gradient. Only for a single process: those of a group have smaller shares anyway.
    """

    def __init__(self, model: Seq2Seq, config: TrainingConfig, group: Group = ALONE) -> None:
        self.group, self.config, self.parts = group, config, 1
        self.device = model.device
        self.model = model
        self.loss: torch.nn.Module = Loss(model)
        if group.size > 1:
            self.loss = DistributedDataParallel(self.loss, forward_sync_buffers=False)

    def __call__(self, batch: Batch, sampling: float = 0.0) -> Tensor:
        """Add the gradient to the parameters' `grad` and return the mean loss over the whole batch, detached.

        sampling: the share of the decoder's inputs that are the model's own words (scheduled sampling).
        """
        shares = split_rows(batch, self.group.size)
        idle = self.group.rank >= len(shares)  # with more processes than rows, it must still take part
        parts = split_rows(shares[0 if idle else self.group.rank], self.parts)
        total = torch.zeros((), device=self.device)
        for part in parts:
            part = part.to(self.device)
            with autocast(self.device, self.config.precision):
                read = with_sampled_inputs(self.model, part, sampling) if sampling else part
                loss = self.loss(read, self.config.label_smoothing)
            loss = loss * (0.0 if idle else part.tokens / batch.tokens)
            (loss * self.group.size).backward()
            total += loss.detach()
        if self.group.size > 1:
            dist.all_reduce(total)
        return total


class Loss(torch.nn.Module):
    """The loss of a batch as a module's `forward`, because DistributedDataParallel wraps a module."""

    def __init__(self, model: Seq2Seq) -> None:
        super().__init__()
        self.model = model

    def forward(self, batch: Batch, smoothing: float) -> Tensor:
        return batch_loss(self.model, batch, smoothing)
