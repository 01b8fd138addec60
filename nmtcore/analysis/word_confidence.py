"""Word-level confidence: the probability that a model gave each word of its translation, from one Trace.

By the chain rule, the probability of a word given the source and the words before it is the product over its pieces.
If words were written at once, each piece's probability is given the source and what was not masked at the time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from nmtcore.decoding.trace import Trace
from nmtcore.text.words import group_pieces, word_label

if TYPE_CHECKING:
    from nmtcore.decoding.mask_predict import MaskPredictRecord

HALF = 0.5  # a word that is less likely than this is less likely than all others together


class WordConfidence(NamedTuple):
    """A word of the translation, the positions of its pieces, and its probability."""

    text: str
    pieces: tuple[int, ...]
    probability: float

    @property
    def doubtful(self) -> bool:
        """Whether the word is less likely than all other words together."""
        return self.probability < HALF


def word_confidences(decoded: Trace | MaskPredictRecord) -> tuple[WordConfidence, ...]:
    """The words of the translation in order, including `<eos>`, grouped as in `nmtcore.text.words`."""
    written = decoded.steps if isinstance(decoded, Trace) else decoded.rounds[-1]
    return tuple(
        WordConfidence(
            word_label(decoded.target, group),
            tuple(group),
            math.exp(math.fsum(written[i].log_probability for i in group)),
        )
        for group in group_pieces(decoded.target)
    )


def split_at_words(text: str, words: Sequence[WordConfidence]) -> list[tuple[str, int | None]]:
    """Split the text of a translation into parts, each with the number of its word, or None between words.

    Joined, the parts are the text. A word that is not written like its pieces, such as `<eos>`, has no part.
    """
    parts: list[tuple[str, int | None]] = []
    end = 0
    for number, word in enumerate(words):
        start = text.find(word.text, end)
        if start < 0:
            continue
        if start > end:
            parts.append((text[end:start], None))
        end = start + len(word.text)
        parts.append((text[start:end], number))
    return [*parts, (text[end:], None)] if end < len(text) else parts
