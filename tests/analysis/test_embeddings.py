"""Embeddings: neighbours, plane and analogies, each recomputed one number at a time."""

import math

import numpy as np
import pytest
import torch

from nmtcore.analysis.embeddings import (
    Analogy,
    EmbeddingTable,
    embedding_tables,
    principal_plane,
    read_analogies,
    score_analogies,
    solve_analogy,
    whole_analogies,
    word_vector,
)
from nmtcore.config import TransformerConfig
from nmtcore.errors import CheckpointError, DataError, TextError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text import languages
from nmtcore.text.vocabulary import EOS, PAD, SOS, UNK, Vocab, is_byte
from tests.helpers import SENTENCES, untrained


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    product = sum(float(a) * float(b) for a, b in zip(x, y, strict=True))
    return product / math.sqrt(sum(float(a) ** 2 for a in x)) / math.sqrt(sum(float(b) ** 2 for b in y))


def test_nearest_pieces_have_the_largest_cosines_of_the_models_own_rows(small_checkpoint: Checkpoint) -> None:
    table = embedding_tables(small_checkpoint)["source"]
    weight = small_checkpoint.model.state_dict()["embed.weight"].numpy()
    for picked in (EOS, small_checkpoint.vocab.encode("cat")[0]):
        found = table.nearest(table.rows[picked], without=[picked], count=7)
        every = {
            i: cosine(weight[picked], weight[i])
            for i in range(len(weight))
            if i not in (picked, PAD, UNK, SOS) and not is_byte(small_checkpoint.vocab.token(i))
        }
        expected = sorted(every, key=lambda i: -every[i])[:7]
        assert [n.id for n in found] == expected
        assert [n.piece for n in found] == [small_checkpoint.vocab.token(i) for i in expected]
        np.testing.assert_allclose([n.cosine for n in found], [every[i] for i in expected], atol=1e-5)


@pytest.mark.parametrize("count", [1, 7, 10_000])
def test_the_neighbours_of_many_rows_are_those_of_each(small_checkpoint: Checkpoint, count: int) -> None:
    table = embedding_tables(small_checkpoint)["source"]
    ids = [EOS, 9, UNK, 9, len(table.rows) - 1]  # one of them twice
    found = table.nearest_to_all(table.rows[ids], [[index] for index in ids], count)
    for index, neighbors in zip(ids, found, strict=True):
        alone = table.nearest(table.rows[index], without=[index], count=count)
        assert [n.id for n in neighbors] == [n.id for n in alone]
        np.testing.assert_allclose([n.cosine for n in neighbors], [n.cosine for n in alone], atol=1e-6)


def test_bytes_and_special_pieces_are_nobodys_neighbours() -> None:
    vocab = Vocab.train(SENTENCES * 3, 1000)  # with bytes
    rows = np.random.default_rng(3).normal(size=(len(vocab), 4))
    table = EmbeddingTable(vocab, rows / np.linalg.norm(rows, axis=1, keepdims=True))
    found = table.nearest(rows[5], count=len(vocab))
    assert len(found) == int(table.words.sum()) < len(vocab) - 200
    assert not any(is_byte(n.piece) or n.id in (PAD, UNK, SOS) for n in found) and any(n.id == EOS for n in found)


def test_source_and_target_tables_are_apart_only_where_the_model_has_two(vocab: Vocab) -> None:
    for tied in (True, False):
        tables = embedding_tables(untrained(TransformerConfig(len(vocab), 16, 24, 2, tied=tied), vocab, 2))
        assert (tables["source"] is tables["target"]) == tied
        assert np.allclose(tables["source"].rows, tables["target"].rows) == tied


def test_a_model_without_a_table_is_refused(vocab: Vocab) -> None:
    with pytest.raises(CheckpointError, match="no table"):
        embedding_tables(Checkpoint(torch.nn.Linear(2, 3), vocab, "x", {}))


def test_the_plane_is_that_of_the_two_largest_eigenvalues_of_the_covariance() -> None:
    vectors = np.random.default_rng(1).normal(size=(9, 5)) * [3, 1, 0.2, 2, 0.5] + 4
    plane = principal_plane(vectors)
    values, directions = np.linalg.eigh(np.cov(vectors.T))
    np.testing.assert_allclose(plane.shares, values[::-1][:2] / values.sum())
    expected = (vectors - vectors.mean(0)) @ directions[:, ::-1][:, :2]
    np.testing.assert_allclose(np.abs(plane.points), np.abs(expected), atol=1e-9)
    assert all(column[np.abs(column).argmax()] > 0 for column in plane.points.T)
    np.testing.assert_allclose(principal_plane(vectors).points, plane.points)


