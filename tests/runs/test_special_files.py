"""Special files in a run's folder: a named pipe that nobody writes to, a device that never ends, a link."""

import io
import os
import shutil
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from nmtcore.errors import CheckpointError
from nmtcore.models import checkpoint
from nmtcore.runs import queue
from nmtcore.runs.config import RunError
from nmtcore.runs.export import model_zip
from nmtcore.runs.run_folder import Run, find, runs, saved
from nmtcore.runs.worker import Worker
from tests.helpers import PATIENCE
from tests.runs.helpers import make
from tests.runs.test_damaged import read_whole

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes and devices in folders.")

SECRET = b'{"session": "of somebody else", "name": "Secret"}'
RECORDS = ("config.json", "status.json", "owner.json", "name.json", "job.json", "events.jsonl", "traces.jsonl")


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link(path: Path) -> None:
    outside = path.parents[1] / "outside"
    outside.write_bytes(SECRET)
    path.symlink_to(outside)


KINDS: dict[str, Callable[[Path], None]] = {
    **{"pipe": lambda path: os.mkfifo(path), "endless": endless, "link": link, "folder": Path.mkdir},
}


def put(path: Path, kind: Callable[[Path], None]) -> None:
    path.unlink(missing_ok=True)
    kind(path)


def in_time(action: Callable[[], object]) -> object:
    """What an action returns or raises. If it hangs, on a pipe say, this test fails rather than the whole suite."""
    ended: list[object] = []

    def act() -> None:
        try:
            ended.append(action())
        except Exception as error:
            ended.append(error)

    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert ended, "it waits for ever"
    if isinstance(ended[0], Exception):
        raise ended[0]
    return ended[0]


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("name", RECORDS)
def test_a_record_that_is_no_file_of_the_run_is_damaged(run: Run, name: str, kind: Callable[[Path], None]) -> None:
    put(run.folder / name, kind)
    in_time(lambda: read_whole(run, draw=False))
    assert in_time(run.damaged_files) == (name,)
    assert runs(run.folder.parent) == [run] and run.name() != "Secret"


def load(run: Run) -> object:
    return checkpoint.load(run.best)


def append(run: Run) -> None:
    run.append("events.jsonl", {"event": "halved", "step": 7})


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize(
    ("name", "action", "error"),
    [
        ("pairs.tsv", Run.pairs, "pairs.tsv cannot be read"),
        ("events.jsonl", append, "it is not a regular file"),
        ("model/best/config.json", load, "config.json"),
        ("model/best/model.safetensors", load, "model.safetensors .*(cannot be read|damaged)"),
        ("model/best/vocab.model", load, "vocab.model.*(cannot be read|damaged)"),
        ("state/state.json", lambda run: Worker(run).work(), "state.json is damaged"),
        ("state/state-40.safetensors", lambda run: Worker(run).work(), "missing or damaged"),
    ],
)
def test_other_files_are_refused_and_not_written_through(
    run: Run, name: str, action: Callable[[Run], object], error: str, kind: Callable[[Path], None]
) -> None:
    put(run.folder / name, kind)
    with pytest.raises((RunError, CheckpointError, OSError), match=error):
        in_time(lambda: action(run))
    assert kind is not link or all(path.read_bytes() == SECRET for path in run.folder.parent.rglob("outside"))


def test_a_lock_is_no_link(run: Run) -> None:
    put(run.folder / "lock", link)
    assert not in_time(run.alive)
    assert (run.folder.parent / "outside").read_bytes() == SECRET


def test_a_model_that_lies_elsewhere_is_none_of_the_run(run: Run) -> None:
    elsewhere = run.folder.parent / "elsewhere"
    shutil.move(run.folder / "model", elsewhere)
    (run.folder / "model").symlink_to(elsewhere)
    assert not run.has_model and saved(run.folder.parent) == {}
    (run.folder / "model").unlink()
    (run.folder / "model").mkdir()
    run.best.symlink_to(elsewhere / "best")
    assert not run.has_model and saved(run.folder.parent) == {}


def test_what_is_downloaded_is_the_runs_own(run: Run) -> None:
    for number, kind in enumerate(KINDS.values()):
        kind(run.best / f"more-{number}")
    put(run.folder / "config.json", link)
    names = zipfile.ZipFile(io.BytesIO(in_time(lambda: model_zip(run)))).namelist()  # type: ignore[arg-type]
    assert {"config.json", "model.safetensors", "vocab.model", "training.csv"} <= {*names}
    assert not any(name.startswith("more") or name == "run.json" for name in names)


def test_a_link_is_no_run(run: Run) -> None:
    root = run.folder.parent
    (root / "abcdefabcdef").symlink_to(run.folder)
    assert runs(root) == [run]
    for wrong in ("abcdefabcdef", f"../{root.name}/{run.id}"):
        with pytest.raises(RunError, match="no such run"):
            find(root, wrong)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_log_that_cannot_be_opened_keeps_nobody_waiting(tmp_path: Path, kind: Callable[[Path], None]) -> None:
    root = tmp_path / "runs"
    first, second = make(root), make(root)
    kind(first.folder / "log.txt")
    in_time(lambda: queue.start_queued(root))
    assert first.status().state == "failed" and "not a regular file" in first.status().message
    assert second.status().state == "queued"
    in_time(first.delete)
