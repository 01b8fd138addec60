"""A pasted text, sentence by sentence: what each model of the page writes for each, when somebody asks."""

import html
from collections.abc import Sequence

import streamlit as st

from nmtcore.config import DecodingConfig
from nmtcore.errors import NmtError
from nmtcore.figures.palette import HUES
from nmtcore.text.sentences import split_sentences
from pages.common import models
from pages.common.controls import show_notes
from pages.common.disclosure import section_button
from pages.common.i18n import _
from pages.translate.state import TranslateState

CELL = "padding: 0.15rem 1rem 0.15rem 0; vertical-align: baseline; text-align: left"


def draw_one_by_one(state: TranslateState, text: str, ids: Sequence[str], decoding: DecodingConfig) -> None:
    """A button and, once it is pressed, the sentences of a text with their translations; nothing for one sentence."""
    sentences = split_sentences(text)
    if len(sentences) < 2 or not ids:
        return
    show = _("Translate the {count} sentences one by one").format(count=len(sentences))
    if not section_button(state, "split", show=show, hide=_("Hide the single sentences"), key="one by one"):
        return
    try:
        asked = [models.question(model, sentence, decoding) for sentence in sentences for model in ids]
        texts = [record.text for record in models.ask(asked)]
    except NmtError as error:
        show_notes(str(error))
        return
    heads = [(models.heading(model, models.architecture(model)), HUES[models.architecture(model)]) for model in ids]
    rows = [texts[start : start + len(ids)] for start in range(0, len(texts), len(ids))]
    with st.container(key="rows-sentences"):
        st.html(table_html(sentences, heads, rows))


def table_html(sentences: Sequence[str], heads: Sequence[tuple[str, str]], rows: Sequence[Sequence[str]]) -> str:
    """A row a sentence, a column a model; all texts escaped. heads: title and colour of each model."""
    names = "".join(
        f'<th scope="col" style="{CELL}; border-top: 3px solid {color}">{html.escape(name)}</th>'
        for name, color in heads
    )
    lines = "".join(
        f'<tr><th scope="row" style="{CELL}; font-weight: 400; opacity: 0.75">{html.escape(sentence)}</th>'
        + "".join(f'<td style="{CELL}">{html.escape(text)}</td>' for text in texts)
        + "</tr>"
        for sentence, texts in zip(sentences, rows, strict=True)
    )
    corner = f'<td style="{CELL}"></td>'
    return f'<table style="border-collapse: collapse"><tr>{corner}{names}</tr>{lines}</table>'
