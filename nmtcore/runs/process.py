"""The process of one run: python -m nmtcore.runs.process FOLDER DEVICE-LOCK, started by `queue` alone.

It takes the locks of the run and of the device before it loads PyTorch, which takes seconds, and tells the process that
has started it, which waits for that (`handshake`).
"""

import os
import sys
from pathlib import Path

from nmtcore.runs.handshake import HELD, say_ready
from nmtcore.system.locks import try_lock
from nmtcore.system.processes import lower_priority

NICENESS = 10  # the web server and its visitors come first, and the workers that decode for them
NICENESS_SETTING = "ALIGNMENT_LAB_NICENESS"  # of the environment


def niceness() -> int:
    """How far trainings stand behind everything else, 0 to 19, as the environment says."""
    setting = os.environ.get(NICENESS_SETTING, "").strip()
    return min(19, int(setting)) if setting.isascii() and setting.isdecimal() else NICENESS


def leave_log() -> None:
    """Let go of the log: Windows deletes no run one of whose files is open, though its lock is free."""
    sys.stdout.flush()
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
        os.dup2(nowhere.fileno(), sys.stderr.fileno())


def main(folder: Path, device_lock: Path) -> int:
    """Train the run; the exit code says how that went. Then start what waits."""
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
