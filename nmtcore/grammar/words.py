"""Tokens with tags, and the words and links of a sentence pair that they become.

Both languages put one derivation into words. Whatever stands for the same thing carries the same tag on both sides, so
that links need no search: two words are linked if they share a tag.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from nmtcore.text.words import split_words

Tags = tuple[int, ...]
Link = tuple[int, int]  # source word, target word, counted from zero
PUNCTUATION = frozenset(",.?!;:…")


class Token(NamedTuple):
    """A word form, and the tags of what it stands for."""

    form: str
    tags: Tags = ()


class LinkedPair(NamedTuple):
    """A sentence pair with its word links; punctuation at the end of a word is a word of its own.

    words: the source with spaces between its words, as the links count them, where its script has no spaces.
    """

    source: str
    target: str
    links: tuple[Link, ...]
    words: str

    @property
    def row(self) -> str:
        """As a row of a file of alignments: source words, target words, links, no merely possible links."""
        sides = (" ".join(split_words(side)) for side in (self.words, self.target))
        return "\t".join((*sides, " ".join(f"{i}-{j}" for i, j in self.links), ""))


def links(source: Sequence[Token], target: Sequence[Token]) -> tuple[Link, ...]:
    """The pairs of words that share a tag, in order."""
    places: dict[int, list[int]] = {}
    for j, token in zip(_numbers(target), target, strict=True):
        for tag in token.tags:
            places.setdefault(tag, []).append(j)
    numbered = zip(_numbers(source), source, strict=True)
    return tuple(sorted({(i, j) for i, token in numbered for tag in token.tags for j in places.get(tag, ())}))


def _numbers(side: Sequence[Token]) -> list[int]:
    """The number of each token's first word: `Mr.` is a word and a punctuation mark."""
    numbers, count = [], 0
    for token in side:
        numbers.append(count)
        count += _word_count(token.form)
    return numbers


@cache
def _word_count(form: str) -> int:
    return len(split_words(form))


def capital(tokens: list[Token]) -> list[Token]:
    """The first letter of the sentence as a capital."""
    first = tokens[0]
    return [Token(first.form[:1].upper() + first.form[1:], first.tags), *tokens[1:]]
