"""Data-parallel training and gradient accumulation: a batch's gradient in parts, at once or one after another.

`torchrun --nproc-per-node 2 -m nmtcore train ...` starts the same program twice, and so does Ray Train on several
machines (nmtcore/ray_train.py); each process is one of a Group and takes its rows of every batch. torch's
DistributedDataParallel takes the mean of the processes' gradients, so each process weighs its loss with size * own
tokens / tokens of the whole batch: the mean is then the gradient of the mean loss over all tokens, the same as of one
process. Process 0 alone writes, prints and decides; the others follow.
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
from nmtcore.training.loss import autocast, batch_loss
from nmtcore.training.scheduled_sampling import with_sampled_inputs

TIMEOUT = datetime.timedelta(hours=1)  # that the others wait while process 0 translates, draws and writes
MESSAGE = 8  # numbers in a message of process 0


class Stopped(Exception):
    """Process 0 has been asked to stop."""


@dataclass(frozen=True)
class Group:
    """The processes of one training. One that is alone is process 0 of one."""

    rank: int = 0
    size: int = 1
    messages: Any = None  # torch's group for messages between CPUs, beside the gradients between GPUs

    @contextlib.contextmanager
    def first(self) -> Iterator[None]:
        """A barrier: process 0 runs the block first, then the others do."""
        if self.rank:
            self.receive()
        yield
        if not self.rank:
            self.broadcast()

    def all(self, mine: bool) -> bool:
        """Whether something is true of every process, which all ask."""
        if self.size == 1:
            return mine
        agreed = torch.tensor(int(mine))
        dist.all_reduce(agreed, dist.ReduceOp.MIN, group=self.messages)
        return bool(agreed)

    def broadcast(self, *values: float, go_on: bool = True) -> None:
        """Send numbers from process 0 to the others, at most MESSAGE - 2."""
        if self.size > 1:
            message = [float(go_on), len(values), *values, *[0.0] * (MESSAGE - 2 - len(values))]
            dist.broadcast(torch.tensor(message, dtype=torch.float64), 0, self.messages)

    def receive(self) -> list[float]:
        """The numbers that process 0 sends. Raises Stopped."""
        message = torch.zeros(MESSAGE, dtype=torch.float64)
        dist.broadcast(message, 0, self.messages)
        go_on, count, *values = message.tolist()
        if not go_on:
            raise Stopped
        return values[: int(count)]


ALONE = Group()


def rank() -> int:
    """The rank of this process, whether or not it has joined its group yet."""
    return int(os.environ.get("RANK", "0"))


def local_rank() -> int:
    """Which of the processes on this machine this is: the number of its GPU."""
    return int(os.environ.get("LOCAL_RANK", "0"))


def grouped() -> bool:
    """Whether torchrun, or Ray Train, has started this process."""
    return "RANK" in os.environ and "WORLD_SIZE" in os.environ


@contextlib.contextmanager
def process_group(device: torch.device) -> Iterator[Group]:
    """Join the process group that torchrun has started; ALONE without torchrun. NCCL for GPUs, gloo for CPUs.

    Ray Train has joined it already, and leaves it again.
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
    """Some rows of a batch, padded to the longest of them."""
    labels = torch.split(batch.labels, batch.inputs.lengths.tolist())
    return Batch(_take(batch.source, rows), _take(batch.inputs, rows), torch.cat([labels[row] for row in rows]))


def _take(padded: Padded, rows: Sequence[int]) -> Padded:
    lengths = padded.lengths[list(rows)]
    return Padded.of(padded.ids[list(rows), : int(lengths.max())], lengths)


def split_rows(batch: Batch, count: int) -> list[Batch]:
    """`count` parts with every count-th row each, so that they are of like lengths; fewer where rows are fewer."""
    if count == 1:
        return [batch]
    rows = range(len(batch.source.ids))
    return [take_rows(batch, rows[first::count]) for first in range(min(count, len(rows)))]


class Gradient:
    """The gradient of the mean loss over a batch's target tokens; each process of a group works out a share of it.

    parts: gradient accumulation. Into so many the batch is cut, worked on one after another, which needs less memory
    and gives the same gradient. For a process that is alone: those of a group have smaller shares already.
    """

    def __init__(self, model: Seq2Seq, config: TrainingConfig, group: Group = ALONE) -> None:
        self.group, self.config, self.parts = group, config, 1
        self.device = model.device
        self.model = model
        self.loss: torch.nn.Module = Loss(model)
        if group.size > 1:
            self.loss = DistributedDataParallel(self.loss, forward_sync_buffers=False)

    def __call__(self, batch: Batch, sampling: float = 0.0) -> Tensor:
        """Add it to the parameters' `grad`; the mean loss over the whole batch, a scalar without a gradient.

        sampling: the share of the decoder's inputs that are the model's own words (scheduled sampling).
        """
        shares = split_rows(batch, self.group.size)
        idle = self.group.rank >= len(shares)  # more processes than rows: it must take part all the same
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
    """The loss of a batch as a module's forward, which is what DistributedDataParallel wraps."""

    def __init__(self, model: Seq2Seq) -> None:
        super().__init__()
        self.model = model

    def forward(self, batch: Batch, smoothing: float) -> Tensor:
        return batch_loss(self.model, batch, smoothing)
