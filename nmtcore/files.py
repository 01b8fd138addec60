"""Atomic writes, and reads of regular files only, since others may read or replace a file at any moment."""

import contextlib
import errno
import json
import os
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, TypeVar, cast

SPECIAL = "it is not a regular file"
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # first characters of a formula in a spreadsheet
MOST_JSON = 20_000_000  # largest JSON file to read, in bytes
PATIENCE, PAUSE = 2.0, 0.005  # s for which to retry a file that Windows refuses, and between two tries

Result = TypeVar("Result")


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Write a JSON file atomically."""
    atomic_write(path, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())


def atomic_write(path: Path, content: bytes) -> None:
    """Atomic write: a reader gets either the old or the new file, complete."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(3)}")
    try:
        part.write_bytes(content)
        replace(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error  # not the name of the part


def replace(source: Path, target: Path) -> None:
    """Rename a file or folder atomically; an existing file at the target is replaced."""
    retried(lambda: os.replace(source, target))


def retried(action: Callable[[], Result]) -> Result:
    """Run an action on a file and return its result; on Windows, retry it for a while if it is refused.

    Windows neither replaces a file that another process is reading, nor opens one that is being replaced.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return action()
        except PermissionError:
            if sys.platform != "win32" or time.monotonic() > until:
                raise
        time.sleep(PAUSE)


def is_ordinary(path: Path) -> bool:
    """Whether a regular file exists: not a symbolic link, named pipe, device or folder."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def refuse_special(path: Path) -> None:
    """Raise OSError for a named pipe, a device or a folder, even behind a link."""
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, SPECIAL, str(path))


def open_ordinary(path: Path, mode: str = "rb") -> IO[bytes]:
    """Open a regular file; reading a named pipe could block, and a device never ends. Raises OSError."""

    def opener(name: str, flags: int) -> int:
        # A system without a flag, such as Windows, does not have what the flag guards against.
        flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            descriptor = os.open(name, flags, 0o666)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR):  # a link, a pipe that nobody reads, a folder
                raise OSError(errno.EINVAL, SPECIAL, name) from error
            raise
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return descriptor
        os.close(descriptor)
        raise OSError(errno.EINVAL, SPECIAL, name)

    return retried(lambda: cast(IO[bytes], open(path, mode, opener=opener)))  # noqa: SIM115


def csv_cell(value: Any) -> Any:
    """A CSV cell that no spreadsheet takes for a formula (CSV injection): such text gets an apostrophe in front.

    Numbers are never formulas, however they are written. The same as csvOf in views/kit/paper.js.
    """
    if not isinstance(value, str) or not value.startswith(FORMULA):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def read_json(path: Path) -> Any:
    """Read a JSON file. Raises OSError, or ValueError if it is not JSON, too large or nested too deep."""
    with open_ordinary(path) as file:
        content = file.read(MOST_JSON + 1)
    if len(content) > MOST_JSON:
        raise ValueError(f"{path.name} is too large.")
    try:
        return json.loads(content)
    except RecursionError as error:
        raise ValueError(f"{path.name} is nested too deep.") from error


def read_json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of an append-only log in JSON lines; half a row, left by a process that died, is skipped.

    Empty if there is no file. Raises OSError for one that cannot be read.
    """
    try:
        file = open_ordinary(path)
    except FileNotFoundError:
        return
    with file:
        for line in file.read().split(b"\n"):
            with contextlib.suppress(ValueError, RecursionError):
                row = json.loads(line)
                if isinstance(row, dict):
                    yield row
