"""The memory of processes that live long: what the C library keeps of freed memory goes back to the system.

Reading a model and laying out its weights frees as much as it keeps, and glibc gives little of that back by itself. Its
`malloc_trim` and `mallopt` are called through ctypes; another C library has neither, and then nothing happens.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

M_ARENA_MAX = -8  # malloc.h
ARENAS = 2  # instead of eight a core: hundreds of threads, one a visitor, would each leave holes in another


def release() -> None:
    """Give freed memory back to the system (malloc_trim)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def few_arenas() -> None:
    """Let all threads that start from now on share few arenas of memory (M_ARENA_MAX)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)
