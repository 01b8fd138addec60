"""What a translation keeps and repeats when its sentence grows, counted by hand."""

import pytest

from nmtcore.analysis.length_effect import kept, per_piece, repeated, still_there
from nmtcore.decoding.trace import Trace
from tests.helpers import trace_of


def made(*target: str, total: float = -2.0) -> Trace:
    return trace_of([(token, total / len(target)) for token in target])


def test_the_likelihood_is_that_of_a_piece() -> None:
    assert per_piece(made("▁le", "▁chat", "<eos>", total=-6.0)) == -2.0


def test_what_is_kept_of_the_first_translation() -> None:
    first = made("▁le", "▁chat", "▁le", ".", "<eos>")
    assert kept(first, first) == 1
    assert kept(first, made("▁le", "▁chien", "<eos>")) == pytest.approx(1 / 3)
    assert kept(first, made("▁le", "▁chat", "▁et", "▁le", "<eos>")) == 1  # punctuation does not count
    assert kept(made("<eos>"), made("▁le", "<eos>")) == 1
    longer = made("▁chat", "▁et", "▁le", "▁chat", ".", "<eos>")
    assert still_there(first, longer) == [True, False, True, False, False, False]


def test_repetition_counts_triples_that_come_again() -> None:
    assert repeated(made("a", "b", "c", "d", "<eos>")) == 0
    assert repeated(made("a", "b", "c", "a", "b", "c", "a", "<eos>")) == pytest.approx(2 / 8)
    assert repeated(made("a", "a", "a", "a", "a")) == pytest.approx(2 / 5)
    assert repeated(made("<eos>")) == 0
