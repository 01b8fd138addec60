"""Words of a translation: products over pieces, the text in parts, copies of a pointer-generator recomputed."""

import math

import numpy as np
import pytest

from nmtcore.analysis.word_confidence import (
    WordConfidence,
    copied_shares,
    copied_words,
    generation_probabilities,
    split_at_words,
    word_confidences,
)
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.alignment.data import Panel
from tests.helpers import small, trace_of, translate


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


TEXT = "a cat sees a cat ."


@pytest.fixture
def copying(vocab: Vocab) -> Trace:
    """Forced to write pieces of its source, some of them twice, and others."""
    forced = Intervention(forced=tuple(enumerate([*vocab.encode("cat le a cat .")])))
    return translate(small("copying", vocab), TEXT, DecodingConfig(max_length=19), forced)


def test_the_share_of_the_pointer_is_what_the_vocabulary_leaves(copying: Trace, vocab: Vocab) -> None:
    g, weights = generation_probabilities(copying), copying.attention_of("cross").matrix(0, 0)
    shares = copied_shares(copying)
    assert len(g) == len(copying.target) == len(shares)
    pieces = [*vocab.pieces(TEXT), "<eos>"]
    for j, step in enumerate(copying.steps):
        pointed = sum((1 - g[j]) * weights[j, i] for i, piece in enumerate(pieces) if piece == step.token)
        assert shares[j] == pytest.approx(pointed / math.exp(step.log_probability), abs=1e-4)
    inside = [token in pieces for token in copying.target]
    assert any(inside) and not all(inside)
    assert [share > 0 for share in shares] == inside


def test_a_word_is_copied_where_all_its_pieces_are(copying: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    end = len(copying.target)
    shares = np.array([0.5, 0.7, 0.49, 0.9] + [0.9] * (end - 4))
    monkeypatch.setattr("nmtcore.analysis.word_confidence.copied_shares", lambda trace: shares)
    words = [WordConfidence(str(pieces), pieces, 0.5) for pieces in ((0, 1), (2, 3), tuple(range(4, end)))]
    assert copied_words(copying, words) == (0, 2)


def test_a_panel_has_the_strip_of_a_model_that_copies_alone(copying: Trace, vocab: Vocab) -> None:
    shown = Panel.of("Pointer-generator", "copying", copying).to_json()
    assert shown["generation"] == pytest.approx(generation_probabilities(copying), abs=1e-4)
    assert shown["meaning"] == "note_copied"
    plain = translate(small("additive", vocab), TEXT)
    assert generation_probabilities(plain) == () and not copied_shares(plain).any()
    other = Panel.of("Additive", "additive", plain).to_json()
    assert not other["generation"] and not other["underlined"]
