"""State of the No attention page: the question, the steps and the layer that are shown, and how length is measured."""

from collections.abc import Sequence
from dataclasses import dataclass

from nmtcore.messages import N_
from nmtcore.views.kit.link_state import Choice, Parameter, Whole
from nmtcore.views.parameters import CONTEXT_VECTOR, STEPS
from pages.common.question import LANGUAGE, SENTENCE, Question
from pages.common.screen import Screen
from pages.common.state import none_of, part, says, stated
from pages.common.vectors import VectorsState

SEEN_FIRST = 2  # clauses that a page opens with
SECTIONS = ("vector", "words", "length")
SEPARATOR = "~"
_no_step = none_of("decoder-step", "1, 2, 3, …")
LSTM_LAYER = Whole(
    "lstm", 0, 0, 128, wrong=says(N_("The link asks for layer {asked} of the LSTM, which it lacks: it was ignored."))
)


@dataclass(frozen=True)
class Clauses(Parameter[tuple[str, ...] | None]):
    """Clauses after the sentence; None for those that the page opens with, which differs from no clauses."""

    def parse(self, text: str) -> tuple[str, ...]:
        return tuple(text.split(SEPARATOR)) if text else ()

    def text(self, value: tuple[str, ...] | None) -> str:
        return SEPARATOR.join(value or ())


@dataclass(frozen=True)
class NoAttentionState(VectorsState):
    """state_step: the decoder's, from 1; lstm_layer: the deep LSTM's whose gates are shown, from 1, 0 while they are
    folded away; lstm_step: its decoder's; section: the one shown, which the browser changes without a run;
    score: on the test split; clauses: those that lengthen the sentence; measure: of their effect on its translation."""

    question: Question = part(Question, offers="none")
    state_step: int = stated(CONTEXT_VECTOR["step"].saying(_no_step), of=SENTENCE)
    lstm_layer: int = stated(LSTM_LAYER)
    lstm_step: int = stated(Whole("lstm-step", 1, 1, STEPS, wrong=_no_step), of=SENTENCE)
    section: str = stated(Choice("section", SECTIONS[0], SECTIONS))
    score: str = stated(Choice("score", "chrF", ("chrF", "BLEU")))
    clauses: tuple[str, ...] | None = stated(Clauses("clauses", None), of=LANGUAGE)
    measure: str = stated(Choice("measure", "kept", ("kept", "likelihood", "repeated")))
    screen: Screen = part(Screen)

    def chosen(self, offered: Sequence[str]) -> tuple[str, ...]:
        """The added clauses, among those that the language has."""
        if self.clauses is None:
            return tuple(offered[:SEEN_FIRST])
        return tuple(clause for clause in offered if clause in self.clauses)
