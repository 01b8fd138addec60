"""A folder with some damaged models: the pages open with the others, and say what is wrong."""

import json
import os
import random
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from nmtcore.models import checkpoint
from pages.common import saved_models
from tests.pages.helpers import opened, said
from tests.paths import PRETRAINED
from tests.runs.damage import HOSTILE, damaged, places

PAGES = ("translate", "no_attention", "architectures")
ALIGNED = ("alignments", "alignments_at_start")
PARTS = ("by_length", "data", *ALIGNED, "scores", "concatenation", "trained", "source", "target")
TRIED = 8  # of thousands of damaged versions, drawn with a seed


def shipped_meta() -> dict[str, Any]:
    """The metadata of a shipped model, with its lists shortened."""
    meta = json.loads((PRETRAINED / "en-fr" / "additive" / "config.json").read_text(encoding="utf-8"))["meta"]
    meta["alignments_at_start"] = meta["alignments"]  # as a run keeps them
    return {name: value[:2] if isinstance(value, list) else value for name, value in meta.items() if name in PARTS}


def with_meta(folder: Path, meta: dict[str, Any]) -> None:
    path = folder / checkpoint.CONFIG
    path.write_text(json.dumps(json.loads(path.read_text()) | {"meta": meta}), encoding="utf-8")


KNOWN: tuple[tuple[tuple[Any, ...], Any], ...] = (
    (("alignments", "readings"), True),
    (("alignments", "readings", 0), 0.5),
    (("alignments_at_start", "readings"), [1]),
    (("alignments_at_start", "readings", 0, "aer"), None),
    (("by_length", 1), {}),
    (("by_length",), True),
    (("scores", "bleu"), 10**310),
    (("trained", "seconds"), -(10**310)),
    (("source",), [[]]),
)


def test_damaged_meta_data_cost_a_model_what_they_said_and_nothing_else(own_model_directory: Path) -> None:
    every = [(place, hostile) for place in places(shipped_meta()) if place for hostile in HOSTILE]
    for place, hostile in [*KNOWN, *random.Random(11).sample(every, TRIED)]:
        with_meta(own_model_directory / "en-fr" / "additive", damaged(shipped_meta(), place, hostile))
        for page in PAGES:
            at = opened(page, text="a red cat", pair="en-fr")
            assert not [*at.exception, *at.error, *at.warning], (page, place, hostile)


def test_sound_meta_data_are_left_as_they_are(own_model_directory: Path) -> None:
    meta = shipped_meta()
    with_meta(own_model_directory / "en-fr" / "additive", meta)
    assert checkpoint.read_config(own_model_directory / "en-fr" / "additive")[1] == meta


@pytest.fixture
def wild_model_directory(own_model_directory: Path) -> Path:
    """Two sound models, among anything else that a folder may hold."""
    pair = own_model_directory / "en-fr"
    for folder in pair.iterdir():
        if folder.name not in ("dot", "none"):
            shutil.rmtree(folder)
    shutil.rmtree(own_model_directory / "zh-en")
    for name, content in (("additive", '{"format": ' + "1" * 400 + "}"), ("transformer", "[" * 9000)):
        (pair / name).mkdir()
        (pair / name / checkpoint.CONFIG).write_text(content)
    shutil.copytree(pair / "dot", pair / "relative")
    (pair / "relative" / checkpoint.WEIGHTS).write_bytes(b"x" * 100)
    shutil.copytree(pair / "dot", pair / "deep-lstm")
    config = json.loads((pair / "deep-lstm" / checkpoint.CONFIG).read_text())
    config["config"]["dropout"] = 10**310
    (pair / "deep-lstm" / checkpoint.CONFIG).write_text(json.dumps(config))
    for name in ("no-such-architecture", "../xx-yy/dot", "../a-b-c/dot"):
        shutil.copytree(pair / "dot", pair / name)
    (own_model_directory / "de-en").write_text("a file")
    (own_model_directory / "it-en" / "dot" / checkpoint.CONFIG).mkdir(parents=True)
    if sys.platform != "win32":
        shutil.copytree(pair / "dot", pair / "convolutional")
        (pair / "convolutional" / checkpoint.VOCAB).unlink()
        os.mkfifo(pair / "convolutional" / checkpoint.VOCAB)
        (own_model_directory / "es-en").symlink_to(own_model_directory / "es-en")
        (own_model_directory / "zh-en" / "dot").mkdir(parents=True)
        (own_model_directory / "zh-en" / "dot" / checkpoint.CONFIG).symlink_to("/dev/zero")
    return own_model_directory


@pytest.mark.usefixtures("wild_model_directory")
@pytest.mark.parametrize("page", ["translate", "architectures", "beam", "finetune"])
@pytest.mark.parametrize("pair", ["en-fr", "xx-yy", "a-b-c", "it-en", "zh-en"])
def test_pages_open_with_what_is_sound(page: str, pair: str) -> None:
    at = opened(page, text="a red cat", pair=pair)
    assert not at.exception, at.exception


@pytest.fixture
def wild_own_models(
    wild_model_directory: Path, model_folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same beside the shipped models, among anything else that ALIGNMENT_LAB_MODELS may name."""
    roots = [wild_model_directory, *(tmp_path / name for name in ("file", "pipe", "loop", "loops"))]
    roots[1].write_text("a file")
    if sys.platform != "win32":
        os.mkfifo(roots[2])
        roots[3].symlink_to(roots[3])
        roots[4].mkdir()
        (roots[4] / "en-fr").symlink_to(roots[4])
    monkeypatch.setenv("ALIGNMENT_LAB_PRETRAINED", str(model_folders))
    monkeypatch.setenv("ALIGNMENT_LAB_MODELS", os.pathsep.join(map(str, roots)))


@pytest.mark.usefixtures("wild_own_models")
@pytest.mark.parametrize("page", ["translate", "architectures", "beam", "finetune"])
def test_pages_open_beside_own_models_of_which_some_are_damaged(page: str) -> None:
    broken = "~".join(f"own.en-fr.{name}" for name in ("relative", "convolutional", "additive", "dot"))
    at = opened(page, text="a red cat", pair="own.en-fr.dot", models=broken)
    assert not at.exception, at.exception


@pytest.mark.usefixtures("wild_own_models")
def test_own_models_that_are_sound_are_offered_and_the_others_said(tmp_path: Path) -> None:
    found, notes = saved_models.own_models()
    assert set(notes) <= set(said(opened("translate", text="a red cat"))) and str(tmp_path) not in "".join(notes)
    names = {f"{model.pair}/{model.name}" for model in found.values()}
    assert {"en-fr/dot", "en-fr/none"} <= names and not {"en-fr/additive", "it-en/dot", "zh-en/dot"} & names
    left_out = {"en-fr/additive", "en-fr/transformer", "en-fr/deep-lstm", "it-en/dot"}
    left_out |= set() if sys.platform == "win32" else {"zh-en/dot"}
    assert all(any(name in note and "left out" in note for note in notes) for name in left_out)
    assert any("no folder of models pipe." in note for note in notes)
