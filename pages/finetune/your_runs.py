"""The list of this browser's trainings, each with its state, name, date and possible action."""

import time
from collections.abc import Callable
from itertools import islice

import streamlit as st

from nmtcore.errors import NmtError
from nmtcore.runs import queue
from nmtcore.runs.config import LIVE, OPEN, RESUMABLE
from nmtcore.runs.run_folder import Run, runs, runs_folder
from pages.common.address import change_state, fragment
from pages.common.controls import show_notes
from pages.common.form import drop, held, hold
from pages.common.i18n import _
from pages.finetune.foot import remarked
from pages.finetune.owner import add_code, may_steer, session
from pages.finetune.setup import duration
from pages.finetune.state import FinetuneState
from pages.finetune.wording import PAIRS, begun_with, never_began, run_title, state_title, task_title
from pages.server.classroom import for_this_computer_only

SHOWN = 12  # runs in the list
ROWS, HEIGHT = 3, 138  # rows visible without scrolling, and their height in px
POLL = 2.0  # seconds between two updates while a run goes on
CODE, REFUSED = "code of a run", "code refused"  # keys of the session


def your_runs() -> None:
    """The list above the settings of a new run, where returning visitors find their runs."""
    mine = _mine()
    if not mine:
        return
    with st.container(key="your-runs", gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(_("**Your trainings**"), width="content")
            if not for_this_computer_only():
                with st.popover(_("Started in another browser?"), type="tertiary"):
                    enter_code()
        with st.container(height=HEIGHT if len(mine) > ROWS else "content", border=False):
            going_on = any(run.status().state in OPEN for run in mine)
            fragment(_rows, run_every=POLL if going_on else None)()


def your_runs_folded() -> None:
    """The same list behind a button, while a run is on the screen."""
    if mine := _mine():
        with st.popover(_("Your trainings ({count})").format(count=len(mine))):
            _rows()


def enter_code() -> None:
    """A box for the control code of a run, which opens it."""
    st.text_input(_("Its control code stands below the training, where it was started"), key=CODE)
    st.button(_("Find it"), key="find", on_click=_find)
    if sentence := drop(REFUSED, ""):
        show_notes(sentence)


def _mine() -> list[Run]:
    """The newest runs that this browser started, or may steer otherwise."""
    return list(islice((run for run in runs(runs_folder()) if may_steer(run)), SHOWN))


def _rows() -> None:
    for run in _mine():
        state = run.status().state
        with st.container(key=f"mine-{run.id}", horizontal=True, vertical_alignment="center", gap="small"):
            st.button(_line(run), key=f"open-mine-{run.id}", type="tertiary", on_click=_open, args=(run,))
            if state in OPEN and state != "stopping":
                _button(_("■ Stop"), run, Run.stop)
            elif state in RESUMABLE and not never_began(run, run.status()):
                _button(_("▶ Resume"), run, resume)
            elif run.has_model:
                _button(_("See what it learned"), run)


def resume(run: Run) -> None:
    """Queue a run for its device again, on behalf of this browser."""
    queue.resume(run, session())


def _line(run: Run) -> str:
    """A run in the list: first its status, and the time left or its date."""
    status = run.status()
    try:
        config = run.config()
    except NmtError:
        return run_title(run)
    if status.state in LIVE and status.step:
        when = _("{time} left").format(time=duration(status.seconds_left))
    else:
        when = _("{time} ago").format(time=duration(max(1.0, time.time() - run.made())))
    parts = (state_title(status.state), when, run.name(), task_title(config.exercise or PAIRS), begun_with(config))
    return " · ".join(filter(None, parts))


def _button(label: str, run: Run, act: Callable[[Run], None] = lambda _run: None) -> None:
    st.button(label, key=f"act-{run.id}", on_click=_open, args=(run, act))


def _open(run: Run, act: Callable[[Run], None] = lambda _run: None) -> None:
    """Show the run after an action: the page then says if that failed, and why."""
    with remarked(run):
        act(run)
    change_state(FinetuneState, run=run.id)
    st.rerun()  # the whole page, not this list alone


def _find() -> None:
    typed = str(held(CODE, "")).strip().lower()
    known = add_code(typed)
    run = next((run for run in runs(runs_folder()) if known and run.allows([typed])), None)
    if run is None:
        hold(REFUSED, _("No training on this server has this control code."))
    else:
        change_state(FinetuneState, run=run.id)
