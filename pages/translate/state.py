"""State of the Translate page: the question, the models side by side, the picks in them, and what is unfolded."""

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Self

from nmtcore.limits import SIDE_BY_SIDE
from nmtcore.messages import N_
from nmtcore.views import parameters
from nmtcore.views.kit.link_state import QUOTED, Codes, Flag
from pages.common.alignment import Picks
from pages.common.i18n import _
from pages.common.question import TRANSLATION, Question
from pages.common.rounds import ROUNDS
from pages.common.screen import Screen
from pages.common.side_by_side import offered, opening
from pages.common.state import State, part, says, stated

INSTEAD = parameters.INSTEAD.saying(says(N_("The link asks for a piece that is not in this figure: it was left out.")))
SAID = 3  # models that are not there


@dataclass(frozen=True)
class TranslateState(State):
    """models: the codes of the models side by side, empty for the opening ones; instead: a piece that one
    of them might have written, from which it goes on; greedy: whether greedy search is compared with the beam;
    split: whether a text is translated sentence by sentence; whole: whether a text beyond the models' training, or in
    another pair's script, is translated all the same; rounds: for the models that write all words at once.
    """

    question: Question = part(Question)
    models: tuple[str, ...] = stated(Codes("models", (), r"[^~]+", "~"))
    picks: Picks = part(Picks)
    instead: str = stated(INSTEAD, of=(*TRANSLATION, "chosen"))
    greedy: bool = stated(Flag("greedy"))
    split: bool = stated(Flag("split"))
    whole: bool = stated(Flag("whole"), of=("question.text",))
    rounds: str = stated(ROUNDS)
    screen: Screen = part(Screen)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The ids of the models side by side, in a fixed order."""
        shown = self.models[:SIDE_BY_SIDE] or opening(self.question.choice)
        return tuple(model for code, model in offered(self.question.choice).items() if code in shown)

    @property
    def waiting(self) -> str:
        """The code of the model that waits for its place; empty if all fit."""
        return self.models[SIDE_BY_SIDE] if len(self.models) > SIDE_BY_SIDE else ""

    def changed(self, **values: Any) -> Self:
        """At least one model stays."""
        if values.get("models") == ():
            del values["models"]
        return super().changed(**values)

    def settled(self, linked: Collection[str]) -> tuple[Self, tuple[str, ...]]:
        """Models that do not fit the choice are left out; those beyond the fourth wait for their place."""
        new, notes = super().settled(linked)
        there = offered(new.question.choice)
        asked = tuple(dict.fromkeys(new.models))
        missing = _("The link asks for the model {name}, which is not here: it is left out.")
        lacks = [missing.format(name=repr(code[:QUOTED])) for code in asked if code not in there]
        models = tuple(code for code in asked if code in there)
        if len(models) <= SIDE_BY_SIDE:
            models = tuple(code for code in there if code in models)
        models = () if models == opening(new.question.choice) else models
        return dataclasses.replace(new, models=models), (*notes, *lacks[-SAID:])
