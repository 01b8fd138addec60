"""What a run is prepared with: the vocabulary of its pairs."""

from __future__ import annotations

import pytest

from nmtcore.runs.preparation import learn_vocab
from nmtcore.training.corpus import Pair
from nmtcore.training.exercises import EXERCISES
from tests.runs.helpers import config


@pytest.mark.parametrize("name", [name for name, task in EXERCISES.items() if task.whole_words])
def test_each_word_of_an_exercise_that_asks_for_it_is_one_piece(name: str) -> None:
    """So that the alignment is one of words: a line a word, without letters in between."""
    task = EXERCISES[name]
    pairs = task.pairs(1500)
    vocab = learn_vocab(config(exercise=name, vocab_size=task.pieces), [Pair(*pair) for pair in pairs])
    for sentence in [task.pinned, task.answer(task.pinned), *(side for pair in pairs[:50] for side in pair)]:
        assert vocab.pieces(sentence) == [f"▁{word}" for word in sentence.split()]
