"""Waiting in line: runs of pages take turns, and a run that waits for a model lets others draw meanwhile.

A visitor who waits for more than half a second reads how many are ahead, while the former picture stays. Runs wait in
short slices, between which Streamlit may end them because the sentence was replaced or the visitor has left.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from nmtcore.serving.fair_semaphore import FairSemaphore, Ticket
from pages.common.i18n import ngettext
from pages.common.once import lookups_kept

SLICE = 0.1  # s between two checks whether the run is still wanted
NOTICE = 0.5  # s of waiting after which a person reads how many are ahead
LONG_SLICE, LONGEST_SLICE = 0.5, 2.0  # s between two updates in a crowd: drawing hundreds of updates takes time
PACE = 20  # sentences a second, roughly; with more of them ahead, updates are rarer
CROWD = 4  # concurrent runs above which waiting ones update less often, and no model's time is measured
PLACES = 1  # runs that draw at a time: Python runs one thread at a time, and each finishes sooner alone
LONGEST = 0.3  # s after which a drawing run no longer blocks the next one
LONG_PLACES = 3  # pages at a time that show long texts: each may need a hundred megabytes

SEMAPHORE = FairSemaphore(PLACES, LONGEST)
LONG_SEMAPHORE = FairSemaphore(LONG_PLACES, float("inf"))


class _Run(threading.local):
    """The run of a page in this thread: its ticket, and the placeholder for the number of runs ahead."""

    ticket: Ticket | None = None
    long: Ticket | None = None  # among those with long texts
    place: DeltaGenerator | None = None


_run = _Run()


@contextmanager
def in_turn() -> Iterator[None]:
    """A run of a page with its ticket. Draws an empty placeholder for the number of runs ahead."""
    ticket = SEMAPHORE.ticket()
    with st.container(key="waiting"):
        _run.place = st.empty()
    _run.ticket = ticket
    try:
        with lookups_kept():
            yield
    finally:
        ticket.end()
        if _run.long:
            _run.long.end()
        _run.ticket = _run.long = _run.place = None


def crowded() -> bool:
    """Whether there are so many runs that optional work of one makes the others wait."""
    return SEMAPHORE.outstanding > CROWD


def take_turn(long: bool) -> None:
    """Wait until earlier runs have drawn; with a long text, also until few enough such runs are active.

    Call this after drawing the controls: Streamlit forgets the values of controls that a run has not reached when it
    ends, and a waiting run may be ended.
    """
    if _run.ticket and long:
        _run.long = LONG_SEMAPHORE.ticket()
        _wait(_run.long.enter, _run.long.before)
    if _run.ticket:
        _wait(_run.ticket.enter, _run.ticket.before)


def wait_for(futures: Sequence[Future[Any]], before: Callable[[], int], enough: Callable[[], bool]) -> None:
    """Wait for the first of some futures, and on until `enough`; other runs get their turn meanwhile.

    before: how many others will be answered earlier.
    """
    if enough():
        return

    def more(seconds: float) -> bool:
        pending = [future for future in futures if not future.done()]
        wait(pending, seconds)  # once for all: every wake-up of this run takes Python's lock from the others
        return enough() or all(future.done() for future in futures)

    ticket = _run.ticket
    if ticket:
        ticket.leave()
    _wait(more, before)
    if ticket:
        _wait(ticket.enter, ticket.before)


def _wait(done: Callable[[float], bool], before: Callable[[], int]) -> None:
    """Call `done` with a slice of time until it returns true, and show how many runs are ahead."""
    began, shown = time.monotonic(), 0
    while not done(_slice(shown)):
        end_if_unwanted()
        if _run.place and time.monotonic() - began > NOTICE and (count := before()) not in (0, shown):
            _run.place.text(ngettext("{count} before you", "{count} before you", count).format(count=count))
            shown = count
    if shown and _run.place:
        _run.place.empty()


def end_if_unwanted() -> None:
    """Let Streamlit end this run if it is no longer wanted. Called while waiting, between two slices of time."""
    if get_script_run_ctx(suppress_warning=True):
        st.session_state.get("asked")  # reading the session state ends an unwanted run


def _slice(before: int) -> float:
    """Polling interval, in seconds, of a run with this many ahead. What it waits for wakes it at any time."""
    if not before:
        return LONG_SLICE if crowded() else SLICE
    return min(max(LONG_SLICE, before / PACE), LONGEST_SLICE)
