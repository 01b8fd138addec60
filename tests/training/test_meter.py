"""Time that is left, by a clock of the test: what an evaluation takes is waited for like an update."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from nmtcore.training.meter import Meter


def test_the_time_left_counts_evaluations_and_the_rate_does_not() -> None:
    now = [100.0]
    state: Any = SimpleNamespace(
        step=3,
        total=13,
        epochs_done=0.0,
        seconds=0.0,
        gradient_norm=torch.tensor(1.0),
        config=SimpleNamespace(clip=0.0),
        model=SimpleNamespace(device=torch.device("cpu")),
        optimiser=SimpleNamespace(param_groups=[{"lr": 0.1}]),
        finished=lambda: False,
        validation_due=lambda: False,
    )
    meter = Meter(cast(Any, state), lambda: now[0])
    found = []
    for _ in range(2):
        now[0] += 2.0  # of an update
        state.step += 1
        found.append(meter.add(torch.tensor(1.5), 30))
        now[0] += 5.0  # of an evaluation
        meter.restart()
    first, second = found
    assert first is not None and first.seconds_left == pytest.approx(2.0 * 9)
    assert second is not None and second.tokens_per_second == pytest.approx(15)
    assert second.seconds_left == pytest.approx((2 + 5 + 2) / 2 * 8)
