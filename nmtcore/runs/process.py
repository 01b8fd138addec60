"""The process of one run: python -m nmtcore.runs.process FOLDER DEVICE-LOCK, started only by `queue`.

It takes the locks of the run and of the device before it loads PyTorch, which takes seconds. It reports this to the
process that started it, and waits until that has recorded it.
"""

import os
import sys
from pathlib import Path

from nmtcore.system.locks import try_lock
from nmtcore.system.processes import HELD, lower_priority, say_ready

NICENESS = 10  # the web server, its visitors and the decoding workers have priority
NICENESS_SETTING = "ALIGNMENT_LAB_NICENESS"  # environment variable


def niceness() -> int:
    """The niceness of training processes, 0 to 19, from the environment."""
    setting = os.environ.get(NICENESS_SETTING, "").strip()
    return min(19, int(setting)) if setting.isascii() and setting.isdecimal() else NICENESS


def leave_log() -> None:
    """Close the log: Windows cannot delete a run while one of its files is open, even if its lock is free."""
    sys.stdout.flush()
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
        os.dup2(nowhere.fileno(), sys.stderr.fileno())


def main(folder: Path, device_lock: Path) -> int:
    """Train the run and return an exit code; then start the next run in the queue."""
    with try_lock(device_lock) as has_device, try_lock(folder / "lock") as has_run:
        if not (has_device and has_run):
            return HELD
        say_ready()
        lower_priority(niceness())
        from nmtcore.system.host_memory import limit_primitive_cache

        limit_primitive_cache()
        from nmtcore.runs import queue, worker
        from nmtcore.runs.run_folder import Run

        done = worker.work(Run(folder))
        leave_log()
    queue.start_queued(folder.parent)
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))
