"""State of the Beam search page: the question and its model, how the tree is drawn, and the constraints."""

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Self

from nmtcore.config import ARCHITECTURES, Architecture, DecodingConfig
from nmtcore.errors import InterventionError, SettingError
from nmtcore.messages import N_
from nmtcore.models.checkpoint import CONFIG
from nmtcore.views.kit.link_state import QUOTED, Flag, Sentence, Text
from nmtcore.views.parameters import BEAM_TREE
from pages.beam import constraints, contrasts
from pages.beam.constraints import CANDIDATE, CODES, Constraint
from pages.common import models, saved_models
from pages.common.examples import Example
from pages.common.i18n import _, title
from pages.common.question import LANGUAGE, SENTENCE, Question, not_here
from pages.common.screen import Screen
from pages.common.state import part, says, stated
from pages.common.vectors import VectorsState

# What constraints on a search, and its steps, depend on.
MODEL = (*SENTENCE, "question.architecture")
SEARCH = (*MODEL, "question.beam", "whatifs")
_step = says(N_("The step must be a whole number; the search is shown as a whole."))
_dropped = says(N_("The link's choice of dropped candidates is not none, step or all: one step's are shown."))


def _penalty(name: str) -> Sentence:
    """What is wrong with a penalty: it is not a number, or search refuses it."""

    def sentence(asked: str) -> str:
        try:
            DecodingConfig(**{name: float(asked)})  # type: ignore[arg-type]
        except SettingError as error:
            return str(error)
        except ValueError:
            pass
        return _("{name} must be a number from {low} to {high}; it is {value}.").format(
            name=name, low="0", high="5", value=repr(asked[:QUOTED])
        )

    return sentence


@dataclass(frozen=True)
class SearchQuestion(Question):
    """model: the architecture that searches; empty for the one that the choice opens with."""

    model_code: str = stated(Text("model", ""))

    @property
    def architecture(self) -> Architecture:
        return self.model_code or self._opens()

    @property
    def architectures(self) -> tuple[Architecture, ...]:
        """The architectures that the choice has."""
        ids = models.word_by_word(self.choice)
        return tuple(name for name, model in ids.items() if (models.folder(model) / CONFIG).exists())

    def examples(self) -> tuple[Example, ...]:
        """Sentences in which greedy search and this model's beam differ, if there are any."""
        model = models.word_by_word(self.choice).get(self.architecture, "")
        return contrasts.contrast_sentences(model) or super().examples()

    def changed(self, **values: Any) -> Self:
        """Another choice opens with its own model."""
        new = super().changed(**values)
        if new.choice != self.choice and "model_code" not in values:
            return dataclasses.replace(new, model_code="")
        return new

    def settled(self, linked: Collection[str]) -> tuple[Self, tuple[str, ...]]:
        """A missing model is replaced by the one that the choice opens with."""
        new, notes = super().settled(linked)
        offered = new.architectures
        code = new.model_code
        if code and code not in offered:
            notes = (*notes, not_here(code, title(new._opens())))
            code = ""
        return dataclasses.replace(new, model_code="" if code == new._opens() else code), notes

    def _opens(self) -> Architecture:
        """The architecture that the choice opens with: a saved model's own, else that of the best contrast."""
        saved, offered = saved_models.usable()[0].get(self.choice), self.architectures
        first = saved.architecture if saved else contrasts.first_model(self.choice)
        usual = [name for name in offered if name in models.available(self.choice)] or list(offered)
        return first if first is not None and first in offered else usual[-1] if usual else next(iter(ARCHITECTURES))


@dataclass(frozen=True)
class BeamState(VectorsState):
    """alpha, beta: the penalties by which the tree ranks; search_step: the step shown, 0 for the opening one;
    later: whether later steps are drawn as strongly; dropped: which dropped candidates are drawn; whatifs: codes of
    constraints on the search; candidate: token ids of a prefix to compare with; truth: the right translation;
    widths: whether the widths are compared."""

    question: SearchQuestion = part(SearchQuestion)
    alpha: float = stated(BEAM_TREE["alpha"].saying(_penalty("alpha")))
    beta: float = stated(BEAM_TREE["beta"].saying(_penalty("beta")))
    search_step: int = stated(BEAM_TREE["step"].saying(_step), of=SEARCH)
    later: bool = stated(BEAM_TREE["later"], of=SEARCH)
    dropped: str = stated(BEAM_TREE["dropped"].saying(_dropped))
    whatifs: tuple[str, ...] = stated(CODES, of=MODEL)
    candidate: tuple[str, ...] = stated(CANDIDATE, of=(*MODEL, "whatifs"))
    truth: str = stated(Text("truth", ""), of=LANGUAGE)
    widths: bool = stated(Flag("widths"))
    screen: Screen = part(Screen)

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints on the search, in the order in which they were added."""
        return tuple(constraints.read_code(code) for code in self.whatifs)

    @property
    def forced(self) -> tuple[int, ...]:
        """The prefix that is compared with the winner, as token ids."""
        return tuple(map(int, self.candidate))

    @property
    def shows_scores(self) -> bool:
        """Whether an open section below the tree has scores with the tree's penalties."""
        return bool(self.truth) or self.widths

    def constrained(self, asked: tuple[Constraint, ...]) -> dict[str, Any]:
        """The fields that change when these constraints are asked for."""
        return {"whatifs": tuple(constraint.code for constraint in asked)}

    def settled(self, linked: Collection[str]) -> tuple[Self, tuple[str, ...]]:
        """Constraints that cannot be read are left out."""
        new, notes = super().settled(linked)
        kept = []
        for code in new.whatifs:
            try:
                constraints.read_code(code)
            except InterventionError as error:
                notes = (*notes, str(error))
            else:
                kept.append(code)
        return dataclasses.replace(new, whatifs=tuple(kept)), notes
