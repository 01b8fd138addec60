"""The data of the layers' gates: the recomputed numbers, and which states a layer reads."""

import json
from dataclasses import replace

import numpy as np
import pytest

from nmtcore.analysis.gates import gates_by_layer
from nmtcore.config import DecodingConfig, DeepRecurrentConfig
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.gates_by_layer.data import data
from tests.helpers import small, translate


def test_every_layers_strips_give_its_new_cell_and_state(vocab: Vocab) -> None:
    model = small("deep-lstm", vocab)
    config = model.model.config
    assert isinstance(config, DeepRecurrentConfig)
    trace = translate(model, "a big <b> dog .", DecodingConfig(beam=2, max_length=5))
    gates = gates_by_layer(model, trace)
    sent = json.loads(json.dumps(data(trace, config, gates, model="Deep LSTM")))
    assert sent["target"] == list(trace.target) and len(sent["layers"]) == 4
    for found, layer in zip(gates, sent["layers"], strict=True):
        rows = {row["name"]: np.array(row["values"]) for row in layer["rows"]}
        assert {values.shape for values in rows.values()} == {(len(trace.target), 16)}
        np.testing.assert_allclose(rows["after"], found.after[:, :16], atol=6e-5)
        new = rows["f"] * rows["cellBefore"] + rows["i"] * rows["proposal"]
        np.testing.assert_allclose(new, rows["cellAfter"], atol=3e-4)
        np.testing.assert_allclose(rows["o"] * np.tanh(rows["cellAfter"]), rows["after"], atol=3e-4)
        assert layer["means"]["f"] == pytest.approx(found.gates["f"].mean(1), abs=6e-5)


@pytest.mark.parametrize(
    ("residual", "adds"), [(True, [[], [1], [2], [2, 3], [2, 3, 4]]), (False, [[], [1], [2], [3], [4]])]
)
def test_it_says_which_states_a_layer_reads(vocab: Vocab, residual: bool, adds: list[list[int]]) -> None:
    model = small("deep-lstm", vocab)
    assert isinstance(model.model.config, DeepRecurrentConfig)
    config = replace(model.model.config, residual=residual)
    trace = translate(model, "a dog .", DecodingConfig(beam=1, max_length=3))
    gates = gates_by_layer(model, trace)
    assert data(trace, config, [*gates, gates[0]], model="")["adds"] == adds
