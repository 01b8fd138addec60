"""Fused attention, which training takes, is the explicit attention that the pictures show."""

from __future__ import annotations

import copy
from unittest import mock

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from nmtcore.config import MaskPredictConfig
from nmtcore.models import attention, checkpoint
from nmtcore.models.attention import MultiHead, causal_bias, padding_bias
from nmtcore.models.mask_predict import MaskPredict
from nmtcore.models.padded import pad
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.models.transformer import Transformer
from tests.accelerator import NAME, Accelerator
from tests.models.configurations import CONFIGS, SENTENCES, TARGETS, V, model_of, transformer

pytestmark = pytest.mark.numerical

WIDTH, HEADS, S, T = 12, 3, 6, 7
TRANSFORMERS = [name for name, config in CONFIGS.items() if config.architecture in ("transformer", "relative")]


@pytest.fixture
def fused_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fused attention on the CPU too, where models leave it to the explicit formula for speed."""
    monkeypatch.setattr(attention, "gains_from_fusing", lambda device: True)


def biases(kind: str) -> tuple[Tensor | None, int]:
    """A bias of the scores, and how many keys there are."""
    if kind == "padding":
        bias = padding_bias(pad(SENTENCES))
        assert bias is not None
        return bias[:, None, None], S
    return (causal_bias(T, torch.device("cpu")), T) if kind == "causal" else (None, S)


@pytest.mark.parametrize("kind", ["padding", "causal", "none"])
@pytest.mark.parametrize("rate", [0.0, 0.3])
@pytest.mark.usefixtures("fused_here")
def test_output_and_gradients_are_those_of_the_explicit_formula(kind: str, rate: float) -> None:
    """With a rate of dropout in eval mode, where none is drawn."""
    torch.manual_seed(2)
    layer = MultiHead(WIDTH, HEADS, rate).eval()
    bias, keys = biases(kind)
    x, y = torch.randn(3, T, WIDTH, requires_grad=True), torch.randn(3, keys, WIDTH, requires_grad=True)
    found = []
    for attend in (layer, layer.fused):
        output = attend(layer.queries(x), *layer.keys_values(y), bias).output
        found.append([output, *torch.autograd.grad(output.square().sum(), [x, y, *layer.parameters()])])
    for explicit, fused in zip(*found, strict=True):
        torch.testing.assert_close(fused, explicit, atol=1e-5, rtol=1e-5)


def test_on_a_cpu_nothing_has_changed() -> None:
    """A training that was begun before there was a fused way goes on as it would have, to the last digit."""
    layer = MultiHead(WIDTH, HEADS, 0.3).train()
    q, k, v = layer.queries_keys_values(torch.randn(3, T, WIDTH))
    found = []
    for attend in (layer, layer.fused):
        torch.manual_seed(5)
        found.append(attend(q, k, v).output)
    assert torch.equal(*found) and not torch.equal(found[0], layer(q, k, v).output)


def explicit_logits(model: Seq2Seq) -> Tensor:
    """Teacher forcing with every layer's `forward`, whose weights are returned, in the place of its `states`."""
    source, inputs = pad(SENTENCES), pad(TARGETS)
    memory = model.encode(source)
    if isinstance(model, MaskPredict):
        return model.project(model.decode(inputs, memory).states)
    assert isinstance(model, Transformer)
    bias = None if memory.bias is None else memory.bias[:, None, None]
    length = inputs.ids.size(1)
    x = model.embed_positions(inputs.ids, model.embed_target)
    for layer, prepared in zip(model.decoder, memory.prepared, strict=True):
        future = causal_bias(length, model.device)
        x = layer(x, prepared, future, bias, distances=model.distances(length, length)).x
    return model.project(model.decoder_norm(x))


def mask_predict() -> Seq2Seq:
    sizes = {"width": 12, "feedforward": 20, "heads": 3, "encoder_layers": 2, "decoder_layers": 3, "longest": 30}
    return model_of(MaskPredictConfig(V, **sizes))


@pytest.mark.parametrize("name", [*TRANSFORMERS, "mask-predict"])
@pytest.mark.usefixtures("fused_here")
def test_teacher_forcing_is_that_of_layers_that_return_their_weights(name: str) -> None:
    model = mask_predict() if name == "mask-predict" else model_of(CONFIGS[name])
    real = pad(TARGETS).mask
    explicit, fused = explicit_logits(model)[real], model(pad(SENTENCES), pad(TARGETS))[real]
    torch.testing.assert_close(fused, explicit, atol=1e-5, rtol=1e-5)
    weights = [weight for parameter, weight in model.named_parameters() if not parameter.startswith("length")]
    for a, b in zip(*(torch.autograd.grad(x.logsumexp(-1).sum(), weights) for x in (explicit, fused)), strict=True):
        torch.testing.assert_close(a, b, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize(
    ("settings", "calls"),
    [
        ({"dropout": 0.1}, 8),  # two layers that read themselves, three that read themselves and the source
        ({"dropout": 0.1, "positions": "relative"}, 3),  # cross attention has no relative positions
    ],
)
def test_an_accelerator_trains_and_scores_with_fused_attention(
    device: Accelerator, settings: dict[str, object], calls: int
) -> None:
    model = checkpoint.build(transformer(**settings)).to(NAME)
    source, inputs = (pad(rows).to(NAME) for rows in (SENTENCES, TARGETS))
    for training, rate in ((True, 0.1), (False, 0.0)):
        model.train(training).zero_grad()
        with mock.patch.object(F, "scaled_dot_product_attention", wraps=F.scaled_dot_product_attention) as fused:
            logits = model(source, inputs)
        assert fused.call_count == calls and all(call.args[4] == rate for call in fused.call_args_list)
        logits.logsumexp(-1).sum().backward()
        assert all(p.grad is not None for p in model.parameters())
    here = copy.deepcopy(model).to("cpu")(pad(SENTENCES), pad(TARGETS))
    torch.testing.assert_close(logits.cpu(), here, atol=1e-5, rtol=1e-5)
    with mock.patch.object(F, "scaled_dot_product_attention") as fused:
        memory = model.encode(source)
        model.step(inputs.ids[:, 0], model.start(memory), memory)
    assert not fused.called, "a search asks for the weights"
