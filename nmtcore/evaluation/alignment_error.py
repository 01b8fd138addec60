"""Alignment error rate (Och and Ney 2003): how well attention finds the words that translate each other.

A file of alignments is TSV in UTF-8, one line a sentence pair, of which the last column may be left out:

    source words <tab> target words <tab> sure links <tab> possible links

Words are separated by spaces, and so are links; punctuation at either end of a word is a word of its own.
A link i-j joins source word i and target word j, both counted from zero. Sure links are possible too
without being written twice. In a script without spaces the words are separated all the same; a model reads
them joined. Lines that begin with `#` are comments; one of them, `# languages: en-fr`, names the languages.

The link of a target word is the source word with the most attention, `<eos>` left out, pieces merged to
words first, in a script without spaces to those of a segmenter. Where these words and the file's cut a text
differently, the links are compared on the finest parts that both agree on.

A grammar makes sentence pairs whose links are exact (`from_grammar`). Target words without a link, punctuation among
them, are not counted there, and one that stands for several source words may be linked to any of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from nmtcore.config import is_autoregressive
from nmtcore.decoding.decode import force
from nmtcore.decoding.merging import merge
from nmtcore.decoding.trace import Array, AttentionMap
from nmtcore.errors import DataError
from nmtcore.grammar.grammar import Grammar
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.normalization import normalize
from nmtcore.text.words import bare, is_punctuation, join_texts, split_words

Link = tuple[int, int]  # source word, target word, counted from zero
Position = Literal["output", "input"]  # of the decoder: the step that predicts a word, or the one that reads it

GRAMMAR_SEED = 7  # of the sentence pairs that models are measured on


@dataclass(frozen=True)
class Aligned:
    """A gold alignment: a sentence pair with its links; the sure ones are among the possible ones."""

    source: str
    target: str
    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    sure: frozenset[Link]
    possible: frozenset[Link]


@dataclass
class Counts:
    """What alignment error rate is made of, and where attention goes that finds no word."""

    links: int = 0  # |A|
    sure: int = 0  # |S|
    right_sure: int = 0  # |A and S|
    right_possible: int = 0  # |A and P|
    words: int = 0  # target words without punctuation
    on_eos: float = 0.0  # their attention to <eos>, summed
    on_stop: float = 0.0  # and to the punctuation that ends the source

    def add(self, links: set[Link], sure: set[Link], possible: set[Link]) -> None:
        """Count the links that were found for one sentence pair."""
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


def read_alignments(path: Path | str) -> tuple[str, list[Aligned]]:
    """The languages, such as "en-fr" ("" where the file does not say), and the pairs. Raises DataError."""
    languages, lines = read_lines(path)
    found = []
    for number, line in lines:
        try:
            found.append(_parse(line))
        except ValueError as error:
            raise DataError(f"{path}, line {number}: {error}") from error
    if not found:
        raise DataError(f"{path} has no line with source words, target words and links, separated by tabs.")
    return languages, found


@cache
def from_grammar(languages: str, count: int) -> tuple[Aligned, ...]:
    """Gold alignments of sentence pairs that the grammar of two languages makes, always the same. Raises DataError.

    Sure are the links of target words that have one; the others are possible, for attention names one source word.
    """
    made = Grammar.load(pair=languages).pairs(count, GRAMMAR_SEED)
    return tuple(_with_exact_links(_parse(pair.row)) for pair in made)


def _with_exact_links(pair: Aligned) -> Aligned:
    times = Counter(j for _, j in pair.possible)
    return replace(pair, sure=frozenset((i, j) for i, j in pair.possible if times[j] == 1))


def from_links(source: str, target: str, links: Sequence[Collection[int]]) -> Aligned:
    """A gold alignment of texts whose words are separated by spaces; links: for each target word its source words."""
    possible = frozenset((i, j) for j, words in enumerate(links) for i in words)
    sides = tuple(source.split()), tuple(target.split())
    return _with_exact_links(Aligned(source, target, *sides, frozenset(), possible))


def read_lines(path: Path | str) -> tuple[str, list[tuple[int, str]]]:
    """The languages that a comment names, or "", and the other lines with their numbers from 1. Raises DataError."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not in UTF-8: save it again with that encoding.") from error
    named = re.search(r"^#\s*languages:\s*([a-z]{2,3}-[a-z]{2,3})\s*$", text, re.MULTILINE)
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip() and not line.startswith("#")]
    return named[1] if named else "", lines


def _parse(line: str) -> Aligned:
    """Raises ValueError with a sentence that says what is wrong with the line."""
    columns = line.rstrip("\r\n").split("\t")
    if len(columns) not in (3, 4):
        raise ValueError(f"there must be three or four columns, separated by tabs; there are {len(columns)}.")
    source_words, target_words = (tuple(split_words(normalize(column))) for column in columns[:2])
    sure, possible = (frozenset(map(_link, column.split())) for column in (*columns, "")[2:4])
    if not source_words or not target_words:
        raise ValueError("a side has no words.")
    for i, j in sure | possible:
        if i >= len(source_words) or j >= len(target_words):
            raise ValueError(
                f"the link {i}-{j} is outside the sentence: words count from zero, and there are "
                f"{len(source_words)} and {len(target_words)}."
            )
    if not sure:
        raise ValueError("there is no sure link.")
    source, target = (join_texts(normalize(column).split()) for column in columns[:2])
    return Aligned(source, target, source_words, target_words, sure, sure | possible)


