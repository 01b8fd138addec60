"""Beam search: the tree of everything that search considered, ranked again, replayed, and asked "what if"."""

from __future__ import annotations

import streamlit as st

from nmtcore.config import DecodingConfig
from nmtcore.errors import CheckpointError, InterventionError, TextError
from nmtcore.intervention import NO_CHANGE, Intervention
from pages.beam import constraints
from pages.beam import controls as controls
from pages.common import models
from pages.common.controls import show_notes
from pages.common.footer import page_footer
from pages.common.i18n import _
from pages.common.text import clean
from pages.common.tree import Line, tree

st.title(_("What did search throw away?"), anchor=False)
st.markdown(
    _(
        "At every step beam search keeps the few likeliest beginnings and drops the rest. Point at a candidate for its "
        "arithmetic; click it to ask what if."
    )
)

pairs = models.pairs()
if not pairs:
    show_notes(_("There is no model yet. Train one with the command in README.md, or name a folder of models."))
    st.stop()

asked = controls.search_question(models.choices())
view, odd = controls.view()
asked_whatifs, unread = controls.whatifs()
candidate, lost = controls.candidate()
notes = [*asked.notes, *odd, *unread, *lost]
change = constraints.intervention(asked_whatifs)
try:
    sentence = clean(asked.text, asked.source)
    checkpoint = models.load(asked.model)
    decoding = DecodingConfig(asked.beam)
    before = models.translate(asked.model, sentence.text, decoding)
    try:
        trace = models.translate(asked.model, sentence.text, decoding, change)
    except InterventionError as error:
        notes.append(str(error))
        trace, change = before, NO_CHANGE
    lines = []
    if asked.beam > 1:
        greedy = models.translate(asked.model, sentence.text, DecodingConfig(1), change)
        lines.append(Line("greedy", _("greedy"), greedy))
    if change != NO_CHANGE:
        lines.append(Line("before", _("before"), before, view.alpha, view.beta))
    if candidate:
        try:
            forced = Intervention(forced=tuple(enumerate(candidate)), forbidden=change.forbidden)
            there = models.translate(asked.model, sentence.text, decoding, forced)
            lines.append(Line("candidate", _("candidate"), there, view.alpha, view.beta))
        except InterventionError as error:
            notes.append(str(error))
except (CheckpointError, TextError) as error:
    show_notes(*notes, str(error))
    st.stop()

steps = max(node.step for node in trace.beam)
if view.step > steps:
    beyond = _("The link asks for step {step}, but this search has {steps}: the last is shown.")
    notes.append(beyond.format(step=view.step, steps=steps))
show_notes(*sentence.notes, *notes)
tree(
    trace,
    checkpoint.vocab,
    key="tree",
    model=models.heading(asked.model, trace.architecture),
    name=_("beam {width}").format(width=asked.beam) if asked.beam > 1 else _("greedy"),
    lines=lines,
    whatifs=[(w.code, w.sentence(checkpoint.vocab)) for w in asked_whatifs],
    view=view,
    branch=asked_whatifs[-1].changes if asked_whatifs else 0,
    on_act=controls.acted,
)
controls.begin_with(checkpoint.vocab)

page_footer(
    "beam",
    _("Find a sentence that greedy search spoils. At which step does it go wrong, though its token is the likeliest?"),
    _(
        "Where the two paths part. Greedy takes the token that is likeliest **now**, log p(y_j | y_<j, x); what counts "
        "is the whole, log P(y | x) = Σ_j log p(y_j | y_<j, x). A token that is a little less likely can open a much "
        "likelier way on. Click the other token there and decode on from it: the translation is repaired."
    ),
)
