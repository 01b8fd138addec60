"""Runs that cannot continue: a full disk, a missing device, a damaged state; the message and what is kept."""

import contextlib
import errno
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors import SafetensorError

import nmtcore.training.state
from nmtcore.errors import CheckpointError, DataError, SettingError
from nmtcore.runs import process, queue, run_folder
from nmtcore.runs.config import RunError
from nmtcore.runs.run_folder import Run
from nmtcore.runs.worker import Worker, failure_message, work
from nmtcore.system.locks import try_lock
from tests.paths import ROOT
from tests.runs.helpers import config, last_checkpoint, losses, make


def test_a_file_that_may_grow_no_further_ends_the_run_and_keeps_the_last_checkpoint(
    tmp_path: Path, finished: Run
) -> None:
    """A kernel quota for a process: writing is refused in the middle of a file."""
    resource = pytest.importorskip("resource")
    run = make(tmp_path)
    code = (
        "import resource, sys; from pathlib import Path; from nmtcore.runs.run_folder import Run; "
        "from nmtcore.runs import worker; run = Run(Path(sys.argv[1])); check = worker.Worker._record\n"
        "def record(self, event, model):\n"
        "    if type(event).__name__ == 'Validation':\n"
        "        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, resource.RLIM_INFINITY))\n"
        "    check(self, event, model)\n"
        "worker.Worker._record = record; sys.exit(not worker.work(run))"
    )
    assert resource and subprocess.run([sys.executable, "-c", code, str(run.folder)], cwd=ROOT).returncode == 1
    assert run.status().state == "failed" and "disk is full" in run.status().message
    assert 0 < last_checkpoint(run) < 40 and run.has_model
    assert not [path for path in run.folder.rglob(".*") if path.is_file()], "what is half there takes no room"
    assert work(run) and losses(run) == losses(finished)


def test_a_run_that_is_deleted_while_it_trains_ends_and_the_next_one_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand, or by another machine: Delete refuses while it trains."""
    run, following = make(tmp_path), make(tmp_path, session="you")
    record = Worker._record
    started: list[Path] = []

    def delete(self: Worker, event: object, model: object) -> None:
        if self.status.step >= 10:
            shutil.rmtree(run.folder)
        record(self, event, model)  # type: ignore[arg-type]

    monkeypatch.setattr(Worker, "_record", delete)
    monkeypatch.setattr(process, "say_ready", lambda: None)
    monkeypatch.setattr(process, "lower_priority", lambda _niceness: None)
    monkeypatch.setattr(queue, "_spawn", lambda run, _lock: bool(started.append(run.folder) or True))
    with pytest.raises(RunError, match="still working"), try_lock(run.folder / "lock"):
        run.delete()
    assert process.main(run.folder, tmp_path / ".device-cpu.lock") == 1
    assert not run.folder.exists() and started == [following.folder]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate"), "batches of 30 pieces"),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), "batches of 30 pieces"),
        (OSError(errno.ENOSPC, "No space left"), "disk is full"),
        (SafetensorError("Error while serializing: I/O error: File too large (os error 27)"), "disk is full"),
        (SettingError("The loss is no longer a number."), "no longer a number"),
        (ValueError("inner"), "unexpected error"),
    ],
)
def test_what_ends_a_run_is_said_in_a_sentence(error: Exception, sentence: str) -> None:
    assert sentence in failure_message(error, config())


def test_a_device_that_is_gone_is_said(tmp_path: Path) -> None:
    run = make(tmp_path, device="cuda:7")
    assert not work(run)
    assert "cuda:7 is no longer available" in run.status().message


def test_too_few_pairs_are_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no pairs"):
        run_folder.create(tmp_path, config(), [], "me")
    run = run_folder.create(tmp_path, config(exercise=""), [("a b", "b a")] * 3, "me")[0]
    with pytest.raises(DataError, match="at least 20"):
        Worker(run).work()


def test_a_damaged_state_costs_a_run_none_of_what_it_recorded(run: Run) -> None:
    before = run.events(), len(run.traces())
    (run.folder / "state" / "state.json").write_text("{")
    with pytest.raises(CheckpointError, match="damaged"):
        Worker(run).work()
    assert (run.events(), len(run.traces())) == before


def test_a_run_that_diverges_stops_at_once_says_why_and_keeps_its_film(tmp_path: Path) -> None:
    bold = {"optimiser": "sgd", "learning_rate": 5.0, "clip": 0.0, "warmup": 0, "schedule": "constant"}
    begins = {"initialisation": "normal", "init_std": 3.0, "max_steps": 400, "validate_every": 2}
    run = make(tmp_path, training={**bold, **begins})
    assert not work(run)
    status = run.status()
    assert status.state == "failed" and "diverged" in status.message and "lower learning rate" in status.message
    steps = [step for step, _ in run.traces()]
    assert status.step < 400 and (steps[0], steps[-1]) == (0, status.step), "the film ends where the training does"
    last = [event for event in run.events() if event["event"] == "progress"][-1]
    assert last["gradient_norm"] > 0 and last["clipped"] == 0.0
    assert last["loss"] > 3 * 2.5 and status.step == last["step"]


def test_a_run_that_failed_before_its_first_checkpoint_begins_again_from_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make(tmp_path, training={"max_steps": 4})
    with monkeypatch.context() as patch:
        patch.setattr(nmtcore.training.state.TrainingState, "update", lambda self: (_ for _ in ()).throw(MemoryError))
        with contextlib.suppress(MemoryError):
            Worker(run).work()
    Worker(run).work()
    assert [event["event"] for event in run.events()].count("begun") == 1
    steps = [step for step, _ in run.traces()]
    assert steps[0] == 0 and steps == sorted(set(steps))
