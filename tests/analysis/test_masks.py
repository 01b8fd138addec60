"""The masks of a padded batch against what the model itself used, and against a slow softmax."""

import math

import numpy as np
import pytest

from nmtcore.analysis.masks import padded_batch, padding_share
from nmtcore.intervention import ATTENTION_KINDS, AttentionKind
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import EOS, SOS, Vocab
from tests.helpers import small

SOURCES, TARGETS = [[5, 9, 12, 7, 8], [6], [11, 4, 9]], [[8, 9, 5, 6, EOS], [7, EOS], [10, 6, 6, 9, 4, 5, EOS]]


@pytest.fixture
def transformer(vocab: Vocab) -> Checkpoint:
    return small("transformer", vocab)


@pytest.mark.parametrize("kind", ATTENTION_KINDS)
def test_scores_with_the_masks_give_the_models_weights(transformer: Checkpoint, kind: AttentionKind) -> None:
    batch = padded_batch(transformer, SOURCES, TARGETS)
    keys = batch.input_mask if kind == "decoder" else batch.source_mask
    queries = batch.source_mask if kind == "encoder" else batch.input_mask
    scores, weights = batch.scores(kind, 1)[:, 1].numpy(), batch.attention[kind][1].weights[:, 1].numpy()
    for row, t in np.argwhere(queries.numpy()):
        allowed = [bool(keys[row, s]) and (kind != "decoder" or s <= t) for s in range(keys.size(1))]
        exponents = [math.exp(score) * may for score, may in zip(scores[row, t], allowed, strict=True)]
        np.testing.assert_allclose(weights[row, t], np.array(exponents) / sum(exponents), atol=1e-5)


def test_a_sentence_has_in_the_batch_what_it_has_alone(transformer: Checkpoint) -> None:
    together = padded_batch(transformer, SOURCES, TARGETS)
    for row, (source, target) in enumerate(zip(SOURCES, TARGETS, strict=True)):
        alone = padded_batch(transformer, [source], [target])
        for kind in ATTENTION_KINDS:
            one = alone.attention[kind][1].weights[0]  # (H, T, S)
            here = together.attention[kind][1].weights[row, :, : one.size(1), : one.size(2)]
            np.testing.assert_allclose(here, one, atol=1e-5)


def test_padding_is_named_and_counted(transformer: Checkpoint) -> None:
    batch = padded_batch(transformer, SOURCES, TARGETS)
    assert batch.sources[1][1:] == ("<eos>", "<pad>", "<pad>", "<pad>", "<pad>")
    assert batch.inputs[1][0] == transformer.vocab.token(SOS)
    for rows, mask in ((batch.sources, batch.source_mask), (batch.inputs, batch.input_mask)):
        assert [[piece != "<pad>" for piece in row] for row in rows] == mask.tolist()


def test_padding_of_batches_in_order() -> None:
    assert padding_share([3, 3, 3], 2) == 0
    assert padding_share([1, 9, 1, 9], 2) == pytest.approx(16 / 36)
    assert padding_share(sorted([1, 9, 1, 9]), 2) == 0
    assert padding_share([4, 2, 6], 2) == pytest.approx(2 / 14)
