"""Chinese word segmentation: find the word boundaries in a script without spaces, by jieba."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import rjieba

NOT_WORDS = ("本书", "喝一杯")  # in jieba's dictionary, but nearly always a measure word and the thing counted


@cache
def _segmenter() -> rjieba.Jieba:
    import rjieba  # loading its dictionary takes half a second, so it is imported only when there is Chinese text

    segmenter = rjieba.Jieba()
    for word in NOT_WORDS:
        segmenter.add_word(word, 1, None)
    return segmenter


@lru_cache(maxsize=2000)
def segment(text: str) -> tuple[str, ...]:
    """The words of a text without spaces, in order; joined, they are the text."""
    return tuple(_segmenter().cut(text))


@lru_cache(maxsize=2000)
def word_ends(text: str) -> frozenset[int]:
    """The character positions in a text at which words end."""
    ends, at = [], 0
    for word in segment(text):
        at += len(word)
        ends.append(at)
    return frozenset(ends)
