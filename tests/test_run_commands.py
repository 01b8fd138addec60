"""The command line of runs, in a folder of its own."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from nmtcore import jobs, run_commands
from nmtcore.errors import NmtError, SettingError
from nmtcore.run_commands import route


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", str(tmp_path))
    return tmp_path


def call(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    run_commands.add(parser.add_subparsers(required=True))
    options = parser.parse_args(route(list(arguments)))
    return int(options.run(options))


def test_only_train_with_an_exercise_is_ours() -> None:
    assert route(["train", "--pairs", "x"]) == ["train", "--pairs", "x"]
    assert route(["train", "--exercise=copy"])[0] == route(["train", "--exercise", "copy"])[0] == run_commands.TRAIN
    assert route(["runs", "--exercise"]) == ["runs", "--exercise"]


def test_train_watch_export_resume_delete(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = ("--architecture", "dot", "--count", "80", "--length", "3", "--steps", "3", "--batch-tokens", "80")
    assert call("train", "--exercise", "copy", *settings, "--name", "My copy") == 0
    (run,) = jobs.runs(root)
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
    assert jobs.runs(root) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("train", "--exercise", "teach"), "--model"),
        (("train", "--exercise", "copy", "--steps", "0"), "at least 1"),
        (("train", "--exercise", "copy", "--learning-rate", "-1"), "learning_rate"),
        (("train", "--exercise", "copy", "--learning-rate", "10"), "learning_rate"),
        (("train", "--exercise", "copy", "--device", "gpu"), "device"),
        (("train", "--exercise", "copy", "--count", "-2"), "number of pairs"),
        (("train", "--exercise", "copy", "--model", "nowhere"), "no model folder"),
        (("runs", "../../x"), "no such run"),
        (("runs", "--stop"), "needs the id"),
    ],
)
def test_what_cannot_be_done_is_said(root: Path, arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises((NmtError, SettingError), match=sentence):
        call(*arguments)
    assert jobs.runs(root) == []
