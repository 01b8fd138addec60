"""Mask-predict laid out for decoding: same record and same weights as the readable model."""

import dataclasses

import pytest
import torch

from nmtcore.config import MaskPredictDecoding
from nmtcore.decoding import mask_predict
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import Vocab
from tests.helpers import rounding, small


@pytest.fixture
def slow(vocab: Vocab) -> Checkpoint:
    return small("mask-predict", vocab)


@pytest.mark.numerical
@pytest.mark.parametrize("halved", [True, False])
def test_every_round_is_that_of_the_readable_model(slow: Checkpoint, halved: bool) -> None:
    if halved:  # as saved models are, which are laid out as float16
        with torch.no_grad():
            for parameter in slow.model.parameters():
                parameter.copy_(parameter.half())
    fast = dataclasses.replace(slow, model=accelerate(slow.model))
    assert isinstance(fast.model, Accelerated)
    for text in ("a", "the small cat sees a red house ."):
        one, other = (mask_predict.translate(m, m.read(text), MaskPredictDecoding(5, 3)) for m in (slow, fast))
        assert (one.text, one.lengths[0].length) == (other.text, other.lengths[0].length)
        for before, after in zip(one.rounds, other.rounds, strict=True):
            assert [(p.token, p.written) for p in before] == [(p.token, p.written) for p in after]
            assert [p.log_probability for p in before] == pytest.approx(
                [p.log_probability for p in after], abs=rounding(slow.model, 10)
            )
        weights = [torch.tensor(found.attention.weights) for found in (one, other)]
        assert torch.allclose(*weights, rtol=0, atol=rounding(slow.model))


def test_it_shares_the_weights_and_trains_as_the_readable_model_does(slow: Checkpoint) -> None:
    fast = accelerate(slow.model)
    pairs = list(zip(slow.model.parameters(), fast.parameters(), strict=True))
    assert all(one is other for one, other in pairs)
    source, words = pad([[4, 5, 6, 7], [8, 9]]), pad([[5, 6, 7], [4, 8, 9, 10, 11]])
    assert torch.allclose(slow.model(source, words), fast(source, words), atol=1e-5)
    fast.train()
    fast(source, words).logsumexp(-1).sum().backward()
    assert all(
        parameter.grad is not None for name, parameter in fast.named_parameters() if not name.startswith("length")
    )
