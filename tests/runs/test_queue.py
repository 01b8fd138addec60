"""The queue of runs: its order, who may enter, and its safety under concurrency."""

import dataclasses
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
import torch

from nmtcore.runs import queue, run_folder
from nmtcore.runs.config import OPEN, RunError, Status
from nmtcore.runs.preparation import devices
from nmtcore.runs.process import NICENESS, NICENESS_SETTING, niceness
from nmtcore.runs.run_folder import find
from nmtcore.system.locks import try_lock
from tests.helpers import PATIENCE
from tests.paths import ROOT
from tests.runs.helpers import REVERSE, config, make


def test_the_queue_keeps_order_though_the_server_dies(tmp_path: Path) -> None:
    """Three sessions ask one after another in a server that is killed; each run starts the next."""
    code = f"""
        import psutil, sys
        sys.path.insert(0, {str(ROOT)!r})
        from pathlib import Path
        from nmtcore.runs import queue
        from tests.runs.helpers import REVERSE, config
        for session in ("one", "two", "three"):
            run, _ = queue.submit(Path({str(tmp_path)!r}), config(training={{"max_steps": 4}}),
                                     REVERSE.pairs(60, length=3), session)
            print(run.id, queue.before(run), run.status().state, flush=True)
        psutil.Process().kill()
    """
    server = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert server.returncode not in (0, 1), server.stderr
    rows = [line.split() for line in server.stdout.splitlines()]
    assert [(row[1], row[2] == "queued") for row in rows] == [("0", False), ("1", True), ("2", True)]
    line = [find(tmp_path, row[0]) for row in rows]
    most = 0
    began = time.monotonic()
    while any(run.status().state in OPEN for run in line):
        most = max(most, sum(run.alive() for run in line))
        assert time.monotonic() - began < PATIENCE
        time.sleep(0.02)
    assert most == 1
    assert [run.status().state for run in line] == ["done"] * 3
    ended = [(run.folder / "status.json").stat().st_mtime for run in line]
    made = [(run.folder / "start" / "config.json").stat().st_mtime for run in line]
    assert made[0] < ended[0] < made[1] < ended[1] < made[2] < ended[2]


def test_who_waits_can_leave_the_queue(tmp_path: Path) -> None:
    first, second = make(tmp_path), make(tmp_path, session="you")
    assert (queue.before(first), queue.before(second)) == (0, 1)
    first.stop()
    assert first.status().state == "stopped"
    assert queue.waiting(tmp_path, "cpu") == [second]
    assert queue.before(second) == 0


def test_a_clock_that_is_set_back_changes_no_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = make(tmp_path)
    for hour in (9, 99):
        monkeypatch.setattr(run_folder.time, "time_ns", lambda back=hour: first.status().queued - back * 3600 * 10**9)
        last = make(tmp_path, session=str(hour))
        assert queue.waiting(tmp_path, "cpu")[-1] == last
    first.write_status(dataclasses.replace(first.status(), queued=2**63 - 1))  # or was never right
    assert make(tmp_path, session="you").status().state == "queued"


def test_a_run_resumed_while_its_process_still_ends_waits_for_that(tmp_path: Path) -> None:
    """As on a busy machine, where a process takes seconds to end after its last status."""
    run = make(tmp_path)
    with try_lock(run.folder / "lock") as held:
        assert held
        run.write_status(Status("stopped"))
        queue.resume(run)
        assert run.status().state == "queued" and queue.start_queued(tmp_path) == []
    assert queue.start_queued(tmp_path) == [run]


def test_a_run_whose_process_cannot_begin_has_failed_and_the_next_one_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = make(tmp_path), make(tmp_path, session="you")
    monkeypatch.setattr(queue, "PROJECT", tmp_path)  # where there is no nmtcore
    monkeypatch.setenv("PYTHONPATH", "")
    assert queue.start_queued(tmp_path) == []
    assert (first.status().state, first.status().message) == ("failed", queue.NOT_BEGUN)
    assert "nmtcore" in (first.folder / "log.txt").read_text()
    monkeypatch.undo()
    assert queue.start_queued(tmp_path) == [second]


def test_two_servers_that_start_a_run_at_once_start_it_once(tmp_path: Path) -> None:
    """If a run has two processes, for any reason, the second finds the locks taken and leaves it alone."""
    run = make(tmp_path)
    assert queue.start_queued(tmp_path) == [run]
    assert not queue._spawn(run, tmp_path / ".device-cpu.lock")
    assert run.status().state in OPEN and run.alive()


def test_the_limit_holds_for_many_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "start_queued", lambda root: [])
    everybody = threading.Barrier(8)

    def ask() -> None:
        everybody.wait()
        try:
            queue.submit(tmp_path, config(), REVERSE.pairs(60), "me")
        except RunError as error:
            refused.append(str(error))

    refused: list[str] = []
    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(run_folder.runs(tmp_path)) == queue.LIMIT
    assert len(refused) == 8 - queue.LIMIT and all("already have 2 runs" in message for message in refused)
    stopped = make(tmp_path)
    stopped.write_status(dataclasses.replace(stopped.status(), state="stopped"))
    with pytest.raises(RunError, match="already have 2 runs"):
        queue.resume(stopped, "me")


def test_a_run_that_is_deleted_meanwhile_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make(tmp_path)
    run.write_status(Status("running"))

    def deleted(self: run_folder.Run) -> bool:
        (self.folder / "status.json").unlink(missing_ok=True)
        return False

    monkeypatch.setattr(run_folder.Run, "alive", deleted)
    assert run.status().state == "failed"
    assert queue.start_queued(tmp_path) == []


def test_each_gpu_is_offered_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for count, expected in ((0, ["cpu"]), (1, ["cuda:0", "cpu"]), (2, ["cuda:0", "cuda:1", "cpu"])):
        monkeypatch.setattr(torch.cuda, "is_available", lambda count=count: count > 0)
        monkeypatch.setattr(torch.cuda, "device_count", lambda count=count: count)
        monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (10, 20))
        monkeypatch.setattr(torch.cuda, "get_device_name", lambda _: "GPU")
        assert [found.id for found in devices() if found.id != "mps"] == expected


def test_all_sessions_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "_spawn", lambda *_: False)
    monkeypatch.setenv("ALIGNMENT_LAB_TRAININGS", "3")
    pairs = REVERSE.pairs(30, length=4)
    for session in ("one", "two", "three"):
        queue.submit(tmp_path, config(), pairs, session)
    with pytest.raises(RunError, match="3 runs are waiting or training on this server"):
        queue.submit(tmp_path, config(), pairs, "four")
    run_folder.runs(tmp_path)[0].stop()
    queue.submit(tmp_path, config(), pairs, "four")


def test_nothing_begins_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "FREE_BYTES", 10**18)
    with pytest.raises(RunError, match="disk is nearly full"):
        queue.submit(tmp_path, config(), REVERSE.pairs(30, length=4), "me")
    assert run_folder.runs(tmp_path) == []


@pytest.mark.parametrize(
    ("setting", "found"), [("", NICENESS), ("9", 9), ("0", 0), ("99", 19), ("-3", NICENESS), ("²", NICENESS)]
)
def test_how_far_a_training_is_behind_others_is_a_setting(
    monkeypatch: pytest.MonkeyPatch, setting: str, found: int
) -> None:
    monkeypatch.setenv(NICENESS_SETTING, setting)
    assert niceness() == found
