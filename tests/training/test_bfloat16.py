"""The precision bf16_all: a copy in bfloat16 does the work, and float32 weights get its gradients."""

from __future__ import annotations

import pytest
import torch

from nmtcore.errors import SettingError
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.batches import TrainingData, fixed_batches
from nmtcore.training.config import TrainingConfig
from nmtcore.training.events import Done
from nmtcore.training.loop import fit
from nmtcore.training.loss import batch_loss
from nmtcore.training.parallel import Gradient
from tests.helpers import PAIRS, small

pytestmark = pytest.mark.numerical


def config(precision: str, **settings: object) -> TrainingConfig:
    plain = {"batch_tokens": 40, "warmup": 0, "schedule": "constant", "learning_rate": 1e-2, "seed": 3}
    return TrainingConfig(precision=precision, **(plain | settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("parts", [1, 2])
def test_its_gradient_is_nearly_the_exact_one(vocab: Vocab, parts: int) -> None:
    model = small("transformer", vocab).model
    for weight in model.parameters():
        weight.data /= 2  # as a new model's are: larger ones leave too little of eight bits
    batch = fixed_batches(vocab, PAIRS, 1000)[0]
    exact = batch_loss(model, batch, 0.1)
    exact.backward()
    expected = {name: p.grad.clone() for name, p in model.named_parameters()}
    model.zero_grad()
    gradient = Gradient(model, config("bf16_all"))
    gradient.parts = parts
    model.eval()
    gradient.loss.eval()
    loss = gradient(batch)
    assert loss.item() == pytest.approx(exact.item(), rel=0.02)
    for name, p in model.named_parameters():
        assert p.dtype == p.grad.dtype == torch.float32
        cosine = torch.cosine_similarity(p.grad.flatten(), expected[name].flatten(), dim=0)
        assert cosine > 0.98 or expected[name].norm() < 1e-3, name


def test_the_copy_follows_the_weights(vocab: Vocab) -> None:
    model = small("transformer", vocab).model
    batch = fixed_batches(vocab, PAIRS, 1000)[0]
    gradient = Gradient(model, config("bf16_all"))
    gradient.loss.eval()
    before = gradient(batch).item()
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(0.5)
    model.zero_grad()
    after = gradient(batch).item()
    assert after == pytest.approx(batch_loss(model.eval(), batch, 0.1).item(), rel=0.02)
    assert after != pytest.approx(before, rel=0.05)


def test_a_training_learns_with_it_and_keeps_float32(vocab: Vocab) -> None:
    model = small("transformer", vocab).model
    data = TrainingData(PAIRS, vocab, 40)
    events = list(fit(model, data, fixed_batches(vocab, PAIRS, 40), config("bf16_all", epochs=30, label_smoothing=0.0)))
    done = events[-1]
    assert isinstance(done, Done)
    exact = small("transformer", vocab).model
    assert done.best_loss < 0.6 * batch_loss(exact, fixed_batches(vocab, PAIRS, 1000)[0], 0.0).item()
    assert {p.dtype for p in model.parameters()} == {torch.float32}


@pytest.mark.parametrize("architecture", ["none", "additive", "dot"])
def test_recurrent_models_have_it_not(vocab: Vocab, architecture: str) -> None:
    with pytest.raises(SettingError, match="recurrent models train with bf16"):
        Gradient(small(architecture, vocab).model, config("bf16_all"))
