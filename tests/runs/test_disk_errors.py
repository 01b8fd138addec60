"""Disk errors: full, read-only, or a missing folder. Each is reported in a sentence."""

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nmtcore.runs import queue
from nmtcore.runs.config import RunError
from nmtcore.runs.disk_errors import in_a_sentence
from nmtcore.runs.run_folder import Run, runs, saved
from tests.runs.helpers import REVERSE, config, make

PAIRS = REVERSE.pairs(30, length=4)
ASKED: dict[str, Callable[[Run], object]] = {
    "stop": lambda run: run.stop(),
    "resume": lambda run: queue.resume(run),
    "save": lambda run: run.save_as("Backwards"),
    "delete": lambda run: run.delete(),
    "submit": lambda run: queue.submit(run.folder.parent, config(), PAIRS, "me"),
    "submit together": lambda run: queue.submit_together(run.folder.parent, [(config(), PAIRS)], "me"),
    "mark": lambda run: queue.mark_interrupted(run.folder.parent),
}


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EDQUOT, "The disk is full"),
        (errno.EROFS, "may not write to its folder of runs"),
        (errno.EACCES, "may not write to its folder of runs"),
        (errno.ENOTDIR, "ALIGNMENT_LAB_RUNS is not a folder"),
        (errno.EIO, "could not be read or written: Input/output error"),
    ],
)
def test_an_error_of_the_disk_is_a_sentence_without_a_path(number: int, sentence: str) -> None:
    with pytest.raises(RunError, match=sentence) as told, in_a_sentence():
        raise OSError(number, os.strerror(number), "/srv/secret/place")
    assert "/srv" not in str(told.value)


@pytest.mark.parametrize("asked", ASKED)
def test_a_place_that_is_a_file_is_said(tmp_path: Path, asked: str) -> None:
    place = tmp_path / "a file"
    place.write_text("")
    with pytest.raises(RunError, match="is not a folder|There is no model"):
        ASKED[asked](Run(place / "0123456789ab"))
    assert runs(place) == [] and saved(place) == {}


@pytest.fixture
def read_only(run: Run) -> Iterator[Run]:
    """A run in a read-only file system."""
    root = str(run.folder.parent)
    mounts = [["mount", "--bind", root, root], ["mount", "-o", "remount,bind,ro", root]]
    if shutil.which("mount") is None or subprocess.run(mounts[0], capture_output=True).returncode:
        pytest.skip("Only root may mount a folder.")
    try:
        if subprocess.run(mounts[1], capture_output=True).returncode:
            pytest.skip("This system mounts no folder to be only read.")
        yield run
    finally:
        subprocess.run(["umount", "--lazy", root], check=True)


@pytest.mark.parametrize("asked", ASKED)
def test_a_folder_that_may_only_be_read_is_said_and_read(read_only: Run, asked: str) -> None:
    with pytest.raises(RunError, match="may not write"):
        ASKED[asked](read_only)
    assert read_only.status().state == "done" and runs(read_only.folder.parent) == [read_only]


def test_a_run_that_cannot_be_stopped_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = make(tmp_path)

    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("nmtcore.files.Path.write_bytes", full)
    with pytest.raises(RunError, match="The disk is full"):
        run.stop()
    assert run.status().state == "queued"
