"""The controls that pages share. What they stand at is in the state of the page, and so in its address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from nmtcore.config import MAX_BEAM
from pages.common import models
from pages.common.address import change_state, control, put, typed
from pages.common.copy_link import copy_link_button
from pages.common.examples import Example
from pages.common.glossary import glossary_button
from pages.common.i18n import _
from pages.common.link_parameters import VECTORS
from pages.common.link_state import Choice
from pages.common.projection_link import picture_links
from pages.common.question import Question
from pages.common.reading import reading_switch
from pages.common.state import State
from pages.common.text import not_markdown
from pages.common.tour import tour_link

WIDEST = 360  # px of the list of pairs and saved models
LETTER = 8  # px of a letter in it


def question_row(state: State, question: Question) -> None:
    """The row of controls at the top of a page: sentence, pair, beam; below it the examples and the link to copy.

    question: the part of the state that they show.
    """
    with st.container(key="question", horizontal=True, vertical_alignment="bottom", gap="small"):
        sentence_box(state, question)
        choice_box(state, question)
        beam_slider(state, question, _("Beam, width {width}"), 160)
    example_links(state, question)


def sentence_box(state: State, question: Question) -> None:
    """The box for the sentence."""
    keyed = typed(state, "typed", value=question.text)
    st.text_input(
        _("Sentence to translate"),
        placeholder=_("Type a sentence and press Enter"),
        label_visibility="collapsed",
        width="stretch",
        **keyed,
    )


def choice_box(state: State, question: Question, narrowest: int = 200) -> None:
    """The list of language pairs and saved models; wide enough for the longest name in it."""
    labels = models.labels(question.choices)
    width = max(narrowest, *(min(WIDEST, LETTER * len(label) + 56) for label in labels.values()))
    st.selectbox(
        _("Languages, or a saved model"),
        question.choices,
        format_func=labels.__getitem__,
        label_visibility="collapsed",
        width=width,
        **control(state, "choice", then=_forget_row),
    )


def _forget_row() -> None:
    """A row of the embedding table is another piece in another vocabulary."""
    if "." in (VECTORS.asked() or ""):
        put({VECTORS.name: None})


def show_notes(*sentences: str) -> None:
    """Plain sentences to the person. Whatever is quoted in them is shown as it is, never as Markdown or HTML."""
    if sentences:
        with st.container(key=f"said {'|'.join(sentences)}"[:80], gap="xxsmall"):
            for sentence in sentences:
                st.text(sentence)


def linked_selectbox(
    parameter: Choice,
    label: str,
    words: Callable[[str], str],
    width: int,
    on_change: Callable[[], None] | None = None,
    values: Sequence[str] = (),
) -> str:
    """A list whose choice stands in the address as a code, whatever language its words are in.

    Streamlit's own binding would write the words. parameter: declares the codes; its name is the key of the list.
    values: what the codes stand for, if not for themselves.
    """
    meaning = dict(zip(parameter.options, values or parameter.options, strict=True))
    code = parameter.read()
    if parameter.parse(parameter.asked() or "") is not None:
        parameter.write(code)  # in its present form
    st.session_state[parameter.name] = meaning[code]

    def changed() -> None:
        chosen = st.session_state[parameter.name]
        parameter.write(next(code for code, value in meaning.items() if value == chosen))
        if on_change:
            on_change()

    return st.selectbox(
        label,
        tuple(meaning.values()),
        key=parameter.name,
        format_func=words,
        on_change=changed,
        label_visibility="collapsed",
        width=width,
    )


def beam_slider(state: State, question: Question, label: str, room: int) -> None:
    """The beam's width, behind a button of `room` px; `label` names a {width} above 1."""
    shown = _("Greedy") if question.beam == 1 else label.format(width=question.beam)
    with st.popover(shown, key="beam row", width=room):
        st.slider(_("Hypotheses kept at every step; 1 is greedy search"), 1, MAX_BEAM, **control(state, "beam"))


def example_links(state: State, question: Question, ask: Callable[[Example], dict[str, Any]] | None = None) -> None:
    """A link for each example, which asks for its sentence; what the terms mean; the links to the tour and to copy.

    Where the source of the pair is Mandarin, also the link to how it is read. ask: what an example changes in the
    state, where that is more than the sentence.
    """
    offered = question.examples()
    row = st.container(key="examples", horizontal=True, vertical_alignment="center", gap="small")
    with row.container(key="offered examples", horizontal=True, vertical_alignment="center", gap="small"):
        if offered:
            st.caption(_("Try:"), width="content")
        for number, example in enumerate(offered):
            st.button(
                example.name,
                key=f"example {number}",
                type="tertiary",
                help=not_markdown(example.text),
                on_click=change_state,
                args=(type(state),),
                kwargs=ask(example) if ask else {"typed": example.text},
            )
    with row.container(
        key="page links",
        horizontal=True,
        horizontal_alignment="right",
        vertical_alignment="center",
        gap="small",
        width="content",
    ):
        reading_switch(state, question)
        tour_link()
        picture_links()
        glossary_button()
        copy_link_button()
