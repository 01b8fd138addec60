"""What `train` learns from: nothing that is set aside, and a vocabulary in which chosen words have few pieces."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from nmtcore.commands.training_data import grammar_pairs, make_vocabulary
from nmtcore.errors import DataError
from nmtcore.grammar.grammar import Grammar
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.corpus import Pair, Split
from nmtcore.training.parallel import Group


@pytest.mark.parametrize("languages", ["en-fr", "zh-en"])
def test_the_grammar_makes_no_row_with_a_sentence_set_aside(languages: str) -> None:
    made = [Pair(pair.source, pair.target) for pair in Grammar.load(pair=languages).pairs(9, 5)]
    assert grammar_pairs(languages, Split([], [], []))(9, 5) == made
    split = Split([made[0]], [Pair(made[2].source.lower(), "x")], [Pair("x", made[6].target), made[7]])
    assert grammar_pairs(languages, split)(9, 5) == [pair for i, pair in enumerate(made) if i not in (2, 6, 7)]


WORDS = ["crumbs", "planet", "window", "bridge", "mother", "kitten", "forest", "summer", "pencil", "orange"]


def vocabulary(folder: Path, words: str | bytes) -> Vocab:
    """A vocabulary with room for all letters and a few words, learned from a sentence and a file of words."""
    file = folder / "words.txt"
    file.write_bytes(words if isinstance(words, bytes) else words.encode())
    options = Namespace(resume=False, vocab=None, vocab_words=str(file), vocab_size=30)
    return make_vocabulary(options, folder, [f"{', '.join(WORDS)},"] * 3, Group())


@pytest.mark.parametrize("frequent", [slice(0, 3), slice(6, 9)])
def test_a_word_counts_once_for_each_of_its_lines(tmp_path: Path, frequent: slice) -> None:
    found = vocabulary(tmp_path, "\ufeff" + "\r\n".join([*WORDS, *WORDS[frequent] * 8]))
    assert [len(found.pieces(word)) for word in WORDS[frequent]] == [1, 1, 1]
    assert any(len(found.pieces(word)) > 1 for word in WORDS)


@pytest.mark.parametrize(
    ("words", "message"), [("\n \n", "words.txt has no words"), (b"caf\xe9\n", "words.txt is not in UTF-8")]
)
def test_words_that_cannot_be_used(tmp_path: Path, words: str | bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        vocabulary(tmp_path, words)
