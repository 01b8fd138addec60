"""How fast a training goes and what its loss is, since the last time that it was said."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from torch import Tensor

from nmtcore.errors import SettingError
from nmtcore.training.events import Progress

if TYPE_CHECKING:
    from nmtcore.training.fit import TrainingState

REPORT_SECONDS = 0.5  # between two Progress events


class Meter:
    """Sums up updates into a Progress every REPORT_SECONDS."""

    def __init__(self, run: TrainingState) -> None:
        self.run = run
        self.since = time.perf_counter()
        self.first_step, self.paused, self.begun = run.step, 0.0, self.since
        self.loss: Tensor | float = 0.0
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
        now = time.perf_counter()
        run = self.run
        if self.reported and now - self.since < REPORT_SECONDS and not run.finished() and not run.validation_due():
            return None
        mean = float(self.loss) / self.tokens
        if not math.isfinite(mean):
            raise SettingError(f"The loss is no longer a number at step {run.step}: use a lower learning rate.")
        per_step = (now - self.begun - self.paused) / (run.step - self.first_step)
        progress = Progress(
            step=run.step,
            total=run.total,
            epoch=run.epochs_done,
            loss=mean,
            learning_rate=run.optimiser.param_groups[0]["lr"],
            tokens_per_second=self.tokens / max(now - self.since, 1e-9),
            seconds_left=per_step * max(run.total - run.step, 0),
        )
        self.loss, self.tokens, self.since, self.reported = 0.0, 0, time.perf_counter(), True
        return progress
