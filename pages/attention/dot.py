"""Dot attention: the same six steps with a plain product, and what scaling does to the softmax."""

from __future__ import annotations

import streamlit as st

from pages.attention.score_comparison import comparison_record
from pages.attention.walkthrough import decode_walkthrough, legend, record
from pages.common import models
from pages.common.controls import show_notes
from pages.common.footer import page_footer
from pages.common.i18n import _
from pages.common.link_checks import checked_question
from pages.common.steps import steps

SAYS = {
    "steps": [
        _("One state h for each of {S} pieces. The decoder has taken in {last} and asks with {query}: at word {j}."),
        _("{query} is multiplied with every state, component by component. The sum of the products is the score β."),
        _("Exponentials make all scores positive, the division makes them sum to one. {word} gets most: {weight}."),
        _("Each state is multiplied by its weight: what has little weight fades to nothing."),
        _("Added up, component by component, they are one vector: {context}, made anew for this word."),
        _("{context} is joined with {state} as it is. Out comes a probability for every piece: {word} is taken."),
    ],
    "bent": _("Softmax would give {own} to {top}. You have put all weight on {word}."),
    "even": _("Softmax would give {own} to {top}. You have spread the weight evenly: {weight} each."),
}
LAB = {
    "about": _("Below, the same word {j}, {word}, under other scores and another softmax."),
    "compare": _("One query, the same states, other scores"),
    "temperature": _("How sharp is the softmax, and can it still learn?"),
    "root": _("Why divide by the root of d?"),
    "entropy": _("entropy {bits} bits"),
    "slider": _("Temperature"),
    "gradient_formula": "∂y / ∂(β/τ) = diag(y) − y y<sup>T</sup>",
    "sharp": _(
        "The entropy is {bits} of at most {most} bits: as if it looked at {words} words. A small τ sharpens, a large "
        "one evens out; dividing by √d is the temperature √d."
    ),
    "slope": _(
        "The largest entry of the gradient is {slope} of at most 0.25. Where one weight is nearly 1, it vanishes: the "
        "scores get no signal and stop learning."
    ),
    "only_here": _("Only this figure changes: the model decodes with the scores that it was trained with (dashed)."),
    "most": _("The {count} of {S} source pieces with the highest scores are drawn."),
    "ignored": _("The link asks for the temperature {temperature}; it goes from {low} to {high}, and 1 is shown."),
    "components": _("components d that are multiplied and added"),
    "root_formula": "var(q · k) = d,   var(q · k / √d) = 1",
    "root_aria": _("The variance of the product grows with the number of components. The CSV has the numbers."),
    "theory": _("theory: independent components of unit variance, variance d = {d}"),
    "shuffled": _("this sentence's s and h, components scaled to unit variance and shuffled: {shuffled}"),
    "matched": _("the same, each component with its own: {matched}, for training has made them agree"),
    "own": _(
        "As they are, the components of s have the variance {query}, those of h {states}, and the scores of this "
        "sentence {measured}. Divided by √d = {root} the scores would have {scaled}."
    ),
}

st.title(_("Is a plain product enough to know where to look?"), anchor=False)
st.markdown(_("Dot attention has no weights of its own: the decoder's state is multiplied with every encoder state."))

pairs = models.pairs()
if not pairs:
    show_notes(_("There is no model yet. Train one with the command in README.md, or name a folder of models."))
    st.stop()

shown = decode_walkthrough(checked_question(models.choices("dot")), "dot")
words = {"says": SAYS, "legend": legend(shown), "lab": LAB}
steps({**record(shown, words), "lab": comparison_record(shown)}, key="steps")

st.markdown(
    _(
        "**Luong or Bahdanau?** This model is Luong's: it asks with $s_j$, the state *at* the word, and the context "
        "comes *after* it, joined with $s_j$ to predict $y_j$. Bahdanau's, on the page before, asks with $s_{j-1}$ and "
        "feeds the context *into* $s_j$. When you compare their alignments, mind that their queries stand one "
        "position apart."
    )
)
page_footer(
    "dot",
    _("A dot product needs the query and the state to have the same number of components. What else does it need?"),
    _(
        "That the components mean the same on both sides: the third component of s is only ever multiplied with the "
        "third of h. Nothing in the score can turn one into the other, so encoder and decoder must learn a common "
        "code. The additive score has a network that may translate between two codes; Luong's *general* score, s W h, "
        "buys that freedom with one matrix."
    ),
)
