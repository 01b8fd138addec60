"""The memory of a process with hundreds of threads: glibc's arenas, of which `mallopt` is called through ctypes.

Another C library has no such call, and then nothing happens. What is freed goes back by `training.host_memory`.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

M_ARENA_MAX = -8  # malloc.h
ARENAS = 2  # instead of eight a core: hundreds of threads, one a visitor, would each leave holes in another


def few_arenas() -> None:
    """Let all threads that start from now on share few arenas of memory (M_ARENA_MAX)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)
