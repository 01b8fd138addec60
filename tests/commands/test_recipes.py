"""The recipes of the shipped models: each can be read, and each begins with what another one makes."""

from __future__ import annotations

import argparse
import dataclasses
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from nmtcore.__main__ import main
from nmtcore.commands import train
from nmtcore.commands.shared import chosen_fields
from nmtcore.config import CORE, config_classes, model_config
from nmtcore.models.checkpoint import read_config
from nmtcore.training.config import TrainingConfig, with_present_names
from tests.paths import ROOT

RECIPES = sorted(path.name for path in (ROOT / "pretrained" / "recipes").iterdir())
SHIPPED = sorted(path.parent for path in (ROOT / "pretrained").glob("*/*/config.json"))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> dict[str, argparse.Namespace]:
    """The options of every recipe, by its name."""
    found: list[argparse.Namespace] = []

    def run(options: argparse.Namespace) -> int:
        found.append(options)
        return 0

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(train, "run", run)
    for name in RECIPES:
        assert main(["train", f"@pretrained/recipes/{name}"]) == 0
    return dict(zip(RECIPES, found, strict=True))


def model_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The fields of a model's configuration that a recipe gives."""
    return {name: value for config in config_classes() for name, value in chosen_fields(options, config).items()}


def test_every_shipped_model_has_a_recipe_that_makes_it(read: dict[str, argparse.Namespace]) -> None:
    assert {folder.name for folder in SHIPPED} >= set(CORE)
    for folder in SHIPPED:
        made = read[f"{folder.parent.name}-{folder.name}"]
        assert ROOT / made.out == folder and made.architecture == folder.name
        config, meta = read_config(folder)
        recorded = TrainingConfig(**with_present_names(meta["training"]))
        training = TrainingConfig(**chosen_fields(made, TrainingConfig))
        if training.precision == "auto":  # the record says what that was there
            training = dataclasses.replace(training, precision=recorded.precision)
        assert training == recorded, folder
        settings = model_settings(made)
        assert model_config(made.architecture, config.vocab_size, **settings) == config, folder
        for name in ("swap", "joined", "linked", "varied", "sampled", "grammar"):
            assert getattr(made, name) == meta.get(name, 0.0), (folder, name)
        assert {name: getattr(made, f"split_{name}") for name in meta["split"]} == meta["split"]
        assert bool(made.distilled) == ("distilled" in meta["data"])
        assert bool(made.synthetic) == ("synthetic" in meta["data"])
        assert bool(made.warm_start or made.transfer) == ("begun" in meta["trained"])
        assert made.interpolate == meta["trained"].get("begun", {}).get("interpolate", 1.0)


def test_every_recipe_is_sound_and_begins_with_what_another_makes(read: dict[str, argparse.Namespace]) -> None:
    outs = {options.out for options in read.values()}
    assert len(outs) == len(read)
    for options in read.values():
        TrainingConfig(**chosen_fields(options, TrainingConfig))
        settings = model_settings(options)
        model_config(options.architecture, options.vocab_size, **settings)
        assert "CC BY 2.0 FR" in options.attribution
        for needed in (options.warm_start, options.transfer, options.vocab and str(Path(options.vocab).parent)):
            assert needed is None or needed in outs - {options.out}


def test_make_pretrained_runs_each_recipe_once_after_what_it_needs(read: dict[str, argparse.Namespace]) -> None:
    """In a checkout without runs; what is made already is left out, so that the order can only be seen there."""
    command = ["make", "--dry-run", "--always-make", "pretrained"]
    plan = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    order = re.findall(r"train @pretrained/recipes/(\S+)|distil --model (\S+) .* --out (\S+)", plan)
    trained = [name for name, __, __ in order if name]
    assert sorted(trained) == RECIPES
    made: set[str] = set()
    for name, teacher, taught in order:
        if name:
            options = read[name]
            needs = {
                options.warm_start,
                options.transfer,
                options.distilled,
                *options.synthetic,
                options.vocab and str(Path(options.vocab).parent),
            }
            assert needs - {None} <= made, name
            made.add(options.out)
        else:
            assert teacher in made
            made.add(taught)
