"""Several runs side by side: the settings in which they differ (a diff), and their remaining time on one device."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nmtcore.config import model_config
from nmtcore.runs.config import LIVE, OPEN, RunConfig, Status

# Intervals of writing and measuring change no weight; other settings here follow from a listed one.
LEFT_OUT = {"validate_every", "checkpoint_every", "vocab_size", "rehearsed", "french_word", "max_positions"}


def differing_settings(configs: Sequence[RunConfig]) -> list[tuple[str, tuple[Any, ...]]]:
    """The settings that are not the same in all runs, each with its value in every run; None if a run has none."""
    tables = [_flat(config) for config in configs]
    names = dict.fromkeys(name for table in tables for name in table)
    rows = [(name, tuple(table.get(name) for table in tables)) for name in names]
    return [(name, values) for name, values in rows if any(value != values[0] for value in values)]


def _flat(config: RunConfig) -> dict[str, Any]:
    """All settings of a run by name, with its model's defaults, but without those that have no effect in it."""
    values: dict[str, Any] = {
        "exercise": config.exercise or None,
        "architecture": config.architecture or config.began_with,
        **dataclasses.asdict(config.training),
        "rehearsal": config.rehearsal,
        "device": config.device,
    }
    if config.architecture:
        model = dataclasses.asdict(model_config(config.architecture, config.vocab_size, **config.settings))
        values |= {name: value for name, value in model.items() if name not in values}
    if values.get("locality") == "global":
        del values["window"]
    if config.training.optimiser != "momentum":
        del values["momentum"]
    if config.training.initialisation != "normal":
        del values["init_std"]
    return {name: value for name, value in values.items() if name not in LEFT_OUT}


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
