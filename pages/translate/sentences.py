"""A pasted text, sentence by sentence: what each model of the page writes for each, when somebody asks.

A text longer than any in the models' training, or in another pair's script, waits; others are translated at once.
"""

import html
from collections.abc import Sequence

import streamlit as st

from nmtcore.config import MaskPredictDecoding
from nmtcore.errors import CheckpointError
from nmtcore.figures.palette import HUES
from nmtcore.text.sentences import split_sentences
from nmtcore.text.source import read_source
from pages.common import models
from pages.common.controls import change_button, errors_said
from pages.common.disclosure import section_button
from pages.common.i18n import _, languages
from pages.common.offers import beyond_training, fitting_pairs
from pages.common.opening import OpenPage
from pages.common.result import CELL
from pages.translate.state import TranslateState

HEAD = f"{CELL}; text-align: left"


def one_by_one_button(state: TranslateState, sentences: Sequence[str]) -> None:
    """The button that shows and hides the single sentences."""
    show = _("Translate the {count} sentences one by one").format(count=len(sentences))
    section_button(state, "split", show=show, hide=_("Hide the single sentences"), key="one by one")


def waits(page: OpenPage[TranslateState]) -> bool:
    """Whether a text waits until somebody asks for it: it is longer than any in training, or in the script of another
    pair, which would be drawn as one row per byte. Better choices are offered above."""
    question = page.question
    long = len(split_sentences(question.source.text)) > 1 and beyond_training(question)
    if page.state.whole or not (long or fitting_pairs(question)):
        return False
    with st.container(key="waits", horizontal=True, vertical_alignment="center", gap="small"):
        if not page.state.split:
            st.text(_("Nothing has been translated yet."), width="content")
        change_button(page.state, _("Translate it all the same"), "whole", whole=True)
    return True


@errors_said()
def draw_one_by_one(page: OpenPage[TranslateState]) -> None:
    """The sentences of a text with their translations, once their button is pressed."""
    state, ids = page.state, page.state.chosen
    sentences = split_sentences(page.source.text)
    if not state.split or len(sentences) < 2:
        return
    rounds = MaskPredictDecoding(int(state.rounds))
    sources = [read_source(sentence, languages(page.question.pair)[0]) for sentence in sentences]
    asked = [one for source in sources for one in models.requests(ids, source, page.decoding, rounds)]
    answers = models.ask(asked, return_errors=True)
    texts = ["" if isinstance(answer, CheckpointError) else answer.text for answer in answers]
    heads = [(models.heading(model), HUES[models.architecture(model)]) for model in ids]
    rows = [texts[start : start + len(ids)] for start in range(0, len(texts), len(ids))]
    with st.container(key="rows-sentences"):
        st.html(table_html(sentences, heads, rows))


def table_html(sentences: Sequence[str], heads: Sequence[tuple[str, str]], rows: Sequence[Sequence[str]]) -> str:
    """One row per sentence, one column per model; all texts escaped. heads: title and colour of each model."""
    names = "".join(
        f'<th scope="col" style="{HEAD}; border-top: 3px solid {color}">{html.escape(name)}</th>'
        for name, color in heads
    )
    lines = "".join(
        f'<tr><th scope="row" style="{HEAD}; font-weight: 400; opacity: 0.75">{html.escape(sentence)}</th>'
        + "".join(f'<td style="{CELL}">{html.escape(text)}</td>' for text in texts)
        + "</tr>"
        for sentence, texts in zip(sentences, rows, strict=True)
    )
    corner = f'<td style="{CELL}"></td>'
    return f'<table style="border-collapse: collapse"><tr>{corner}{names}</tr>{lines}</table>'
