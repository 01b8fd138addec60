"""Python's garbage collector, paused while sentences are decoded."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST_PAUSE = 1.0  # seconds that the collector of reference cycles may wait


class _Pausing:
    """The decodes of all threads for which the collector waits."""

    lock = threading.Lock()
    decodes = 0
    resume = False  # after the last of them
    since = 0.0  # when it last ran, or might have


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the garbage collector. A decode makes thousands of objects and no reference cycle among them.

    Each time so many are new, the collector would go through them, and now and then through all of PyTorch:
    a tenth of the time of a decode. It is the whole process's: the last of the threads that decode starts it again,
    and where there is always one, it runs every second.
    """
    with _Pausing.lock:
        if not _Pausing.decodes:
            _Pausing.resume = gc.isenabled()
            _Pausing.since = time.monotonic()
            gc.disable()
        _Pausing.decodes += 1
    try:
        yield
    finally:
        with _Pausing.lock:
            _Pausing.decodes -= 1
            if not _Pausing.decodes and _Pausing.resume:
                gc.enable()
            late = _Pausing.decodes and _Pausing.resume and time.monotonic() - _Pausing.since > LONGEST_PAUSE
            if late:
                _Pausing.since = time.monotonic()
        if late:
            gc.collect(2 if gc.get_count()[2] > gc.get_threshold()[2] else 1)  # as it would by itself
