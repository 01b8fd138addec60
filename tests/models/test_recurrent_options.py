"""Options of recurrent models: each against its paper's equations, word by word and in plain loops."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from nmtcore.config import ModelConfig, RecurrentConfig
from nmtcore.errors import SettingError
from nmtcore.models.padded import pad
from nmtcore.models.recurrent import Recurrent
from nmtcore.models.seq2seq import State
from nmtcore.text.vocabulary import EOS, SOS
from tests.helpers import random_model
from tests.models.configurations import SENTENCES, TARGETS, V, deep_recurrent, recurrent


def built(**settings: Any) -> Recurrent:
    model = random_model(recurrent(**settings))
    assert isinstance(model, Recurrent)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))  # biases too, which begin at zero
    return model


@pytest.mark.parametrize(
    "config", [recurrent(cell="lstm", encoder_layers=2, decoder_layers=2), deep_recurrent()], ids=["lstm", "deep"]
)
def test_every_lstm_begins_with_its_forget_gates_open(config: ModelConfig) -> None:
    """torch's order of gates: input, forget, cell, output. The two biases that it adds make 1 for the forget gate."""
    networks = [network for network in random_model(config).modules() if isinstance(network, nn.LSTM)]
    found = 0
    for network in networks:
        named, D = dict(network.named_parameters()), network.hidden_size
        for name in (name for name in named if name.startswith("bias_ih")):
            bias = named[name] + named[name.replace("_ih", "_hh")]
            assert bias.tolist() == [0.0] * D + [1.0] * D + [0.0] * 2 * D
            found += 1
    assert found == sum(network.num_layers * (1 + network.bidirectional) for network in networks) > 5


@torch.no_grad()
def test_input_feeding_is_luongs_equations_word_by_word() -> None:
    """s_j = GRU(s_{j-1}, [e(y_{j-1}); h~_{j-1}]), h~_0 = 0 and h~_j = tanh(W_c [C_j; s_j]) with torch's own cell."""
    model = built(attention="dot", input_feeding=True)
    cell = nn.GRUCell(20, 14)
    for own, given in zip(cell.parameters(), model.decoder.all_weights[0], strict=True):
        own.copy_(given)
    for sentence, target in zip(SENTENCES, TARGETS, strict=True):
        memory = model.encode(pad([sentence]))
        h, s, fed = memory.states[0], model.start(memory).hidden[0, 0], torch.zeros(10)
        expected = []
        for word in target:
            s = cell(torch.cat((model.embed.weight[word], fed))[None], s[None])[0]
            alpha = torch.stack([s @ h_i for h_i in h]).softmax(0)
            context: Tensor = sum((a * h_i for a, h_i in zip(alpha, h, strict=True)), torch.zeros(14))
            fed = torch.tanh(model.combine.weight @ torch.cat((context, s)) + model.combine.bias)
            expected.append(model.embed.weight @ fed + model.bias)
        torch.testing.assert_close(model(pad([sentence]), pad([target]))[0], torch.stack(expected), atol=1e-5, rtol=0)


@pytest.mark.parametrize("locality", ["monotonic", "predictive"])
@torch.no_grad()
def test_local_attention_is_luongs_equations_position_by_position(locality: str) -> None:
    """Luong et al. 2015, eq. 7, 9 and 10 in loops, with positions from 1; the weights then divided by their sum."""
    S, D = 9, 2
    model = built(attention="dot", locality=locality, window=D)
    sentence, target = [5, 9, 9, 4, 17, 6, 8, 21, EOS], [SOS, *range(4, 17)]  # longer than its source
    memory = model.encode(pad([sentence]))
    state: State = model.start(memory)
    centers = set()
    for j, word in enumerate(target, start=1):
        out = model.step(torch.tensor([word]), state, memory)
        state, s, h = out.state, out.inner["query"][0][0], memory.states[0]
        p = float(min(j, S))
        if locality == "predictive":
            assert model.window is not None
            W, v = model.window.W.weight, model.window.v.weight[0]
            p = S / (1 + math.exp(-float(v @ torch.tanh(W @ s))))
        centers.add(round(p, 2))
        raised = {i: math.exp(float(s @ h[i - 1])) for i in range(1, S + 1) if p - D <= i <= p + D}
        align = {i: r / sum(raised.values()) for i, r in raised.items()}
        if locality == "predictive":
            align = {i: a * math.exp(-((i - p) ** 2) / (2 * (D / 2) ** 2)) for i, a in align.items()}
        expected = torch.tensor([align.get(i, 0.0) / sum(align.values()) for i in range(1, S + 1)])
        torch.testing.assert_close(out.attention["cross"][0][0, 0, 0], expected, atol=1e-5, rtol=0)
        assert 0 < int((expected > 0).sum()) <= 2 * D + 1
    assert len(centers) > 5


@pytest.mark.parametrize("cell", ["gru", "lstm"])
@pytest.mark.parametrize("merge", ["sum", "mean"])
@torch.no_grad()
def test_the_directions_are_merged_after_each_has_read_alone(merge: str, cell: str) -> None:
    """One encoder reads the sentence, another reads it backwards; both have all units."""
    model = built(cell=cell, merge=merge)
    source = pad(SENTENCES)
    memory = model.encode(source)
    found = memory.states
    weights = model.encoder.all_weights  # of both directions
    for row, sentence in enumerate(SENTENCES):
        ways = []
        for given, words in zip(weights, (sentence, sentence[::-1]), strict=True):
            reader = (nn.GRU if cell == "gru" else nn.LSTM)(10, 14)
            for own, weight in zip(reader.parameters(), given, strict=True):
                own.copy_(weight)
            ways.append(reader(model.embed.weight[words])[0])  # (S, D)
        factor = 0.5 if merge == "mean" else 1.0
        expected = factor * (ways[0] + ways[1].flip(0))
        torch.testing.assert_close(found[row, : len(sentence)], expected, atol=1e-6, rtol=0)
        last = factor * (ways[0][-1] + ways[1][-1])  # each where it ends
        assert memory.context is not None
        expected = torch.tanh(model.context.weight @ last + model.context.bias)
        torch.testing.assert_close(memory.context[row], expected, atol=1e-6, rtol=0)


def test_the_place_that_is_predicted_can_be_learned() -> None:
    model = built(attention="dot", locality="predictive", window=2)
    model(pad(SENTENCES), pad(TARGETS)).logsumexp(-1).sum().backward()
    assert model.window is not None and model.window.W.weight.grad is not None
    assert bool(model.window.W.weight.grad.isfinite().all()) and bool(model.window.v.weight.grad.any())  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"input_feeding": True}, "input_feeding needs attention whose context enters the output"),
        ({"input_feeding": True, "attention": "none"}, "input_feeding needs attention"),
        ({"input_feeding": True, "attention": "dot", "context": "input"}, "context output"),
        ({"locality": "monotonic", "attention": "none"}, "locality needs a model with attention"),
        ({"merge": "sum", "bidirectional": False}, "merge needs an encoder that reads both ways"),
        ({"merge": "max"}, "merge must be one of concat, sum, mean"),
        ({"units": 13}, "units must be even"),
        *(({"copying": True} | without, "copying needs attention")
          for without in ({"attention": "none"}, {"attention": "dot"}, {"context": "output"})),
        ({"locality": "near"}, "locality must be one of global, monotonic, predictive"),
        ({"locality": "monotonic", "window": 0}, "window must be between 1 and 1024"),
    ],
)  # fmt: skip
def test_options_that_do_not_go_together_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingError, match=words):
        RecurrentConfig(V, **settings)
