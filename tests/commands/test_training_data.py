"""What `train` learns from: nothing that is set aside."""

from __future__ import annotations

import pytest

from nmtcore.commands.training_data import grammar_pairs
from nmtcore.grammar.grammar import Grammar
from nmtcore.training.corpus import Pair, Split


@pytest.mark.parametrize("languages", ["en-fr", "zh-en"])
def test_the_grammar_makes_no_row_with_a_sentence_set_aside(languages: str) -> None:
    made = [Pair(pair.source, pair.target) for pair in Grammar.load(pair=languages).pairs(9, 5)]
    assert grammar_pairs(languages, Split([], [], []))(9, 5) == made
    split = Split([made[0]], [Pair(made[2].source.lower(), "x")], [Pair("x", made[6].target), made[7]])
    assert grammar_pairs(languages, split)(9, 5) == [pair for i, pair in enumerate(made) if i not in (2, 6, 7)]
