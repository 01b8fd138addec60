"""Additive attention: six steps from the encoder's states to the next word, with the model's own numbers."""

from __future__ import annotations

import streamlit as st

from pages.attention.walkthrough import decode_walkthrough, legend, record
from pages.common import models
from pages.common.controls import show_notes
from pages.common.footer import page_footer
from pages.common.i18n import _
from pages.common.link_checks import checked_question
from pages.common.steps import steps

SAYS = {
    "steps": [
        _("One state h for each of {S} pieces. The decoder asks with {query}, its state before it reads {last}."),
        _("A small network compares {query} with every state. The higher the score β, the better the two fit."),
        _("Exponentials make all scores positive, the division makes them sum to one. {word} gets most: {weight}."),
        _("Each state is multiplied by its weight: what has little weight fades to nothing."),
        _("Added up, component by component, they are one vector: {context}, made anew for this word."),
        _("{context} goes into the next state, {state}. Out comes a probability for every piece: {word} is taken."),
    ],
    "bent": _("Softmax would give {own} to {top}. You have put all weight on {word}."),
    "even": _("Softmax would give {own} to {top}. You have spread the weight evenly: {weight} each."),
}

st.title(_("How does a decoder choose where to look?"), anchor=False)
st.markdown(_("Before every word, additive attention asks each source state how well it fits. Then try bending it."))

pairs = models.pairs()
if not pairs:
    show_notes(_("There is no model yet. Train one with the command in README.md, or name a folder of models."))
    st.stop()

shown = decode_walkthrough(checked_question(models.choices("additive")), "additive")
steps(record(shown, {"says": SAYS, "legend": legend(shown)}), key="steps")

st.markdown(
    _(
        "**Bahdanau or Luong?** This model is Bahdanau's: it asks with $s_{j-1}$, the state *before* the word, and the "
        "context goes *into* the next state $s_j$. Luong's, on the next page, asks with $s_j$, the state *at* the "
        "word, and the context comes *after* it. When you compare their alignments, mind that their queries stand "
        "one position apart."
    )
)
page_footer(
    "additive",
    _("If all the weight of one step is put on the wrong word, does the rest of the translation go wrong too?"),
    _(
        "Try it on several words. The word written in that step mostly changes, often into a translation of the word "
        "that you pointed at: the context holds nothing else. After it the decoder often finds its way back, for every "
        "step asks anew. What is written stays written, though, and what was passed over may never be said."
    ),
)
