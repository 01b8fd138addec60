"""Atomic writes and locks: files that other processes read at any moment, whole or not at all."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

MOST_JSON = 20_000_000  # bytes of a JSON file that is read


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Atomic write of a JSON file."""
    atomic_write(path, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())


def atomic_write(path: Path, content: bytes) -> None:
    """Atomic write: whoever reads the file gets the old or the new one, whole."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(3)}")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def read_json(path: Path) -> Any:
    """What a JSON file holds. Raises OSError, or ValueError for what is no JSON, too large or nested too deep."""
    if path.stat().st_size > MOST_JSON:
        raise ValueError(f"{path.name} is too large.")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ValueError(f"{path.name} is nested too deep.") from error


def read_json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of an append-only log in JSON lines; half a row, left by a process that died, is passed over."""
    try:
        content = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        return
    for line in content.split(b"\n"):
        with contextlib.suppress(ValueError, RecursionError):
            row = json.loads(line)
            if isinstance(row, dict):
                yield row


@contextlib.contextmanager
def locked(root: Path) -> Iterator[None]:
    """An exclusive lock among all processes: for changes that look at several runs."""
    root.mkdir(parents=True, exist_ok=True)
    with open(root / ".lock", "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def try_lock(path: Path) -> int | None:
    """A held lock as a file descriptor, to be closed; None where another process, or another opening of it, has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    for _ in range(10):  # who only looks whether it is held lets go at once
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        except BlockingIOError:
            time.sleep(0.002)
    os.close(descriptor)
    return None
