"""What a link asks in vain of the shared controls, in plain sentences: a model that is not there, a width out of range.

Streamlit puts the default in the place of a value that a control cannot have, and says nothing. So the address is read
before the controls are drawn. What was found stays on the page as long as the question is the one that it opened with:
the page may ask for another run of itself before anybody has read the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nmtcore.config import MAX_BEAM
from pages.shared import models
from pages.shared.controls import Question, question, say
from pages.shared.sliders import within
from pages.shared.words import _

QUOTED = 40  # characters of a link that are repeated to the person


def checked(choices: Sequence[str]) -> Question:
    """The row of controls, and a sentence about each part of the address that they could not take."""
    found = [*unknown_choice(choices), *_unknown_width()]
    asked = question(choices)
    if found:
        st.session_state["ignored"] = (asked, found)
    of, sentences = st.session_state.get("ignored", (asked, []))
    if of == asked:
        say(*sentences)
    else:
        del st.session_state["ignored"]
    return asked


def unknown_choice(choices: Sequence[str]) -> list[str]:
    """A sentence where the address names a language pair or a saved model that the page does not have."""
    named = st.query_params.get("pair")
    if named is None or named in models.labels(choices).values():
        return []
    return [not_here(named, models.labels(choices)[choices[0]])]


def not_here(named: str, shown: str) -> str:
    """The sentence about a model that is not there, and what is shown for it."""
    sentence = _("The link asks for the model {name}, which is not here: {shown} is shown.")
    return sentence.format(name=repr(named[:QUOTED]), shown=shown)


def _unknown_width() -> list[str]:
    named = st.query_params.get("beam")
    if named is None or within(named, 1, MAX_BEAM):
        return []
    sentence = _("The link asks for the beam width {width}; it goes from 1 to {most}, and the usual one is shown.")
    return [sentence.format(width=repr(named[:QUOTED]), most=MAX_BEAM)]
