"""Alignment accuracy: how often attention's largest weight is on a source word that is known to be right."""

from collections.abc import Iterable, Sequence

import numpy as np

from nmtcore.decoding.merging import merge
from nmtcore.decoding.trace import Trace

SEEN = 0.9  # share of linked words at which an alignment counts as learned


def agreement_with_links(
    trace: Trace, links: Sequence[frozenset[int]], head: tuple[int, int] | None = None
) -> float | None:
    """The share of target words whose largest weight is on one of their source words.

    links: for each target word, the positions of its source words; empty if any will do. head: as in
    AttentionMap.drawn. Weights are summed over a source word's pieces and averaged over a target word's. None without
    attention, or if the pieces do not form the words that `links` describes.
    """
    cross = trace.attention_of("cross")
    linked = [row for row, link in enumerate(links) if link]
    if cross is None or not linked:
        return None
    words = merge(cross)
    targets, sources = (len(names) - (names[-1] == "<eos>") for names in (words.queries, words.keys))
    if targets != len(links) or max(max(links[row]) for row in linked) >= sources:
        return None
    largest = words.matrix(*words.drawn(head))[:, :sources].argmax(1)
    return float(np.mean([int(largest[row]) in links[row] for row in linked]))


def first_seen(agreements: Iterable[tuple[int, float | None]]) -> int | None:
    """The first step whose agreement is at least SEEN; None if there is none yet."""
    return next((step for step, agreement in agreements if agreement is not None and agreement >= SEEN), None)
