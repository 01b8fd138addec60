"""The recipes: one per model, from random weights, all models of a pair from the same rows; each of them trains."""

import argparse
import dataclasses
import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nmtcore.__main__ import main
from nmtcore.commands import train
from nmtcore.commands.shared import chosen_fields
from nmtcore.commands.training_data import weighted
from nmtcore.config import CORE, DecodingConfig, config_classes, model_config
from nmtcore.evaluation import distillation
from nmtcore.models.checkpoint import read_config
from nmtcore.training.config import AugmentationConfig, TrainingConfig
from nmtcore.training.corpus import SplitConfig, read_pairs, split_pairs
from tests.paths import ROOT

FOLDER = ROOT / "pretrained" / "recipes"
RECIPES = sorted(path.name for path in FOLDER.iterdir() if path.is_file())
SHIPPED = sorted(path.parent for path in (ROOT / "pretrained").glob("*/*/config.json"))
EARLIER = "made by the recipes of commit e71e56b"  # the card of a model that none of these recipes made
OWN = {"out", "architecture", "arguments", "prog", "run", "learning_rate", "warmup"}  # where students may differ


@pytest.fixture(scope="module")
def read() -> dict[str, argparse.Namespace]:
    """The options of every recipe, by its name."""
    found: list[argparse.Namespace] = []

    def run(options: argparse.Namespace) -> int:
        found.append(options)
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr(train, "run", run)
        for name in RECIPES:
            assert main(["train", f"@pretrained/recipes/{name}"]) == 0
    return dict(zip(RECIPES, found, strict=True))


def model_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The fields of a model's configuration that a recipe sets."""
    return {name: value for config in config_classes() for name, value in chosen_fields(options, config).items()}


def test_every_shipped_model_has_a_recipe_that_makes_it(read: dict[str, argparse.Namespace]) -> None:
    """Except those whose card says that earlier recipes made them."""
    assert {folder.name for folder in SHIPPED} >= set(CORE)
    assert len(read) == len(SHIPPED) + 1  # the French teacher
    for folder in SHIPPED:
        made = read[f"{folder.parent.name}-{folder.name}"]
        assert ROOT / made.out == folder and made.architecture == folder.name
        if EARLIER in (folder / "card.md").read_text(encoding="utf-8"):
            continue
        config, meta = read_config(folder)
        recorded = TrainingConfig(**meta["training"])
        training = TrainingConfig(**chosen_fields(made, TrainingConfig))
        if training.precision == "auto":  # the record says what its value was
            training = dataclasses.replace(training, precision=recorded.precision)
        assert training == recorded, folder
        assert model_config(made.architecture, config.vocab_size, **model_settings(made)) == config, folder
        for name, share in chosen_fields(made, AugmentationConfig).items():
            assert share == meta[name], (folder, name)
        assert dataclasses.asdict(SplitConfig(**chosen_fields(made, SplitConfig, "split_"))) == meta["split"]
        files = {Path(file).name for file in (*made.corpus, *made.extra, *made.dictionary)}
        data = meta["data"]
        assert (data["file"], {*data["added"]["files"]}) == (Path(made.pairs).name, files), folder
        assert bool(data.get("synthetic")) == bool(made.synthetic) and meta["swap"] == made.swap, folder


def test_every_recipe_is_sound_and_begins_with_random_weights(read: dict[str, argparse.Namespace]) -> None:
    assert len({options.out for options in read.values()}) == len(read)
    for options in read.values():
        TrainingConfig(**chosen_fields(options, TrainingConfig))
        model_config(options.architecture, options.vocab_size, **model_settings(options))
        assert "CC BY 2.0 FR" in options.attribution and not options.warm_start


@pytest.mark.parametrize("pair", ["en-fr", "zh-en"])
def test_all_models_of_a_pair_learn_from_the_same_rows(read: dict[str, argparse.Namespace], pair: str) -> None:
    students = [read[f"{folder.parent.name}-{folder.name}"] for folder in SHIPPED if folder.parent.name == pair]
    ignored = {*OWN, *(name for options in students for name in model_settings(options))}
    alike = [{name: value for name, value in vars(options).items() if name not in ignored} for options in students]
    for options in alike:
        options["vocab"] = options["vocab"] or f"pretrained/{pair}/transformer/vocab.model"
        options["vocab_size"] = options["vocab_words"] = None  # set for the model that learns the vocabulary
    assert len(alike) >= 4 and all(options == alike[0] for options in alike)
    assert all((ROOT / weighted(file)[0]).is_file() for file in students[0].corpus)
    teacher = read.get(f"{pair}-teacher")
    if teacher is None:
        assert students[0].synthetic is None
        return
    for name in ("pairs", "corpus", "extra", "dictionary", "swap", "noise", "entity_replacement"):
        assert getattr(teacher, name) == getattr(students[0], name)
    assert teacher.synthetic is None and students[0].vocab == f"{teacher.out}/vocab.model"


