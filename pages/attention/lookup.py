"""A soft dictionary: one step's attention from soft to exact lookup, and the gradient of its softmax.

The address holds the step (`lookup=3`, nothing while the section is closed) and the temperature (`tau=0.1`).
"""

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from nmtcore.analysis.lookup import Lookup, lookup_at
from nmtcore.decoding.trace import Trace
from nmtcore.figures.lookup import lookup_vectors, softmax_gradient
from nmtcore.figures.palette import HUES
from nmtcore.figures.word_bars import columns_by_word
from nmtcore.text.words import name_at, sentence_names
from pages.attention.state import LOOKUP, TAU, AttentionPage, AttentionState
from pages.attention.walkthrough import Walkthrough
from pages.common.address import as_linked, control
from pages.common.controls import quiet_list, show_notes
from pages.common.disclosure import section_button
from pages.common.figure import draw_figure, theme_colors
from pages.common.i18n import _
from pages.common.result import number_text


def draw_soft_dictionary(shown: Walkthrough, gradient: bool = True) -> None:
    """A button and, once it is pressed, the step, the temperature and their pictures.

    gradient: whether the softmax's gradient is drawn too; the Dot page has it already.
    """
    page, trace = shown.page, shown.trace
    state, last = page.state, len(trace.target)
    if state.lookup > last and as_linked(type(state), "lookup", "typed", "choice", "beam"):
        show_notes(LOOKUP.wrong(str(state.lookup)))
    show = _("Attention as a soft dictionary: how does it become an exact lookup?")
    hide = _("Hide the dictionary")
    opens = partial(_opening_step, page)
    if not section_button(state, "lookup", show=show, hide=hide, key="soft dictionary", opens=opens):
        return
    step = min(state.lookup, last)
    _controls(state, trace, step)
    lookup = lookup_at(trace, step - 1, float(state.tau))
    if not gradient:
        _values(lookup, trace, step)
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _values(lookup, trace, step)
    with right:
        _gradient(lookup, trace, step)


def _opening_step(page: AttentionPage) -> int:
    """The step, from 1, with the least certain weights, where soft and exact lookup differ most."""
    trace = page.trace
    return int(np.argmax([lookup_at(trace, step).difference for step in range(len(trace.target))])) + 1


def _controls(state: AttentionState, trace: Trace, step: int) -> None:
    names = {"2": "τ = 2", "1": _("τ = 1, the model's"), "0.3": "τ = 0.3", "0.1": "τ = 0.1", "0": _("τ → 0, exact")}
    # Streamlit keeps a control's arguments while its page is open: pass words, not the record that they come from.
    steps = {number: f"{number}  {name_at(trace.target, number - 1)}" for number in range(1, len(trace.target) + 1)}
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lookup controls"):
        quiet_list(state, "lookup", _("Step"), list(steps), steps.__getitem__, value=step, width=160)
        st.segmented_control(
            _("Temperature"),
            TAU.options,
            format_func=names.__getitem__,
            required=True,
            label_visibility="collapsed",
            width="content",
            **control(state, "tau"),
        )


def _values(lookup: Lookup, trace: Trace, step: int) -> None:
    colors = theme_colors()
    best = name_at(trace.source, int(lookup.scores.argmax()))
    st.markdown(
        _("A dictionary's `get` returns the value of one key. Attention returns the mean of all values, "
          r"$E[\text{value}]=\sum_i \alpha_i h_i$, $\alpha=\mathrm{softmax}(\beta/\tau)$.")
    )  # fmt: skip
    table = pd.DataFrame({"piece": sentence_names(trace.source), "score": lookup.scores, "weight": lookup.weights})
    title = _("Attention at temperature {tau}, step {step}: {sentence}").format(
        tau=f"{lookup.temperature:g}", step=step, sentence=trace.source_text
    )
    hue = HUES[trace.architecture]
    draw_figure(
        partial(columns_by_word, sentence_names(trace.source), lookup.weights, hue, colors.ink),
        key="lookup-weights",
        title=title,
        table=table,
    )
    vectors = pd.DataFrame({"expectation": lookup.expectation, "exact": lookup.exact})
    draw_figure(
        partial(lookup_vectors, lookup, ("E[value]", "get"), colors.ink, colors.neutral),
        key="lookup-vectors",
        title=title,
        table=vectors,
    )
    st.text(
        _("The exact answer is the state of “{piece}”. The soft one lies {distance} of its length away.").format(
            piece=best, distance=f"{lookup.difference:.2f}"
        )
    )


def _gradient(lookup: Lookup, trace: Trace, step: int) -> None:
    colors = theme_colors()
    st.markdown(
        _("What training can change here: "
          r"$\partial\alpha/\partial\beta=\frac{1}{\tau}\left(\mathrm{diag}(\alpha)-\alpha\alpha^\top\right)$.")
    )  # fmt: skip
    gradient = lookup.gradient
    table = pd.DataFrame(gradient, columns=[f"{i + 1} {piece}" for i, piece in enumerate(sentence_names(trace.source))])
    draw_figure(
        partial(softmax_gradient, lookup, trace.source, colors.ink, colors.neutral),
        key="lookup-gradient",
        title=_("Gradient of the softmax, step {step}: {sentence}").format(step=step, sentence=trace.source_text),
        table=table,
    )
    st.text(gradient_sentence(lookup))


def gradient_sentence(lookup: Lookup) -> str:
    """How large the largest derivative is, and what that means for training."""
    largest = float(np.abs(lookup.gradient).max())
    if not lookup.temperature:
        return _("Exact lookup passes nothing back: every derivative is 0, so it cannot be learned by gradients.")
    if largest < 0.01 / lookup.temperature:
        return _(
            "Saturated: the largest derivative is {largest}. A wrong score here would hardly be corrected."
        ).format(largest=number_text(largest))
    return _("The largest derivative is {largest}; each row sums to 0.").format(largest=f"{largest:.3f}")
