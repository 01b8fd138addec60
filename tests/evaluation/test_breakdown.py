"""BLEU and chrF by source length."""

import json

import pytest

from nmtcore.evaluation import breakdown
from nmtcore.evaluation.breakdown import buckets, by_length
from nmtcore.evaluation.references import Item
from nmtcore.text.vocabulary import Vocab
from nmtcore.text.words import text_length
from tests.evaluation.items import ITEMS, SHORT
from tests.helpers import small


def test_buckets_are_filled_by_joining(vocab: Vocab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breakdown, "BUCKET_ITEMS", 7)
    made = small("dot", vocab)
    items = [Item(f"{w} cat", (f"chat {w}", f"le chat {w}")) for w in ("red", "big", "old", "small")]
    items += [Item("the old dog sees a big red house .", ("un",))]
    found = buckets(items, made)
    assert found == buckets(items, made)
    assert list(found) == list(breakdown.BUCKETS)
    assert found[1, 5][:4] == items[:4] and found[6, 10][0] == items[4]
    for (low, high), inside in found.items():
        assert len(inside) == len({item.source for item in inside}) >= 7
        assert all(low <= text_length(item.source, vocab) <= high for item in inside)
    joined = next(item for item in found[1, 5][4:] if len(item.references) == 2)
    words = joined.source.split()[::2]
    assert joined.references == (" ".join(f"chat {w}" for w in words), " ".join(f"le chat {w}" for w in words))


def test_a_bucket_that_cannot_be_filled_is_left_out(vocab: Vocab) -> None:
    assert list(buckets([Item(" ".join(["cat"] * 8), ("x",))], small("dot", vocab))) == [
        (6, 10),
        (16, 20),
        (21, 30),
        (31, 50),
    ]


def test_by_length(vocab: Vocab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breakdown, "BUCKET_ITEMS", 3)
    monkeypatch.setattr(breakdown, "RESAMPLES", 20)
    rows = by_length(small("dot", vocab), ITEMS, SHORT)
    assert [(row["low"], row["high"]) for row in rows] == list(breakdown.BUCKETS)
    assert all({"items", "bleu", "bleu_low", "bleu_high", "chrf", "chrf_low", "chrf_high"} <= set(row) for row in rows)
    assert json.loads(json.dumps(rows)) == rows
