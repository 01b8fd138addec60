"""Fused attention, used in training, equals the explicit attention that the pictures show."""

import dataclasses
from contextlib import AbstractContextManager
from unittest import mock

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from nmtcore.models import attention, checkpoint
from nmtcore.models.attention import MultiHead, causal_bias, padding_bias
from nmtcore.models.padded import pad
from tests.accelerator import NAME, Accelerator
from tests.helpers import random_model
from tests.models.configurations import CONFIGS, SENTENCES, TARGETS, mask_predict, transformer

WIDTH, HEADS, S, T = 12, 3, 6, 7
TRANSFORMERS = [name for name, config in CONFIGS.items() if config.architecture in ("transformer", "relative")]


def fused_here(fused: bool) -> AbstractContextManager[object]:
    """Training with fused attention on the CPU too, where models use the explicit formula for speed."""
    return mock.patch.object(attention, "gains_from_fusing", lambda device: fused)


def biases(kind: str) -> tuple[Tensor | None, int]:
    """A bias of the scores, and how many keys there are."""
    if kind == "padding":
        bias = padding_bias(pad(SENTENCES))
        assert bias is not None
        return bias[:, None, None], S
    return (causal_bias(T, torch.device("cpu")), T) if kind == "causal" else (None, S)


@pytest.mark.numerical
@pytest.mark.parametrize("kind", ["padding", "causal", "none"])
def test_output_and_gradients_are_those_of_the_explicit_formula(kind: str) -> None:
    torch.manual_seed(2)
    layer = MultiHead(WIDTH, HEADS, dropout=0.0).train()
    bias, keys = biases(kind)
    x, y = torch.randn(3, T, WIDTH, requires_grad=True), torch.randn(3, keys, WIDTH, requires_grad=True)
    results = []
    for fused in (False, True):
        with fused_here(fused):
            attended = layer(layer.queries(x), *layer.keys_values(y), bias)
        assert bool(attended.weights.numel()) is not fused
        output = attended.output
        results.append([output, *torch.autograd.grad(output.square().sum(), [x, y, *layer.parameters()])])
    for explicit, result in zip(*results, strict=True):
        torch.testing.assert_close(result, explicit, atol=1e-5, rtol=1e-5)


def test_dropout_of_the_weights_goes_to_the_kernel() -> None:
    layer = MultiHead(WIDTH, HEADS, dropout=0.3).train()
    q, k, v = layer.queries_keys_values(torch.randn(3, T, WIDTH))
    with fused_here(True), mock.patch.object(F, "scaled_dot_product_attention", return_value=v) as kernel:
        layer(q, k, v)
    assert kernel.call_args.args[4] == 0.3


@pytest.mark.parametrize("changed", ["eval", "row", "relative"])
def test_weights_are_there_wherever_somebody_reads_or_sets_them(changed: str) -> None:
    """Also in training, if the kernel cannot replace the formula."""
    layer = MultiHead(WIDTH, HEADS, 0.0, max_relative_position=2).train(changed != "eval")
    q, k, v = layer.queries_keys_values(torch.randn(3, T, WIDTH))
    row = torch.eye(T)[1] if changed == "row" else None
    distances = torch.arange(T)[None] - torch.arange(T)[:, None] if changed == "relative" else None
    with fused_here(True), mock.patch.object(F, "scaled_dot_product_attention") as kernel:
        weights = layer(q, k, v, row=row, distances=distances).weights
    assert not kernel.called and weights.shape == (3, HEADS, T, T)


@pytest.mark.numerical
@pytest.mark.parametrize("name", [*TRANSFORMERS, "mask-predict"])
def test_teacher_forcing_is_that_of_the_explicit_formula(name: str) -> None:
    model = random_model(dataclasses.replace(CONFIGS.get(name, mask_predict()), dropout=0.0)).train()
    real = pad(TARGETS).mask
    weights = [weight for parameter, weight in model.named_parameters() if not parameter.startswith("length")]
    results = []
    for fused in (False, True):
        with fused_here(fused):
            logits = model(pad(SENTENCES), pad(TARGETS))[real]
        results.append([logits, *torch.autograd.grad(logits.logsumexp(-1).sum(), weights)])
    for explicit, result in zip(*results, strict=True):
        torch.testing.assert_close(result, explicit, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize(
    ("settings", "calls"),
    [
        ({"dropout": 0.1}, 8),  # two layers that read themselves, three that read themselves and the source
        ({"dropout": 0.1, "positions": "relative"}, 3),  # cross attention has no relative positions
    ],
)
def test_an_accelerator_trains_with_fused_attention(
    device: Accelerator, settings: dict[str, object], calls: int
) -> None:
    model = checkpoint.build(transformer(**settings)).to(NAME).train()
    source, inputs = (pad(rows).to(NAME) for rows in (SENTENCES, TARGETS))
    with mock.patch.object(F, "scaled_dot_product_attention", wraps=F.scaled_dot_product_attention) as fused:
        logits = model(source, inputs)
    assert fused.call_count == calls and all(call.args[4] == 0.1 for call in fused.call_args_list)
    logits.logsumexp(-1).sum().backward()
    assert all(p.grad is not None for p in model.parameters())
    with mock.patch.object(F, "scaled_dot_product_attention") as fused:
        model.eval()(source, inputs)
        memory = model.encode(source)
        model.step(inputs.ids[:, 0], model.start(memory), memory)
    assert not fused.called, "a search asks for the weights"
