"""File locks between processes: the kernel holds them for the process that took them and releases them when it ends.

filelock takes them, with flock(2) on Linux and macOS and LockFileEx on Windows. They are exclusive; the contents of the
file do not matter.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from filelock import lock_descriptor, unlock_descriptor

TRIES, PAUSE = 5, 0.002  # s: a process that only checks whether a lock is held releases it at once
POLL = 0.01  # s between two attempts to take a lock


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait for an exclusive lock among all processes: for changes that involve several runs in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with _opened(folder / ".lock") as file:
        lock_descriptor(file, poll_interval=POLL)
        yield


@contextlib.contextmanager
def try_lock(path: Path) -> Iterator[bool]:
    """Take a lock without waiting; yields whether it was taken, or is held by another process or thread."""
    with _opened(path) as file:
        yield _take(file)


def is_locked(path: Path) -> bool:
    """Whether anybody holds a lock. Raises OSError if its file cannot be opened."""
    with _opened(path, os.O_RDONLY if not os.access(path, os.W_OK) else os.O_RDWR) as file:
        return not _take(file)


def _take(file: int) -> bool:
    for _ in range(TRIES):
        if lock_descriptor(file, blocking=False):
            return True
        time.sleep(PAUSE)
    return False


@contextlib.contextmanager
def _opened(path: Path, flags: int = os.O_RDWR | os.O_CREAT) -> Iterator[int]:
    """The file of a lock, explicitly unlocked at the end, since Windows would do so only some time after closing."""
    file = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o644)
    try:
        yield file
    finally:
        with contextlib.suppress(OSError):
            unlock_descriptor(file)
        os.close(file)
