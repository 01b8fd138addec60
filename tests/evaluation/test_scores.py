"""References and scores: what a model can read, log-likelihood, BLEU and chrF, and the score of a validation."""

import json
import math
from collections.abc import Sequence

import pytest
import sacrebleu

from nmtcore.config import DecodingConfig
from nmtcore.decoding.batched import Translations
from nmtcore.errors import DataError
from nmtcore.evaluation import bleu_chrf, validation
from nmtcore.evaluation.bleu_chrf import buckets, by_length, quality
from nmtcore.evaluation.references import Item, group_references, reference_log_probability, within_limits
from nmtcore.evaluation.validation import Scorer
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.source import SourceText
from nmtcore.text.vocabulary import EOS, Vocab
from nmtcore.text.words import text_length
from nmtcore.training.corpus import Pair
from nmtcore.training.exercises import EXERCISES
from tests.helpers import small, translate

ITEMS = [
    Item("the small cat sees a red house .", ("le petit chat voit une maison rouge .", "le chat voit une maison .")),
    Item("a big dog", ("un grand chien",)),
    Item("the old cat .", ("le vieux chat .", "un vieux chat .", "vieux chat")),
]
SHORT = DecodingConfig(max_length=6)


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


def test_buckets_are_filled_by_joining(vocab: Vocab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bleu_chrf, "BUCKET_ITEMS", 7)
    made = small("dot", vocab)
    items = [Item(f"{w} cat", (f"chat {w}", f"le chat {w}")) for w in ("red", "big", "old", "small")]
    items += [Item("the old dog sees a big red house .", ("un",))]
    found = buckets(items, made)
    assert found == buckets(items, made)
    assert list(found) == list(bleu_chrf.BUCKETS)
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
    monkeypatch.setattr(bleu_chrf, "BUCKET_ITEMS", 3)
    monkeypatch.setattr(bleu_chrf, "RESAMPLES", 20)
    rows = by_length(small("dot", vocab), ITEMS, SHORT)
    assert [(row["low"], row["high"]) for row in rows] == list(bleu_chrf.BUCKETS)
    assert all({"items", "bleu", "bleu_low", "bleu_high", "chrf", "chrf_low", "chrf_high"} <= set(row) for row in rows)
    assert json.loads(json.dumps(rows)) == rows


def test_rows_with_one_source_are_one_item() -> None:
    rows = [Pair("a", "x"), Pair("b", "y"), Pair("a", "z"), Pair("A", "x")]
    assert group_references(rows) == [Item("a", ("x", "z")), Item("b", ("y",)), Item("A", ("x",))]


def test_what_is_too_long_for_a_model_is_left_out(vocab: Vocab) -> None:
    with pytest.raises(DataError, match="at most 300 pieces"):
        within_limits([Item("cat " * 301, ("chat",))], vocab)
    kept = within_limits([*ITEMS, Item("cat", ("chat " * 301,))], vocab)
    assert kept == ITEMS
    assert within_limits([Item("cat cat cat", ("chat",)), Item("cat", ("chat",))], vocab, max_length=4) == [
        Item("cat", ("chat",))
    ]


def test_the_probability_of_references_is_that_of_a_forced_search(small_checkpoint: Checkpoint) -> None:
    sums, pieces = [], 0
    for item in ITEMS:
        for reference in item.references:
            ids = (*small_checkpoint.vocab.encode(reference), EOS)
            decoding = DecodingConfig(max_length=len(ids))
            forced = translate(small_checkpoint, item.source, decoding, Intervention.prefix(ids))
            sums.append(forced.log_probability)
            pieces += len(ids)
    assert reference_log_probability(small_checkpoint, ITEMS) == {
        "reference_log_probability": pytest.approx(sum(sums) / len(sums), rel=1e-4),
        "reference_log_probability_per_piece": pytest.approx(sum(sums) / pieces, rel=1e-4),
    }


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[DecodingConfig]:
    """A stand-in: for any source, the output is its first letter and `b c d`; records the settings used."""
    found: list[DecodingConfig] = []

    def translate(model: Checkpoint, sources: Sequence[SourceText], decoding: DecodingConfig) -> Translations:
        found.append(decoding)
        return Translations([f"{source.text[0]} b c d" for source in sources], [], 0, 0.0)

    monkeypatch.setattr(validation, "translate_all", translate)
    return found


def test_bleu_counts_every_reference_and_samples_are_few(vocab: Vocab, asked: list[DecodingConfig]) -> None:
    items = [Item("a", ("x y z w", "a b c d")), *(Item(letter, (f"{letter} b c d",)) for letter in "efghi")]
    score, samples = Scorer(items, vocab, "en")(small("dot", vocab).model)
    assert score == 100 and len(samples) == 5 and samples[0] == "a\ta b c d\tx y z w"
    longest = max(len(vocab.encode(text)) for item in items for text in item.references)
    assert asked == [DecodingConfig(max_length=2 * longest + 5)]
    assert Scorer([Item("a", ("u v w x y",))], vocab, "en")(small("dot", vocab).model)[0] < 5


@pytest.mark.usefixtures("asked")
def test_an_exercise_is_scored_by_exact_match(vocab: Vocab) -> None:
    items = [Item(source, (source,)) for source in ("a b c d", "e b c d", "a b c", "d c b a")]
    score, _ = Scorer(items, vocab, task=EXERCISES["copy"])(small("dot", vocab).model)
    assert score == 50
