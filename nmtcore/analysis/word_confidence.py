"""Words of a translation, from one Trace: the probability that the model gave each, and which were copied.

By the chain rule, the probability of a word given the source and the words before it is the product over its pieces.
If words were written at once, each piece's probability is given the source and what was not masked at the time.

A pointer-generator has P(y_j) = g_j P_vocab(y_j) + (1 - g_j) sum of alpha_ij over the source positions i with y_j
(See et al. 2017, eq. 9). The second term is the pointer's; if it is at least half of P(y_j), the piece was copied.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nmtcore.decoding.trace import Array, Trace
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


def generation_probabilities(trace: Trace) -> tuple[float, ...]:
    """Generation probability g_j of every step; empty for a model without a pointer."""
    gate = trace.inner.get("generate")  # (T, 1, 1)
    return () if gate is None else tuple(float(g) for g in gate.reshape(-1))


def copied_shares(trace: Trace) -> Array:
    """The pointer's share of the probability of each piece y_j, (T,), from 0 to 1; zeros without a pointer."""
    g, cross = generation_probabilities(trace), trace.attention_of("cross")
    if not g or cross is None:
        return np.zeros(len(trace.target), dtype=np.float32)
    same = np.array([[target == source for source in trace.source] for target in trace.target])  # (T, S)
    pointed = (1 - np.array(g)) * (cross.matrix(0, 0) * same).sum(1)
    shares: Array = np.clip(pointed / np.array([step.probability for step in trace.steps]), 0, 1)
    return shares


def copied_words(trace: Trace, words: Sequence[WordConfidence]) -> tuple[int, ...]:
    """The numbers of the words whose pieces were all copied, except `<eos>`, which every source has."""
    copied = copied_shares(trace) >= HALF
    return tuple(
        number
        for number, word in enumerate(words)
        if copied[list(word.pieces)].all() and trace.target[word.pieces[0]] != "<eos>"
    )
