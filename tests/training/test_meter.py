"""The time left, with a test clock: evaluations take time just like updates."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from nmtcore.training.events import Progress
from nmtcore.training.meter import LEAST, Meter


def test_the_time_left_counts_evaluations_and_the_rate_does_not() -> None:
    """The first estimate must hold to the end: the slow first update must not count."""
    now, step = [100.0], 3
    state: Any = SimpleNamespace(
        step=step,
        total=103,
        epochs_done=0.0,
        seconds=0.0,
        gradient_norm=torch.tensor(1.0),
        config=SimpleNamespace(clip=0.0, validate_every=2),
        model=SimpleNamespace(device=torch.device("cpu")),
        optimiser=SimpleNamespace(param_groups=[{"lr": 0.1}]),
        finished=lambda: False,
        validation_due=lambda: False,
    )
    meter = Meter(cast(Any, state), lambda: now[0])

    def updates(*seconds: float) -> list[Progress]:
        found = []
        for one in seconds:
            now[0] += one
            state.step += 1
            progress = meter.add(torch.tensor(1.5), 30)
            assert progress is not None
            found.append(progress)
            if state.step % 2:
                now[0] += 5.0  # of an evaluation
            meter.restart()
        return found

    first = updates(60.0, *[2.0] * LEAST)
    assert [one.seconds_left for one in first[:-1]] == [None] * LEAST
    assert first[-1].seconds_left == pytest.approx((2 * LEAST + 5 * 2) / LEAST * (103 - state.step))
    assert first[-1].tokens_per_second == pytest.approx(15)
    *_, quick = updates(*[2.0] * 20)
    assert quick.seconds_left == pytest.approx((2 + 2 + 5) / 2 * (103 - state.step))
    *_, slow = updates(*[7.0] * 20)  # something else runs now
    assert slow.seconds_left == pytest.approx((7 + 7 + 5) / 2 * (103 - state.step))
