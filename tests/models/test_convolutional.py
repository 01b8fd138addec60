"""The convolutional model: against a slow convolution written for clarity, and its receptive field, layer by layer."""

import math

import pytest
import torch

from nmtcore.config import ConvolutionalConfig
from nmtcore.errors import SettingError, TextError
from nmtcore.intervention import Intervention
from nmtcore.models.convolutional import GatedConvolution
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import SOS
from tests.helpers import random_model
from tests.models.configurations import SENTENCES, V, convolutional


@pytest.mark.parametrize("kernel", [1, 3, 5])
@torch.no_grad()
def test_it_is_a_convolution_with_a_gate(kernel: int) -> None:
    """a_t = sum over neighbours n and components d of A_nd x_{t+n,d}, b_t likewise, and a_t sigmoid(b_t)."""
    torch.manual_seed(2)
    T, D = 4, 6
    layer = GatedConvolution(D, kernel, 0.0)
    torch.nn.init.normal_(layer.convolve.bias)
    x = torch.randn(1, T + kernel - 1, D)
    weight, bias = layer.convolve.weight.view(2, D, kernel, D), layer.convolve.bias.view(2, D)
    found = layer(x)
    assert found.shape == (1, T, D)
    for t in range(T):
        for component in range(D):
            a, b = (
                float(bias[half, component])
                + sum(float(weight[half, component, n, d] * x[0, t + n, d]) for n in range(kernel) for d in range(D))
                for half in (0, 1)
            )
            assert float(found[0, t, component]) == pytest.approx(a / (1 + math.exp(-b)), abs=1e-4)


@pytest.mark.parametrize(("kernel", "layers"), [(1, 3), (3, 1), (3, 2), (5, 2)])
@torch.no_grad()
def test_a_word_sees_so_far_on_each_side_and_no_farther(kernel: int, layers: int) -> None:
    """The receptive field of an encoder state: layers (k - 1) / 2 words on each side."""
    model = random_model(convolutional(kernel=kernel, encoder_layers=layers))
    words, at = list(range(4, 19)), 7
    plain = model.encode(pad([words])).states[0, at]
    reach = layers * (kernel // 2)
    for i in range(len(words)):
        changed = model.encode(pad([[*words[:i], 20, *words[i + 1 :]]])).states[0, at]
        assert torch.allclose(changed, plain, atol=1e-7) == (abs(i - at) > reach), i


@torch.no_grad()
def test_the_decoder_sees_the_past_alone() -> None:
    model = random_model(convolutional())
    source, words = pad([SENTENCES[0]]), [SOS, *range(5, 14)]
    plain = model(source, pad([words]))[0]
    for j in range(1, len(words)):
        changed = model(source, pad([[*words[:j], 20, *words[j + 1 :]]]))[0]
        assert torch.allclose(changed[:j], plain[:j], atol=1e-6)
        assert not torch.allclose(changed[j], plain[j], atol=1e-4)


@torch.no_grad()
def test_it_attends_in_every_layer() -> None:
    model = random_model(convolutional())
    memory = model.encode(pad([SENTENCES[0]]))
    out = model.step(torch.tensor([SOS]), model.start(memory), memory)
    assert len(out.attention["cross"]) == 3
    for layer in range(3):
        off = Intervention(heads_off=(("cross", layer, 0),))
        changed = model.step(torch.tensor([SOS]), model.start(memory), memory, off)
        assert not torch.allclose(changed.logits, out.logits, atol=1e-5)


@torch.no_grad()
def test_places_that_are_dropped_or_exchanged() -> None:
    """Without its positions a convolution still knows its neighbours: the order of the words is not lost."""
    model = random_model(convolutional())
    source, dropped = pad([SENTENCES[0]]), Intervention(positions="dropped")
    shuffled = pad([[SENTENCES[0][i] for i in (3, 0, 5, 1, 4, 2)]])
    plain = model.encode(source, dropped).states[0]
    assert not torch.allclose(model.encode(source).states[0], plain, atol=1e-3)
    assert not torch.allclose(model.encode(shuffled, dropped).states[0], plain[[3, 0, 5, 1, 4, 2]], atol=1e-3)


def test_settings_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(SettingError, match="kernel must be odd"):
        ConvolutionalConfig(V, kernel=4)
    with pytest.raises(TextError, match="knows 40 positions"):
        random_model(convolutional()).encode(pad([[4] * 41]))
