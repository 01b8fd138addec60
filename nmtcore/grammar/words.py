"""Tokens with tags, and the words and links of a sentence pair that they become.

Both languages put one derivation into words. Whatever stands for the same thing carries the same tag on both sides, so
that links need no search: two words are linked if they share a tag.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Tags = tuple[int, ...]
Link = tuple[int, int]  # source word, target word, counted from zero
PUNCTUATION = frozenset(",.?!;:…")


class Token(NamedTuple):
    """A word form, and the tags of what it stands for."""

    form: str
    tags: Tags = ()


class LinkedPair(NamedTuple):
    """A sentence pair with its word links; punctuation at the end of a word is a word of its own."""

    source: str
    target: str
    links: tuple[Link, ...]


def links(source: Sequence[Token], target: Sequence[Token]) -> tuple[Link, ...]:
    """The pairs of words that share a tag, in order."""
    places: dict[int, list[int]] = {}
    for j, token in enumerate(target):
        for tag in token.tags:
            places.setdefault(tag, []).append(j)
    found = {(i, j) for i, token in enumerate(source) for tag in token.tags for j in places.get(tag, ())}
    return tuple(sorted(found))


def capital(tokens: list[Token]) -> list[Token]:
    """The first letter of the sentence as a capital."""
    first = tokens[0]
    return [Token(first.form[:1].upper() + first.form[1:], first.tags), *tokens[1:]]
