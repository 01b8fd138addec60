"""Throughput (tokens per second), mean loss since the last report, and remaining time of a training run."""

import math
import time
from collections import deque
from collections.abc import Callable

import torch
from torch import Tensor

from nmtcore.errors import DivergedError
from nmtcore.training.events import Progress
from nmtcore.training.state import TrainingState

REPORT_SECONDS = 0.5  # between two Progress events
REPORT_STEPS = 20  # updates between two on a GPU, since reading a number waits until the GPU has done all its work
LEAST, ENOUGH = 5, 100  # bounds for the updates before the remaining time is extrapolated: one evaluation period
RECENT = 10  # extrapolate from at least this many updates and from two whole evaluation periods


class Meter:
    """Accumulates updates into a Progress every REPORT_SECONDS; on a GPU after at least REPORT_STEPS updates."""

    def __init__(self, state: TrainingState, clock: Callable[[], float] = time.perf_counter) -> None:
        self.state, self.clock = state, clock
        self.since = clock()
        self.sums = torch.zeros(3, device=state.model.device)  # loss times tokens, gradient norm, clipped updates
        self.updates = 0
        self.tokens = 0
        self.reported = False
        self.least = 1 if state.model.device.type == "cpu" else REPORT_STEPS  # updates
        period = state.config.validate_every or len(state.batches)
        self.enough = min(max(LEAST, period), ENOUGH)
        # End times of the last updates. Over whole periods, evaluations count as often as they occur.
        self.ends: deque[float] = deque(maxlen=1 + period * (2 + RECENT // period))

    def restart(self) -> None:
        """Exclude time outside training, such as validation and writing, from the rate."""
        if not self.tokens:
            self.since = self.clock()

    def add(self, loss: Tensor, tokens: int) -> Progress | None:
        """Add an update and return a Progress if one is due. Raises DivergedError if the loss is not a number."""
        state = self.state
        norm = state.gradient_norm
        self.sums = self.sums + torch.stack((loss * tokens, norm, (norm > (state.config.clip or math.inf)).to(norm)))
        self.tokens += tokens
        self.updates += 1
        now = self.clock()
        self.ends.append(now)
        soon = now - self.since < REPORT_SECONDS or self.updates < self.least
        if self.reported and soon and not state.finished() and not state.validation_due():
            return None
        loss_sum, norm_sum, clipped = self.sums.tolist()
        mean = loss_sum / self.tokens
        if not math.isfinite(mean):
            raise DivergedError(f"The loss is no longer a number at step {state.step}: use a lower learning rate.")
        progress = Progress(
            step=state.step,
            total=state.total,
            epoch=state.epochs_done,
            loss=mean,
            learning_rate=state.optimiser.param_groups[0]["lr"],
            tokens_per_second=self.tokens / max(now - self.since, 1e-9),
            seconds_left=self._seconds_left(),
            gradient_norm=norm_sum / self.updates,
            clipped=clipped / self.updates,
            seconds=state.seconds,
        )
        self.sums = torch.zeros_like(self.sums)
        self.tokens, self.updates, self.since, self.reported = 0, 0, self.clock(), True
        return progress

    def _seconds_left(self) -> float | None:
        """Extrapolate from the last updates and the evaluations between them; the first update takes far longer."""
        updates = len(self.ends) - 1
        if updates < self.enough and not self.state.finished():
            return None
        return (self.ends[-1] - self.ends[0]) / max(updates, 1) * max(self.state.total - self.state.step, 0)
