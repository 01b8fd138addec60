"""Remarks on a text, such as one that the models were not trained for, with better choices one click away."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from nmtcore.limits import MAX_PIECES
from nmtcore.text.sentences import split_sentences
from pages.common import models, saved_models
from pages.common.controls import change_button
from pages.common.i18n import _, direction, languages
from pages.common.question import Question
from pages.common.state import State
from pages.common.text import not_markdown, other_script

MOST = 12  # sentences that have a button
SHOWN = 60  # characters of each
LONGEST = 40  # pieces: of 150,000 sentences that the models of a pair learned from, one in 3,000 or fewer is longer
JOINED = 80  # pieces of two sentences that training joins, at most


def remark_line(
    state: State,
    question: Question,
    notes: Sequence[str],
    offer_all: Callable[[Any, Sequence[str]], None] | None = None,
) -> None:
    """One line: remarks on a question's text, and buttons for the other language pair or its sentences.

    Several remarks fold into one button, so that the picture begins as high as without them. offer_all: draws a page's
    own button for all sentences.
    """
    sentences, fitting = split_sentences(question.source.text), fitting_pairs(question)
    notes = [*notes, *_untrained(question, sentences, fitting)]
    several = len(sentences) > 1
    if not (notes or fitting or (several and offer_all)):
        return
    with st.container(key="remarks", horizontal=True, vertical_alignment="center", gap="small"):
        if len(notes) == 1:
            st.text(notes[0], width="content")
        elif notes:
            with st.popover(_("{count} remarks").format(count=len(notes)), type="tertiary", key="remark list"):
                for note in notes:
                    st.text(note)
        for pair in fitting:
            says = _("Translate from {pair}").format(pair=direction(pair))
            change_button(state, says, f"offer {pair}", choice=pair, typed=question.source.text)
        if several and not saved_models.is_saved(question.choice):
            with st.popover(_("Translate just one"), type="tertiary", key="one sentence"):
                for number, sentence in enumerate(sentences[:MOST], 1):
                    shown = sentence if len(sentence) <= SHOWN else f"{sentence[:SHOWN].rstrip()}…"
                    change_button(
                        state, not_markdown(shown), f"offer {number}", help=not_markdown(sentence), typed=sentence
                    )
        if several and offer_all:
            offer_all(state, sentences)


def _untrained(question: Question, sentences: Sequence[str], fitting: Sequence[str]) -> tuple[str, ...]:
    """What may go wrong because the models learned from other texts; the first reason if there are several."""
    if saved_models.is_saved(question.choice) or fitting:
        return ()
    if len(sentences) > 1:
        return (_("These models learned almost only from single sentences: expect mistakes."),)
    if not LONGEST < (count := len(question.pieces(question.source))) <= MAX_PIECES:
        return ()
    says = _(
        "This text has {count} pieces; hardly any training sentence has more than {longest}. What goes wrong here may "
        "come from training, not from the architecture."
    )
    return (says.format(count=count, longest=LONGEST),)


def beyond_training(question: Question) -> bool:
    """Whether its text is longer than all that models were trained on, and not so long that it is refused."""
    return JOINED < len(question.pieces(question.source)) <= MAX_PIECES


def fitting_pairs(question: Question) -> list[str]:
    """The page's pairs that read the script of a question's text, if the chosen one does not."""
    text = question.source.text
    if saved_models.is_saved(question.choice) or not other_script(text, languages(question.pair)[0]):
        return []
    pairs = [choice for choice in question.choices if choice in models.pairs()]
    return [pair for pair in pairs if not other_script(text, languages(pair)[0])]
