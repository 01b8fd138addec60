"""Atomic writes: files that other processes read at any moment, whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

MOST_JSON = 20_000_000  # bytes of a JSON file that is read
PATIENCE, PAUSE = 2.0, 0.005  # s for which a file that Windows refuses is tried again, and between two tries

Result = TypeVar("Result")


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Atomic write of a JSON file."""
    atomic_write(path, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())


def atomic_write(path: Path, content: bytes) -> None:
    """Atomic write: whoever reads the file gets the old or the new one, whole."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(3)}")
    try:
        part.write_bytes(content)
        replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def replace(source: Path, target: Path) -> None:
    """Rename a file or folder in one go; what has the target's name, if it is a file, is replaced."""
    retried(lambda: os.replace(source, target))


def retried(action: Callable[[], Result]) -> Result:
    """What an action on a file returns; on Windows it is tried again for a while where it is refused.

    Windows neither replaces a file that another process reads at this moment, nor opens one that is being replaced.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return action()
        except PermissionError:
            if sys.platform != "win32" or time.monotonic() > until:
                raise
        time.sleep(PAUSE)


def read_json(path: Path) -> Any:
    """What a JSON file holds. Raises OSError, or ValueError for what is no JSON, too large or nested too deep."""
    if path.stat().st_size > MOST_JSON:
        raise ValueError(f"{path.name} is too large.")
    try:
        return json.loads(retried(lambda: path.read_text(encoding="utf-8")))
    except RecursionError as error:
        raise ValueError(f"{path.name} is nested too deep.") from error


def read_json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of an append-only log in JSON lines; half a row, left by a process that died, is passed over."""
    try:
        content = retried(path.read_bytes)
    except (FileNotFoundError, IsADirectoryError):
        return
    for line in content.split(b"\n"):
        with contextlib.suppress(ValueError, RecursionError):
            row = json.loads(line)
            if isinstance(row, dict):
                yield row
