"""The time left for several runs: waiting runs are estimated from those that have begun."""

from typing import Any

import pytest

from nmtcore.runs.config import Status
from nmtcore.runs.time_left import share_and_time_left


def progress(step: int, seconds: float) -> list[dict[str, object]]:
    return [
        {"event": "progress", "step": 1, "seconds": 3.0},
        {"event": "progress", "step": step, "seconds": seconds},
        {"event": "validation", "step": step},
    ]


DONE, WORKS, WAITS = Status("done", step=200), Status("running", step=50, seconds_left=7.0), Status("queued")
FAILED, BEGUN = Status("failed", step=3), [{"event": "begun", "step": 0}]


@pytest.mark.parametrize(
    ("runs", "share", "seconds"),
    [
        # A waiting run takes as long for a step as the slowest.
        (
            [(DONE, 200, progress(200, 40.0)), (WORKS, 100, progress(50, 5.0)), (WAITS, 300, [])],
            250 / 600,
            7 + 300 * 0.2,
        ),
        # One that does not know its time yet is counted on from its steps.
        ([(Status("running", step=5), 100, progress(5, 2.0))], 0.05, 95 * 0.4),
        ([(Status("starting"), 100, []), (WAITS, 50, BEGUN)], 0, None),
        ([(FAILED, 100, progress(3, 9.0)), (Status("stopped"), 20, [])], 1.0, 0.0),  # ended early: nothing is left
    ],
)
def test_the_share_of_all_steps_and_the_time_left(runs: Any, share: float, seconds: float | None) -> None:
    assert share_and_time_left(runs) == (pytest.approx(share), seconds if seconds is None else pytest.approx(seconds))
