"""File descriptors: as many open files as the system lets this process have, and how many pages they are enough for.

A page takes one, its WebSocket, and some more while its files are on their way. The usual limit, 1,024 files and on a
Mac 256, is a soft one: a process may raise its own up to the hard limit.
"""

import contextlib
import sys
from typing import Any

import psutil

resource: Any
try:
    import resource
except ImportError:  # Windows counts no files
    resource = None

ENOUGH = 65_536  # more is asked for by nobody, and some programs close each that could be open
MACOS = 10_240  # the most where the hard limit is said to be none
UNKNOWN = 100  # descriptors that this process has, where the system counts none
OTHERS = 32  # for what a run reads, a training that starts, a worker that is replaced
BURST = range(16, 257)  # connections that are accepted before the first of them can be refused


def raise_limit() -> int | None:
    """Raise the soft limit of open files towards the hard one; returns it, None where there is none."""
    if resource is None:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (ENOUGH, MACOS):
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
                return most
    return None if soft == resource.RLIM_INFINITY else soft


def in_use() -> int:
    """The descriptors that this process has now."""
    if sys.platform == "win32":
        return UNKNOWN
    return psutil.Process().num_fds()


def burst(limit: int | None) -> int:
    """How many connections may be accepted at once under a limit of open files: the backlog of the server."""
    return BURST[-1] if limit is None else max(BURST[0], min(BURST[-1], limit // 16))


def connections(limit: int) -> int:
    """How many connections may be open under a limit of open files, beside what the process has open already.

    Between two looks of the server at how many there are, three bursts may come.
    """
    return max(1, limit - in_use() - OTHERS - 3 * burst(limit))


def pages(connections: int) -> int:
    """How many of so many connections may be pages that stay open; the others bring files."""
    return max(1, connections * 3 // 4)
