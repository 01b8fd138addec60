"""BLEU and chrF: several references, intervals, scripts without spaces."""

import math

import pytest
import sacrebleu

from nmtcore.errors import DataError
from nmtcore.evaluation.bleu_chrf import quality
from nmtcore.evaluation.references import Item
from tests.evaluation.items import ITEMS


def test_every_reference_counts_and_missing_ones_do_not() -> None:
    second = [item.references[-1] for item in ITEMS]
    found = quality(second, ITEMS)
    assert found["bleu"] == found["chrf"] == 100
    assert found["items"] == 3 and "nrefs:var" in found["bleu_signature"] and "version" in found["chrf_signature"]

    one = [Item(item.source, item.references[:1]) for item in ITEMS]
    hypotheses = ["le petit chien voit une maison rouge .", "un grand chat", "le vieux chien ."]
    expected = sacrebleu.corpus_bleu(hypotheses, [[item.references[0] for item in one]])
    assert quality(hypotheses, one)["bleu"] == pytest.approx(expected.score, abs=1e-3)
    assert quality(hypotheses, one)["bleu"] <= quality(hypotheses, ITEMS)["bleu"]
    # An empty second reference would be nearer in length than the long first one, and forgive the short text.
    items = [Item("one", ("a b c d", "a b c d e")), Item("two", ("e f g h i j k l m",))]
    assert quality(["a b c d", "e f g h"], items)["bleu"] == pytest.approx(100 * math.exp(1 - (4 + 9) / 8), abs=1e-3)


def test_intervals_lie_around_the_score_and_are_reproducible() -> None:
    items = [Item(f"s {i}", (f"un deux trois quatre {'cinq' if i % 3 else 'six'} sept",)) for i in range(40)]
    texts = ["un deux trois quatre cinq sept"] * 40
    found = quality(texts, items, resamples=100)
    assert found == quality(texts, items, resamples=100)
    assert found["bleu_low"] < found["bleu"] < found["bleu_high"] < 100 and found["chrf_low"] < found["chrf_high"]
    assert set(quality(texts, items)) == {"items", "bleu", "chrf", "bleu_signature", "chrf_signature"}


def test_mandarin_is_scored_by_character() -> None:
    found = quality(["红色的房子"], [Item("red house", ("红色的屋子",))], "zh")
    assert "tok:zh" in found["bleu_signature"] and found["bleu"] > 10


def test_nothing_to_evaluate() -> None:
    with pytest.raises(DataError):
        quality([], [])
