"""Alignment accuracy: how often attention's largest weight is on a source word that is known to be right."""

from collections.abc import Iterable, Sequence

import numpy as np

from nmtcore.decoding.trace import Trace
from nmtcore.text.words import group_pieces

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
    sources, targets = _words(cross.keys), _words(cross.queries)
    if len(targets) != len(links) or max(max(links[row]) for row in linked) >= len(sources):
        return None
    matrix = cross.matrix(*cross.drawn(head))  # (T, S)
    words = np.stack([matrix[:, group].sum(1) for group in sources], 1)  # (T, source words)
    largest = [int(words[targets[row]].mean(0).argmax()) for row in linked]
    return float(np.mean([place in links[row] for row, place in zip(linked, largest, strict=True)]))


def _words(tokens: Sequence[str]) -> list[list[int]]:
    """The pieces of every word except `<eos>`."""
    groups = group_pieces(tokens)
    return groups[:-1] if tokens and tokens[-1] == "<eos>" else groups


def first_seen(agreements: Iterable[tuple[int, float | None]]) -> int | None:
    """The first step whose agreement is at least SEEN; None if there is none yet."""
    return next((step for step, agreement in agreements if agreement is not None and agreement >= SEEN), None)
