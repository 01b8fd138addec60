"""The question on nearly every page, as a part of its state: sentence, language pair or saved model, beam width.

With it come the examples that a page offers, and the sentence that it opens with.
"""

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from nmtcore import limits
from nmtcore.config import ARCHITECTURES, DEFAULT_BEAM, MAX_BEAM, Architecture
from nmtcore.errors import CheckpointError, TextError
from nmtcore.messages import N_
from nmtcore.text.source import SourceText, read_source
from nmtcore.views.kit.link_state import QUOTED, Choice, Parameter, Whole
from pages.common import models, saved_models
from pages.common.examples import Example, example_sentences
from pages.common.i18n import _, direction, languages
from pages.common.registry import ANY, EVERY
from pages.common.state import State, says, stated

MORE = 3  # examples of its language in addition to a saved model's own

# What a field of a page's state may depend on (`stated`): a sentence as segmented, its translation, its language.
SENTENCE = ("question.choice", "question.text")
TRANSLATION = (*SENTENCE, "question.beam")
LANGUAGE = ("question.source_language",)


@dataclass(frozen=True)
class ModelChoice(Parameter[str]):
    """A language pair or a saved model, by its id in `models.py`; in the address `en-fr` or `saved.NAME`."""

    def parse(self, text: str) -> str | None:
        return models.asked_choice(text)

    def text(self, value: str) -> str:
        return models.link_code(value)


def not_here(asked: str, shown: str = "") -> str:
    """The sentence about a missing model, which says what is shown instead: the first pair by default."""
    shown = shown or (direction(models.pairs()[0]) if models.pairs() else "")
    words = _("The link asks for the model {name}, which is not here: {shown} is shown.")
    return words.format(name=repr(asked[:QUOTED]), shown=shown)


_width = says(
    N_("The link asks for the beam width {asked!r}; it goes from 1 to {most}, and the usual one is shown."),
    most=MAX_BEAM,
)


@dataclass(frozen=True)
class TypedText(Parameter[str | None]):
    """The typed text; None if nobody has typed one, which differs from the empty text of a cleared box."""

    def parse(self, text: str) -> str | None:
        return text

    def text(self, value: str | None) -> str:
        return value or ""


@dataclass(frozen=True)
class Question(State):
    """A person's question. choice: a pair or a saved model, by its id in models.py; typed: the sentence, None if nobody
    has typed one; beam: its width, 1 for greedy search; reading: `shown` with pinyin and a gloss for each word.

    offers: the models of the page, as in the registry of pages; first: the number of the example that it opens with.
    """

    choice: str = stated(ModelChoice("pair", "en-fr", wrong=not_here))
    typed: str | None = stated(TypedText("text", None))
    beam: int = stated(Whole("beam", DEFAULT_BEAM, 1, MAX_BEAM, wrong=_width))
    reading: str = stated(Choice("reading", "", ("shown",)))
    offers: str = EVERY
    first: int = 0

    @property
    def pair(self) -> str:
        return models.pair_of(self.choice)

    @property
    def source_language(self) -> str:
        """The language of the sentence: a real one, or the made-up one of an exercise."""
        model = saved_models.of_run(self.choice)
        if model is None:
            return languages(self.pair)[0]
        return languages(model.pair)[0] if model.pair in models.pairs() else f"{model.source} {model.exercise}"

    @property
    def text(self) -> str:
        """The sentence: the typed one or, so that no page opens empty, an example."""
        return self.opening() if self.typed is None else self.typed

    @cached_property
    def source(self) -> SourceText:
        """The sentence as the models read it."""
        return read_source(self.text, languages(self.pair)[0])

    @property
    def architecture(self) -> Architecture | None:
        """The architecture of the page's single model; None on a page with several."""
        return self.offers if self.offers in ARCHITECTURES else None

    @property
    def choices(self) -> tuple[str, ...]:
        """The pairs and saved models that the page offers."""
        return models.choices(self.offers if self.offers in ARCHITECTURES else None, searched=self.offers != ANY)

    def model(self, architecture: Architecture) -> str:
        """The id of the model with this architecture. Raises CheckpointError if there is none."""
        return models.model(self.choice, architecture)

    def pieces(self, source: SourceText) -> list[str]:
        """A text segmented by the page's model, else by another of the choice; empty if none can, or if the text
        is refused.

        The others are tried from the last: the first, the model without attention, may have another vocabulary.
        """
        if len(source.normalized) > limits.MAX_CHARACTERS:
            return []
        by_architecture = models.word_by_word(self.choice)
        own = [by_architecture[name] for name in (self.architecture,) if name in by_architecture]
        for model in (*own, *reversed(models.available(self.choice).values())):
            try:
                return [*source.cut(models.load(model).vocab).pieces]
            except CheckpointError:
                continue
        return []

    def examples(self) -> tuple[Example, ...]:
        """The example sentences; a saved model's begin with the sentence that was watched in training."""
        model = saved_models.of_run(self.choice)
        if model is None:
            return example_sentences(self.pair)
        own = [Example(_("the watched sentence"), model.pinned[0])]
        if model.longer:
            own.append(Example(_("longer than in training"), model.longer))
        return (*own, *example_sentences(model.pair)[:MORE])

    def opening(self) -> str:
        """The sentence of the page. A saved model opens with its own."""
        examples = self.examples()
        first = 0 if saved_models.is_saved(self.choice) else self.first
        return examples[min(first, len(examples) - 1)].text if examples else ""

    def changed(self, **values: Any) -> Self:
        """Keep the sentence if the other model reads its language too; otherwise open with an example."""
        new = super().changed(**values)
        if new.choice == self.choice or "typed" in values:
            return new
        return dataclasses.replace(new, typed=self.text if new.source_language == self.source_language else None)

    def settled(self, linked: Collection[str]) -> tuple[Self, tuple[str, ...]]:
        """Replace a model that this page lacks by its pair's, and a linked sentence that no page could translate by
        the page's own. Typed text stays in its box."""
        new, notes = super().settled(linked)
        choices = self.choices
        if new.choice not in choices:
            pair = new.pair if new.pair in choices else next(iter(choices), new.choice)
            new = dataclasses.replace(new, choice=pair)
        if new.typed is not None and self.parameters()["typed"].name in linked:
            try:
                limits.check_characters(len(new.source.normalized), _)
                if limits.exceeds(new.source.text, limits.MAX_PIECES, lambda: len(new.pieces(new.source))):
                    limits.check_pieces(len(new.pieces(new.source)), translate=_)
            except TextError as error:
                notes = (*notes, _("The sentence in the link is left out. {reason}").format(reason=error))
                new = dataclasses.replace(new, typed=None)
        return new, notes


def question_texts(question: Question, model: str) -> dict[str, str]:
    """Query parameters that put the same question to a model on another page."""
    choice = model if saved_models.is_saved(model) else question.pair
    asked = {"choice": choice, "typed": question.text, "beam": question.beam}
    declared = ((Question.parameters()[name], value) for name, value in asked.items())
    return {parameter.name: parameter.text(value) for parameter, value in declared}
