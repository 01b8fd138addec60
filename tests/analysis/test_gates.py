"""The gates of a recurrent decoder: they agree with torch's own cells and with the model itself."""

from typing import Any

import numpy as np
import pytest
import torch

from nmtcore.analysis.gates import gates_by_layer, inputs_of, recompute_gates, start_of
from nmtcore.config import DecodingConfig, DeepRecurrentConfig, RecurrentConfig
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.deep_recurrent import DeepRecurrent
from nmtcore.models.fast import accelerate
from nmtcore.models.recurrent import Recurrent
from nmtcore.text.vocabulary import SOS, Vocab
from tests.helpers import translate, untrained

TEXT = "a big dog does not like the red house ."
MODELS: dict[str, dict[str, Any]] = {
    "gru": {"attention": "none"},
    "gru-cho": {"attention": "none", "context": "every_step", "bidirectional": False},
    "gru-deep": {"attention": "none", "decoder_layers": 3},
    "gru-additive": {"attention": "additive"},
    "lstm": {"attention": "none", "cell": "lstm"},
    "gru-fed": {"attention": "dot", "input_feeding": True},
    "lstm-dot": {"attention": "dot", "cell": "lstm", "decoder_layers": 2},
}


def built(vocab: Vocab, settings: dict[str, Any]) -> Checkpoint:
    return untrained(RecurrentConfig(len(vocab), embedding=10, units=14, **settings), vocab, spread=2, noise=0.1)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_the_new_states_are_the_models_own(vocab: Vocab, name: str, fast: bool) -> None:
    model = built(vocab, MODELS[name])
    if fast:
        model = Checkpoint(accelerate(model.model), vocab, model.name, {})
    trace = translate(model, TEXT, DecodingConfig(beam=2, max_length=7))
    found = recompute_gates(model, trace)
    T = len(trace.target)
    assert T > 3 and found.after.shape == (T, 14) and found.layers == MODELS[name].get("decoder_layers", 1)
    np.testing.assert_allclose(found.after, trace.inner["state"][:, 0], atol=1e-5)
    np.testing.assert_array_equal(found.before[1:], found.after[:-1])
    gates = np.stack(list(found.gates.values()))
    assert gates.min() >= 0 and gates.max() <= 1 and gates.std() > 0.05
    for letter, mean in found.means().items():
        assert mean == pytest.approx([sum(row) / 14 for row in found.gates[letter]], abs=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_torchs_own_cell_says_the_same(vocab: Vocab, name: str) -> None:
    """Layer by layer with torch's cells, and the last one's equation from the parts that are shown."""
    model = built(vocab, MODELS[name])
    trace = translate(model, TEXT, DecodingConfig(beam=1, max_length=6))
    found = recompute_gates(model, trace)
    network = model.model
    assert isinstance(network, Recurrent)
    layers = []
    for weights in network.decoder.all_weights:
        cell = (torch.nn.LSTMCell if found.cell == "lstm" else torch.nn.GRUCell)(weights[0].size(1), 14)
        for own, given in zip(cell.parameters(), weights, strict=True):
            own.data = given.data
        layers.append(cell)
    with torch.no_grad():
        hidden, cells = start_of(network, trace)
        hidden = list(hidden)
        cells = [None] * len(hidden) if cells is None else list(cells)
        for j, x in enumerate(inputs_of(network, trace)):
            for layer, cell in enumerate(layers):
                if found.cell == "lstm":
                    hidden[layer], cells[layer] = cell(x, (hidden[layer], cells[layer]))
                else:
                    hidden[layer] = cell(x, hidden[layer])
                x = hidden[layer]
            np.testing.assert_allclose(found.after[j], x.numpy(), atol=1e-6)
            if found.cell == "lstm":
                assert found.cell_after is not None
                np.testing.assert_allclose(found.cell_after[j], cells[-1].numpy(), atol=1e-6)
    g = found.gates
    if found.cell == "gru":
        again = (1 - g["z"]) * found.proposal + g["z"] * found.before
    else:
        assert found.cell_before is not None and found.cell_after is not None
        np.testing.assert_allclose(g["f"] * found.cell_before + g["i"] * found.proposal, found.cell_after, atol=1e-6)
        again = g["o"] * np.tanh(found.cell_after)
    np.testing.assert_allclose(again, found.after, atol=1e-6)


@pytest.mark.parametrize("residual", [True, False])
def test_every_layer_of_a_deep_lstm_is_what_torchs_cells_make_of_its_input(vocab: Vocab, residual: bool) -> None:
    """x of layer l: what it read before, [x; C_j]; from the third layer on x + s goes up, where residual."""
    model = untrained(DeepRecurrentConfig(len(vocab), 10, 14, 2, 4, residual), vocab, 4, spread=2, noise=0.1)
    network = model.model
    assert isinstance(network, DeepRecurrent)
    trace = translate(model, TEXT, DecodingConfig(beam=2, max_length=6))
    layers = gates_by_layer(model, trace)
    assert [found.layers for found in layers] == [4] * 4
    np.testing.assert_allclose(layers[-1].after, trace.inner["state"][:, 0], atol=1e-5)
    context = torch.tensor(trace.inner["context"][:, 0])
    read = network.embed(torch.tensor([SOS, *trace.ids[:-1]]))
    for number, found in enumerate(layers):
        own = network.decoder[number]
        assert isinstance(own, torch.nn.LSTM)
        cell = torch.nn.LSTMCell(own.input_size, 14)
        for parameter, given in zip(cell.parameters(), own.parameters(), strict=True):
            parameter.data = given.data
        assert found.cell_before is not None and found.cell_after is not None
        with torch.no_grad():
            state = torch.tensor(found.before[0])[None], torch.tensor(found.cell_before[0])[None]
            for j in range(len(trace.target)):
                state = cell(torch.cat((read[j], context[j]))[None], state)
                np.testing.assert_allclose(found.after[j], state[0][0], atol=1e-5)
                np.testing.assert_allclose(found.cell_after[j], state[1][0], atol=1e-5)
            states = torch.tensor(found.after)
            read = read + states if residual and number >= 2 else states
