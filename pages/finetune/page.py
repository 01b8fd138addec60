"""Fine-tune: train a model and watch it learn where to look."""

from __future__ import annotations

from itertools import islice

import streamlit as st

from nmtcore.errors import NmtError
from nmtcore.runs import queue
from nmtcore.runs.run_folder import OPEN, Run, find, runs, runs_folder
from pages.common.controls import show_notes
from pages.common.footer import page_footer
from pages.common.i18n import _
from pages.finetune.owner import session, write_cookie
from pages.finetune.setup import new_run
from pages.finetune.watch import run_view
from pages.finetune.wording import never_began, run_title

SHOWN = 12  # runs in the list
POLL = 2.0  # seconds between two looks at them while one goes on


@st.cache_resource(show_spinner=False)
def settled() -> None:
    """Once a server: mark the runs whose process is gone, go on with the queue."""
    queue.mark_interrupted(runs_folder())


def everyone() -> None:
    """The runs of everyone on this server; where they stand is looked up again while one goes on."""
    found = listed()
    if not found:
        return
    going_on = any(run.status().state in OPEN for run in found)
    with st.expander(_("Everyone's trainings on this server"), expanded="run" not in st.query_params, key="everyone"):
        st.fragment(links, run_every=POLL if going_on else None)()


def listed() -> list[Run]:
    """The newest first; what never began is shown to nobody but who started it."""
    worth = (run for run in runs(runs_folder()) if run.is_of(session()) or not never_began(run, run.status()))
    return list(islice(worth, SHOWN))


def links() -> None:
    """A line for each run, which opens it."""
    with st.container(gap="xxsmall"):
        for run in listed():
            if st.button(run_title(run), key=f"open-{run.id}", type="tertiary"):
                st.query_params["run"] = run.id
                st.rerun()  # the whole page, not this list alone


st.title(_("How does a model learn where to look?"), anchor=False)
st.markdown(_("Train one and watch: the loss falls, and the alignment of one sentence takes shape."))
settled()
shown = st.query_params.get("run")
if shown is None:
    new_run()
else:
    try:
        run = find(runs_folder(), shown)
    except NmtError as error:
        show_notes(str(error))
        new_run()
    else:
        run_view(run)
everyone()
write_cookie()
page_footer(
    "finetune",
    _("Nobody tells the model where to look: the loss only asks for the right words. Why does an alignment appear?"),
    _(
        "The weights of attention are part of the function that is trained. Looking at the wrong place gives the "
        "decoder the wrong state and a lower probability for the right word; the gradient moves the weight to where it "
        "helps. Where a word can be guessed without looking, such as an end mark, the row may stay blurred for good."
    ),
)
