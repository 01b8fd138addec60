"""Ray job of one run: its entrypoint (driver), and the task that trains.

python -m nmtcore.runs.ray_task FOLDER is the job's driver. Ray runs it on the head of the cluster, where it needs no
device; it requests a task with one processor or one GPU, and waits. If the machine of a task dies, Ray starts the task
again on another one (`max_retries`), where it continues from the last checkpoint in the run's folder.
"""

import contextlib
import dataclasses
import io
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import ray
from ray.exceptions import RayError

from nmtcore.files import open_ordinary
from nmtcore.runs.config import OPEN, RunError
from nmtcore.runs.ray_engine import explain_waiting
from nmtcore.runs.run_folder import Run
from nmtcore.system.locks import locked, try_lock

RETRIES = 5  # restarts of a task whose process or machine died
LOOK = 1.0  # seconds between two checks of a waiting run
LAST_WORDS = 10.0  # seconds between the last status of a run and the end of its task
LEASE = 120.0  # seconds for which a network file system may keep the lock of a dead machine


def train(folder: str) -> str:
    """The task: train the run until it ends or is asked to stop. Returns a sentence if it could not begin."""
    from nmtcore.runs import worker  # imported here because the driver does not need torch

    run = Run(Path(folder))
    if not run.folder.is_dir():
        return f"{folder} is not there on the machine {platform.node()}: share the folder of runs with it."
    with _lock(run) as held, contextlib.ExitStack() as stack:
        if held and _begin(run):
            file = stack.enter_context(open_ordinary(run.folder / "log.txt", "ab"))
            log = stack.enter_context(io.TextIOWrapper(file, encoding="utf-8", line_buffering=True))
            stack.enter_context(contextlib.redirect_stdout(log))
            stack.enter_context(contextlib.redirect_stderr(log))
            worker.work(run, threads=1)
    return ""


@contextlib.contextmanager
def _lock(run: Run) -> Iterator[bool]:
    """Hold the lock of the run, like its process; False if another process keeps it for long."""
    until = time.monotonic() + LEASE
    while True:
        with try_lock(run.folder / "lock") as held:
            if held or time.monotonic() >= until:
                yield held
                return
        time.sleep(LOOK)


def _begin(run: Run) -> bool:
    """Whether there is still something to do: the run may have stopped or ended while this task waited."""
    with locked(run.folder.parent):
        status = run.status()
        if status.state not in OPEN:
            return False
        stopped = (run.folder / "STOP").exists()
        run.write_status(dataclasses.replace(status, state="stopped" if stopped else "starting", message=""))
    return not stopped


def drive(run: Run) -> int:
    """The driver: request a device from Ray, wait, and record what the run waits for. Returns an exit code."""
    needs = "GPU" if run.config().device.startswith("cuda") else "CPU"
    task = ray.remote(max_calls=1, max_retries=RETRIES, num_cpus=1, num_gpus=int(needs == "GPU"))(train)
    result = task.remote(str(run.folder))
    while not ray.wait([result], timeout=LOOK)[0] and run.folder.is_dir() and run.status().state in OPEN:
        lacking = f"No machine in the Ray cluster has a {needs} now: the run waits until one joins."
        if ray.cluster_resources().get(needs, 0) < 1:
            explain_waiting(run, lacking)
        elif run.status().message == lacking:
            explain_waiting(run, "")
    if not ray.wait([result], timeout=LAST_WORDS)[0]:
        ray.cancel(result)  # nobody waits for the task any more
    try:
        if problem := ray.get(result):
            print(problem, file=sys.stderr)
            return 1
    except RayError as error:
        if run.folder.is_dir() and run.status().state == "queued":
            print(f"it was started {RETRIES + 1} times and its machine died each time ({type(error).__name__})")
            return 1
    return 0


def main() -> int:
    run = Run(Path(sys.argv[1]))
    try:
        if not run.folder.is_dir():
            raise RunError(f"{run.folder} does not exist on the cluster's head node: share the folder of runs with it.")
        ray.init(address="auto", log_to_driver=False, logging_level="warning")
        return drive(run)
    except RunError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
