"""Exchanged words: how far the context vector moves, against sentences encoded one at a time."""

import itertools

import numpy as np
import pytest
import torch

from nmtcore.analysis.word_swaps import sentences_of_length, swap_words
from nmtcore.errors import DataError
from nmtcore.figures.word_swaps import swaps_table
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import EOS, Vocab
from tests.helpers import small

NOUNS = ["cat", "house", "dog", "red cat", "old house", "big dog"]
ROWS = [*(f"the small {noun} sees ." for noun in NOUNS), "a dog !", "the old red big cat likes a", "the cat . ."]


def test_it_moves_as_far_as_it_does_alone(vocab: Vocab) -> None:
    model = small("none", vocab)
    rows = [*ROWS[:3], "a dog the house .", "a cat like a .", *ROWS[6:]]
    found = swap_words(model, rows, 4)
    assert found.sentences == tuple(rows[:5]) and found.moves.shape == (5, 4)
    parts = [row.split() for row in found.sentences]

    def context(words: list[str]) -> np.ndarray:
        """One sentence without padding; its pieces as the whole sentence has them."""
        with torch.no_grad():
            c = model.model.encode(pad([[*vocab.encode(" ".join(words)), EOS]])).context
        return c[0].numpy()

    alone = [context(words) for words in parts]
    far = np.mean([np.linalg.norm(a - b) for a, b in itertools.combinations(alone, 2)])
    for n, words in enumerate(parts):
        for i in range(4):
            other = parts[(n + 1) % 5][i]
            moved = np.linalg.norm(context([*words[:i], other, *words[i + 1 :]]) - alone[n]) / far
            assert found.moves[n, i] == pytest.approx(moved, abs=1e-4)
            assert (found.moves[n, i] < 1e-5) == (other == words[i])
    table = swaps_table({"four": found})
    assert list(table["place"]) == [1, 2, 3, 4] and set(table["count"]) == {5}
    assert table["median"][2] == pytest.approx(sorted(found.moves[:, 2])[2])
    assert (table["low"] <= table["median"]).all() and (table["median"] <= table["high"]).all()


def test_only_sentences_of_that_length_count(vocab: Vocab) -> None:
    assert list(sentences_of_length(ROWS, vocab, 4, 9)) == ROWS[:3]
    assert list(sentences_of_length(ROWS, vocab, 4, 2)) == ROWS[:2]
    with pytest.raises(DataError, match="There are 3 sentences of 5 words"):
        swap_words(small("none", vocab), ROWS, 5)