def test_two_different_vectors_have_no_plane() -> None:
    with pytest.raises(DataError, match="three different"):
        principal_plane(np.array([[1.0, 0, 0], [0, 1, 0], [1, 0, 0]]))


@pytest.fixture
def table(vocab: Vocab) -> EmbeddingTable:
    rows = np.random.default_rng(8).normal(size=(len(vocab), 6))
    return EmbeddingTable(vocab, rows / np.linalg.norm(rows, axis=1, keepdims=True))


def test_a_word_is_its_piece_or_the_mean_of_its_pieces(table: EmbeddingTable) -> None:
    ids = [i for i in table.vocab.encode("housecat") if table.vocab.token(i) != "\u2581"]
    word = word_vector(table, " housecat\u200b ")
    assert len(ids) > 1 and word.ids == tuple(ids) and not word.whole
    mean = [sum(float(table.rows[i][d]) for i in ids) / len(ids) for d in range(6)]
    np.testing.assert_allclose(word.vector, np.array(mean) / math.hypot(*mean), atol=1e-6)
    (piece,) = table.vocab.encode("do")
    np.testing.assert_allclose(word_vector(table, "do").vector, table.rows[piece])
    assert table.vocab.token(word_vector(table, "红").ids[0]) == "红", "without the space before it"


@pytest.mark.parametrize(
    ("typed", "words"),
    [("", "one word"), ("\u200b \t", "one word"), ("cat " * 30, "a box is for one word"), ("ж", "no pieces")],
)
def test_what_is_no_word_is_said(table: EmbeddingTable, typed: str, words: str) -> None:
    with pytest.raises(TextError, match=words):
        word_vector(table, typed)


def test_scores_count_what_asking_one_after_another_finds(vocab: Vocab) -> None:
    rows = np.random.default_rng(4).normal(size=(len(vocab), 2))  # with so few directions, much is found by chance
    table = EmbeddingTable(vocab, rows / np.linalg.norm(rows, axis=1, keepdims=True))
    names = [token for i in range(4, len(vocab)) if (token := vocab.token(i)).startswith("\u2581") and len(token) > 1]
    words = [name[1:] for name in names if vocab.encode(name[1:]) == vocab.encode(name[1:])[:1]]
    picks = np.random.default_rng(5)
    asked = [Analogy("xy"[n % 3 == 0], *map(str, picks.choice(words, 4, replace=False))) for n in range(60)]
    asked += [Analogy("x", "cat", "cat", "dog", "the"), Analogy("x", "zzzz", "cat", "dog", "the")]
    whole = whole_analogies(table, asked)
    assert len(whole) == 60
    scores = score_analogies(table, whole)
    for kind in "xy":
        first = among = kept = alone = 0
        for analogy in (w for w in whole if w.kind == kind):
            a, b, c, answer = (word_vector(table, word) for word in analogy[1:])
            found = [n.id for n in solve_analogy(table, a, b, c)]
            given, wanted = {*a.ids, *b.ids, *c.ids}, answer.ids[0]
            first += found[0] == wanted
            among += wanted in found
            kept += table.nearest(a.vector - b.vector + c.vector, count=1)[0].id == wanted
            alone += any(table.nearest(w.vector, without=given, count=1)[0].id == wanted for w in (a, c))
        score = scores[kind]
        assert (score.first, score.among, score.kept, score.alone) == (first, among, kept, alone)
        assert score.asked == sum(w.kind == kind for w in whole) and among > first >= 1
    assert score_analogies(table, []) == {}


def test_the_lists_that_ship_can_be_asked() -> None:
    for pair in languages.known_pairs():
        analogies = read_analogies(pair)
        assert len(analogies) > 40 and len(set(analogies)) == len(analogies)
        assert {a.kind for a in analogies} == {"meaning", "form", "translation"}
        assert all(len({*analogy[1:]}) == 4 for analogy in analogies)
    assert read_analogies("../../../secret") == () and read_analogies("de-nl") == ()
