"""The estimate of a training's memory: what autograd saves, counted once, and copies of the weights."""

import pytest
import torch

from nmtcore.config import ARCHITECTURES
from nmtcore.models.checkpoint import parameters
from nmtcore.runs.memory import COPIES, TrainingMemory, training_memory
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.batches import fixed_batches
from nmtcore.training.config import TrainingConfig
from nmtcore.training.loss import batch_loss
from tests.helpers import PAIRS, small


def config(**changes: object) -> TrainingConfig:
    return TrainingConfig(**{"precision": "fp32", **changes})  # type: ignore[arg-type]


def allocated(run: object) -> int:
    """The peak of allocated bytes while `run` worked, by the profiler's account of the allocator."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        run()  # type: ignore[operator]
    now = most = 0
    for event in profile.profiler.kineto_results.events():
        if event.name() == "[memory]":
            now += event.nbytes()
            most = max(most, now)
    return most


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_it_is_about_what_an_update_takes(vocab: Vocab, architecture: str) -> None:
    model = small(architecture, vocab).model.train()
    batch = fixed_batches(vocab, PAIRS * 8, 10_000)[0]
    found = training_memory(model, batch, config())
    pieces = max(batch.source.ids.numel(), batch.inputs.ids.numel())
    taken = allocated(lambda: batch_loss(model, batch, 0.1).backward())
    gradients = 4 * parameters(model)
    assert 0.7 * taken < found.each * pieces + gradients < 2 * taken


def test_what_is_fixed_follows_the_optimiser_and_the_average(vocab: Vocab) -> None:
    model = small("dot", vocab).model
    batch = fixed_batches(vocab, PAIRS, 100)[0]
    weights = 4 * parameters(model)
    sizes = {"sgd": 0, "momentum": 1, "adamw": 2}
    for optimiser, moments in sizes.items():
        found = training_memory(model, batch, config(optimiser=optimiser, average=3))
        assert found.fixed == weights * (COPIES + 3 + moments)


def test_half_the_bits_need_less_and_the_largest_batch_fits(vocab: Vocab) -> None:
    model = small("transformer", vocab).model
    batch = fixed_batches(vocab, PAIRS, 100)[0]
    whole, half = (training_memory(model, batch, config(precision=p)) for p in ("fp32", "bf16"))
    assert half.each < whole.each and half.fixed == whole.fixed
    memory = TrainingMemory(1000, 8.5)
    assert memory.needed(100) == 1850 and memory.largest_batch(1850) == 100 and memory.largest_batch(999) == 0
