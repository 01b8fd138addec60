"""Alignment error rate (Och and Ney 2003): how well attention finds the words that translate each other.

The link of a target word is the source word with the most attention, except `<eos>`. Pieces are first merged into
words, in a script without spaces into a segmenter's. If these words differ from those of the gold alignment, the links
are compared on the smallest parts of the text that both have in common.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from nmtcore.config import is_autoregressive
from nmtcore.decoding.decode import force
from nmtcore.decoding.merging import merge
from nmtcore.decoding.trace import Array, AttentionMap, Trace
from nmtcore.errors import DataError
from nmtcore.evaluation.gold_alignments import Aligned, Link
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.words import bare, is_punctuation

Position = Literal["output", "input"]  # of the decoder: the step that predicts a word, or the step that reads it


@dataclass
class Counts:
    """Counts for alignment error rate, and the attention to things that are not words."""

    links: int = 0  # |A|
    sure: int = 0  # |S|
    right_sure: int = 0  # |A and S|
    right_possible: int = 0  # |A and P|
    words: int = 0  # target words without punctuation
    on_eos: float = 0.0  # their attention to <eos>, summed
    on_stop: float = 0.0  # their attention to the punctuation mark that ends the source, summed

    def add(self, links: set[Link], sure: set[Link], possible: set[Link]) -> None:
        """Count the predicted links of one sentence pair."""
        self.links += len(links)
        self.sure += len(sure)
        self.right_sure += len(links & sure)
        self.right_possible += len(links & possible)

    def to_json(self) -> dict[str, float]:
        """aer = 1 - (|A and S| + |A and P|) / (|A| + |S|); eos and full_stop: mean share of attention there."""
        return {
            "aer": round(1 - (self.right_sure + self.right_possible) / max(self.links + self.sure, 1), 4),
            "precision": round(self.right_possible / max(self.links, 1), 4),
            "recall": round(self.right_sure / max(self.sure, 1), 4),
            "eos": round(self.on_eos / max(self.words, 1), 4),
            "full_stop": round(self.on_stop / max(self.words, 1), 4),
        }


def reference_attention(checkpoint: Checkpoint, pair: Aligned, forced: Trace) -> AttentionMap | None:
    """Cross attention under forced decoding of the reference; None for a model without attention.

    A non-autoregressive model has no row for `<eos>`: the length determines the end.
    """
    cross = forced.attention_of("cross")
    if cross is None:
        return None
    queries = checkpoint.vocab.target.pieces(pair.target)  # with the text of unknown pieces
    ends = ("<eos>",) if is_autoregressive(checkpoint.config.architecture) else ()
    return AttentionMap("cross", (*queries, *ends), cross.keys, cross.weights)


@dataclass
class Measured:
    """Counts for every reading of a model's attention: (layer, head, position); None is the average of all.

    linked_only: whether to leave out target words without a sure or possible link.
    """

    linked_only: bool = False
    counts: dict[tuple[int | None, int | None, Position], Counts] = field(default_factory=dict)

    def add(self, pair: Aligned, attention: AttentionMap) -> None:
        """Count the links of one sentence pair; `attention` is over the pieces of the reference."""
        seen, queries = attention.weights, attention.queries
        positions: dict[Position, Array] = {"output": seen}
        if queries[-1] == "<eos>":
            # Step j predicts y_j, and step j + 1 reads it. The last step predicts <eos>, which is not a word.
            positions, queries = {"output": seen[:, :, :-1], "input": seen[:, :, 1:]}, queries[:-1]
        for position, weights in positions.items():
            words = merge(AttentionMap("cross", queries, attention.keys, weights))
            for (layer, head), matrix in _readings(words.weights):
                self._count(pair, words, matrix, self.counts.setdefault((layer, head, position), Counts()))

    def _count(self, pair: Aligned, words: AttentionMap, matrix: Array, counts: Counts) -> None:
        keys = words.keys[:-1]  # without <eos>
        rows, row_parts = common_parts(keys, pair.source_words)
        columns, column_parts = common_parts(words.queries, pair.target_words)
        best = matrix[:, : len(keys)].argmax(1)
        links = {(rows[i], columns[j]) for j, i in enumerate(best)}
        sure = {(row_parts[i], column_parts[j]) for i, j in pair.sure}
        possible = {(row_parts[i], column_parts[j]) for i, j in pair.possible}
        if self.linked_only:
            linked = {j for _, j in possible}
            links = {(i, j) for i, j in links if j in linked}
        counts.add(links, sure, possible)
        spoken = [j for j, word in enumerate(words.queries) if not is_punctuation(word)]
        counts.words += len(spoken)
        counts.on_eos += float(matrix[spoken, -1].sum())
        if is_punctuation(keys[-1]):
            counts.on_stop += float(matrix[spoken, -2].sum())

    def to_json(self) -> list[dict[str, Any]]:
        """One dict per reading of the attention; layer and head count from zero, None is the average."""
        return [
            {"layer": layer, "head": head, "position": position, **counts.to_json()}
            for (layer, head, position), counts in self.counts.items()
        ]


def _readings(weights: Array) -> list[tuple[tuple[int | None, int | None], Array]]:
    """Each head, the average over each layer's heads, and the average over all heads, if several; (T, S) each."""
    layers, heads = weights.shape[:2]
    readings: list[tuple[tuple[int | None, int | None], Array]] = [
        ((i, h), weights[i, h]) for i in range(layers) for h in range(heads)
    ]
    if heads > 1:
        readings += [((i, None), weights[i].mean(0)) for i in range(layers)]
    if layers > 1:
        readings.append(((None, None), weights.mean((0, 1))))
    return readings


