"""Word embeddings: nearest neighbours by cosine similarity, principal components, and analogies A - B + C.

A model reads its pieces as rows of an embedding matrix. Only directions are compared here: every row is scaled to
length 1, so the product of two rows is the cosine of their angle. V pieces, D components, N chosen vectors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from torch import nn

from nmtcore.decoding.trace import Array
from nmtcore.errors import CheckpointError, DataError, TextError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text import languages
from nmtcore.text.normalization import SPACE
from nmtcore.text.source import read_source
from nmtcore.text.vocabulary import PAD, SOS, UNK, Vocab, is_byte

Side = Literal["source", "target"]

NEAREST = 5  # nearest pieces considered as answers to A - B + C
MOST_PIECES = 12  # in one typed word


class Neighbor(NamedTuple):
    """A piece and the cosine of the angle between its vector and another."""

    piece: str
    id: int
    cosine: float


@dataclass(frozen=True, eq=False)
class EmbeddingTable:
    """An embedding matrix with the pieces of its rows. rows: (V, D), each of length 1 (or 0)."""

    vocab: Vocab
    rows: Array

    @cached_property
    def words(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """(V,) whether a piece can be a neighbour: `<pad>`, `<unk>`, `<sos>` and single bytes cannot."""
        allowed = np.array([not is_byte(self.vocab.token(i)) for i in range(len(self.rows))])
        allowed[[PAD, UNK, SOS]] = False
        return allowed

    def nearest(self, vector: Array, without: Collection[int] = (), count: int = NEAREST) -> tuple[Neighbor, ...]:
        """Nearest neighbours: pieces with the largest cosine to a vector (D,), best first. without: excluded ids."""
        return self.nearest_to_all(vector[None], [without], count)[0]

    def nearest_to_all(
        self, vectors: Array, without: Sequence[Collection[int]], count: int = NEAREST
    ) -> list[tuple[Neighbor, ...]]:
        """`nearest` for N vectors (N, D) in one matrix product."""
        cosines = _unit(vectors) @ self.rows.T  # (N, V)
        cosines[:, ~self.words] = -np.inf
        for row, ids in zip(cosines, without, strict=True):
            row[list(ids)] = -np.inf
        most = min(count, cosines.shape[1])
        among = np.argpartition(-cosines, most - 1, axis=1)[:, :most]  # the largest, in any order
        return [
            tuple(
                Neighbor(self.vocab.token(i), i, float(row[i]))
                for i in sorted(neighbors, key=lambda i: (-row[i], i))
                if np.isfinite(row[i])
            )
            for row, neighbors in zip(cosines, among.tolist(), strict=True)
        ]


def embedding_tables(checkpoint: Checkpoint) -> dict[Side, EmbeddingTable]:
    """The embedding tables of source and target; both are the same table if the model has only one.

    Raises CheckpointError for a model without an embedding table of pieces.
    """
    source = getattr(checkpoint.model, "embed", None)
    if not isinstance(source, nn.Embedding):
        raise CheckpointError("This model has no table of embeddings with one row per piece.")
    target = getattr(checkpoint.model, "embed_target", source)
    first = _table(source, checkpoint.vocab)
    return {"source": first, "target": first if target is source else _table(target, checkpoint.vocab)}


def _table(embedding: nn.Embedding, vocab: Vocab) -> EmbeddingTable:
    return EmbeddingTable(vocab, _unit(embedding.weight.detach().float().cpu().numpy()))


def _unit(vectors: Array) -> Array:
    """Normalise vectors (..., D) to length 1; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Array = (vectors / np.where(lengths > 0, lengths, 1)).astype(vectors.dtype)
    return scaled


@dataclass(frozen=True, eq=False)
class Plane:
    """Vectors on their first two principal components. points: (N, 2); shares: (2,) of the variance."""

    points: Array
    shares: Array


def principal_plane(vectors: Array) -> Plane:
    """Principal component analysis of vectors (N, D): the plane in which they differ most.

    Each component points in the direction in which its largest coordinate is positive, so that the same vectors give
    the same picture. Raises DataError for fewer than three different vectors.
    """
    if len(np.unique(vectors, axis=0)) < 3:
        raise DataError("A plane needs at least three different vectors.")
    centred = vectors - vectors.mean(0)
    left, singular, _ = np.linalg.svd(centred, full_matrices=False)  # centred = U diag(s) V^T
    points = left[:, :2] * singular[:2]
    signs = np.where(points[np.abs(points).argmax(0), [0, 1]] < 0, -1, 1)
    return Plane(points * signs, singular[:2] ** 2 / (singular**2).sum())


