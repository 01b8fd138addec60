"""What a run has written down, read again only when it has grown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from nmtcore.decoding.trace import Trace
from nmtcore.runs.run_folder import Run

Events = list[dict[str, Any]]
Traces = list[tuple[int, Trace]]


def file_stamp(path: Path) -> tuple[int, int]:
    """Cache key of a file: its time and its size; zeros where it is not there."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def events_of(run: Run) -> Events:
    """All events of a run so far."""
    return _events(str(run.folder), file_stamp(run.folder / "events.jsonl"))


def traces_of(run: Run) -> Traces:
    """The pinned sentence's traces so far, with their steps."""
    return _traces(str(run.folder), file_stamp(run.folder / "traces.jsonl"))


@st.cache_resource(max_entries=16, show_spinner=False)
def _events(folder: str, stamp: tuple[int, int]) -> Events:
    return Run(Path(folder)).events()


@st.cache_resource(max_entries=16, show_spinner=False)
def _traces(folder: str, stamp: tuple[int, int]) -> Traces:
    return Run(Path(folder)).traces()
