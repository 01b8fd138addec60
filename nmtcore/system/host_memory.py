"""Memory of a process on a CPU: what the allocator and oneDNN keep of tensors that are gone, and the garbage collector.

In training each batch has another shape, so that tensors of one seldom fit where those of the last lay (fragmentation),
and oneDNN keeps the code of every matrix product that it has made, 1,024 of them. Together they grew to gigabytes
within an hour. Now 2.3 million weights that learn from 29,000 pairs (batches of 4,000 pieces, bf16) take 0.7 to 1.0 GB,
and 1.1 for moments: 0.23 for PyTorch and all that is imported, 0.07 for the pairs, 0.1 for weights, optimiser and
products' code, 0.3 to 0.4 for one update, of which logits and their gradient are 0.11. The rest is gaps until memory is
given back; to do so after every update, not every fifth, took a sixth of the time. A server has hundreds of threads,
each of which would have memory of its own. Calls to glibc go through ctypes; another C library lacks them, and then
nothing happens.
"""

import ctypes
import functools
import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

CAPACITIES = {  # of two caches of matrix products, by shape: oneDNN's of their code, and that of PyTorch's way to it
    "ONEDNN_PRIMITIVE_CACHE_CAPACITY": "128",  # more than one update of our largest models has
    "LRU_CACHE_CAPACITY": "16",
}
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # malloc.h
LARGE = 1 << 20  # bytes
USUAL = 32 << 20  # the M_MMAP_THRESHOLD that glibc has in the end by itself, where blocks of that size are freed
ARENAS = 2  # instead of eight a core: hundreds of threads, one a visitor, would each leave holes in another


def limit_primitive_cache() -> None:
    """Let oneDNN keep less. It reads this once, at its first product: call it when a process that trains begins."""
    for name, capacity in CAPACITIES.items():
        os.environ.setdefault(name, capacity)


def few_arenas() -> None:
    """Let all threads that start from now on share few arenas of memory (M_ARENA_MAX)."""
    _mallopt(M_ARENA_MAX, ARENAS)


def _mallopt(name: int, value: int) -> None:
    with suppress(OSError, AttributeError, TypeError):  # another system, or another C library
        ctypes.CDLL(None).mallopt(name, value)


def large_blocks_apart_from_now_on() -> None:
    """Let blocks above LARGE be the system's again as soon as they are free."""
    _mallopt(M_MMAP_THRESHOLD, LARGE)


@contextmanager
def large_blocks_apart() -> Iterator[None]:
    """Let blocks above LARGE be the system's again as soon as they are free, and all free memory in the end.

    A wide beam on a long text needs some megabytes at every step, and keeps some kilobytes. Where both come from one
    heap, what is kept lies in the gaps, and the next block fits in none of them: a search that needs 150 MB takes
    1,300. To ask the system each time costs an ordinary sentence more than it has to lose.
    """
    large_blocks_apart_from_now_on()
    try:
        yield
    finally:
        _mallopt(M_MMAP_THRESHOLD, USUAL)
        _mallopt(M_TRIM_THRESHOLD, 2 * USUAL)  # as glibc chooses both, which it no longer does once one has been set
        give_back()


def freeze_objects() -> None:
    """Keep Python's garbage collector away from all objects that there are now (gc.freeze): torch alone has 200,000.

    For a process that has loaded what lives as long as it does. A full collection would take a quarter of a second,
    and in a fork write to the page of memory of every object that it looks at.
    """
    gc.collect()
    gc.freeze()


def give_back() -> None:
    """Give free memory back to the system, where the C library is one that keeps it (glibc)."""
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
