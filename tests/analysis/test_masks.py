"""The masks of a padded batch against what the model itself used, and against a slow softmax."""

import math

import numpy as np
import pytest
import torch

from nmtcore.analysis.masks import padded_batch, padding_share
from nmtcore.errors import InterventionError
from nmtcore.intervention import ATTENTION_KINDS, AttentionKind
from nmtcore.models.attention import causal_bias, padding_bias
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import EOS, SOS, Vocab
from tests.helpers import small

SOURCES, TARGETS = [[5, 9, 12, 7, 8], [6], [11, 4, 9]], [[8, 9, 5, 6, EOS], [7, EOS], [10, 6, 6, 9, 4, 5, EOS]]


@pytest.fixture
def transformer(vocab: Vocab) -> Checkpoint:
    return small("transformer", vocab)


@pytest.mark.parametrize("kind", ATTENTION_KINDS)
@pytest.mark.parametrize("row", range(3))
def test_scores_with_the_masks_give_the_models_weights(transformer: Checkpoint, kind: AttentionKind, row: int) -> None:
    found = padded_batch(transformer, SOURCES, TARGETS).head(kind, 1, 1, row)
    for t in np.flatnonzero(found.real):
        exponents = [
            math.exp(score) if may else 0.0 for score, may in zip(found.scores[t], found.allowed[t], strict=True)
        ]
        np.testing.assert_allclose(found.weights[t], np.array(exponents) / sum(exponents), atol=1e-5)
        free = [math.exp(score) for score in found.scores[t]]
        kept = sum(e for e, may in zip(free, found.allowed[t], strict=True) if may) / sum(free)
        assert found.kept[t] == pytest.approx(kept, abs=1e-5)
        assert found.weights[t].sum() == pytest.approx(1.0, abs=1e-5)


def test_the_masks_are_those_that_the_model_adds(transformer: Checkpoint) -> None:
    batch = padded_batch(transformer, SOURCES, TARGETS)
    bias = padding_bias(pad([[*ids, EOS] for ids in SOURCES]))
    assert bias is not None
    for row in range(3):
        for kind in ("encoder", "cross"):
            found = batch.head(kind, 0, 0, row)
            np.testing.assert_array_equal(found.allowed[0], (bias[row] == 0).float())
            assert (found.allowed == found.allowed[0]).all() and (found.future == 1).all()
        own = batch.head("decoder", 0, 0, row)
        future = causal_bias(len(own.queries), torch.device("cpu")) == 0
        np.testing.assert_array_equal(own.future, future.float())
        np.testing.assert_array_equal(own.allowed[own.real], own.future[own.real], "the future hides all padding")


def test_a_sentence_has_in_the_batch_what_it_has_alone(transformer: Checkpoint) -> None:
    together = padded_batch(transformer, SOURCES, TARGETS)
    for row, (source, target) in enumerate(zip(SOURCES, TARGETS, strict=True)):
        alone = padded_batch(transformer, [source], [target])
        for kind in ATTENTION_KINDS:
            one, of_three = alone.head(kind, 1, 0, 0), together.head(kind, 1, 0, row)
            here = of_three.weights[: len(one.queries), : len(one.keys)]
            np.testing.assert_allclose(here, one.weights, atol=1e-5)
            assert of_three.queries[: len(one.queries)] == one.queries


def test_padding_is_named_and_counted(transformer: Checkpoint) -> None:
    batch = padded_batch(transformer, SOURCES, TARGETS)
    assert batch.sources[1][1:] == ("<eos>", "<pad>", "<pad>", "<pad>", "<pad>")
    assert batch.inputs[1][0] == transformer.vocab.token(SOS)
    places = [piece for rows in (batch.sources, batch.inputs) for row in rows for piece in row]
    source, inputs = batch.padding_share
    assert places.count("<pad>") == round(source * 18 + inputs * 21) == 6 + 7


def test_padding_of_batches_in_order() -> None:
    assert padding_share([3, 3, 3], 2) == 0
    assert padding_share([1, 9, 1, 9], 2) == pytest.approx(16 / 36)
    assert padding_share(sorted([1, 9, 1, 9]), 2) == 0
    assert padding_share([4, 2, 6], 2) == pytest.approx(2 / 14)


@pytest.mark.parametrize("where", [(9, 0, 0), (0, 9, 0), (0, 0, 3), (-1, 0, 0)])
def test_a_head_that_is_not_there_is_refused(transformer: Checkpoint, where: tuple[int, int, int]) -> None:
    with pytest.raises(InterventionError, match="There is no row"):
        padded_batch(transformer, SOURCES, TARGETS).head("cross", *where)
