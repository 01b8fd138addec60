"""The small language exercise: English sentences of about 200 words, their French, and exact word links.

A synchronous grammar generated both sides from one derivation, so the links between words are known, not estimated.
small_language.tsv contains the sentences with their links. Spaces separate words and punctuation.
"""

from functools import cache
from pathlib import Path

from nmtcore.training.exercises.exercise import Exercise, Link

FILE = Path(__file__).with_suffix(".tsv")


@cache
def _sentences() -> dict[str, tuple[str, tuple[Link, ...]]]:
    """Translation by source, with the linked source words of each of its words."""
    table = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        source, target, written = line.split("\t")
        links: list[set[int]] = [set() for _ in target.split()]
        for link in written.split():
            i, j = link.split("-")
            links[int(j)].add(int(i))
        table[source] = target, tuple(map(frozenset, links))
    return table


@cache
def _sources() -> tuple[str, ...]:
    return tuple(_sentences())


LANGUAGE = Exercise(
    *("language", 0.8, "The girl does not buy the red apples ."),
    lambda draw, length: draw.choice(_sources()),
    lambda source: _sentences()[source][0],
    lambda source: _sentences()[source][1],
    pieces=800,
    whole_words=True,
)
