"""State of the Corpus page: the pair, one model or two, and which sentences are shown in which order.

A file of pairs is a form value: no link has it.
"""

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

from nmtcore.analysis.sentence_scores import SORTS
from nmtcore.messages import N_
from nmtcore.views.kit.link_state import Choice, Text, Whole
from pages.common import models
from pages.common.question import Question, not_here
from pages.common.registry import ANY
from pages.common.screen import Screen
from pages.common.side_by_side import offered
from pages.common.state import State, none_of, part, says, stated

OPENS = "transformer"  # if it is there
SETS = ("example", "own", "test")  # of pairs: a few of our own, more of them, the test split of the first model
LONGEST = 1000  # words
_number = says(N_("The link asks for an impossible number of words: all sentences are shown."))


@dataclass(frozen=True)
class CorpusState(State):
    """first, second: codes of the models, empty for the usual one and for none; pairs: the set that is translated if
    no file is given; sort: the score by which the worst come first; word: a word in the sentences; shortest,
    longest: number of words in their sources, 0 for any."""

    question: Question = part(Question, offers=ANY)
    first: str = stated(Text("first", ""))
    second: str = stated(Text("second", ""))
    pairs: str = stated(Choice("pairs", SETS[0], SETS, wrong=none_of("pairs", N_("the sets of sentences"))))
    sort: str = stated(Choice("sort", SORTS[0], SORTS))
    word: str = stated(Text("word", ""))
    shortest: int = stated(Whole("shortest", 0, 0, LONGEST, wrong=_number))
    longest: int = stated(Whole("longest", 0, 0, LONGEST, wrong=_number))
    screen: Screen = part(Screen)

    @property
    def models(self) -> dict[str, str]:
        """The ids of the models, by their codes."""
        there = offered(self.question.choice)
        first = self.first or (OPENS if OPENS in there else next(iter(there), ""))
        return {code: there[code] for code in dict.fromkeys((first, self.second)) if code in there}

    def settled(self, linked: Collection[str]) -> tuple[Self, tuple[str, ...]]:
        """A first model that does not fit the pair is replaced by the usual one, a second by none."""
        new, notes = super().settled(linked)
        there = offered(new.question.choice)
        usual = next(iter(dataclasses.replace(new, first="", second="").models.values()), "")
        lacks = [code for code in (new.first, new.second) if code and code not in there]
        notes = (*notes, *(not_here(code, models.heading(usual)) for code in lacks if usual))
        first, second = (code if code in there else "" for code in (new.first, new.second))
        sort = new.sort if second or new.sort != "difference" else SORTS[0]
        return dataclasses.replace(new, first=first, second=second, sort=sort), notes
