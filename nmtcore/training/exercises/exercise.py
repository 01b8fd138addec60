"""The class of exercises: sentence pairs made by rule, each with its right answer and its word links.

Nothing here needs torch.
"""

import random
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import TypeVar

from nmtcore.config import check_range
from nmtcore.errors import DataError, SettingError

Link = frozenset[int]  # source words that a target word should attend to; empty if any will do
Result = TypeVar("Result")
Example = tuple[str, str]  # source, target


@dataclass(frozen=True)
class Exercise:
    """A task whose sentence pairs are made by rule.

    make(random, length) draws a source; answered(source) is its only right translation; linked(source) lists, for each
    word of the answer, the source words that it comes from. Both may raise LookupError or ValueError for a source that
    the exercise does not make.
    """

    name: str
    goal: float  # share of unseen pairs to get exactly right
    pinned: str  # the source whose alignment is shown during training
    make: Callable[[random.Random, int], str]
    answered: Callable[[str], str]
    linked: Callable[[str], tuple[Link, ...]]
    length: int = 0  # of the longest training source; 0 if the length cannot be chosen
    lengths: tuple[int, int] = (0, 0)  # the shortest with 8,000 different pairs, and the largest allowed one
    may_look_wrong: bool = True  # whether attention can be on a wrong word, which a source of one word does not have
    pretrained: bool = False  # only for a model that already translates English to French
    pieces: int = 400  # largest vocabulary of a model trained from scratch
    whole_words: bool = False  # whether each word is one piece; for tasks with at most a few hundred words
    split_digits: bool = False  # whether a number is split into digits; otherwise a digit is one piece with its space

    def pairs(self, count: int, seed: int = 1, length: int = 0) -> list[Example]:
        """`count` different pairs. length: of the longest source; 0 for the exercise's own.

        The same arguments give the same pairs. Raises SettingError for a length that is not allowed, DataError if
        there are not enough different pairs.
        """
        check_range("The number of pairs", count, 1, 1_000_000)
        if length and not self.length:
            raise SettingError(f"The exercise {self.name} has no length to choose: leave it out.")
        if length:
            check_range("The length", length, 2, self.lengths[1])
        draw = random.Random(f"{self.name} {seed} {length}")
        drawn = self._drawn(draw, length or self.length, count)
        if len(drawn) < count:
            raise DataError(
                f"The exercise {self.name} does not have {count:,} different pairs of this length: "
                f"ask for at most {len(drawn):,}, or for longer ones."
            )
        return drawn

    def long_pairs(self, count: int, sources: Iterable[str], seed: int = 1) -> list[Example]:
        """Pairs for testing length generalisation: longer than all training `sources`, by up to a half.

        Empty if the exercise has no longer sources.
        """
        longest = max(len(source.split()) for source in sources)
        most = min(round(1.5 * longest), self.lengths[1])
        if most <= longest:
            return []
        draw = random.Random(f"{self.name} longer {seed}")
        return self._drawn(draw, most, count, lambda source: len(source.split()) > longest)

    def pairs_of_length(
        self, length: int, count: int, seed: int = 1, without: Container[str] = frozenset()
    ) -> list[Example]:
        """At most `count` different pairs whose sources have exactly `length` words and are not in `without`."""
        draw = random.Random(f"{self.name} of {length} {seed}")
        return self._drawn(draw, length, count, lambda source: len(source.split()) == length and source not in without)

    def _drawn(
        self, draw: random.Random, length: int, count: int, wanted: Callable[[str], bool] = lambda source: True
    ) -> list[Example]:
        """At most `count` different pairs with a wanted source, from those that `make` draws for this length."""
        drawn: dict[str, None] = {}
        for _ in range(50 * count + 1000):
            source = self.make(draw, length)
            if wanted(source):
                drawn[source] = None
            if len(drawn) == count:
                break
        return [(source, self.answer(source)) for source in drawn]

    def answer(self, source: str) -> str:
        """The right answer. Raises DataError for a source that the exercise does not make."""
        return self._understood(self.answered, source)

    def links(self, source: str) -> tuple[Link, ...]:
        """For each word of the answer, the source words that it comes from. Raises DataError if it cannot be read."""
        return self._understood(self.linked, source)

    def _understood(self, function: Callable[[str], Result], source: str) -> Result:
        try:
            return function(source)
        except (LookupError, ValueError):
            raise DataError(f"The exercise {self.name} has no such source: {source!r}.") from None

    def check(self, source: str, output: str) -> bool:
        """Whether `output` is right, ignoring spaces between words."""
        return output.split() == self.answer(source).split()

    def right_words(self, source: str, output: str) -> float:
        """The share of the answer's words that `output` has in the same position, 0 to 1."""
        answer, written = self.answer(source).split(), output.split()
        return sum(one == other for one, other in zip(answer, written, strict=False)) / len(answer)


def one(*positions: int) -> Link:
    """The link of a target word to these source words."""
    return frozenset(positions)


def diagonal(source: str) -> tuple[Link, ...]:
    """The links of an answer whose every word comes from the word in its place."""
    return tuple(one(i) for i in range(len(source.split())))
