"""The lists of runs: this browser's, each with its available action, and everyone's on this server."""

import time
from collections.abc import Callable
from itertools import islice
from typing import Any

import streamlit as st

from nmtcore.errors import NmtError
from nmtcore.runs import queue
from nmtcore.runs.config import OPEN, RESUMABLE, STOPPABLE
from nmtcore.runs.run_folder import Run, runs, runs_folder
from pages.common.address import change_state, fragment
from pages.common.controls import show_notes
from pages.common.form import drop, held, hold
from pages.common.i18n import _, duration
from pages.finetune.foot import remarked
from pages.finetune.owner import Visitor, add_code, visitor
from pages.finetune.records import never_began
from pages.finetune.state import FinetuneState
from pages.finetune.wording import PAIRS, STATES, begun_with, run_title, task_title

SHOWN = 12  # runs in a list
POLL = 2.0  # seconds between two updates while a run goes on
CODE, REFUSED = "code of a run", "code refused"  # keys of the session


def your_runs(who: Visitor) -> None:
    """The list below the settings of a new run, where returning visitors find their runs, and the box for a code."""
    if your_runs_folded(who, type="tertiary") and not who.alone:
        _enter_code()


def your_runs_folded(who: Visitor, **settings: Any) -> bool:
    """The list alone, behind a button. settings: of `st.popover`. Returns whether there is one."""
    mine = _mine(who)
    if mine:
        with st.popover(_("Your runs ({count})").format(count=len(mine)), **settings):
            _redrawn(_your_rows, mine, who)
    return bool(mine)


def runs_of_everyone(state: FinetuneState, who: Visitor) -> None:
    """The runs of everyone on this server. On one's own computer they are one's own, which have a list already."""
    there = listed(who)
    if not there or who.alone:
        return
    with st.expander(_("Everyone's runs on this server"), expanded=not state.run, key="everyone"):
        if not any(map(who.may_steer, there)):
            _enter_code()
        _redrawn(_everyones_rows, there, who)


def listed(who: Visitor) -> list[Run]:
    """Everyone's runs, newest first; one that never began is shown only to the person who started it."""
    worth = (run for run in runs(runs_folder()) if run.is_of(who.session) or not never_began(run))
    return list(islice(worth, SHOWN))


def _mine(who: Visitor) -> list[Run]:
    """The newest runs that this browser started or may otherwise control."""
    return list(islice(filter(who.may_steer, runs(runs_folder())), SHOWN))


def _redrawn(rows: Callable[[Visitor], None], there: list[Run], who: Visitor) -> None:
    """Draw the rows, again and again while one of the runs goes on."""
    going_on = any(run.status().state in OPEN for run in there)
    fragment(rows, run_every=POLL if going_on else None)(who)


def _everyones_rows(who: Visitor) -> None:
    with st.container(gap="xxsmall"):
        for run in listed(who):
            st.button(run_title(run), key=f"open-{run.id}", type="tertiary", on_click=_open, args=(run,))


def _your_rows(who: Visitor) -> None:
    for run in _mine(who):
        state = run.status().state
        with st.container(key=f"mine-{run.id}", horizontal=True, vertical_alignment="center", gap="small"):
            st.button(_line(run), key=f"open-mine-{run.id}", type="tertiary", on_click=_open, args=(run,))
            if state in STOPPABLE:
                _button(_("■ Stop"), run, Run.stop)
            elif state in RESUMABLE and not never_began(run):
                _button(_("▶ Resume"), run, resume)
            elif run.has_model:
                _button(_("See what it learned"), run)


def resume(run: Run) -> None:
    """Requeue a run for its device, on behalf of this browser."""
    queue.resume(run, visitor().session)


def _line(run: Run) -> str:
    """A run in the list: first its status, and the time left or its date."""
    status = run.status()
    try:
        config = run.config()
    except NmtError:
        return run_title(run)
    since = duration(max(1.0, time.time() - run.made()))
    if status.state == "queued":
        when = _("{time} ago").format(time=since)
    elif status.state in STOPPABLE and status.step and status.seconds_left:
        when = _("{time} left").format(time=duration(status.seconds_left))
    else:
        when = _("started {time} ago").format(time=since)
    parts = (_(STATES[status.state]), when, run.name(), task_title(config.exercise or PAIRS), begun_with(config))
    return " · ".join(filter(None, parts))


def _button(label: str, run: Run, act: Callable[[Run], None] = lambda _run: None) -> None:
    st.button(label, key=f"act-{run.id}", on_click=_open, args=(run, act))


def _open(run: Run, act: Callable[[Run], None] = lambda _run: None) -> None:
    """Show the run after an action: the page then says if that failed, and why.

    It is a callback, which runs before anything is drawn: clicks count although the list is redrawn.
    """
    with remarked(run.id):
        act(run)
    change_state(FinetuneState, run=run.id)
    st.rerun()  # the whole page, not this list alone


def _enter_code() -> None:
    """A box for the control code of a run, which opens it."""
    with st.popover(_("Started in another browser?"), type="tertiary"):
        st.text_input(_("Its control code is shown below the run, where it was started"), key=CODE)
        st.button(_("Find it"), key="find", on_click=_find)
        if sentence := drop(REFUSED, ""):
            show_notes(sentence)


def _find() -> None:
    typed = str(held(CODE, "")).strip().lower()
    known = add_code(typed)
    run = next((run for run in runs(runs_folder()) if known and run.allows([typed])), None)
    if run is None:
        hold(REFUSED, _("No run on this server has this control code."))
    else:
        change_state(FinetuneState, run=run.id)
