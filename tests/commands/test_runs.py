"""The command line of runs, in a folder of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from nmtcore.runs import defaults, queue
from nmtcore.runs.config import OPEN, RunConfig
from nmtcore.training.exercises import EXERCISES
from tests.helpers import Run, refused
from tests.runs.helpers import end_processes, until


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("ALIGNMENT_LAB_RUNS", str(tmp_path))
    yield tmp_path
    end_processes()


def test_list_export_resume(root: Path, run: Run) -> None:
    task = EXERCISES["copy"]
    training = defaults.from_scratch(task, max_steps=3, batch_tokens=80)
    config = RunConfig(training, ("1 2", "1 2"), "copy", architecture="dot", settings={"units": 8, "embedding": 8})
    made, _ = queue.submit(root, config, task.pairs(80, 1, 3), "someone")
    until(lambda: made.status().state not in OPEN)
    code, row, _ = run("runs")
    assert code == 0 and "done" in row and "step 3 of 3" in row
    code, out, _ = run("runs", made.id, "--csv")
    table = out.splitlines()
    assert code == 0 and table[0].startswith("event,step") and table[-1].startswith("validation,3,")
    refused(run("runs", made.id, "--resume"), "only one that has stopped")


@pytest.mark.parametrize(("arguments", "sentence"), [(("../../x",), "no such run"), (("--stop",), "needs the id")])
def test_what_cannot_be_done_is_said(root: Path, run: Run, arguments: tuple[str, ...], sentence: str) -> None:
    refused(run("runs", *arguments), sentence)
