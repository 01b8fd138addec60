"""The exercise of a small language: English sentences of about 200 words and their French, with exact word links.

A synchronous grammar makes both sides from one derivation (pretrained/corpus/small_grammar), so that which words
translate each other is known, not estimated. Punctuation and words are separated by spaces.
"""

from __future__ import annotations

import random
from functools import cache

from nmtcore.errors import DataError
from nmtcore.grammar.grammar import FOLDER, Grammar
from nmtcore.text.words import split_words
from nmtcore.training.exercises.exercise import Exercise, Link

SMALL = FOLDER.with_name("small_grammar")
SENTENCES = 10_000  # that are drawn; the grammar has many more
SEED = 1


@cache
def _sentences() -> dict[str, tuple[str, tuple[Link, ...]]]:
    """By source: its translation, and for each word of it the source words that it is linked with."""
    table = {}
    for pair in Grammar.load(SMALL).pairs(SENTENCES, SEED):
        target = split_words(pair.target)
        links: list[set[int]] = [set() for _ in target]
        for i, j in pair.links:
            links[j].add(i)
        table[" ".join(split_words(pair.words))] = " ".join(target), tuple(map(frozenset, links))
    return table


@cache
def _sources() -> tuple[str, ...]:
    return tuple(_sentences())


def _found(source: str) -> tuple[str, tuple[Link, ...]]:
    try:
        return _sentences()[source]
    except KeyError:
        raise DataError(f"This is not a sentence of the small language: {source!r}.") from None


def _sentence(draw: random.Random, length: int) -> str:
    return draw.choice(_sources())


LANGUAGE = Exercise(
    *("language", "scattered", 0.8, 0, (0, 0), "The girl does not buy the red apples ."),
    _sentence,
    lambda source: _found(source)[0],
    lambda source: _found(source)[1],
    pieces=800,
    whole_words=True,
)
