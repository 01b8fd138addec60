"""Reading aids under a Mandarin sentence: its words with pinyin and an English gloss, shown on demand."""

import html
from collections.abc import Iterable

import streamlit as st

from nmtcore.text.reading import ReadWord, read_words
from pages.common.controls import change_button
from pages.common.i18n import _, languages
from pages.common.question import Question
from pages.common.state import State

WORD = "display: inline-block; text-align: center; vertical-align: top; margin: 0 1.1rem 0.2rem 0; line-height: 1.35"
PIECE = "display: inline-block; padding: 0 0.12rem"


def reading_switch(state: State, question: Question) -> None:
    """Draw the link that shows and hides the reading aids, for a pair whose source is Mandarin."""
    if languages(question.pair)[0] != "zh":
        return
    shown = question.reading == "shown"
    about = _("Hide pinyin and the meaning of each word") if shown else _("Pinyin and the meaning of each word")
    change_button(state, _("Pinyin"), "reading", help=about, reading="" if shown else "shown")


def reading_line(question: Question) -> None:
    """Draw the words of a Mandarin sentence as the page's model segments it, if they are switched on.

    On a page of several models these are the pieces of one with attention.
    """
    if languages(question.pair)[0] != "zh" or question.reading != "shown":
        return
    cut = question.pieces(question.source)
    if cut:
        st.html(written(read_words(cut)))


def written(words: Iterable[ReadWord]) -> str:
    """The words side by side, all texts escaped: pieces, below each its pinyin, below the word its meaning."""
    return f'<div lang="zh">{"".join(map(_word, words))}</div>'


def _word(word: ReadWord) -> str:
    pieces = "".join(
        f'<span style="{PIECE}"><span style="font-size: 1.15rem">{html.escape(piece)}</span><br>'
        f'<span style="font-size: 0.9rem">{html.escape(pinyin) or "&nbsp;"}</span></span>'
        for piece, pinyin in zip(word.pieces, word.pinyin, strict=True)
    )
    meaning = f'<span lang="en" style="font-size: 0.82rem; opacity: 0.75">{html.escape(word.gloss) or "&nbsp;"}</span>'
    return f'<span style="{WORD}">{pieces}<br>{meaning}</span>'
