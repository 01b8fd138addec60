"""What the process of a run and the one that has started it say to each other before the run begins."""

import os
import subprocess
import sys

READY = b"locked"  # the process writes it when it holds its locks
HELD = 75  # its exit code where another process has one of them: EX_TEMPFAIL of sysexits.h


def say_ready() -> None:
    """Tell the parent that the locks are held, and wait until it has written that down, or has died."""
    os.write(sys.stdout.fileno(), READY)
    sys.stdin.read()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # from now on printed text goes to the log


def wait_until_ready(child: subprocess.Popen[bytes]) -> bool:
    """Whether a process that was started says that it holds its locks; it waits until its input is closed."""
    assert child.stdout
    return child.stdout.read(len(READY)) == READY
