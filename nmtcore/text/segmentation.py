"""Chinese word segmentation: where words end in a script without spaces between them, by jieba."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import rjieba

NOT_WORDS = ("本书", "喝一杯")  # in its dictionary, but nearly always two words: a measure word and what it counts


@cache
def _segmenter() -> rjieba.Jieba:
    import rjieba  # its dictionary takes half a second: only where there is Chinese

    segmenter = rjieba.Jieba()
    for word in NOT_WORDS:
        segmenter.add_word(word, 1, None)
    return segmenter


@lru_cache(maxsize=2000)
def segment(text: str) -> tuple[str, ...]:
    """The words of a text without spaces, in order; together they are the text."""
    return tuple(_segmenter().cut(text))


@lru_cache(maxsize=2000)
def word_ends(text: str) -> frozenset[int]:
    """After how many characters of the text a word ends."""
    ends, at = [], 0
    for word in segment(text):
        at += len(word)
        ends.append(at)
    return frozenset(ends)
