"""Disk errors as plain sentences: the disk is full or read-only, or the folder of runs is not a folder."""

import contextlib
import errno
from collections.abc import Iterator

from nmtcore.runs.config import RunError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
NO_FOLDER = (errno.ENOTDIR, errno.EEXIST)


def disk_sentence(error: OSError) -> str:
    """The message for the user. It names no path, since the user may be anybody on the network."""
    if error.errno in FULL:
        return "The disk is full: make room, or delete a run that nobody needs, and try again."
    if error.errno in READ_ONLY:
        return "This server may not write to its folder of runs: whoever started it can allow that."
    if error.errno in NO_FOLDER:
        return "ALIGNMENT_LAB_RUNS is not a folder, so no run can be saved: whoever started the server can change it."
    return f"A file of the runs could not be read or written: {error.strerror or error}."


@contextlib.contextmanager
def in_a_sentence() -> Iterator[None]:
    """Raise RunError with a plain sentence for a disk error; also a decorator for functions that change a run."""
    try:
        yield
    except OSError as error:
        raise RunError(disk_sentence(error)) from error
