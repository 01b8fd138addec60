"""Exercises: pairs made by rule, each with its right answer and its word links.

Nothing here needs torch.
"""

import random
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import Literal

from nmtcore.config import check_range
from nmtcore.errors import DataError, SettingError

Shape = Literal["diagonal", "anti-diagonal", "scattered", "blocks", "word", "column"]
Link = frozenset[int]  # source words that a target word should look at; empty where any will do
Example = tuple[str, str]  # source, target


@dataclass(frozen=True)
class Exercise:
    """A task whose pairs are made by rule.

    make(random, length) draws a source; answer(source) is its one right translation; links(source) says for each
    word of the answer which words of the source it comes from.
    """

    name: str
    shape: Shape  # of the alignment once it is learned
    goal: float  # share of unseen pairs to get exactly right
    length: int  # of the longest training source; 0 where a source has no length to choose
    lengths: tuple[int, int]  # the least of which there are 8,000 different pairs, and the most that it may be
    pinned: str  # the source whose alignment is watched
    make: Callable[[random.Random, int], str]
    answer: Callable[[str], str]
    links: Callable[[str], tuple[Link, ...]]
    pretrained: bool = False  # only for a model that already translates English to French
    pieces: int = 400  # of the vocabulary that a model from scratch learns, at most
    whole_words: bool = False  # whether each of its words is one piece; for tasks of a few hundred words at most
    split_digits: bool = False  # whether a number is cut into its digits; else a digit is one piece with its space

    @property
    def may_look_wrong(self) -> bool:
        """Whether attention can look at a wrong word: not where a source has but one."""
        return self.shape != "column"

    def pairs(self, count: int, seed: int = 1, length: int = 0) -> list[Example]:
        """`count` different pairs. length: of the longest source; 0 is the exercise's own.

        The same arguments give the same pairs. Raises SettingError for a length that it cannot have, DataError
        where there are not so many different ones.
        """
        check_range("The number of pairs", count, 1, 1_000_000)
        if length and not self.length:
            raise SettingError(f"The exercise {self.name} has no length to choose: leave it out.")
        if length:
            check_range("The length", length, 2, self.lengths[1])
        draw = random.Random(f"{self.name} {seed} {length}")
        drawn: dict[str, None] = {}
        tries = 0
        while len(drawn) < count:
            drawn[self.make(draw, length or self.length)] = None
            tries += 1
            if tries > 20 * count + 1000:
                raise DataError(
                    f"The exercise {self.name} has not {count:,} different pairs of this length: "
                    f"ask for at most {len(drawn):,}, or for longer ones."
                )
        return [(source, self.answer(source)) for source in drawn]

    def long_pairs(self, count: int, sources: Iterable[str], seed: int = 1) -> list[Example]:
        """Pairs of up to half as many words again as the longest of `sources`, those of training, and more than it.

        What was learned is tried where it was not practised. None where the exercise has no longer ones.
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
        """At most `count` different pairs whose sources have exactly `length` words and are none of `without`."""
        draw = random.Random(f"{self.name} of {length} {seed}")
        return self._drawn(draw, length, count, lambda source: len(source.split()) == length and source not in without)

    def _drawn(self, draw: random.Random, length: int, count: int, wanted: Callable[[str], bool]) -> list[Example]:
        """At most `count` different pairs with a wanted source, of those that `make` draws for this length."""
        drawn: dict[str, None] = {}
        for _ in range(50 * count + 1000):
            source = self.make(draw, length)
            if wanted(source):
                drawn[source] = None
            if len(drawn) == count:
                break
        return [(source, self.answer(source)) for source in drawn]

    def check(self, source: str, output: str) -> bool:
        """Whether `output` is right, but for how it is spaced."""
        return output.split() == self.answer(source).split()

    def right_words(self, source: str, output: str) -> float:
        """The share of the answer's words that stand in their place in `output`, 0 to 1."""
        answer, written = self.answer(source).split(), output.split()
        return sum(one == other for one, other in zip(answer, written, strict=False)) / len(answer)


def one(*positions: int) -> Link:
    """The link of a target word with these source words."""
    return frozenset(positions)
