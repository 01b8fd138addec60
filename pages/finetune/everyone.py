"""The list of everyone's trainings on this server, each a click away."""

from itertools import islice

import streamlit as st

from nmtcore.runs.config import OPEN
from nmtcore.runs.run_folder import Run, runs, runs_folder
from pages.common.address import change_state, fragment
from pages.common.i18n import _
from pages.finetune.owner import may_steer, session
from pages.finetune.state import FinetuneState
from pages.finetune.wording import never_began, run_title
from pages.finetune.your_runs import enter_code
from pages.server.classroom import for_this_computer_only

SHOWN = 12  # runs in the list
POLL = 2.0  # seconds between two updates while a run goes on


def runs_of_everyone(state: FinetuneState) -> None:
    """The runs of everyone on this server; where they stand is looked up again while one goes on.

    On a computer of one's own they are one's own runs, which stand in a list already.
    """
    listed_runs = listed()
    if not listed_runs or for_this_computer_only():
        return
    going_on = any(run.status().state in OPEN for run in listed_runs)
    with st.expander(_("Everyone's trainings on this server"), expanded=not state.run, key="everyone"):
        if not any(may_steer(run) for run in listed_runs):
            with st.popover(_("Started in another browser?"), type="tertiary"):
                enter_code()
        fragment(links, run_every=POLL if going_on else None)()


def listed() -> list[Run]:
    """The runs, newest first; one that never began is shown only to the person who started it."""
    worth = (run for run in runs(runs_folder()) if run.is_of(session()) or not never_began(run, run.status()))
    return list(islice(worth, SHOWN))


def links() -> None:
    """A line for each run, which opens it."""
    with st.container(gap="xxsmall"):
        for run in listed():
            st.button(run_title(run), key=f"open-{run.id}", type="tertiary", on_click=_open, args=(run.id,))


def _open(run_id: str) -> None:
    """Open a run. It is a callback, which runs before anything is drawn: clicks count although the list is redrawn."""
    change_state(FinetuneState, run=run_id)
    st.rerun()  # the whole page, not this list alone