def measure(
    checkpoint: Checkpoint,
    pairs: Sequence[Aligned],
    done: Callable[[Trace], object] = lambda trace: None,
    *,
    linked_only: bool = False,
    any_reading: bool = False,
) -> dict[str, Any] | None:
    """Alignment error rate of a model; None for one without attention. linked_only: as in Measured.

    `aer` belongs to the best head at either position, or for a single map, such as a recurrent model's, to the
    decoder's output; `best` says which. `readings` has every layer, head, average and position.
    any_reading: lets `best` be any of them, including averages and a single map at the decoder's input. done: called
    with the trace of each pair, made by forced decoding.
    """
    measured = Measured(linked_only)
    for pair in pairs:
        trace = force(checkpoint, pair.source, pair.target)
        attention = reference_attention(checkpoint, pair, trace)
        if attention is None:
            return None
        measured.add(pair, attention)
        done(trace)
    readings = measured.to_json()
    heads = [r for r in readings if r["head"] is not None]
    several = len(heads) > 2
    there = readings if any_reading else [r for r in heads if several or r["position"] == "output"]
    best = min(there, key=lambda r: r["aer"])
    return {"aer": best["aer"], "pairs": len(pairs), "best": best, "readings": readings}


def common_parts(words: Sequence[str], others: Sequence[str]) -> tuple[list[int], list[int]]:
    """Align two segmentations of a text: split it where both do, and return the part that each word of either is in.

    Raises DataError if the two lists do not spell the same text.
    """
    words, others = [_letters(word) for word in words], [_letters(word) for word in others]
    if "".join(words) != "".join(others):
        raise DataError(f"The words {' '.join(words)!r} and {' '.join(others)!r} are not the same text.")
    ends, other_ends = np.cumsum([len(w) for w in words]), np.cumsum([len(w) for w in others])
    shared = np.intersect1d(ends, other_ends)
    return (
        np.searchsorted(shared, ends).tolist(),
        np.searchsorted(shared, other_ends).tolist(),
    )


def _letters(word: str) -> str:
    return "".join(bare(word).split())
