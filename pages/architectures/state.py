"""State of the Architectures page: the question, the models that are compared, and what is unfolded."""

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Self

from nmtcore.config import is_autoregressive
from nmtcore.messages import N_
from nmtcore.views.kit.link_state import Choice, Flag, Text, Whole
from pages.common import models
from pages.common.alignment import Picks
from pages.common.question import SENTENCE, Question, not_here
from pages.common.registry import ANY
from pages.common.rounds import ROUNDS
from pages.common.screen import Screen
from pages.common.side_by_side import offered
from pages.common.state import State, part, says, stated

COLUMNS = (
    "weights", "memory", "multiply-adds", "learning", "writing", "path", "greedy", "beam",
    "bleu", "aer", "typed", "hours", "energy",
)  # fmt: skip
SECTIONS = ("costs", "length", "two", "convolution", "at-once")
OPENS = ("additive", "transformer")  # if both are there
SEES = Whole(
    "sees", 0, 1, 9999,
    wrong=says(N_("The link asks for a word that this sentence does not have: one in its middle is shown.")),
)  # fmt: skip


def usual_pair(codes: Sequence[str]) -> tuple[str, str]:
    """The two models that are compared until somebody chooses others."""
    first, second = OPENS if all(code in codes for code in OPENS) else (codes[0], codes[-1])
    return first, second


@dataclass(frozen=True)
class ArchitecturesState(State):
    """left, right: the codes of the two models that are compared, empty for the usual one; section: the one shown;
    sort: the column by which the table is sorted, with a minus for largest first; against: the code of the
    model whose figures divide those of the others; larger: whether the larger models of the papers are in the
    table; sees: the piece, from 1, whose receptive field is shown, 0 for one in the middle; non_autoregressive:
    the code of the model that is shown round by round, empty for the first; rounds: how many it may take."""

    question: Question = part(Question, offers=ANY)
    left: str = stated(Text("left-model", ""))
    right: str = stated(Text("right-model", ""))
    picks: Picks = part(Picks)
    section: str = stated(Choice("section", SECTIONS[0], SECTIONS))
    sort: str = stated(Choice("sort", "", ("", *COLUMNS, *(f"-{column}" for column in COLUMNS))))
    against: str = stated(Text("against", ""))
    larger: bool = stated(Flag("larger"))
    sees: int = stated(SEES, of=SENTENCE)
    non_autoregressive: str = stated(Text("non-autoregressive", ""))
    rounds: str = stated(ROUNDS)
    screen: Screen = part(Screen)

    def settled(self, linked: Collection[str]) -> tuple[Self, tuple[str, ...]]:
        """Models that do not fit the choice make way for the usual ones."""
        new, notes = super().settled(linked)
        there = offered(new.question.choice)
        in_rounds = [code for code, model in there.items() if not is_autoregressive(models.architecture(model))]
        left, right = usual_pair(tuple(there))
        codes: dict[str, str] = {}
        for name, usual, fitting in (
            ("left", left, list(there)),
            ("right", right, list(there)),
            ("non_autoregressive", next(iter(in_rounds), ""), in_rounds),
        ):
            asked = new.value(name)
            if asked and usual and asked not in fitting:
                notes = (*notes, not_here(asked, models.heading(there[usual])))
            codes[name] = asked if asked in fitting and asked != usual else ""
        return dataclasses.replace(new, **codes), notes  # type: ignore[arg-type]
