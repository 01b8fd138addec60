"""The opening of a page that asks for a sentence: heading, controls, checks, and the model's first answer.

What stands in the way of an answer, a text or a file, is said in a plain sentence, and the page ends there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

import streamlit as st

from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError, TextError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.source import SourceText
from pages.common import models, saved_models
from pages.common.address import address_bar, read_state
from pages.common.controls import page_links, question_row, show_notes
from pages.common.i18n import _, languages
from pages.common.offers import offer_better
from pages.common.once import once_a_run
from pages.common.question import Question
from pages.common.reading import reading_line
from pages.common.state import State
from pages.common.text import remarks
from pages.common.waiting import take_turn

S = TypeVar("S", bound=State)


@once_a_run
def _answer(model: str, source: SourceText, decoding: DecodingConfig) -> Trace:
    trace: Trace = models.ask([models.request(model, source, decoding)])[0]
    return trace


@dataclass(frozen=True)
class OpenPage(Generic[S]):
    """What a page was asked."""

    state: S
    question: Question

    @property
    def source(self) -> SourceText:
        """The sentence as the models read it."""
        return self.question.source

    @property
    def decoding(self) -> DecodingConfig:
        return DecodingConfig(self.question.beam)


@dataclass(frozen=True, eq=False)
class ModelPage(OpenPage[S]):
    """The page of one model, by its id."""

    model: str

    @property
    def checkpoint(self) -> Checkpoint:
        return models.load(self.model)

    @property
    def trace(self) -> Trace:
        """What the model makes of the sentence, one record for a whole run of the page. Raises as `models.ask` does.

        It is looked up, not kept: Streamlit keeps the page itself, which fragments are given, for every visitor.
        """
        return _answer(self.model, self.source, DecodingConfig(self.question.beam))

    @property
    def decoding(self) -> DecodingConfig:
        """As the question says, but no wider than the sentence allows."""
        return DecodingConfig(min(self.question.beam, self.trace.decoding.beam))


def open_page(
    title: str,
    about: str | Callable[[S], tuple[str, str]],
    of: type[S],
    draw_controls: Callable[[S, Any], None] = question_row,
    missing: str = "",
) -> OpenPage[S]:
    """Read the state of a page, draw its heading and its row of controls, and say what is to be said of the sentence.

    about: the one sentence under the title, or what makes it from the state, with a longer help or none. of: the state,
    whose `question` is asked; missing: what to say where the page has no model.
    """
    state, notes = read_state(of)
    address_bar()
    question: Question = state.question  # type: ignore[attr-defined]
    with st.container(key="head", horizontal=True, vertical_alignment="top", gap="small"):
        with st.container(key="heading", gap=None):
            st.title(title, anchor=False)
            place = st.container()
        page_links(state, question)
    if isinstance(about, str):
        place.markdown(about)
    if not question.choices or not models.pairs():
        show_notes(missing or no_models())
        st.stop()
    draw_controls(state, question)
    show_notes(*saved_models.usable()[1])
    show_notes(*notes)
    source = question.source
    take_turn(source.text, lambda: len(question.pieces(source)))
    if not isinstance(about, str):
        says, explanation = about(state)
        place.markdown(says, help=explanation or None)
    try:
        show_notes(*remarks(source, languages(question.pair)[0]))
    except TextError as error:
        stop_with(error)
    offer_better(state, question)
    reading_line(question)
    return OpenPage(state, question)


def no_models() -> str:
    """What a page says where there is nothing to translate with."""
    return _(
        "There is no model yet. Train one as README.md says, or set ALIGNMENT_LAB_PRETRAINED to a folder of models."
    )


def open_model_page(
    title: str,
    about: str,
    of: type[S],
    draw_controls: Callable[[S, Any], None] = question_row,
    missing: str = "",
) -> ModelPage[S]:
    """Open a page about one architecture, that of its question, whose model translates the sentence."""
    return translated(open_page(title, about, of, draw_controls, missing))


def translated(page: OpenPage[S]) -> ModelPage[S]:
    """The page with its model and the translation. Ends the page where there is none."""
    architecture = page.question.architecture
    assert architecture is not None
    try:
        opened = ModelPage(page.state, page.question, page.question.model(architecture))
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
