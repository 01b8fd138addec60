"""Throughput (tokens a second) and mean loss of a training since they were last reported."""

from __future__ import annotations

import math
import time

from torch import Tensor

from nmtcore.errors import DivergedError
from nmtcore.training.events import Progress
from nmtcore.training.state import TrainingState

REPORT_SECONDS = 0.5  # between two Progress events


class Meter:
    """Sums up updates into a Progress every REPORT_SECONDS."""

    def __init__(self, state: TrainingState) -> None:
        self.state = state
        self.since = time.perf_counter()
        self.first_step, self.paused, self.begun = state.step, 0.0, self.since
        self.loss: Tensor | float = 0.0
        self.norm: Tensor | float = 0.0
        self.clipped: Tensor | float = 0.0
        self.updates = 0
        self.tokens = 0
        self.reported = False

    def restart(self) -> None:
        """Leave out of the rate what was no training: validating, writing."""
        now = time.perf_counter()
        if not self.tokens:
            self.paused += now - self.since
            self.since = now

    def add(self, loss: Tensor, tokens: int) -> Progress | None:
        self.loss = self.loss + loss * tokens
        self.tokens += tokens
        state = self.state
        self.norm = self.norm + state.gradient_norm
        self.clipped = self.clipped + (state.gradient_norm > (state.config.clip or math.inf))
        self.updates += 1
        now = time.perf_counter()
        if self.reported and now - self.since < REPORT_SECONDS and not state.finished() and not state.validation_due():
            return None
        mean = float(self.loss) / self.tokens
        if not math.isfinite(mean):
            raise DivergedError(f"The loss is no longer a number at step {state.step}: use a lower learning rate.")
        per_step = (now - self.begun - self.paused) / (state.step - self.first_step)
        progress = Progress(
            step=state.step,
            total=state.total,
            epoch=state.epochs_done,
            loss=mean,
            learning_rate=state.optimiser.param_groups[0]["lr"],
            tokens_per_second=self.tokens / max(now - self.since, 1e-9),
            seconds_left=per_step * max(state.total - state.step, 0),
            gradient_norm=float(self.norm) / self.updates,
            clipped=float(self.clipped) / self.updates,
        )
        self.loss, self.tokens, self.since, self.reported = 0.0, 0, time.perf_counter(), True
        self.norm, self.clipped, self.updates = 0.0, 0.0, 0
        return progress
