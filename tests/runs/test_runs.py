"""Runs: exact resuming after kill -9, the queue, stopping, names and codes, a full disk, a damaged folder."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

import nmtcore.training.resume
import nmtcore.training.state
from nmtcore.config import TrainingConfig
from nmtcore.errors import CheckpointError, DataError, SettingError
from nmtcore.models import checkpoint
from nmtcore.runs import queue, run_folder, worker
from nmtcore.runs.config import OPEN, RunConfig, RunError, Status
from nmtcore.runs.run_folder import Run, control_code, find, saved
from nmtcore.runs.worker import Worker, why
from nmtcore.training.exercises import EXERCISES

REVERSE = EXERCISES["reverse"]
TINY = {"embedding": 8, "units": 8, "dropout": 0.2}
PATIENCE = 90  # seconds; the machine may be busy


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


def until(true: Callable[[], Any], seconds: float = PATIENCE) -> float:
    """Wait until something is true; how long it took."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < seconds, "waited too long"
        time.sleep(0.01)
    return time.monotonic() - began


def losses(run: Run) -> list[tuple[int, float]]:
    return [(e["step"], e["loss"]) for e in run.events() if e["event"] == "validation"]


def same_weights(one: Path, other: Path) -> bool:
    first, second = load_file(one / "model.safetensors"), load_file(other / "model.safetensors")
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that went from beginning to end in this process."""
    run = make(tmp_path_factory.mktemp("runs"))
    Worker(run).work()
    return run


def test_a_run_leaves_all_that_a_page_shows(finished: Run) -> None:
    status = finished.status()
    assert (status.state, status.step, status.total, status.message) == ("done", 40, 40, "")
    assert status.score is not None and status.longer is not None and 0 <= status.score <= 100
    assert status.parameters > 100
    kinds = [event["event"] for event in finished.events()]
    assert kinds[0] == "begun" and kinds[-2:] == ["done", "longer"]
    assert [step for step, _ in losses(finished)] == [20, 40]
    for event in finished.events():
        if event["event"] == "validation":
            source, output, reference = event["samples"][0].split("\t")
            assert reference == REVERSE.answer(source)
    assert finished.table().splitlines()[0] == "event,step,epoch,loss,learning_rate,tokens_per_second,score,old_score"


def test_the_pinned_sentence_is_traced_from_step_zero_with_the_same_axes(finished: Run) -> None:
    traces = finished.traces()
    assert [step for step, _ in traces] == [0, 20, 40]
    for _, trace in traces:
        assert trace.target == ("▁3", "▁2", "▁1", "<eos>")
        cross = trace.attention_of("cross")
        assert cross is not None and cross.weights.shape[-2:] == (4, 4)
    first, last = (trace.log_probability for _, trace in (traces[0], traces[-1]))
    assert last > first  # it has learned something


def test_the_best_and_the_first_model_can_be_loaded(finished: Run) -> None:
    for folder in (finished.best, finished.folder / "start"):
        assert checkpoint.load(folder).config.architecture == "dot"
    assert checkpoint.load(finished.best).name == f"run/{finished.id}"
    assert not same_weights(finished.best, finished.folder / "start")


@pytest.mark.parametrize("kill_after", [7, 23])
def test_a_killed_and_resumed_run_ends_like_one_that_was_not(finished: Run, tmp_path: Path, kill_after: int) -> None:
    run = make(tmp_path)
    queue.start_queued(tmp_path)
    until(lambda: last_checkpoint(run) >= kill_after or run.status().state not in OPEN)
    os.kill(run.status().pid, signal.SIGKILL)
    until(lambda: not run.alive())
    assert run.status().state == "interrupted"
    kept = last_checkpoint(run)
    assert kill_after <= kept <= 40
    assert [r.id for r in queue.mark_interrupted(tmp_path)] == [run.id]
    assert json.loads((run.folder / "status.json").read_text())["state"] == "interrupted"
    queue.resume(run)
    until(lambda: run.status().state not in OPEN)
    assert run.status().state == "done"
    assert losses(run) == losses(finished)
    assert same_weights(run.best, finished.best)
    assert [step for step, _ in run.traces()] == [0, 20, 40]
    steps = [event["step"] for event in run.events()]
    assert steps == sorted(steps)


def last_checkpoint(run: Run) -> int:
    try:
        return int(json.loads((run.folder / "state" / "state.json").read_text())["step"])
    except FileNotFoundError:
        return -1


def test_a_stop_is_acknowledged_at_once_and_goes_on_exactly(finished: Run, tmp_path: Path) -> None:
    run = make(tmp_path, training={"max_steps": 100_000, "checkpoint_every": 1000, "validate_every": 1000})
    queue.start_queued(tmp_path)
    until(lambda: run.status().step >= 10)
    run.stop()
    assert until(lambda: run.status().state in ("stopping", "stopped")) < 1
    assert until(lambda: run.status().state == "stopped") < 3
    stopped = last_checkpoint(run)
    assert stopped >= 10
    until(lambda: not run.alive())
    queue.resume(run)
    until(lambda: run.status().step > stopped)
    assert [e["step"] for e in run.events()] == sorted(e["step"] for e in run.events())
    with pytest.raises(RunError, match="still working"):
        run.delete()
    run.stop()
    until(lambda: not run.alive())
    run.delete()
    assert not run.folder.exists() and list(tmp_path.glob("*[0-9a-f]")) == []


def test_reverse_reaches_its_mark_and_its_attention_the_anti_diagonal(tmp_path: Path) -> None:
    run = run_folder.create(
        tmp_path,
        RunConfig(
            TrainingConfig(
                epochs=1000,
                max_steps=300,
                batch_tokens=600,
                learning_rate=6e-3,
                warmup=40,
                label_smoothing=0.0,
                precision="fp32",
                validate_every=50,
            ),
            ("1 2 3 4 5", "5 4 3 2 1"),
            "reverse",
            architecture="dot",
            settings={"embedding": 32, "units": 48, "dropout": 0.0},
        ),
        REVERSE.pairs(3000, length=5),
        "me",
    )[0]
    Worker(run).work()
    scores = [event["score"] for event in run.events() if event["event"] == "validation"]
    assert max(scores) >= 100 * REVERSE.mark, scores
    _, trace = run.traces()[-1]
    cross = trace.attention_of("cross")
    assert cross is not None
    assert cross.weights[-1, 0].argmax(-1).tolist()[:5] == [4, 3, 2, 1, 0]


def test_a_full_disk_ends_the_run_and_keeps_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finished: Run
) -> None:
    run = make(tmp_path)
    write = nmtcore.training.resume.save_file
    calls: list[Path] = []

    def full(tensors: dict[str, torch.Tensor], path: Path) -> None:
        calls.append(path)
        if len(calls) == 3:
            path.write_bytes(b"half of it")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        write(tensors, path)

    monkeypatch.setattr(nmtcore.training.resume, "save_file", full)
    monkeypatch.setattr(sys, "argv", ["worker", str(run.folder)])
    monkeypatch.setattr(os, "setpriority", lambda *_: None)
    assert worker.main() == 1
    status = run.status()
    assert status.state == "failed" and "disk is full" in status.message
    assert last_checkpoint(run) == 10
    assert [p.name for p in (run.folder / "state").iterdir() if p.name.startswith(".")] == []
    monkeypatch.setattr(nmtcore.training.resume, "save_file", write)
    assert worker.main() == 0
    assert run.status().state == "done"
    assert losses(run) == losses(finished)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with room for 4 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("Only root may mount a small file system.")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_disk_that_really_fills_up(small_disk: Path, monkeypatch: pytest.MonkeyPatch, finished: Run) -> None:
    run = make(small_disk)
    write, ballast = nmtcore.training.resume.save_file, small_disk / "ballast"

    def save(tensors: dict[str, torch.Tensor], path: Path) -> None:
        write(tensors, path)
        if last_checkpoint(run) >= 10 and not ballast.exists():
            with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
                while file.write(b"0" * 4096):
                    pass

    monkeypatch.setattr(nmtcore.training.resume, "save_file", save)
    monkeypatch.setattr(sys, "argv", ["worker", str(run.folder)])
    monkeypatch.setattr(os, "setpriority", lambda *_: None)
    assert worker.main() == 1
    kept = last_checkpoint(run)
    assert 10 <= kept < 40
    ballast.unlink()
    status = run.status()
    assert status.state in ("failed", "interrupted")  # where even the status found no room, the process is gone
    if status.state == "failed":
        assert "disk is full" in status.message
    monkeypatch.setattr(nmtcore.training.resume, "save_file", write)
    assert worker.main() == 0
    assert run.status().state == "done"
    assert losses(run) == losses(finished)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate"), "batches of 30 pieces"),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), "batches of 30 pieces"),
        (OSError(errno.ENOSPC, "No space left"), "disk is full"),
        (SettingError("The loss is no longer a number."), "no longer a number"),
        (ValueError("inner"), "did not expect"),
    ],
)
def test_what_ends_a_run_is_said_in_a_sentence(error: Exception, sentence: str) -> None:
    assert sentence in why(error, config())


def test_a_device_that_is_gone_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make(tmp_path, device="cuda:7")
    monkeypatch.setattr(sys, "argv", ["worker", str(run.folder)])
    monkeypatch.setattr(os, "setpriority", lambda *_: None)
    assert worker.main() == 1
    assert "cuda:7 is not there" in run.status().message


def test_too_few_pairs_are_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no pairs"):
        run_folder.create(tmp_path, config(), [], "me")
    run = run_folder.create(tmp_path, config(exercise=""), [("a b", "b a")] * 3, "me")[0]
    with pytest.raises(DataError, match="at least 20"):
        Worker(run).work()


@pytest.mark.parametrize("name", ["../../x", "a/b", "", " ", ".", "-x", "a\nb\0", "x" * 41, "<b>", "a_b", "C:\\x"])
def test_a_name_is_never_a_path(finished: Run, name: str) -> None:
    with pytest.raises(RunError, match="letters, digits, spaces and dashes"):
        finished.save_as(name)


def test_saving_renaming_and_a_name_that_is_taken(finished: Run, tmp_path: Path) -> None:
    root = finished.folder.parent
    other = make(root)
    with pytest.raises(RunError, match="first evaluation"):
        other.save_as("Reverse 1")
    finished.save_as("  Reverse   1 ")
    assert {name: run.id for name, run in saved(root).items()} == {"Reverse 1": finished.id}
    (other.folder / "model").mkdir()
    (other.folder / "model" / "best").symlink_to(finished.best)
    with pytest.raises(RunError, match="already saved as 'Reverse 1'"):
        other.save_as("reverse 1")
    finished.save_as("Rückwärts-2")
    other.save_as("reverse 1")
    assert list(saved(root)) == ["reverse 1", "Rückwärts-2"]
    other.delete()
    assert list(saved(root)) == ["Rückwärts-2"]


def test_the_archive_is_a_model_that_can_be_loaded(finished: Run, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(finished.archive())) as file:
        assert file.testzip() is None
        file.extractall(tmp_path)
    assert checkpoint.load(tmp_path).config.architecture == "dot"
    assert {"run.json", "training.csv"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("name", ["../../etc", "", "0123456789ab", "0123456789AB", "a" * 13])
def test_only_ids_of_runs_are_found(finished: Run, name: str) -> None:
    with pytest.raises(RunError, match="no such run"):
        find(finished.folder.parent, name)


def test_only_who_started_it_or_has_its_code_may_touch_it(tmp_path: Path) -> None:
    run, code = run_folder.create(tmp_path, config(), REVERSE.pairs(40), "secret")
    other, _ = run_folder.create(tmp_path, config(), REVERSE.pairs(40), "secret")
    assert run.allows(["secret"]) and run.allows(["nothing", f" {code} "])
    assert not run.allows([]) and not run.allows(["", "Secret", control_code("guess", run.id)])
    assert not other.allows([code])
    assert "secret" not in (run.folder / "owner.json").read_text()
    (run.folder / "owner.json").write_text("{")
    assert not run.allows(["secret", code])


def test_half_a_line_and_a_damaged_folder_are_survived(tmp_path: Path) -> None:
    run = make(tmp_path)
    run.append("events.jsonl", {"event": "begun", "step": 0})
    with open(run.folder / "events.jsonl", "ab") as file:
        file.write(b'{"event": "progress", "st')
    assert len(run.events()) == 1
    run.append("events.jsonl", {"event": "progress", "step": 9})
    assert [event["step"] for event in run.events()] == [0, 9]
    run.truncate_after(3)
    assert [event["step"] for event in run.events()] == [0]
    (run.folder / "status.json").write_text("[")
    assert run.status().state == "failed"
    (run.folder / "config.json").write_text("{}")
    with pytest.raises(RunError, match="damaged"):
        run.config()
    assert queue.mark_interrupted(tmp_path) == []
    assert queue.waiting(tmp_path, "cpu") == []


def test_a_status_is_never_half_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make(tmp_path)
    run.write_status(Status(state="stopped", step=3))

    def fails(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="No space"):
        run.write_status(Status(state="stopped", step=4))
    assert run.status().step == 3
    assert not list(run.folder.glob(".status*"))


@pytest.mark.parametrize("changes", [{"device": "cuda:../x"}, {"exercise": "../x"}, {"architecture": "mlp"}])
def test_wrong_settings_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(SettingError):
        config(**changes)


def test_a_damaged_state_costs_a_run_none_of_what_it_recorded(finished: Run, tmp_path: Path) -> None:
    run = Run(Path(shutil.copytree(finished.folder, tmp_path / finished.id)))
    before = run.events(), len(run.traces())
    (run.folder / "state" / "state.json").write_text("{")
    with pytest.raises(CheckpointError, match="damaged"):
        Worker(run).work()
    assert (run.events(), len(run.traces())) == before


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
