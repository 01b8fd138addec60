"""Shared by tests of runs: tiny runs, and ways to wait for them and compare them."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from nmtcore.runs import queue, run_folder
from nmtcore.runs.config import RunConfig
from nmtcore.runs.run_folder import Run
from nmtcore.training.config import TrainingConfig
from nmtcore.training.exercises import EXERCISES
from tests.helpers import PATIENCE

REVERSE = EXERCISES["reverse"]
TINY = {"embedding": 8, "units": 8, "dropout": 0.2}


def config(**changes: Any) -> RunConfig:
    training = {
        "epochs": 1000,
        "max_steps": 40,
        "batch_tokens": 60,
        "precision": "fp32",
        "warmup": 5,
        "validate_every": 20,
        "checkpoint_every": 5,
        **changes.pop("training", {}),
    }
    plain = {"exercise": "reverse", "architecture": "dot", "settings": TINY}
    return RunConfig(TrainingConfig(**training), ("1 2 3", "3 2 1"), **{**plain, **changes})


def make(root: Path, session: str = "me", **changes: Any) -> Run:
    return run_folder.create(root, config(**changes), REVERSE.pairs(200, length=4), session)[0]


def until(true: Callable[[], Any], seconds: float = PATIENCE) -> None:
    """Wait until something is true."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < seconds, "waited too long"
        time.sleep(0.01)


def end_processes() -> None:
    """Kill the processes of this test's runs: other tests check that they stop on request."""
    for child in queue._children:
        child.kill()
        child.wait()


def losses(run: Run) -> list[tuple[int, float]]:
    return [(e["step"], e["loss"]) for e in run.events() if e["event"] == "validation"]


def same_weights(one: Path, other: Path) -> bool:
    first, second = load_file(one / "model.safetensors"), load_file(other / "model.safetensors")
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


def last_checkpoint(run: Run) -> int:
    try:
        return int(json.loads((run.folder / "state" / "state.json").read_text())["step"])
    except FileNotFoundError:
        return -1
