"""Errors of the disk in plain sentences: it is full, it may only be read, or the folder of runs is none."""

import contextlib
import errno
from collections.abc import Iterator

from nmtcore.runs.config import RunError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
NO_FOLDER = (errno.ENOTDIR, errno.EEXIST)


def disk_sentence(error: OSError) -> str:
    """The message for the user. It names no path: the user may be anybody on the network."""
    if error.errno in FULL:
        return "The disk is full: make room, or delete a run that nobody needs, and try again."
    if error.errno in READ_ONLY:
        return "This server may not write to its folder of runs: whoever started it can allow that."
    if error.errno in NO_FOLDER:
        return "What ALIGNMENT_LAB_RUNS names is no folder, so no run can be kept: whoever started it can name one."
    return f"A file of the runs could not be read or written: {error.strerror or error}."


@contextlib.contextmanager
def in_a_sentence() -> Iterator[None]:
    """Raise RunError with a sentence where the disk refuses something. To decorate what changes a run with, too."""
    try:
        yield
    except OSError as error:
        raise RunError(disk_sentence(error)) from error
