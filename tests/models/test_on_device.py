"""Every variant of every architecture computes the same on another device as on the CPU."""

import copy
import dataclasses

import pytest
import torch

from nmtcore.errors import InterventionError
from nmtcore.intervention import Intervention
from nmtcore.models.padded import pad
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import SOS
from tests.accelerator import NAME, Accelerator
from tests.helpers import random_model
from tests.models.configurations import CONFIGS, SENTENCES, TARGETS, stepped


@pytest.mark.parametrize("name", CONFIGS)
def test_logits_steps_and_gradients_are_those_of_the_cpu(device: Accelerator, name: str) -> None:
    here = random_model(dataclasses.replace(CONFIGS[name], dropout=0.0))
    there = copy.deepcopy(here).to(NAME)
    source, inputs = pad(SENTENCES), pad(TARGETS)
    found = []
    for model, where in ((here, "cpu"), (there, NAME)):
        read, written = source.to(where), inputs.to(where)
        steps = stepped(model, read, written)
        logits = model.train().logits(read, written)  # training takes fused attention where it can
        logits.float().square().mean().backward()
        assert logits.device.type == steps.device.type == where
        found.append([logits, steps, *(p.grad for p in model.parameters() if p.grad is not None)])
    for expected, result in zip(*found, strict=True):
        torch.testing.assert_close(result.detach().cpu(), expected.detach(), atol=2e-5, rtol=1e-4)


S = len(SENTENCES[0])
CHANGES = {
    "encoder head off": Intervention(heads_off=(("encoder", 0, 1),)),
    "decoder head off": Intervention(heads_off=(("decoder", 0, 1),)),
    "cross head off": Intervention(heads_off=(("cross", 0, 0),)),
    "row": Intervention.attend_to(1, 2, S),
    "feed-forward off": Intervention(parts_off=(("encoder", 0, "feedforward"), ("decoder", 1, "feedforward"))),
    "norm off": Intervention(parts_off=(("decoder", 1, "norm"),)),
    "residual off": Intervention(parts_off=(("decoder", 1, "residual"),)),
    "dropped": Intervention(positions="dropped", target_positions="dropped"),
    "shuffled": Intervention(positions=tuple(reversed(range(S)))),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_interventions_change_there_what_they_change_on_the_cpu(device: Accelerator, name: str) -> None:
    here = random_model(CONFIGS[name])
    there = copy.deepcopy(here).to(NAME)
    for change in CHANGES.values():
        if possible(here, change):
            expected, found = two_steps(here, change), two_steps(there, change)
            torch.testing.assert_close(found.cpu(), expected, atol=2e-5, rtol=1e-4)


@torch.no_grad()
def two_steps(model: Seq2Seq, change: Intervention) -> torch.Tensor:
    """The logits of the second step, in a beam of two after the first."""
    memory = model.encode(pad(SENTENCES[:1] * 2).to(model.device), change)
    tokens = torch.tensor([SOS, SOS], device=model.device)
    out = model.step(tokens, model.start(memory), memory, change)
    state = out.state.select(torch.tensor([1, 0], device=model.device))
    return model.step(out.logits.argmax(-1), state, memory, change).logits


def test_some_variant_can_make_each_change() -> None:
    """Otherwise the comparison above would only compare refusals."""
    for kind, change in CHANGES.items():
        assert any(possible(random_model(config), change) for config in CONFIGS.values()), kind


def possible(model: Seq2Seq, change: Intervention) -> bool:
    try:
        model.check(change, S)
    except InterventionError:
        return False
    return True
