"""The records of a run, read again only when they have grown."""

import contextlib
from pathlib import Path
from typing import Any

from nmtcore.analysis import aligning_head
from nmtcore.config import Architecture, ModelConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import NmtError
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


def _stamp(run: Run, log: str) -> tuple[Run, int, int]:
    """Cache key of one of a run's logs, by modification time and size: two writes may have the same time."""
    with contextlib.suppress(OSError):
        status = (run.folder / log).stat()
        return run, status.st_mtime_ns, status.st_size
    return run, 0, 0


@kept(16, key=lambda run: _stamp(run, "events.jsonl"))
def events_of(run: Run) -> Events:
    """All events of a run so far."""
    return run.events()


@kept(16, key=lambda run: _stamp(run, "traces.jsonl"))
def traces_of(run: Run) -> Traces:
    """The pinned sentence's traces so far, with their steps."""
    return run.traces()


def last_event(events: Events, kind: str) -> dict[str, Any] | None:
    """The newest event of a kind; None before the first."""
    return next((event for event in reversed(events) if event["event"] == kind), None)


def never_began(run: Run) -> bool:
    """Whether a run failed before its first step: then there is nothing to see and nothing to resume."""
    return run.status().state == "failed" and last_event(events_of(run), "progress") is None


def architecture_of(run: Run, config: RunConfig) -> Architecture:
    """The architecture of the model; before a fine-tuned one has a trace, only a colour depends on it."""
    traces = traces_of(run)
    return traces[-1][1].architecture if traces else config.architecture or "dot"


def drawn_head(run: Run) -> tuple[int, int] | None:
    """The head whose attention is drawn: the best in the test of the model it started from; None for a mean."""
    settings = model_settings(run.folder / "start")  # None if it started from scratch, or its files are damaged
    return aligning_head.drawn_head(*settings) if settings else None


@kept(250, key=lambda folder: (folder, modification_times([folder / checkpoint.CONFIG])))
def model_settings(folder: Path) -> tuple[ModelConfig, dict[str, Any]] | None:
    """Configuration and metadata of a model folder; None if they cannot be read."""
    try:
        return checkpoint.read_config(folder)
    except NmtError:
        return None


def damaged_files(run: Run) -> tuple[str, ...]:
    """The records of a run that are incomplete; none of one that goes on, whose files are being written."""
    return () if run.status().state in OPEN else _damaged_files(run)


@kept(50, key=lambda run: (run, modification_times(run.folder / name for name in CHECKS)))
def _damaged_files(run: Run) -> tuple[str, ...]:
    return run.damaged_files()
