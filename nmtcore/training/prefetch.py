"""Prefetching: the CPU makes the next batches while a GPU still works on this one."""

from concurrent.futures import Future, ThreadPoolExecutor

import torch

from nmtcore.training.batches import Batch, Batches

AHEAD = 3  # batches made before they are asked for


class Prefetch:
    """Takes the batches of an epoch in their order; for a GPU a thread makes and pins those that follow.

    A CPU that trains has no time to spare: there each batch is made when it is asked for.
    """

    def __init__(self, device: torch.device) -> None:
        self.thread = None if device.type == "cpu" else ThreadPoolExecutor(1, "prefetch")
        self.pins = device.type == "cuda" and torch.cuda.is_available()
        self.batches: Batches | None = None
        self.made: dict[int, Future[Batch]] = {}  # by their number in the epoch

    def take(self, batches: Batches, position: int) -> Batch:
        """A batch of an epoch. Raises what making it raises."""
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
