"""Word-level attention: subword attention summed over the pieces of a key, averaged over those of a query."""

import numpy as np

from nmtcore.decoding.trace import AttentionMap
from nmtcore.text.words import group_pieces, word_label


def merge(attention: AttentionMap) -> AttentionMap:
    """Merge subword attention to words: sum over the pieces of a key, average over the pieces of a query.

    Rows still sum to one, and no piece is left out.
    """
    queries, keys = group_pieces(attention.queries), group_pieces(attention.keys)
    weights = np.add.reduceat(attention.weights, [group[0] for group in keys], axis=3)  # (L, H, T, words)
    weights = np.add.reduceat(weights, [group[0] for group in queries], axis=2)  # (L, H, words, words)
    sizes = np.array([len(group) for group in queries], np.float32)
    return AttentionMap(
        attention.kind,
        tuple(word_label(attention.queries, group) for group in queries),
        tuple(word_label(attention.keys, group) for group in keys),
        (weights / sizes[:, None]).astype(np.float32),
    )
