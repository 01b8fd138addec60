"""Memoization for one run of a page: what is looked up on the disk is looked up once, however many parts of it ask.

A run draws what there was when it began; the next one looks again. Outside a run, and in a fragment that runs alone,
nothing is kept.
"""

import functools
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class _Run(threading.local):
    """What the run in this thread has looked up."""

    results: dict[Hashable, Any] | None = None


_run = _Run()


@contextmanager
def lookups_kept() -> Iterator[None]:
    """Context manager around a run of a page, or a part of one: while it is open, look-ups of `once_a_run` are kept."""
    outer = _run.results
    _run.results = {} if outer is None else outer
    try:
        yield
    finally:
        _run.results = outer


def once_a_run(function: Callable[P, T]) -> Callable[P, T]:
    """A function whose result is kept until the run ends. Its arguments are hashable, and nobody changes the result."""

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
