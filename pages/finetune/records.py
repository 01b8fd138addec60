"""The records of a run, read again only when they have grown."""

from pathlib import Path
from typing import Any

from nmtcore.decoding.trace import Trace
from nmtcore.runs import queue
from nmtcore.runs.run_folder import Run
from pages.common.shared import kept

Events = list[dict[str, Any]]
Traces = list[tuple[int, Trace]]


@kept(16)
def settle(folder: Path) -> None:
    """Once for each folder of runs: mark those whose process is gone and continue the queue."""
    queue.mark_interrupted(folder)


def file_stamp(path: Path) -> tuple[int, int]:
    """Cache key of a file: modification time and size; zeros if it does not exist."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def events_of(run: Run) -> Events:
    """All events of a run so far."""
    return _events(str(run.folder), file_stamp(run.folder / "events.jsonl"))


def traces_of(run: Run) -> Traces:
    """The pinned sentence's traces so far, with their steps."""
    return _traces(str(run.folder), file_stamp(run.folder / "traces.jsonl"))


@kept(16)
def _events(folder: str, stamp: tuple[int, int]) -> Events:
    return Run(Path(folder)).events()


@kept(16)
def _traces(folder: str, stamp: tuple[int, int]) -> Traces:
    return Run(Path(folder)).traces()
