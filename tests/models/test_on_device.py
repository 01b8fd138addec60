"""Every variant of every architecture computes on a device that is not the CPU what it computes on it."""

from __future__ import annotations

import copy
import dataclasses

import pytest
import torch

from nmtcore.models.padded import pad
from tests.accelerator import NAME, Accelerator
from tests.models.configurations import CONFIGS, SENTENCES, TARGETS, model_of, stepped


@pytest.mark.parametrize("name", CONFIGS)
def test_logits_steps_and_gradients_are_those_of_the_cpu(device: Accelerator, name: str) -> None:
    here = model_of(dataclasses.replace(CONFIGS[name], dropout=0.0))
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