@pytest.mark.skipif(sys.platform == "win32", reason="make is for Linux and macOS.")
def test_make_pretrained_trains_a_teacher_or_vocabulary_first(read: dict[str, argparse.Namespace]) -> None:
    command = ["make", "--dry-run", "--always-make", "pretrained"]
    plan = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.replace("\\\n", " ")
    order = re.findall(
        r"train @pretrained/recipes/(\S+)|distil --model (\S+) .* --out (\S+)|--model (\S+) --pairs", plan
    )
    assert sorted(name for name, *_ in order if name) == RECIPES
    made: set[str] = set()
    for name, teacher, taught, scored in order:
        if name:
            assert {read[name].synthetic} - {None} <= made, name
            assert not read[name].vocab or str(Path(read[name].vocab).parent) in made, name
            made.add(read[name].out)
        elif taught:
            assert teacher in made
            made.add(taught)
        else:
            assert scored in made
    assert len([taught for _, _, taught, _ in order if taught]) == 1


def write_rows(path: Path, rows: list[tuple[str, ...]]) -> None:
    """A file of tab-separated rows, gzipped if its name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join("\t".join(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)


WORDS = tuple("cat dog house horse garden street book pen hat coat river stone window".split())  # noqa: SIM905
COLOURS = tuple("red green black blue pink brown white grey".split())  # noqa: SIM905


def tiny_data(options: argparse.Namespace, folder: Path) -> None:
    """All files that a recipe names, each with a few rows."""
    rows = [(f"The {c} {w}, {i}.", f"Le {w} {c}, {i}.") for i, c in enumerate(COLOURS) for w in WORDS]
    write_rows(folder / options.pairs, rows)
    for file in options.extra:
        write_rows(
            folder / weighted(file)[0], [(f"{Path(file).stem} {w}", f"un {Path(file).stem} {w}") for w in WORDS[:3]]
        )
    for file in options.corpus:
        write_rows(folder / weighted(file)[0], [("food", f"A {w} of {Path(file).stem}", f"x {w}") for w in WORDS[:5]])
    for file in options.dictionary:
        write_rows(folder / file, [(w, w, "noun") for w in WORDS[:4]])
    if options.vocab_words:
        write_rows(folder / options.vocab_words, [(w,) for w in WORDS])


@pytest.mark.parametrize("pair", ["en-fr", "zh-en"])
def test_every_recipe_makes_its_first_updates(
    read: dict[str, argparse.Namespace], pair: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all layers and all kinds of rows, on files of a few rows: the teacher, its output, and its students."""
    limit = DecodingConfig.limit
    monkeypatch.setattr(DecodingConfig, "limit", lambda self, length: min(limit(self, length), 6))
    monkeypatch.setattr("nmtcore.training.loop.save_state", lambda *_: None)  # most of the time, and tested elsewhere
    first = f"{pair}-teacher" if f"{pair}-teacher" in read else f"{pair}-transformer"
    teacher, student = read[first], read[f"{pair}-dot"]
    for options in (teacher, student):
        tiny_data(options, tmp_path)
    shutil.copytree(FOLDER, tmp_path / "pretrained" / "recipes")
    monkeypatch.chdir(tmp_path)
    few = ["--max-steps", "3", "--batch-tokens", "60", "--device", "cpu", "--threads", "1"]
    assert main(["train", f"@pretrained/recipes/{first}", "--vocab-size", "120", *few]) == 0
    if taught := student.synthetic:
        monkeypatch.setattr(distillation, "_rows", lambda _, sources: [f"{s}\t{s[:9]}" for s in sources])
        distil = ["distil", "--model", teacher.out, "--pairs", teacher.pairs, "--extra", *teacher.extra]
        assert main([*distil, "--out", taught]) == 0
        config = SplitConfig(**chosen_fields(teacher, SplitConfig, "split_"))
        split = split_pairs(read_pairs(teacher.pairs, teacher.swap)[0], config)
        assert len(read_pairs(taught)[0]) == len(split.train) + 3 * len(teacher.extra)
    for name in (name for name in RECIPES if name.startswith(pair) and name != first):
        assert main(["train", f"@pretrained/recipes/{name}", *few]) == 0
        _, meta = read_config(tmp_path / read[name].out)
        assert meta["trained"]["step"] == 3 and (meta["data"].get("synthetic", 0) > 50) == bool(taught)
        weights = [weighted(file)[1] for file in (*student.corpus, *teacher.extra)]
        counts = [5] * len(student.corpus) + [3] * len(teacher.extra)
        rows = sum(weight * count for weight, count in zip(weights, counts, strict=True))
        assert meta["data"]["added"]["rows"] == rows + 4 * len(teacher.dictionary)
