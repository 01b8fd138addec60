"""The opening of a page that asks for a sentence: heading, controls, checks, and the model's first answer.

What stands in the way of an answer, a text or a file, is said in a plain sentence, and the page ends there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

import streamlit as st

from nmtcore.config import Architecture, DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError, TextError
from nmtcore.models.checkpoint import Checkpoint
from pages.common import models
from pages.common.controls import Question, show_notes
from pages.common.i18n import _, languages
from pages.common.link_checks import checked_question
from pages.common.reading import pieces, reading_line
from pages.common.text import clean
from pages.common.waiting import take_turn


@dataclass(frozen=True)
class OpenPage:
    """What a page was asked, and the sentence as the models read it."""

    question: Question
    text: str

    @property
    def decoding(self) -> DecodingConfig:
        return DecodingConfig(self.question.beam)


@dataclass(frozen=True, eq=False)
class ModelPage(OpenPage):
    """The page of one model, by its id."""

    model: str

    @property
    def checkpoint(self) -> Checkpoint:
        return models.load(self.model)

    @property
    def trace(self) -> Trace:
        """What the model makes of the sentence. Raises as `models.translate` does.

        It is looked up, not kept: Streamlit keeps the page itself, which fragments are given, for every visitor.
        """
        return models.translate_once(self.model, self.text, DecodingConfig(self.question.beam))

    @property
    def decoding(self) -> DecodingConfig:
        """As the question says, but no wider than the sentence allows."""
        return DecodingConfig(min(self.question.beam, self.trace.decoding.beam))


def open_page(
    title: str,
    about: str | Callable[[Question], str],
    choices: Callable[[], Sequence[str]],
    ask: Callable[[Sequence[str]], Question] = checked_question,
    missing: str = "",
    architecture: Architecture | None = None,
) -> OpenPage:
    """Draw the heading and the row of controls, and clean the sentence.

    about: the one sentence under the title, or what makes it from the question. choices: the pairs and saved models
    that the page offers; missing: what to say where there is none. ask: draws the controls.
    architecture: of the one model of the page, where it has no choice of models.
    """
    st.title(title, anchor=False)
    place = st.container()
    if isinstance(about, str):
        place.markdown(about)
    offered = choices()
    if not offered or not models.pairs():
        show_notes(
            missing
            or _(
                "There is no model yet. Train one as README.md says, or set ALIGNMENT_LAB_MODELS to a folder of models."
            )
        )
        st.stop()
    question = ask(offered)
    take_turn(question.text, lambda: len(pieces(question.choice, question.text)))
    if not isinstance(about, str):
        place.markdown(about(question))
    try:
        cleaned = clean(question.text, languages(question.pair)[0])
    except TextError as error:
        stop_with(error)
    show_notes(*cleaned.notes)
    reading_line(question.choice, question.pair, cleaned.text, architecture or question.architecture)
    return OpenPage(question, cleaned.text)


def open_model_page(
    title: str,
    about: str,
    architecture: Architecture,
    ask: Callable[[Sequence[str]], Question] = checked_question,
) -> ModelPage:
    """Open a page about one architecture, whose model translates the sentence."""
    page = open_page(title, about, lambda: models.choices(architecture), ask, architecture=architecture)
    return translated(page, architecture)


def translated(page: OpenPage, architecture: Architecture) -> ModelPage:
    """The page with the model of this architecture and its translation. Ends the page where there is none."""
    try:
        opened = ModelPage(page.question, page.text, page.question.model(architecture))
        models.load(opened.model)
        show_notes(*narrowed_beam(page.question.beam, opened.trace))
    except (TextError, CheckpointError) as error:
        stop_with(error)
    return opened


def narrowed_beam(asked: int, *traces: object) -> tuple[str, ...]:
    """A sentence where a text was too long for a beam as wide as was asked for; what is no trace is passed over."""
    for trace in traces:
        if isinstance(trace, Trace) and trace.decoding.beam < asked:
            says = _(
                "This text has {pieces} pieces, too many for a beam of {asked}: search kept {width} hypotheses at a "
                "time. Shorten the text for a wider beam."
            )
            return (says.format(pieces=len(trace.source) - 1, asked=asked, width=trace.decoding.beam),)
    return ()


def stop_with(error: Exception) -> NoReturn:
    """Say why the page goes no further."""
    show_notes(str(error))
    st.stop()
