"""Pointer-generator: find the words of a translation that were copied from the source, in the record of one decode.

P(y_j) = g_j P_vocab(y_j) + (1 - g_j) sum of alpha_ij over the source positions i with y_j (See et al. 2017, eq. 9).
The second term is the pointer's contribution; if it is at least half of P(y_j), the piece counts as copied.
"""

from collections.abc import Sequence

import numpy as np

from nmtcore.analysis.word_confidence import WordConfidence
from nmtcore.decoding.trace import Array, Trace

HALF = 0.5


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
