"""A job queue: first in, first out, one run per device at a time, a limit for each session.

A run's process (`process`) holds `.device-<name>.lock` in the runs' folder and its own `<run>/lock`. Both are kernel
locks, which disappear with the process: after a kill -9 nothing has to be cleaned up, and several servers cannot start
two runs on one device. If ALIGNMENT_LAB_RAY names a cluster, Ray starts and orders the runs (`ray_engine`); the limits
still hold.
"""

import contextlib
import dataclasses
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from nmtcore.files import open_ordinary
from nmtcore.runs import ray_engine
from nmtcore.runs.config import LIVE, OPEN, RESUMABLE, RunConfig, RunError, Status
from nmtcore.runs.disk_errors import disk_sentence, in_a_sentence
from nmtcore.runs.run_folder import Run, create, end_of_queue, runs
from nmtcore.system.locks import is_locked, locked
from nmtcore.system.processes import DETACHED, HELD, READY
from nmtcore.training.exercises import Example

LIMIT = 2  # unfinished runs of a session
LIMIT_OF_ALL = 50  # unfinished runs of all sessions; ALIGNMENT_LAB_TRAININGS sets another limit
FREE_BYTES = 1_000_000_000  # disk space without which no run begins
PROJECT = Path(__file__).parents[2]
NOT_BEGUN = "Its process ended before training began; log.txt in its folder says why."

_children: list[subprocess.Popen[bytes]] = []  # waited for, so that none stays a zombie


@in_a_sentence()
def submit(
    root: Path, config: RunConfig, pairs: Sequence[Example], session: str, start: Path | None = None
) -> tuple[Run, str]:
    """Create a run and queue it for its device. Returns the run and its control code.

    Raises RunError above the limits, and SettingError if the setting that names a cluster is not an address.
    """
    with _changing(root):
        _check_limit(root, session)
        _check_limit_of_all(root)
        return create(root, config, pairs, session, start)


@in_a_sentence()
def submit_together(root: Path, tasks: Sequence[tuple[RunConfig, Sequence[Example]]], session: str) -> list[Run]:
    """Create the runs of an experiment, queued for their device in this order.

    Raises RunError if the session has an unfinished run, since an experiment may use up the limit.
    """
    with _changing(root):
        if any(run.is_of(session) and run.status().state in OPEN for run in runs(root)):
            raise RunError("You have a run that is waiting or training: stop it, or wait until it is done.")
        return [create(root, config, pairs, session)[0] for config, pairs in tasks]


@in_a_sentence()
def resume(run: Run, session: str = "") -> None:
    """Queue a stopped run for its device again. Raises RunError if it cannot be resumed.

    A process that has written its last status may still be ending: it holds the run's lock until it starts the next.
    """
    root = run.folder.parent
    with _changing(root):
        if session:
            _check_limit(root, session)
        status = run.status()
        if status.state not in RESUMABLE:
            raise RunError(f"This run is {status.state}: only one that has stopped can be resumed.")
        (run.folder / "STOP").unlink(missing_ok=True)
        run.write_job("")
        run.write_status(dataclasses.replace(status, state="queued", message="", queued=end_of_queue(root)))


@contextlib.contextmanager
def _changing(root: Path) -> Iterator[None]:
    """Change the queue alone, then start what can start. Raises SettingError before, if a cluster has no address."""
    if ray_engine.is_set():
        ray_engine.address()
    with locked(root):
        yield
    start_queued(root)


def _check_limit(root: Path, session: str) -> None:
    mine = [run for run in runs(root) if run.is_of(session) and run.status().state in OPEN]
    if len(mine) >= LIMIT:
        raise RunError(f"You already have {len(mine)} runs waiting or training: stop one, or wait until one is done.")


def _check_limit_of_all(root: Path) -> None:
    """Sessions cost nothing, so all together they must not fill the queue or the disk without limit."""
    setting = os.environ.get("ALIGNMENT_LAB_TRAININGS", "").strip()
    most = int(setting) if setting.isascii() and setting.isdecimal() and len(setting) < 10 else LIMIT_OF_ALL
    count = sum(run.status().state in OPEN for run in runs(root))
    if count >= most:
        raise RunError(f"{count} runs are waiting or training on this server: wait until one of them is done.")
    if shutil.disk_usage(root).free < FREE_BYTES:
        raise RunError("The disk is nearly full: delete runs that nobody needs before starting another one.")


def waiting(root: Path, device: str) -> list[Run]:
    """The queue of a device: the runs that wait for it, in order."""
    queued = [(status.queued, run) for run, status in _queued(root) if _device(run) == device]
    return [run for _, run in sorted(queued, key=lambda item: (item[0], item[1].id))]


def _queued(root: Path) -> list[tuple[Run, Status]]:
    found = [(run, run.status()) for run in runs(root)]
    return [(run, status) for run, status in found if status.state == "queued"]


def before(run: Run) -> int:
    """How many runs are ahead of a run in its queue, including the one that uses the device."""
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
    """Crash recovery when a server starts: mark runs whose process is gone, and continue the queue."""
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
    """Start the first run in the queue of every free device. Cheap, since pages call it on every visit."""
    if ray_engine.is_set():
        return ray_engine.hand_over(root)
    _children[:] = [child for child in _children if child.poll() is None]
    started: list[Run] = []
    devices = {_device(run) for run, _ in _queued(root)} - {""}
    if not devices:
        return started
    with locked(root):
        for device in sorted(devices):
            lock = root / f".device-{device.replace(':', '-')}.lock"
            lock.touch()
            line = [] if is_locked(lock) else waiting(root, device)
            if line and _spawn(line[0], lock):
                started.append(line[0])
    return started


def _spawn(run: Run, device_lock: Path) -> bool:
    """Start the process of a run and return whether it has its locks; it waits until the status says so."""
    try:
        (run.folder / "STOP").unlink(missing_ok=True)
        run.write_job("")  # from a cluster that is no longer used
        log = open_ordinary(run.folder / "log.txt", "ab")
    except OSError as error:  # otherwise the runs behind it would wait forever
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
    with child.stdin, child.stdout:  # it continues when its input is closed
        begins = child.stdout.read(len(READY)) == READY
        if begins:
            run.write_status(dataclasses.replace(run.status(), state="starting", message=""))
    if not begins and child.wait() != HELD:
        run.write_status(dataclasses.replace(run.status(), state="failed", message=NOT_BEGUN))
    return begins