@dataclass(frozen=True, eq=False)
class WordVector:
    """A typed word as a vector (D,) of length 1: the row of its piece, or the mean of the rows of its pieces."""

    text: str
    ids: tuple[int, ...]
    vector: Array

    @property
    def whole(self) -> bool:
        """Whether the word is a single piece of the vocabulary."""
        return len(self.ids) == 1


def word_vector(table: EmbeddingTable, typed: str) -> WordVector:
    """The vector of a typed word. Raises TextError for an empty text, a long one, or characters without a piece."""
    text = read_source(typed).text.strip()
    ids = table.vocab.encode(text)
    ids = [i for i in ids if table.vocab.token(i) != SPACE] or ids  # in Chinese the space before is a separate piece
    if not ids:
        raise TextError("Type one word in each of the three boxes.")
    if len(ids) > MOST_PIECES:
        raise TextError(f"The vocabulary splits this into {len(ids)} pieces; a box is for one word: {text[:40]}")
    if UNK in ids:
        raise TextError(f"The vocabulary has no pieces for all characters of this word: {text[:40]}")
    return WordVector(text, tuple(ids), _unit(table.rows[ids].mean(0)))


def solve_analogy(table: EmbeddingTable, a: WordVector, b: WordVector, c: WordVector) -> tuple[Neighbor, ...]:
    """The pieces nearest to A - B + C, without the three words themselves (3CosAdd: Mikolov et al. 2013)."""
    return table.nearest(a.vector - b.vector + c.vector, without={*a.ids, *b.ids, *c.ids})


class Analogy(NamedTuple):
    """B is to A as C is to the answer: `brother` - `boy` + `girl` should be `sister`."""

    kind: str
    a: str
    b: str
    c: str
    answer: str


class AnalogyScore(NamedTuple):
    """The number of analogies of a kind, and how often the answer was the nearest, or among the NEAREST nearest.

    kept: how often it would be the nearest if the three words were not excluded (Linzen 2016); alone: how often it is
    the nearest to A or to C without any arithmetic, with the three words excluded.
    """

    asked: int
    first: int
    among: int
    kept: int
    alone: int


def read_analogies(pair: str) -> tuple[Analogy, ...]:
    """Our own analogies for a language pair, such as en-fr; empty for a pair without a file.

    The file has one analogy per row: kind, A, B, C and the answer, separated by tabs.
    """
    return tuple(Analogy(*line.split("\t")) for line in languages.lines(pair, "analogies.txt"))


def whole_analogies(table: EmbeddingTable, analogies: Iterable[Analogy]) -> tuple[Analogy, ...]:
    """Select the analogies whose four words are four different whole pieces of the table."""
    whole = []
    for analogy in analogies:
        try:
            words = [word_vector(table, word) for word in analogy[1:]]
        except TextError:  # a small vocabulary
            continue
        if all(word.whole for word in words) and len({word.ids for word in words}) == 4:
            whole.append(analogy)
    return tuple(whole)


def score_analogies(table: EmbeddingTable, analogies: Sequence[Analogy]) -> Mapping[str, AnalogyScore]:
    """How often A - B + C finds the answer, by kind. All words must be single pieces (`whole_analogies`)."""
    if not analogies:
        return {}
    ids = np.array([[word_vector(table, word).ids[0] for word in analogy[1:]] for analogy in analogies])  # (N, 4)
    a, b, c = (table.rows[column] for column in ids.T[:3])
    numbers, given, wanted = np.arange(len(ids)), ids[:, :3], ids[:, 3]

    def cosines(queries: Array, without: bool = True) -> Array:
        """Cosines of the queries to all words, (N, V), with -inf for special pieces and excluded words."""
        products: Array = np.where(table.words, _unit(queries) @ table.rows.T, -np.inf)
        if without:
            products[numbers[:, None], given] = -np.inf
        return products

    solved = cosines(a - b + c)
    better = (solved > solved[numbers, wanted][:, None]).sum(1)  # pieces nearer than the answer
    kept = cosines(a - b + c, without=False).argmax(1) == wanted
    alone = (cosines(a).argmax(1) == wanted) | (cosines(c).argmax(1) == wanted)
    found = np.stack([better >= 0, better == 0, better < NEAREST, kept, alone])  # (5, N)
    kinds = np.array([analogy.kind for analogy in analogies])
    return {kind: AnalogyScore(*found[:, kinds == kind].sum(1).tolist()) for kind in dict.fromkeys(kinds.tolist())}
