"""Copies of a pointer-generator: their share of each piece's probability, recomputed, and whole words."""

import math

import numpy as np
import pytest

from nmtcore.analysis.pointer_generator import copied_shares, copied_words, generation_probabilities
from nmtcore.analysis.word_confidence import WordConfidence
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import Intervention
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.alignment.data import Panel
from tests.helpers import small, translate

TEXT = "a cat sees a cat ."


@pytest.fixture
def trace(vocab: Vocab) -> Trace:
    """Forced to write pieces of its source, some of them twice, and others."""
    forced = Intervention(forced=tuple(enumerate([*vocab.encode("cat le a cat .")])))
    return translate(small("copying", vocab), TEXT, DecodingConfig(max_length=19), forced)


def test_the_share_of_the_pointer_is_what_the_vocabulary_leaves(trace: Trace, vocab: Vocab) -> None:
    g, weights = generation_probabilities(trace), trace.attention_of("cross").matrix(0, 0)  # type: ignore[union-attr]
    shares = copied_shares(trace)
    assert len(g) == len(trace.target) == len(shares)
    pieces = [*vocab.pieces(TEXT), "<eos>"]
    for j, step in enumerate(trace.steps):
        pointed = sum((1 - g[j]) * weights[j, i] for i, piece in enumerate(pieces) if piece == step.token)
        assert shares[j] == pytest.approx(pointed / math.exp(step.log_probability), abs=1e-4)
    inside = [token in pieces for token in trace.target]
    assert any(inside) and not all(inside)
    assert [share > 0 for share in shares] == inside


def test_a_word_is_copied_where_all_its_pieces_are(trace: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    end = len(trace.target)
    shares = np.array([0.5, 0.7, 0.49, 0.9] + [0.9] * (end - 4))
    monkeypatch.setattr("nmtcore.analysis.pointer_generator.copied_shares", lambda trace: shares)
    words = [WordConfidence(str(pieces), pieces, 0.5) for pieces in ((0, 1), (2, 3), tuple(range(4, end)))]
    assert copied_words(trace, words) == (0, 2)


def test_a_panel_has_the_strip_of_a_model_that_copies_alone(trace: Trace, vocab: Vocab) -> None:
    shown = Panel.of("Pointer-generator", "copying", trace).to_json()
    assert shown["generation"] == pytest.approx(generation_probabilities(trace), abs=1e-4)
    assert shown["meaning"] == "note_copied"
    plain = translate(small("additive", vocab), TEXT)
    assert generation_probabilities(plain) == () and not copied_shares(plain).any()
    other = Panel.of("Additive", "additive", plain).to_json()
    assert not other["generation"] and not other["underlined"]
