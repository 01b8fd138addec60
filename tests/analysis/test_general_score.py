"""The general score: a model's own W gives its scores, and a head's W gives that head's attention."""

import math

import numpy as np
import pytest

from nmtcore.analysis.arithmetic import softmax
from nmtcore.analysis.general_score import GeneralScore, head_score, own_score
from nmtcore.config import DecodingConfig, RecurrentConfig, TransformerConfig
from nmtcore.errors import InterventionError
from nmtcore.figures.general_score import sentence_scores
from nmtcore.models.fast import accelerate
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small, translate, untrained

TEXT = "a big dog does not like the red house ."


def test_the_scores_of_a_models_own_matrix_are_its_scores(vocab: Vocab) -> None:
    loaded = untrained(RecurrentConfig(len(vocab), embedding=10, units=14, attention="general"), vocab, 4)
    trace = translate(loaded, TEXT, DecodingConfig(2, max_length=6))
    found = own_score(loaded, trace)
    assert found.W.shape == (14, 14)
    np.testing.assert_allclose(found.scores, trace.inner["scores"][:, 0], atol=1e-4)
    s, h = found.queries[1], found.keys[3]
    by_hand = sum(float(s[m]) * float(found.W[m, n]) * float(h[n]) for m in range(14) for n in range(14))
    assert by_hand == pytest.approx(float(trace.inner["scores"][1, 0, 3]), abs=1e-4)


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize(("layer", "head"), [(0, 2), (2, 1)])
def test_the_softmax_of_a_heads_scores_is_its_attention(vocab: Vocab, norm: str, layer: int, head: int) -> None:
    config = TransformerConfig(len(vocab), 18, 22, 3, 2, 3, norm=norm)
    loaded = untrained(config, vocab, 9, spread=1.5, noise=0.05)
    loaded.model = accelerate(loaded.model)
    trace = translate(loaded, TEXT, DecodingConfig(2, max_length=7))
    found = head_score(loaded, trace, layer, head)
    cross = trace.attention_of("cross")
    assert found.W.shape == (19, 19)
    np.testing.assert_allclose(softmax(found.scores), cross.weights[layer, head], atol=1e-4)
    assert found.rank == 6, "d_k"


def test_the_identity_is_the_dot_score() -> None:
    random = np.random.default_rng(2)
    s, h = random.normal(size=(3, 5)), random.normal(size=(4, 5))
    found = GeneralScore(s, h, np.eye(5))
    np.testing.assert_allclose(found.scores, [[math.fsum(a * b) for b in h] for a in s])
    assert (found.rank, found.diagonal) == (5, 1.0)


def test_a_head_that_is_not_there_is_refused(vocab: Vocab) -> None:
    model = small("transformer", vocab)
    with pytest.raises(InterventionError, match="no cross layer 0 head 2"):
        head_score(model, translate(model, "a cat"), 0, 2)


def test_a_matrix_with_numbers_is_wider_than_one_of_names_alone() -> None:
    def least(columns: int) -> float:
        scores = np.ones((2, columns), np.float32)
        return float(sentence_scores(scores, ["▁a", "▁b"], [f"▁{i}" for i in range(columns)]).layout.width)

    assert least(11) > least(7), "numbers have room"
    assert least(13) < 13 / 12 * least(12), "without numbers columns are narrower"
    assert least(29) >= 29 * 13, "names that lean are 13 px apart at least"
