"""Preparation of a run: the vocabulary of its pairs, and characters that a vocabulary lacks."""

import pytest

from nmtcore.runs.preparation import learn_vocab, unknown_pieces
from nmtcore.text.vocabulary import UNK, Vocab
from nmtcore.training.corpus import Pair
from nmtcore.training.exercises import EXERCISES
from tests.paths import ROOT


@pytest.mark.parametrize("name", [name for name, task in EXERCISES.items() if task.whole_words])
def test_each_word_of_an_exercise_that_asks_for_it_is_one_piece(name: str) -> None:
    """The alignment is then between words: one row per word, not split into letters."""
    task = EXERCISES[name]
    pairs = task.pairs(1500)
    vocab = learn_vocab(task, task.pieces, [Pair(*pair) for pair in pairs])
    for sentence in [task.pinned, task.answer(task.pinned), *(side for pair in pairs[:50] for side in pair)]:
        assert vocab.pieces(sentence) == [f"▁{word}" for word in sentence.split()]


def test_characters_that_a_vocabulary_has_not_are_counted_also_where_it_reads_their_bytes(vocab: Vocab) -> None:
    pairs = [Pair("the cat 🙂 漢 漢", "漢 the"), Pair("the dog", "the cat")]
    shipped = Vocab.load(ROOT / "pretrained" / "en-fr" / "dot" / "vocab.model")
    assert UNK not in shipped.encode("漢 🙂") and UNK in vocab.encode("漢")
    for one in (vocab, shipped):
        assert unknown_pieces(one, pairs) == {"漢": 3, "🙂": 1}
