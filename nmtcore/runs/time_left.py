"""Remaining time of several runs that wait for one another on one device."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nmtcore.runs.config import LIVE, OPEN, Status


def share_and_time_left(
    runs: Sequence[tuple[Status, int, Iterable[Mapping[str, Any]]]],
) -> tuple[float, float | None]:
    """The share of all steps that is done, 0 to 1, and the seconds left for all; None before the first step.

    runs: each with its total number of steps and its events. A waiting run is assumed to be as slow per step as the
    slowest that has begun. A run that has ended has no time left, however many steps it was to make.
    """
    pace = max((seconds for *_, events in runs if (seconds := _seconds_a_step(events)) is not None), default=None)
    done, seconds = 0.0, 0.0
    for status, steps, _events in runs:
        if status.state not in OPEN:
            done += steps
            continue
        done += status.step
        known = status.seconds_left if status.state in LIVE and status.step else None
        seconds += (steps - status.step) * (pace or 0.0) if known is None else known
    total = sum(steps for _status, steps, _events in runs)
    return min(1.0, done / max(total, 1)), None if pace is None else seconds


def _seconds_a_step(events: Iterable[Mapping[str, Any]]) -> float | None:
    """Seconds per step of a run so far, with its evaluations."""
    last = next((event for event in reversed(list(events)) if event["event"] == "progress"), None)
    return float(last["seconds"]) / last["step"] if last and last["step"] and last.get("seconds") else None
