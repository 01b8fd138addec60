"""File descriptors: raise the limit of open files, and count how many pages it is enough for.

A page takes one, for its WebSocket, and some more while its files are being sent. The usual limit, 1,024 files and on a
Mac 256, is a soft one: a process may raise its own up to the hard limit.
"""

import contextlib
import sys
from typing import Any

import psutil

resource: Any
try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None

ENOUGH = 65_536  # nobody needs more, and some programs close every possible descriptor
MACOS = 10_240  # at most, if there is no hard limit
UNKNOWN = 100  # descriptors of this process, if the system does not count them
OTHERS = 32  # for files that a run reads, a starting training, a replaced worker
BURST = range(16, 257)  # connections that are accepted before the first of them can be refused


def raise_limit() -> int | None:
    """Raise the soft limit of open files towards the hard one; returns it, None if there is no limit."""
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
    """The number of descriptors that this process has open."""
    if sys.platform == "win32":
        return UNKNOWN
    return psutil.Process().num_fds()


def burst(limit: int | None) -> int:
    """How many connections may be accepted at once under a limit of open files: the backlog of the server."""
    return BURST[-1] if limit is None else max(BURST[0], min(BURST[-1], limit // 16))


def connections(limit: int) -> int:
    """How many connections may be open under a limit of open files, in addition to what the process has open.

    Three bursts may arrive between two checks of the server.
    """
    return max(1, limit - in_use() - OTHERS - 3 * burst(limit))


def pages(connections: int) -> int:
    """How many of this many connections may be pages, which stay open; the others transfer files."""
    return max(1, connections * 3 // 4)
