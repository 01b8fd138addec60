"""The command line of runs, in a folder of its own."""

import argparse
from pathlib import Path

import pytest

from nmtcore.commands import runs
from nmtcore.errors import NmtError, SettingError
from nmtcore.runs import defaults, queue, run_folder
from nmtcore.runs.config import RunConfig
from nmtcore.training.exercises import EXERCISES


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", str(tmp_path))
    return tmp_path


def call(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    runs.add(parser.add_subparsers(required=True))
    options = parser.parse_args(arguments)
    return int(options.run(options))


def test_watch_list_export_resume_delete(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = EXERCISES["copy"]
    training = defaults.from_scratch(task, max_steps=3, batch_tokens=80)
    config = RunConfig(training, ("1 2", "1 2"), "copy", architecture="dot", settings={"units": 8, "embedding": 8})
    run, _ = queue.submit(root, config, task.pairs(80, 1, 3), "someone")
    assert call("runs", run.id, "--watch") == 0
    assert run.id in capsys.readouterr().err
    assert call("runs") == 0
    row = capsys.readouterr().out
    assert "done" in row and "step 3 of 3" in row
    assert call("runs", run.id, "--csv") == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].startswith("event,step") and table[-1].startswith("validation,3,")
    with pytest.raises(NmtError, match="only one that has stopped"):
        call("runs", run.id, "--resume")
    assert call("runs", run.id, "--delete") == 0
    assert run_folder.runs(root) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"), [(("runs", "../../x"), "no such run"), (("runs", "--stop"), "needs the id")]
)
def test_what_cannot_be_done_is_said(root: Path, arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises((NmtError, SettingError), match=sentence):
        call(*arguments)
