"""Link checks: plain sentences about what a link asks in vain of the shared controls.

The address is read before the controls are drawn, which take out of it what cannot be. What was found stays on the
page as long as the question is the one that it opened with: the page may ask for another run of itself before anybody
has read the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nmtcore.errors import TextError
from pages.common import models
from pages.common.controls import Question, opening_sentence, question, show_notes
from pages.common.i18n import _
from pages.common.link_parameters import BEAM, PAIR, TEXT
from pages.common.text import refuse_long


def checked_question(choices: Sequence[str], first: int = 0) -> Question:
    """The row of controls, and a sentence about each part of the address that they could not take.

    first: the number of the example that the page opens with.
    """
    before = notes_of_last_run()
    if before:
        st.session_state["text"] = opening_sentence(st.session_state.get("pair", choices[0]), first)
    found = [*before, *unknown_choice(choices), *BEAM.note()]
    linked = brings_sentence()
    asked = question(choices, first)
    if linked:
        drop_long_sentence(asked.text, found)
    if found:
        st.session_state["link notes"] = (asked, found)
    of, sentences = st.session_state.get("link notes", (asked, []))
    if of == asked:
        show_notes(*sentences)
    else:
        del st.session_state["link notes"]
    return asked


def unknown_choice(choices: Sequence[str]) -> tuple[str, ...]:
    """A sentence where a link names a pair or a saved model that the page does not have.

    What the page before had is no news: it was taken along.
    """
    kept = st.session_state.get("asked", {}).get("pair", "")
    return () if kept and PAIR.asked() == models.link_code(kept) else models.link_choice(choices).note()


def brings_sentence() -> bool:
    """Whether the address brings a sentence, rather than repeats what stands in the box. Asked before it is drawn."""
    return TEXT.asked() is not None and TEXT.name not in st.session_state


def drop_long_sentence(text: str, found: Sequence[str]) -> None:
    """A sentence in a link that no page could translate makes way for the page's own, in another run.

    What a person has typed stays in its box. found: what else the address asked in vain, for the other run to say.
    """
    try:
        refuse_long(text)
    except TextError as error:
        sentence = _("The sentence in the link is left out. {reason}").format(reason=error)
        st.session_state["left out"] = [*found, sentence]
        st.rerun()


def notes_of_last_run() -> list[str]:
    """What the run before left out; the page then puts its own sentence into the box, before it is drawn."""
    found: list[str] = st.session_state.pop("left out", [])
    return found
