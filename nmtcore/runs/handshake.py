"""Handshake between a run's process and the process that started it, before training begins."""

import os
import subprocess
import sys

READY = b"locked"  # written by the process when it holds its locks
HELD = 75  # its exit code if another process holds one of them: EX_TEMPFAIL in sysexits.h


def say_ready() -> None:
    """Tell the parent that the locks are held, and wait until it has recorded that, or has died."""
    os.write(sys.stdout.fileno(), READY)
    sys.stdin.read()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # from now on printed text goes to the log


def wait_until_ready(child: subprocess.Popen[bytes]) -> bool:
    """Whether a started process reports that it holds its locks; it then waits until its input is closed."""
    assert child.stdout
    return child.stdout.read(len(READY)) == READY
