"""Prefetching: the CPU makes the next batches while a GPU still works on the current one."""

from concurrent.futures import Future, ThreadPoolExecutor

import torch

from nmtcore.training.batches import Batch, Batches

AHEAD = 3  # batches made in advance


class Prefetch:
    """Takes the batches of an epoch in order; for a GPU, a thread makes and pins the next ones in advance.

    A CPU that trains has no time to spare, so it makes each batch when it is needed.
    """

    def __init__(self, device: torch.device) -> None:
        self.thread = None if device.type == "cpu" else ThreadPoolExecutor(1, "prefetch")
        self.pins = device.type == "cuda" and torch.cuda.is_available()
        self.batches: Batches | None = None
        self.made: dict[int, Future[Batch]] = {}  # by number in the epoch

    def take(self, batches: Batches, position: int) -> Batch:
        """Take one batch of an epoch. Raises any error from making it."""
        if self.thread is None:
            return batches[position]
        if batches is not self.batches:
            self.batches, self.made = batches, {}
        for i in range(position, min(position + 1 + AHEAD, len(batches))):
            if i not in self.made:
                self.made[i] = self.thread.submit(self._make, batches, i)
        return self.made.pop(position).result()

    def _make(self, batches: Batches, position: int) -> Batch:
        batch = batches[position]
        return batch.pin_memory() if self.pins else batch
