"""Coverage of the source (Tu et al. 2016): which of its words a translation leaves unseen, and what beta changes.

The coverage of a source word is what all words of the translation together look at it, sum_j alpha_ij. A word that
stays far below one may be left out of the translation; it may as well be one that needs no word of its own.
"""

from __future__ import annotations

import numpy as np

from nmtcore.decoding.merging import merge
from nmtcore.decoding.trace import AttentionMap, Index, Trace
from nmtcore.text.words import is_punctuation

LEAST = 0.25  # of one target word's attention; between this and one half most words are translated all the same


def unseen_words(attention: AttentionMap, layer: Index, head: Index) -> tuple[int, ...]:
    """The numbers of the source words that cross attention passes over, by the rule of `nmtcore.text.words`.

    With pieces merged to words, such a word is the main place (argmax) of no row, and its coverage, the sum of its
    column, is below one quarter. `<eos>` and punctuation are never among them. Raises TraceError for a layer or a head
    that is not there.
    """
    words = merge(attention)
    weights = words.matrix(layer, head)  # (T, S) of words
    main = set(weights.argmax(1).tolist())
    coverage = np.asarray(weights, np.float64).sum(0)
    return tuple(
        number
        for number, word in enumerate(words.keys[:-1])
        if number not in main and coverage[number] < LEAST and not is_punctuation(word)
    )


def deciding_beta(trace: Trace) -> float | None:
    """The smallest beta of the coverage penalty, above that of the decode, from which another hypothesis wins.

    Only hypotheses that cover more of the source gain when beta grows; None where search finished none. Exact, since
    beta takes no part in the search itself.
    """
    alpha, beta = trace.decoding.alpha, trace.decoding.beta
    ends = trace.ranked(alpha, beta)
    if not ends:
        return None
    first = ends[0]
    crossings = [
        (first.score(alpha, beta) - other.score(alpha, beta)) / (other.coverage - first.coverage)
        for other in ends[1:]
        if other.coverage > first.coverage
    ]
    return beta + min(crossings) if crossings else None
