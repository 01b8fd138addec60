"""The time left for several runs: waiting runs are estimated from those that have begun."""

import pytest

from nmtcore.runs.config import Status
from nmtcore.runs.time_left import share_and_time_left


def progress(step: int, seconds: float) -> list[dict[str, object]]:
    return [
        {"event": "progress", "step": 1, "seconds": 3.0},
        {"event": "progress", "step": step, "seconds": seconds},
        {"event": "validation", "step": step},
    ]


def test_a_run_that_waits_takes_as_long_for_a_step_as_the_slowest() -> None:
    done = Status("done", step=200)
    works = Status("running", step=50, seconds_left=7.0)
    waits = Status("queued")
    share, seconds = share_and_time_left(
        [(done, 200, progress(200, 40.0)), (works, 100, progress(50, 5.0)), (waits, 300, [])]
    )
    assert share == pytest.approx(250 / 600)
    assert seconds == pytest.approx(7.0 + 300 * 0.2)


def test_a_run_that_does_not_know_its_time_yet_is_counted_on_from_its_steps() -> None:
    works = Status("running", step=5)
    assert share_and_time_left([(works, 100, progress(5, 2.0))]) == (0.05, pytest.approx(95 * 0.4))


def test_before_the_first_step_nobody_knows_how_long() -> None:
    assert share_and_time_left(
        [(Status("starting"), 100, []), (Status("queued"), 50, [{"event": "begun", "step": 0}])]
    ) == (
        0,
        None,
    )


def test_what_has_ended_early_has_nothing_left() -> None:
    share, seconds = share_and_time_left(
        [(Status("failed", step=3), 100, progress(3, 9.0)), (Status("stopped"), 20, [])]
    )
    assert (share, seconds) == (1.0, 0.0)
