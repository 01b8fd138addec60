"""The command line of runs, in a folder of its own."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from nmtcore.commands import runs
from nmtcore.commands.runs import route
from nmtcore.errors import NmtError, SettingError
from nmtcore.runs import run_folder
from nmtcore.runs.config import RunConfig
from tests.paths import ROOT


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", str(tmp_path))
    return tmp_path


def call(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    runs.add(parser.add_subparsers(required=True))
    options = parser.parse_args(route(list(arguments)))
    return int(options.run(options))


def test_only_train_with_an_exercise_is_ours() -> None:
    assert route(["train", "--pairs", "x"]) == ["train", "--pairs", "x"]
    assert route(["train", "--exercise=copy"])[0] == route(["train", "--exercise", "copy"])[0] == runs.TRAIN
    assert route(["runs", "--exercise"]) == ["runs", "--exercise"]


def test_train_watch_export_resume_delete(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = ("--architecture", "dot", "--count", "80", "--length", "3", "--steps", "3", "--batch-tokens", "80")
    assert call("train", "--exercise", "copy", *settings, "--name", "My copy") == 0
    (run,) = run_folder.runs(root)
    said = capsys.readouterr().err
    assert run.id in said and "control code" in said and "Saved as My copy." in said
    assert call("runs") == 0
    row = capsys.readouterr().out
    assert "done" in row and "step 3 of 3" in row and "saved as My copy" in row
    assert call("runs", run.id, "--csv") == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].startswith("event,step") and table[-1].startswith("validation,3,")
    with pytest.raises(NmtError, match="only one that has stopped"):
        call("runs", run.id, "--resume")
    assert call("runs", run.id, "--watch") == 0
    assert call("runs", run.id, "--delete") == 0
    assert run_folder.runs(root) == []


def test_train_takes_every_setting_of_training_and_model(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_watch", lambda run, name: 0)
    monkeypatch.setattr("nmtcore.runs.queue._spawn", lambda *_: False)
    training = (
        "--optimiser",
        "rmsprop",
        "--schedule",
        "cosine",
        "--clip",
        "0",
        "--no-sort-by-length",
        "--own-inputs",
        "0.2",
    )
    model = ("--architecture", "dot", "--cell", "lstm", "--attention", "cosine", "--units", "24", "--dropout", "0.1")
    assert call("train", "--exercise", "copy", "--count", "50", *training, *model) == 0
    (run,) = run_folder.runs(root)
    found = run.config()
    asked = found.training
    assert (asked.optimiser, asked.schedule, asked.clip) == ("rmsprop", "cosine", 0.0)
    assert (asked.sort_by_length, asked.scheduled_sampling, asked.batch_tokens, asked.warmup) == (False, 0.2, 1000, 100)
    assert found.settings == {"cell": "lstm", "attention": "cosine", "units": 24, "dropout": 0.1, "embedding": 32}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("train", "--exercise", "teach"), "--model"),
        (("train", "--exercise", "copy", "--steps", "0"), "at least 1"),
        (("train", "--exercise", "copy", "--learning-rate", "-1"), "learning_rate"),
        (("train", "--exercise", "copy", "--learning-rate", "10"), "learning_rate"),
        (("train", "--exercise", "copy", "--momentum", "1"), "momentum"),
        (("train", "--exercise", "copy", "--clip", "-1"), "clip"),
        (("train", "--exercise", "copy", "--heads", "2"), "no setting heads"),
        (
            ("train", "--exercise", "copy", "--architecture", "transformer", "--heads", "3"),
            "multiple of twice the heads",
        ),
        (("train", "--exercise", "teach", "--model", "x", "--units", "8"), "keeps the settings that it has"),
        (("train", "--exercise", "copy", "--device", "gpu"), "device"),
        (("train", "--exercise", "copy", "--count", "-2"), "number of pairs"),
        (("train", "--exercise", "copy", "--model", "nowhere"), "no model folder"),
        (("train", "--exercise", "copy", "--name", "a/b"), "A name is"),
        (("runs", "../../x"), "no such run"),
        (("runs", "--stop"), "needs the id"),
    ],
)
def test_what_cannot_be_done_is_said(root: Path, arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises((NmtError, SettingError), match=sentence):
        call(*arguments)
    assert run_folder.runs(root) == []


def test_a_word_is_not_taught_to_a_model_of_other_languages(root: Path, model_folders: Path) -> None:
    with pytest.raises(SettingError, match="English to French; .* does not"):
        call("train", "--exercise", "teach", "--model", str(model_folders / "zh-en" / "dot"))
    assert run_folder.runs(root) == []


def test_the_options_of_a_made_up_word_reach_the_run(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """README's command, with a word of one's own; the run itself is not begun."""
    begun: list[tuple[RunConfig, list[tuple[str, str]], Path | None]] = []

    def submit(root: Path, config: RunConfig, pairs: list[tuple[str, str]], owner: str, start: Path | None) -> None:
        begun.append((config, pairs, start))
        raise SettingError("far enough")

    monkeypatch.setattr("nmtcore.runs.queue.submit", submit)
    model = ROOT / "pretrained" / "en-fr" / "dot"
    command = ["train", "--exercise", "teach", "--model", str(model), "--rehearsal", "0.5", "--name", "Made-up word"]
    with pytest.raises(SettingError, match="far enough"):
        call(*command, "--word", "blicket", "--french-word", "blicette", "--steps", "7")
    ((config, pairs, start),) = begun
    assert start == model and (config.source, config.target, config.began_with) == ("en", "fr", "en-fr/dot")
    assert (config.rehearsal, config.training.max_steps, config.architecture) == (0.5, 7, "")
    assert all("blicket" in source and "blicette" in target for source, target in pairs)
