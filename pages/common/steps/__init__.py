"""The stepper: one decode of a recurrent model with attention, walked through in six steps a word.

The browser gets all numbers of the decode once; stepping, playing, pointing and saving never run the page. The
place stands in the address (`step=3.2`: word 3, step 2), written there by the component, as is the temperature of
the dot page. Bending runs the page, which finds it in the address too (`bend=3.s5.1f2e`, read by
`pages.attention.override`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from pages.common.i18n import _
from pages.common.scripts import joined

HERE = Path(__file__).parent
DRAWING = HERE.parent / "alignment"
BORROWED = (
    *("dom", "mount", "number", "icons", "piece", "tokens"),
    *("color", "layout", "width", "address", "heatmap", "paper"),
)
OWN = (
    *("place", "notation", "softmax", "record", "saving", "transport", "walk", "plan", "next", "diagram", "explain"),
    *("matrix", "numbers", "bend", "compare", "temperature", "root", "lab", "steps"),
)
STYLES = (HERE / "steps.css", HERE / "lab.css")
SCRIPTS = (*(DRAWING / f"{name}.js" for name in BORROWED), *(HERE / f"{name}.js" for name in OWN))  # in import order

_component = st.components.v2.component(
    "steps", js=joined(SCRIPTS), css="\n".join(style.read_text(encoding="utf-8") for style in STYLES)
)


def steps(data: Mapping[str, Any], *, key: str) -> None:
    """Draw the stepper. data: from `attention_steps.record`, with the page's words under `words`."""

    def bent() -> None:
        asked = st.session_state[key].get("bend")
        if isinstance(asked, str) and asked:
            st.query_params["bend"] = asked
        else:
            st.query_params.pop("bend", None)

    _component(key=key, data={**data, "words": {**words(), **data["words"]}}, on_bend_change=bent)


def walking() -> Mapping[str, str]:
    """The words of what every walk through a decode has: transport.js and saving.js."""
    return {
        "stepper": _("Walk through the decode"),
        "first": _("First step"),
        "back": _("Back (left arrow)"),
        "play": _("Play"),
        "pause": _("Pause"),
        "forward": _("Forward (right arrow)"),
        "last": _("Last step"),
        "speed": _("Steps a second"),
        "chips": _("The translation; a click goes to that word"),
        "unfinished": _("stopped at the length limit"),
        "save": _("Save"),
    }


def words() -> Mapping[str, Any]:
    """The component's own words, in the language of the page. Names in braces are filled in the browser."""
    return {
        **walking(),
        "slider": _("Step of the walk; up and down arrows go from word to word"),
        "where": _("Word {j} of {T}: {word} · step {k} of 6"),
        "figure": _("this step"),
        "heads": [_("States"), _("Scores β"), _("Weights α"), _("α · h"), _("Context"), _("Next word")],
        "names": [
            _("1. The states are ready."),
            _("2. A score for every state."),
            _("3. Softmax."),
            _("4. Each state times its weight."),
            _("5. Their sum is the context."),
            _("6. Into the decoder."),
        ],
        "reader": _("{query}: the decoder after {last}"),
        "reader_before": _("{query}: the decoder before word {j}"),  # it has not read the last word yet
        "rows": _("Source pieces with their numbers; arrow keys choose one"),
        "matrix": _("Alignment so far: every word adds a row"),
        "matrix_aria": _(
            "The weights of all words up to this one as a matrix, source along the top, target down the side. "
            "The table of every number says the same."
        ),
        "ignored": _(
            "The link asks for step {step}, but this translation has {T} words of 6 steps each: it opens at the first."
        ),
        "open": _("Every number of this word, and the NumPy that gives it again"),
        "proof": _(
            "The same in plain NumPy, from the model's weights: scores differ by at most {scores}, weights by "
            "{weights}, the context by {context}, log-probabilities by {log}."
        ),
        "code": _("What was run:"),
        "source": _("source"),
        "piece": _("piece"),
        "table_scores": _("Scores and weights, as the model has them and as NumPy does"),
        "table_vectors": _("The first {count} of {D} components"),
        "table_candidates": _("The likeliest next pieces"),
        "bend": {
            "title": _("Bend it."),
            "hint": _("Click a source word above, or spread the attention of this step evenly:"),
            "chosen": _("All attention of word {j}:"),
            "here": _("look at {word} instead"),
            "everywhere": _("look everywhere alike"),
            "undo": _("Undo"),
            "was": _("Word {j} was made to look at {word}; the words before it were kept."),
            "was_even": _("Word {j} was made to look everywhere alike; the words before it were kept."),
            "same": _("The translation stays the same."),
            "outcome": _("The translation before and after"),
            "before": _("Before"),
            "after": _("After"),
        },
    }
