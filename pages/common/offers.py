"""Notes below a text that the models were not trained for, each with a better choice one click away."""

import streamlit as st

from nmtcore.limits import MAX_PIECES
from nmtcore.text.sentences import split_sentences
from pages.common import models, saved_models
from pages.common.controls import change_button, show_notes
from pages.common.i18n import _, direction, languages
from pages.common.question import Question
from pages.common.state import State
from pages.common.text import not_markdown, other_script

MOST = 12  # sentences that have a button
SHOWN = 24  # characters of each
LONGEST = 40  # pieces: of 150,000 sentences that the models of a pair learned from, one in 3,000 or fewer is longer
JOINED = 80  # pieces of two sentences that training joins, at most


def offer_better(state: State, question: Question) -> None:
    """Notes about a question's text, with buttons for the other language pair or for one of its sentences."""
    if saved_models.is_saved(question.choice):
        return
    text = question.source.text
    fitting, sentences = fitting_pairs(question), split_sentences(text)
    if fitting or len(sentences) > 1:
        with st.container(key="offers", horizontal=True, vertical_alignment="center", gap="small"):
            for pair in fitting:
                says = _("Translate from {pair}").format(pair=direction(pair))
                change_button(state, says, f"offer {pair}", choice=pair, typed=text)
            if len(sentences) > 1:
                st.text(_("These models learned almost only from single sentences. Translate just:"))
                for number, sentence in enumerate(sentences[:MOST], 1):
                    shown = sentence if len(sentence) <= SHOWN else f"{sentence[:SHOWN].rstrip()}…"
                    change_button(
                        state, not_markdown(shown), f"offer {number}", help=not_markdown(sentence), typed=sentence
                    )
    if LONGEST < (count := len(question.pieces(question.source))) <= MAX_PIECES:
        says = _(
            "This text has {count} pieces; hardly any sentence that the models learned from has more than {longest}. "
            "What goes wrong here may come from training, not from the architecture."
        )
        show_notes(says.format(count=count, longest=LONGEST))


def beyond_training(question: Question) -> bool:
    """Whether its text is longer than all that models were trained on, and not so long that it is refused."""
    return JOINED < len(question.pieces(question.source)) <= MAX_PIECES


def fitting_pairs(question: Question) -> list[str]:
    """The pairs of the page that read the script of a question's text, where the chosen one does not."""
    text = question.source.text
    if not other_script(text, languages(question.pair)[0]):
        return []
    pairs = [choice for choice in question.choices if choice in models.pairs()]
    return [pair for pair in pairs if not other_script(text, languages(pair)[0])]
