"""The opening of a page with a sentence: heading, controls, checks, and the model's first answer.

If a text or a file prevents an answer, the page says so in a plain sentence and ends there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from nmtcore import limits
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError, TextError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.sentences import split_sentences
from nmtcore.text.source import SourceText
from pages.common import models, saved_models
from pages.common.address import address_bar, read_state
from pages.common.controls import question_row, show_notes
from pages.common.footer import end_page
from pages.common.i18n import _, languages
from pages.common.offers import remark_line
from pages.common.once import once_a_run
from pages.common.page_links import page_head
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
        """The model's translation of the sentence, the same record during a whole run. Raises as `models.ask` does.

        It is looked up, not stored: Streamlit stores this object, an argument of fragments, for every visitor.
        """
        return _answer(self.model, self.source, DecodingConfig(self.question.beam))

    @property
    def decoding(self) -> DecodingConfig:
        """The question's beam, but no wider than the sentence allows."""
        return DecodingConfig(min(self.question.beam, self.trace.decoding.beam))


def open_page(
    title: str,
    about: str | Callable[[S], tuple[str, str]],
    of: type[S],
    draw_controls: Callable[[S, Any], None] = question_row,
    missing: str = "",
    offer_all: Callable[[S, Sequence[str]], None] | None = None,
) -> OpenPage[S]:
    """Read the state of a page, draw its heading and its row of controls, and show remarks on the sentence.

    about: the sentence under the title, or a function that makes it from the state, and a longer help text or none.
    of: the class of its state, which has a `question`; missing: what to say if the page has no model.
    offer_all: draws the page's own button for all sentences of a text.
    """
    state, notes = read_state(of)
    address_bar()
    question: Question = state.question  # type: ignore[attr-defined]
    some = bool(question.choices and models.pairs())
    says, explanation = (about, "") if isinstance(about, str) else about(state) if some else ("", "")
    page_head(state, title, says, explanation, question)
    if not some:
        show_notes(missing or no_models())
        end_page(state)
    draw_controls(state, question)
    notes = (*saved_models.usable()[1], *notes)
    source = question.source
    take_turn(limits.exceeds(source.text, limits.LONG_PIECES, lambda: len(question.pieces(source))))
    try:
        notes += remarks(source, languages(question.pair)[0])
    except TextError as error:
        show_notes(*notes)
        stop_with(error, state)
    remark_line(state, question, notes, offer_all)
    reading_line(question)
    return OpenPage(state, question)


def no_models() -> str:
    """What a page says if there is no model to translate with."""
    return _(
        "There is no model yet. Train one as README.md says, or set ALIGNMENT_LAB_PRETRAINED to a folder of models."
    )


def open_model_page(
    title: str,
    about: str,
    of: type[S],
    draw_controls: Callable[[S, Any], None] = question_row,
    missing: str = "",
    counts: bool = True,
) -> ModelPage[S]:
    """Open a page about one architecture, its question's, whose model translates the sentence. Ends it without one.

    counts: whether it says that the translation has fewer sentences than the text; the page itself does if not.
    """
    page = open_page(title, about, of, draw_controls, missing)
    architecture = page.question.architecture
    assert architecture is not None
    try:
        opened = ModelPage(page.state, page.question, page.question.model(architecture))
        models.load(opened.model)
        fewer = fewer_sentences(opened.trace.source_text, opened.trace.text) if counts else ()
        show_notes(*narrowed_beam(page.question.beam, opened.trace), *fewer)
    except (TextError, CheckpointError) as error:
        stop_with(error, page.state)
    return opened


def narrowed_beam(asked: int, *traces: object) -> tuple[str, ...]:
    """A note if a text was too long for the requested beam width; values other than traces are ignored."""
    for trace in traces:
        if isinstance(trace, Trace) and trace.decoding.beam < asked:
            says = _(
                "This text has {pieces} pieces, too many for a beam of {asked}: search kept {width} hypotheses at a "
                "time. Shorten the text for a wider beam."
            )
            return (says.format(pieces=len(trace.source) - 1, asked=asked, width=trace.decoding.beam),)
    return ()


def fewer_sentences(text: str, translation: str) -> tuple[str, ...]:
    """A note if a text has more sentences than its translation, which reads as if nothing were missing."""
    asked, written = (len(split_sentences(one)) for one in (text, translation))
    if not 0 < written < asked:  # an empty translation is described as empty anyway
        return ()
    says = _("This text has {asked} sentences, its translation {written}: some may be missing. Try one at a time.")
    return (says.format(asked=asked, written=written),)


def stop_with(error: Exception, state: State) -> NoReturn:
    """Say why the page ends here. state: the page's."""
    show_notes(str(error))
    end_page(state)
