"""Processes on Linux, macOS and Windows: priority, processors, detached children, and ending with another process."""

import contextlib
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

AUTOGROUP, AUTOGROUP_TRIES = Path("/proc/self/autogroup"), 10
WATCH_SECONDS = 1.0  # between two checks that another process is alive

# Arguments of subprocess.Popen for a process that survives Ctrl-C in its parent's terminal and the closing of it: the
# first is for Linux and macOS, the second for Windows, and each system ignores the other.
DETACHED: dict[str, Any] = {
    "start_new_session": True,
    "creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0),
}
READY = b"locked"  # written to its parent by a process that holds its locks
HELD = 75  # exit code of one whose locks another process holds: EX_TEMPFAIL in sysexits.h


def say_ready() -> None:
    """Tell the parent that the locks are held, and wait until it has recorded that, or has died."""
    os.write(sys.stdout.fileno(), READY)
    sys.stdin.read()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # from now on printed text goes to the log


def processor_name() -> str:
    """The processor's model name if Linux knows it, otherwise the system's name for it."""
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def usable_cores() -> int:
    """How many processors this process may use: in a container, or under taskset, fewer than the machine has."""
    process = psutil.Process()
    affinity = process.cpu_affinity() if hasattr(process, "cpu_affinity") else None  # macOS has none
    return len(affinity) if affinity else os.cpu_count() or 1


def lower_priority(niceness: int) -> None:
    """Lower the scheduling priority of this process, and of its session if it leads one, to a niceness of 0 to 19.

    With autogroups (sched(7)), as on most systems, Linux first divides time among sessions, and niceness counts only
    within a session: a training run, which has its own, would get as much as the whole server. Windows has priority
    classes instead of numbers.
    """
    process = psutil.Process()
    below: Any = getattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS", None)  # on Windows
    with contextlib.suppress(OSError, psutil.Error):
        if below is None:
            process.nice(max(niceness, process.nice()))
        elif niceness:
            process.nice(below)
        if sys.platform == "linux" and os.getsid(0) == os.getpid():
            set_autogroup(niceness)


def set_autogroup(niceness: int) -> None:
    """The niceness of this session among others. Raises OSError if the system has no autogroups."""
    for _ in range(AUTOGROUP_TRIES):
        try:
            AUTOGROUP.write_text(str(niceness), encoding="ascii")
        except BlockingIOError:  # Linux allows ten such changes per second: another run has just started
            time.sleep(0.15)
        else:
            return


def end_after(number: int) -> None:
    """End this process when another one has ended; meant for a separate thread."""
    with contextlib.suppress(psutil.NoSuchProcess):
        watched = psutil.Process(number)
        while watched.is_running() and watched.status() != psutil.STATUS_ZOMBIE:
            time.sleep(WATCH_SECONDS)
    os._exit(1)
