"""Memory of a process on a CPU: what the allocator and oneDNN keep after tensors are freed, and garbage collection.

In training every batch has another shape, so its tensors seldom fit into the space of the last one's (fragmentation),
and oneDNN caches the code of up to 1,024 matrix products. Together these grew to gigabytes within an hour. Now a model
with 2.3 million weights that learns from 29,000 pairs (batches of 4,000 pieces, bf16) takes 0.7 to 1.0 GB, and briefly
1.1: 0.23 for PyTorch and other imports, 0.07 for the pairs, 0.1 for weights, optimiser and the products' code, and 0.3
to 0.4 for one update, of which logits and their gradient are 0.11. The rest is gaps until memory is given back; doing
so after every update instead of every fifth took a sixth of the time. A server has hundreds of threads, each of which
would get its own arena. Calls to glibc go through ctypes; with another C library nothing happens.
"""

import ctypes
import functools
import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

CAPACITIES = {  # entries in two caches of matrix products by shape: oneDNN's code, and PyTorch's handles to it
    "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "128",  # more than one update of our largest models needs
    "LRU_CACHE_CAPACITY": "16",
}
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # malloc.h
LARGE = 1 << 20  # bytes
USUAL = 32 << 20  # the M_MMAP_THRESHOLD that glibc itself reaches once blocks of that size are freed
ARENAS = 2  # instead of eight per core, which hundreds of threads, one per visitor, would all fragment


def limit_primitive_cache() -> None:
    """Limit oneDNN's cache. It reads the limit only at its first product: call this when a training process starts."""
    for name, capacity in CAPACITIES.items():
        os.environ.setdefault(name, capacity)


def few_arenas() -> None:
    """Let all threads that start from now on share a few memory arenas (M_ARENA_MAX)."""
    _mallopt(M_ARENA_MAX, ARENAS)


def _mallopt(name: int, value: int) -> None:
    with suppress(OSError, AttributeError, TypeError):  # another system, or another C library
        ctypes.CDLL(None).mallopt(name, value)


def large_blocks_apart_from_now_on() -> None:
    """Return blocks above LARGE to the system as soon as they are freed."""
    _mallopt(M_MMAP_THRESHOLD, LARGE)


@contextmanager
def large_blocks_apart() -> Iterator[None]:
    """Return blocks above LARGE to the system as soon as they are freed, and all free memory at the end.

    A wide beam on a long text needs megabytes at every step and keeps kilobytes. If both come from one heap, what is
    kept fragments it, and the next block fits into no gap: a search that needs 150 MB takes 1,300. Asking the system
    each time would cost an ordinary sentence more than it saves.
    """
    large_blocks_apart_from_now_on()
    try:
        yield
    finally:
        _mallopt(M_MMAP_THRESHOLD, USUAL)
        _mallopt(M_TRIM_THRESHOLD, 2 * USUAL)  # glibc's own choice of both, until one of them is set
        give_back()


def freeze_objects() -> None:
    """Hide all present objects from Python's garbage collector (gc.freeze): torch alone has 200,000.

    For a process that has loaded everything it will keep. A full collection would take a quarter of a second,
    and in a fork it would write to, and so copy, the memory page of every object.
    """
    gc.collect()
    gc.freeze()


def give_back() -> None:
    """Return free memory to the system if the C library holds on to it (glibc)."""
    trim = _malloc_trim()
    if trim is not None:
        trim(0)


@functools.cache
def _malloc_trim() -> Callable[[int], int] | None:
    try:
        trim: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):  # another system, or another C library
        return None
    return trim
