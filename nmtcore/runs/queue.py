"""A job queue: first in, first out, one run a device at a time, a limit for each session.

A run's process (`process`) holds `.device-<name>.lock` in the runs' folder and its own `<run>/lock`. Both are locks of
the kernel, and gone when the process is: after a kill -9 nothing has to be cleaned up, and no number of servers can
start two runs on one device. Where ALIGNMENT_LAB_RAY names a cluster, its trainings and their order are Ray's
(`ray_engine`); the limits hold as before.
"""

import dataclasses
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from nmtcore.files import open_ordinary
from nmtcore.runs import ray_engine
from nmtcore.runs.config import LIVE, OPEN, RESUMABLE, RunConfig, RunError, Status
from nmtcore.runs.disk_errors import disk_sentence, in_a_sentence
from nmtcore.runs.handshake import HELD, wait_until_ready
from nmtcore.runs.run_folder import Run, create, end_of_queue, runs
from nmtcore.system.locks import is_locked, locked
from nmtcore.system.processes import DETACHED
from nmtcore.training.exercises import Example

LIMIT = 2  # runs of a session that wait or work at a time
LIMIT_OF_ALL = 50  # of everybody's; ALIGNMENT_LAB_TRAININGS sets another
FREE_BYTES = 1_000_000_000  # of the disk, without which no run begins
PROJECT = Path(__file__).parents[2]
NOT_BEGUN = "Its process ended before it had begun; log.txt in its folder has why."

_children: list[subprocess.Popen[bytes]] = []  # to be waited for, so that none stays a zombie


@in_a_sentence()
def submit(
    root: Path, config: RunConfig, pairs: Sequence[Example], session: str, start: Path | None = None
) -> tuple[Run, str]:
    """Make a run and let it wait for its device. Returns it and its control code.

    Raises RunError above the limits, and SettingError where the setting that names a cluster is no address.
    """
    _check_engine()
    with locked(root):
        _check_limit(root, session)
        _check_limit_of_all(root)
        made = create(root, config, pairs, session, start)
    start_queued(root)
    return made


@in_a_sentence()
def submit_together(root: Path, tasks: Sequence[tuple[RunConfig, Sequence[Example]]], session: str) -> list[Run]:
    """Make the runs of an experiment, which wait for their device in this order.

    Raises RunError where the session has a run that waits or works: an experiment is as much as the limit allows.
    """
    _check_engine()
    with locked(root):
        if any(run.is_of(session) and run.status().state in OPEN for run in runs(root)):
            raise RunError("You have a run that waits or works: stop it, or wait until it is done.")
        made = [create(root, config, pairs, session)[0] for config, pairs in tasks]
    start_queued(root)
    return made


@in_a_sentence()
def resume(run: Run, session: str = "") -> None:
    """Let a run that has stopped wait for its device again. Raises RunError where it cannot go on.

    A process that has said its last word may still end: it holds the run's lock till then, and then starts what waits.
    """
    root = run.folder.parent
    _check_engine()
    with locked(root):
        if session:
            _check_limit(root, session)
        status = run.status()
        if status.state not in RESUMABLE:
            raise RunError(f"This run is {status.state}: only one that has stopped can be resumed.")
        (run.folder / "STOP").unlink(missing_ok=True)
        run.write_job("")
        run.write_status(dataclasses.replace(status, state="queued", message="", queued=end_of_queue(root)))
    start_queued(root)


def _check_engine() -> None:
    if ray_engine.is_set():
        ray_engine.address()


def _check_limit(root: Path, session: str) -> None:
    mine = [run for run in runs(root) if run.is_of(session) and run.status().state in OPEN]
    if len(mine) >= LIMIT:
        raise RunError(f"You already have {len(mine)} runs that wait or work: stop one, or wait until one is done.")


def _check_limit_of_all(root: Path) -> None:
    """Many sessions, which cost nothing to make, can neither fill the queue without end nor the disk."""
    setting = os.environ.get("ALIGNMENT_LAB_TRAININGS", "").strip()
    most = int(setting) if setting.isascii() and setting.isdecimal() and len(setting) < 10 else LIMIT_OF_ALL
    count = sum(run.status().state in OPEN for run in runs(root))
    if count >= most:
        raise RunError(f"{count} runs wait or work on this server already: wait until one of them is done.")
    if shutil.disk_usage(root).free < FREE_BYTES:
        raise RunError("The disk is nearly full: delete runs that nobody needs before another one begins.")


def waiting(root: Path, device: str) -> list[Run]:
    """The queue of a device: the runs that wait for it, first in line first."""
    queued: list[tuple[Status, Run]] = []
    for run in runs(root):
        status = run.status()
        if status.state == "queued" and _device(run) == device:
            queued.append((status, run))
    return [run for _, run in sorted(queued, key=lambda item: (item[0].queued, item[1].id))]


def before(run: Run) -> int:
    """The place of a run in its queue: how many come before it, with the one that has its device."""
    root, device = run.folder.parent, _device(run)
    queue = waiting(root, device)
    if run not in queue:
        return 0
    return queue.index(run) + sum(other.status().state in LIVE and _device(other) == device for other in runs(root))


def _device(run: Run) -> str:
    try:
        return run.config().device
    except RunError:
        return ""


@in_a_sentence()
def mark_interrupted(root: Path) -> list[Run]:
    """Crash recovery when a server starts: runs whose process is gone are marked, and the queue goes on."""
    gone = []
    with locked(root):
        for run in runs(root):
            status = run.status()
            if status.state == "interrupted":
                run.write_status(status)
                gone.append(run)
    start_queued(root)
    return gone


@in_a_sentence()
def start_queued(root: Path) -> list[Run]:
    """Start the first in line on every device that is free. Cheap: pages call it whenever they look."""
    if ray_engine.is_set():
        return ray_engine.hand_over(root)
    _children[:] = [child for child in _children if child.poll() is None]
    queued = [run for run in runs(root) if run.status().state == "queued"]
    started: list[Run] = []
    if not queued:
        return started
    with locked(root):
        for device in sorted({_device(run) for run in queued} - {""}):
            lock = root / f".device-{device.replace(':', '-')}.lock"
            lock.touch()
            line = [] if is_locked(lock) else waiting(root, device)
            if line and _spawn(line[0], lock):
                started.append(line[0])
    return started


def _spawn(run: Run, device_lock: Path) -> bool:
    """Start the process of a run; whether it has its locks. It waits with the rest until the status says so."""
    try:
        (run.folder / "STOP").unlink(missing_ok=True)
        run.write_job("")  # of a cluster that is no longer used
        log = open_ordinary(run.folder / "log.txt", "ab")
    except OSError as error:  # those behind it shall not wait for ever
        run.write_status(dataclasses.replace(run.status(), state="failed", message=disk_sentence(error)))
        return False
    with log:
        child: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, "-m", "nmtcore.runs.process", str(run.folder.absolute()), str(device_lock.absolute())],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            **DETACHED,
        )
    _children.append(child)
    assert child.stdin and child.stdout
    with child.stdin, child.stdout:  # once its input is closed it goes on
        begins = wait_until_ready(child)
        if begins:
            run.write_status(dataclasses.replace(run.status(), state="starting", message=""))
    if not begins and child.wait() != HELD:
        run.write_status(dataclasses.replace(run.status(), state="failed", message=NOT_BEGUN))
    return begins
