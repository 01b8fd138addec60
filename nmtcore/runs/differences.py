"""A diff of the settings of several runs."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from nmtcore.config import model_config
from nmtcore.runs.config import RunConfig

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
