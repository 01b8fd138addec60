"""Word-level confidence: products over pieces, checked against the steps of a decode, and the text in parts."""

import math

import pytest

from nmtcore.analysis.word_confidence import WordConfidence, split_at_words, word_confidences
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.models.checkpoint import Checkpoint
from tests.helpers import trace_of, translate


def trace(*steps: tuple[str, float]) -> Trace:
    """A decode that wrote these pieces with these probabilities."""
    return trace_of([(token, math.log(p)) for token, p in steps])


def test_a_words_probability_is_the_product_of_its_pieces() -> None:
    words = word_confidences(trace(("▁ro", 0.9), ("be", 0.5), ("▁bleu", 0.8), ("e", 0.7), (".", 0.4), ("<eos>", 0.99)))
    assert [(word.text, word.pieces) for word in words] == [
        ("robe", (0, 1)),
        ("bleue", (2, 3)),
        (".", (4,)),
        ("<eos>", (5,)),
    ]
    assert [word.probability for word in words] == pytest.approx([0.45, 0.56, 0.4, 0.99])
    assert [word.doubtful for word in words] == [True, False, True, False]


def test_one_half_itself_is_not_below_one_half() -> None:
    assert [word.doubtful for word in word_confidences(trace(("▁a", 0.5), ("▁b", 0.4999)))] == [False, True]


def test_the_words_of_a_decode_multiply_to_its_probability(small_checkpoint: Checkpoint) -> None:
    found = translate(small_checkpoint, "the small cat sees a red house .", DecodingConfig(2))
    words = word_confidences(found)
    assert [piece for word in words for piece in word.pieces] == list(range(len(found.target)))
    assert math.fsum(math.log(word.probability) for word in words) == pytest.approx(found.log_probability, abs=1e-4)


def test_the_text_is_split_at_its_words_in_order() -> None:
    words = word_confidences(trace(("▁C", 0.9), ("'", 0.9), ("est", 0.9), ("▁la", 0.3), ("▁la", 0.8), ("<eos>", 1.0)))
    parts = split_at_words("C'est la la", words)
    assert parts == [("C'est", 0), (" ", None), ("la", 1), (" ", None), ("la", 2)]


@pytest.mark.parametrize("text", ["", "a ⁇  b", "no word of it", "b a"])
def test_a_text_that_is_written_otherwise_stays_whole(text: str) -> None:
    words = [WordConfidence(name, (i,), 0.3) for i, name in enumerate(["a", "<unk>", "b", "<eos>"])]
    assert "".join(part for part, _word in split_at_words(text, words)) == text


def test_a_word_that_is_not_in_the_text_is_passed_over() -> None:
    words = [WordConfidence(name, (i,), 0.3) for i, name in enumerate(["a", "<unk>", "b"])]
    assert split_at_words("a ⁇  b", words) == [("a", 0), (" ⁇  ", None), ("b", 2)]
