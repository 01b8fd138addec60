"""Memoization for one run of a page: it looks things up on the disk once, however many of its parts need them.

A run thus draws the state at its first look; the next run looks again. Outside a run, and in a fragment that runs
alone, nothing is cached.
"""

import functools
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class _Run(threading.local):
    """The results that the run in this thread has cached."""

    results: dict[Hashable, Any] | None = None


_run = _Run()


@contextmanager
def lookups_kept() -> Iterator[None]:
    """Context manager around a run of a page, or a part of one, in which `once_a_run` caches."""
    outer = _run.results
    _run.results = {} if outer is None else outer
    try:
        yield
    finally:
        _run.results = outer


def once_a_run(function: Callable[P, T]) -> Callable[P, T]:
    """Cache a function's results until the run ends. Arguments must be hashable; nobody may change a result."""

    @functools.wraps(function)
    def kept(*args: P.args, **kwargs: P.kwargs) -> T:
        if _run.results is None:
            return function(*args, **kwargs)
        key = (function, args, tuple(kwargs.items()))
        if key not in _run.results:
            _run.results[key] = function(*args, **kwargs)
        result: T = _run.results[key]
        return result

    return kept
