"""The deep recurrent model: its residuals, where its attention comes from, and where its context goes."""

import pytest
import torch

from nmtcore.config import DeepRecurrentConfig
from nmtcore.errors import SettingError
from nmtcore.intervention import Intervention
from nmtcore.models.padded import pad
from nmtcore.text.vocabulary import SOS
from tests.helpers import random_model
from tests.models.configurations import SENTENCES, V, deep_recurrent


@pytest.mark.parametrize("residual", [True, False])
@torch.no_grad()
def test_layers_add_their_input_from_the_third_on(residual: bool) -> None:
    """With every LSTM silenced from the second on, only the residuals pass through the stack."""
    model = random_model(deep_recurrent(residual=residual))
    source = pad([SENTENCES[0]])
    for layer in list(model.encoder)[2:]:
        for parameter in layer.parameters():
            parameter.zero_()
    first, _ = model.encoder[0](model.embed(source.ids))
    second, _ = model.encoder[1](first)
    expected = second if residual else torch.zeros_like(second)
    assert torch.allclose(model.encode(source).states, expected, atol=1e-6)


@torch.no_grad()
def test_the_first_layer_alone_reads_backwards() -> None:
    model = random_model(deep_recurrent())
    words = [5, 9, 4, 17]
    a, b = (model.embed(torch.tensor([[*words, last]])) for last in (6, 7))
    first = [model.encoder[0](x)[0] for x in (a, b)]
    assert not torch.allclose(first[0][:, 0], first[1][:, 0])
    same = torch.cat((first[0][:, :4], first[1][:, 4:]), 1)
    second = [model.encoder[1](x)[0] for x in (first[0], same)]
    assert torch.allclose(second[0][:, :4], second[1][:, :4]) and not torch.allclose(second[0], second[1])


@torch.no_grad()
def test_the_query_is_the_first_layer_at_the_step_before() -> None:
    model = random_model(deep_recurrent())
    memory = model.encode(pad([SENTENCES[0]]))
    state = model.start(memory)
    out = model.step(torch.tensor([SOS]), state, memory)
    assert torch.equal(out.inner["query"][0], state.hidden[0])
    expected = model.score(state.hidden[0][:, None], model.score.prepare(memory.states)).softmax(-1)
    assert torch.allclose(out.attention["cross"][0][0, 0], expected[0], atol=1e-6)


@pytest.mark.parametrize("layer", [0, 1, 2])
@torch.no_grad()
def test_the_context_goes_into_every_decoder_layer(layer: int) -> None:
    model, D = random_model(deep_recurrent()), 14
    memory = model.encode(pad([SENTENCES[0]]))
    moved = Intervention.attend_to(0, 2, 6)
    for i, network in enumerate(model.decoder):
        if i != layer:
            network.get_parameter("weight_ih_l0")[:, -D:] = 0  # which read the context
    plain, other = (model.step(torch.tensor([SOS]), model.start(memory), memory, c) for c in (Intervention(), moved))
    assert not torch.allclose(plain.logits, other.logits, atol=1e-6)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(SettingError, match="units must be even"):
        DeepRecurrentConfig(V, units=7)
