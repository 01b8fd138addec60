"""What a link asks in vain of the shared controls, in plain sentences: a model that is not there, a width out of range.

Streamlit puts the default in the place of a value that a control cannot have, and says nothing. So the address is read
before the controls are drawn. What was found stays on the page as long as the question is the one that it opened with:
the page may ask for another run of itself before anybody has read the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nmtcore.config import MAX_BEAM
from nmtcore.errors import TextError
from pages.common import models
from pages.common.controls import Question, opening_sentence, question, show_notes
from pages.common.i18n import _
from pages.common.text import refuse_long

QUOTED = 40  # characters of a link that are repeated to the person


def checked_question(choices: Sequence[str], first: int = 0) -> Question:
    """The row of controls, and a sentence about each part of the address that they could not take.

    first: the number of the example that the page opens with.
    """
    before = left_out()
    if before:
        st.session_state["text"] = opening_sentence(st.session_state.get("pair", choices[0]), first)
    found = [*before, *unknown_choice(choices), *_unknown_width()]
    linked = brings_sentence()
    asked = question(choices, first)
    if linked:
        leave_out_long(asked.text, found)
    if found:
        st.session_state["ignored"] = (asked, found)
    of, sentences = st.session_state.get("ignored", (asked, []))
    if of == asked:
        show_notes(*sentences)
    else:
        del st.session_state["ignored"]
    return asked


def unknown_choice(choices: Sequence[str]) -> list[str]:
    """A sentence where the address names a language pair or a saved model that the page does not have."""
    named = st.query_params.get("pair")
    if named is None or named in models.labels(choices).values():
        return []
    return [not_here(named, models.labels(choices)[choices[0]])]


def within(asked: str, low: int, high: int) -> bool:
    """Whether what an address asks for is a whole number from `low` to `high`."""
    return asked.isascii() and asked.isdecimal() and low <= int(asked[:9]) <= high


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


def brings_sentence() -> bool:
    """Whether the address brings a sentence, rather than repeats what stands in the box. Asked before it is drawn."""
    return "text" in st.query_params and "text" not in st.session_state


def leave_out_long(text: str, found: Sequence[str]) -> None:
    """A sentence in a link that no page could translate makes way for the page's own, in another run.

    What a person has typed stays in its box. found: what else the address asked in vain, for the other run to say.
    """
    try:
        refuse_long(text)
    except TextError as error:
        sentence = _("The sentence in the link is left out. {reason}").format(reason=error)
        st.session_state["left out"] = [*found, sentence]
        st.rerun()


def left_out() -> list[str]:
    """What the run before left out; the page then puts its own sentence into the box, before it is drawn."""
    found: list[str] = st.session_state.pop("left out", [])
    return found
