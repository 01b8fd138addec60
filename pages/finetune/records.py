"""The records of a run, read again only when they have grown."""

from pathlib import Path
from typing import Any

from nmtcore.analysis import aligning_head
from nmtcore.config import Architecture
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError
from nmtcore.models import checkpoint
from nmtcore.runs import queue
from nmtcore.runs.config import OPEN, RunConfig
from nmtcore.runs.run_folder import CHECKS, Run
from pages.common.saved_models import modification_times
from pages.common.shared import kept

Events = list[dict[str, Any]]
Traces = list[tuple[int, Trace]]


@kept(16)
def settle(folder: Path) -> None:
    """Once per folder of runs: mark those whose process is gone and continue the queue."""
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


def architecture_of(run: Run, config: RunConfig) -> Architecture:
    """The architecture of the model; before a fine-tuned one has a trace, only a colour depends on it."""
    traces = traces_of(run)
    return traces[-1][1].architecture if traces else config.architecture or "dot"


def drawn_head(run: Run) -> tuple[int, int] | None:
    """The head whose attention is drawn: the best in the test of the model it started from; None for a mean."""
    start = run.folder / "start"
    return _drawn_head(str(start), file_stamp(start / checkpoint.CONFIG))


def damaged_files(run: Run) -> tuple[str, ...]:
    """The records of a run that are incomplete; none of one that goes on, whose files are being written."""
    stamp = modification_times(run.folder / name for name in CHECKS)
    return () if run.status().state in OPEN else _damaged_files(str(run.folder), stamp)


@kept(50)
def _damaged_files(folder: str, stamp: tuple[int, ...]) -> tuple[str, ...]:
    return Run(Path(folder)).damaged_files()


@kept(50)
def _drawn_head(folder: str, stamp: tuple[int, int]) -> tuple[int, int] | None:
    try:
        return aligning_head.drawn_head(*checkpoint.read_config(Path(folder)))
    except CheckpointError:  # it started from scratch, or its files are damaged, which the page reports
        return None


@kept(16)
def _events(folder: str, stamp: tuple[int, int]) -> Events:
    return Run(Path(folder)).events()


@kept(16)
def _traces(folder: str, stamp: tuple[int, int]) -> Traces:
    return Run(Path(folder)).traces()
