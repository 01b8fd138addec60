"""Quality by length, and a sentence that grows: what a translation keeps and repeats, counted by hand."""

from typing import Any

import pytest

from nmtcore.analysis.length_effect import kept, per_piece, repeated, still_there
from nmtcore.decoding.trace import Trace
from nmtcore.figures import length
from nmtcore.figures.palette import HUES
from tests.helpers import trace_of

PARTS: list[dict[str, Any]] = [
    {"low": 1, "high": 5, "items": 40, "bleu": 30.5, "bleu_low": 28.0, "bleu_high": 32.0}
    | {"chrf": 55.0, "chrf_low": 50.0, "chrf_high": 60.0},
    {"low": 6, "high": 10, "items": 9, "bleu": 20.5, "bleu_low": 11.0, "bleu_high": 31.0}
    | {"chrf": 45.0, "chrf_low": 40.0, "chrf_high": 50.0},
]


def made(*target: str, source: int = 3, total: float = -2.0) -> Trace:
    return trace_of([(token, total / len(target)) for token in target], (*("▁w",) * source, "<eos>"))


def test_scores_by_length_become_rows() -> None:
    table = length.by_length_table({"none": PARTS, "dot": PARTS[:1]}, "chrf")
    assert list(table["architecture"]) == ["none", "none", "dot"]
    assert list(table["length"]) == ["1\u20135", "6\u201310", "1\u20135"]
    assert list(table["value"]) == [55.0, 45.0, 55.0]
    assert list(table["low"]) == [50.0, 40.0, 50.0]
    assert list(table["high"]) == [60.0, 50.0, 60.0]
    assert list(length.by_length_table({"none": PARTS}, "bleu")["value"]) == [30.5, 20.5]


def test_lengths_keep_their_order_and_models_their_colours() -> None:
    table = length.by_length_table({"none": PARTS[::-1], "transformer": PARTS}, "bleu")
    names = {"none": "Nothing", "dot": "Dot", "transformer": "Heads"}
    spec = length.quality_by_length(table, names, "words", "BLEU").to_dict()
    band, line, points = spec["layer"]
    assert line["encoding"]["x"]["sort"] == ["1\u20135", "6\u201310"]
    assert line["encoding"]["color"]["scale"] == {
        "domain": ["Nothing", "Heads"],
        "range": [HUES["none"], HUES["transformer"]],
    }
    assert band["encoding"]["y"]["field"] == "low" and band["encoding"]["y2"]["field"] == "high"
    assert points["encoding"]["y"]["axis"]["title"] == "BLEU"


def test_a_growing_sentence_has_a_row_for_each_model_and_clause() -> None:
    short, long = made("▁le", "▁chat", "<eos>", total=-3.0), made("▁le", "▁le", "<eos>", source=8, total=-6.0)
    table = length.growth_table({"dot": [short, long], "none": [long]})
    assert list(table["clauses"]) == [0, 1, 0]
    assert list(table["source"]) == [4, 9, 9]  # with <eos>, as the ratio counts them
    assert list(table["likelihood"]) == [-1.0, -2.0, -2.0]
    assert list(table["kept"]) == [1.0, 0.5, 1.0]
    assert table["ratio"][0] == pytest.approx(3 / 4)
    spec = length.growth(table, "kept", {"none": "Nothing", "dot": "Dot"}, "pieces", "kept", (0, 1)).to_dict()
    line = spec["layer"][0]
    assert line["encoding"]["y"]["field"] == "kept" and line["encoding"]["y"]["scale"]["domain"] == [0, 1]


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
