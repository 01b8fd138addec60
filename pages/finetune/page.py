"""Fine-tune: train a model and watch it learn where to look."""

import streamlit as st

from nmtcore.errors import NmtError
from nmtcore.runs.run_folder import find, runs_folder
from pages.common.address import address_bar, read_state
from pages.common.controls import show_notes
from pages.common.footer import page_footer
from pages.common.i18n import _
from pages.common.page_links import page_head
from pages.common.projection import offer_projection
from pages.finetune.experiments import experiments_list
from pages.finetune.foot import show_remark
from pages.finetune.lists import runs_of_everyone
from pages.finetune.owner import visitor, write_cookie
from pages.finetune.put_in import put_in_a_model
from pages.finetune.records import settle
from pages.finetune.setup import new_run
from pages.finetune.state import FinetuneState
from pages.finetune.watch import run_view

state, notes = read_state(FinetuneState)
address_bar()
page_head(
    state,
    _("How does a model learn where to look?"),
    _("Train one and watch: the loss falls, and the alignment of one sentence takes shape."),
)
show_notes(*notes)
try:
    settle(runs_folder())
except NmtError as error:
    st.text(str(error))
who = visitor()
if not state.run:
    show_remark("")
    new_run(state, who)
    experiments_list()
else:
    try:
        run = find(runs_folder(), state.run)
    except NmtError as error:
        show_notes(str(error))
        new_run(state, who)
    else:
        run_view(state, run, who)
offer_projection("finetune", "pinned", "ideal")
runs_of_everyone(state, who)
if not state.run:
    put_in_a_model()
write_cookie()
page_footer(
    "finetune",
    _("Nobody tells the model where to look: the loss only asks for the right words. Why does an alignment appear?"),
    _(
        "Attention weights are part of the function that is trained. Looking in the wrong place gives the decoder the "
        "wrong state and a lower probability for the right word; the gradient moves the weight to where it helps. "
        "Where a word can be guessed without looking, such as an end mark, the row may stay blurred for good."
    ),
)