def _link(text: str) -> Link:
    match = re.fullmatch(r"(\d{1,4})-(\d{1,4})", text)
    if not match:
        raise ValueError(f"a link is two numbers such as 3-4; this is {text!r}.")
    return int(match[1]), int(match[2])


def reference_attention(checkpoint: Checkpoint, pair: Aligned) -> AttentionMap | None:
    """The cross attention of forced decoding: the model writes the reference. None for a model without attention.

    A model that writes all words at once has no row for `<eos>`: the length says where it ends.
    """
    cross = force(checkpoint, pair.source, pair.target).attention_of("cross")
    if cross is None:
        return None
    queries = checkpoint.vocab.pieces(pair.target)  # with the text of unknown pieces
    ends = ("<eos>",) if is_autoregressive(checkpoint.config.architecture) else ()
    return AttentionMap("cross", (*queries, *ends), cross.keys, cross.weights)


@dataclass
class Measured:
    """Counts of every way to read a model's attention: (layer, head, position); None is the average of all.

    linked_only: whether target words without a link, sure or possible, are left out.
    """

    linked_only: bool = False
    counts: dict[tuple[int | None, int | None, Position], Counts] = field(default_factory=dict)

    def add(self, pair: Aligned, attention: AttentionMap) -> None:
        """Count the links of one sentence pair, its attention made of the pieces of the reference."""
        seen, queries = attention.weights, attention.queries
        positions: dict[Position, Array] = {"output": seen}
        if queries[-1] == "<eos>":
            # y_j is predicted by step j, and read by step j + 1. The last step predicts <eos>, which is no word.
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
        found = {(rows[i], columns[j]) for j, i in enumerate(best)}
        sure = {(row_parts[i], column_parts[j]) for i, j in pair.sure}
        possible = {(row_parts[i], column_parts[j]) for i, j in pair.possible}
        if self.linked_only:
            linked = {j for _, j in possible}
            found = {(i, j) for i, j in found if j in linked}
        counts.add(found, sure, possible)
        spoken = [j for j, word in enumerate(words.queries) if not is_punctuation(word)]
        counts.words += len(spoken)
        counts.on_eos += float(matrix[spoken, -1].sum())
        if is_punctuation(keys[-1]):
            counts.on_stop += float(matrix[spoken, -2].sum())

    def to_json(self) -> list[dict[str, Any]]:
        """One dict for each way to read the attention; layer and head count from zero, None is the average."""
        return [
            {"layer": layer, "head": head, "position": position, **counts.to_json()}
            for (layer, head, position), counts in self.counts.items()
        ]


def _readings(weights: Array) -> list[tuple[tuple[int | None, int | None], Array]]:
    """Each head, the average of each layer's heads, and that of all heads, where there are several; (T, S) each."""
    layers, heads = weights.shape[:2]
    found: list[tuple[tuple[int | None, int | None], Array]] = [
        ((i, h), weights[i, h]) for i in range(layers) for h in range(heads)
    ]
    if heads > 1:
        found += [((i, None), weights[i].mean(0)) for i in range(layers)]
    if layers > 1:
        found.append(((None, None), weights.mean((0, 1))))
    return found


def measure(
    checkpoint: Checkpoint,
    pairs: Sequence[Aligned],
    progress: Callable[[int], object] = lambda done: None,
    *,
    linked_only: bool = False,
) -> dict[str, Any] | None:
    """Alignment error rate of a model; None for one without attention. linked_only: as in Measured.

    `aer` is that of a single map, such as a recurrent model's, at the decoder's output, and otherwise of the best
    head at either position; `best` says which. `readings` has every layer, head, average and position.
    """
    measured = Measured(linked_only)
    for pair in pairs:
        attention = reference_attention(checkpoint, pair)
        if attention is None:
            return None
        measured.add(pair, attention)
        progress(1)
    readings = measured.to_json()
    heads = [r for r in readings if r["head"] is not None]
    several = len(heads) > 2
    best = min((r for r in heads if several or r["position"] == "output"), key=lambda r: r["aer"])
    return {"aer": best["aer"], "pairs": len(pairs), "best": best, "readings": readings}


def common_parts(words: Sequence[str], others: Sequence[str]) -> tuple[list[int], list[int]]:
    """Cut a text, given as two lists of words, where both cut it: the part that each word of either lies in.

    Raises DataError when they are not of the same text.
    """
    words, others = [_letters(word) for word in words], [_letters(word) for word in others]
    if "".join(words) != "".join(others):
        raise DataError(f"The words {' '.join(words)!r} and {' '.join(others)!r} are not of one text.")
    ends, other_ends = np.cumsum([len(w) for w in words]), np.cumsum([len(w) for w in others])
    shared = np.intersect1d(ends, other_ends)
    return (
        np.searchsorted(shared, ends).tolist(),
        np.searchsorted(shared, other_ends).tolist(),
    )


def _letters(word: str) -> str:
    return "".join(bare(word).split())
