"""The data of the one vector and of the gates: the models' own numbers, unchanged tokens, every message they use."""

import base64
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nmtcore.analysis.gates import GateRecord, gates_by_layer
from nmtcore.config import DecodingConfig, DeepRecurrentConfig, RecurrentConfig
from nmtcore.decoding.trace import Candidate, Step, Trace
from nmtcore.text.vocabulary import Vocab
from nmtcore.views.context_vector.data import FULL, SHOWN, data
from nmtcore.views.gates_by_layer.data import data as layers_data
from tests.helpers import small, translate

SOURCE = ("▁red", "▁red", "▁<b>", "<s>", "<eos>")
TARGET = ("▁rouge", "▁rouge", "<eos>")
S, T, D = 5, 3, 4


@pytest.fixture
def trace() -> Trace:
    random = np.random.default_rng(2)

    def numbers(*shape: int) -> np.ndarray[Any, Any]:
        return random.uniform(-1, 1, shape).astype(np.float32)

    steps = tuple(
        Step(token, 10 + j, -0.5, (Candidate("▁x", 5, -0.4), Candidate(token, 10 + j, -0.5)))
        for j, token in enumerate(TARGET)
    )
    return Trace(
        "en-fr/none", "none", "red red", SOURCE, TARGET, "rouge rouge", -1.5, -1.5, True, 0.1, DecodingConfig(), steps,
        (), (), inner={"states": numbers(1, S, D), "summary": numbers(1, D), "state": numbers(T, 1, D)},
    )  # fmt: skip


def config(both_ways: bool = True, **changes: Any) -> RecurrentConfig:
    return RecurrentConfig(
        vocab_size=40, units=D, bidirectional=both_ways, attention="none", context="start", **changes
    )


def decoded(cells: str) -> np.ndarray[Any, Any]:
    """As the browser reads them."""
    return np.frombuffer(base64.b64decode(cells), "<i2").reshape(-1, D) / FULL


def test_the_states_are_the_models_own(trace: Trace) -> None:
    cells = decoded(data(trace, config(), model="none")["cells"])
    assert cells.shape == (S + 1 + T, D)
    sent = (cells[:S], cells[S], cells[S + 1 :])
    own = (trace.inner["states"][0], trace.inner["summary"][0], trace.inner["state"][:, 0])
    for got, wanted in zip(sent, own, strict=True):
        np.testing.assert_allclose(got, wanted, atol=1.6e-5, rtol=0)


def test_the_ends_of_the_scale_are_exact_and_none_is_passed(trace: Trace) -> None:
    states = np.array([[[-1, 1, 0, np.nextafter(np.float32(1), np.float32(2))]] * S], np.float32)
    cells = decoded(data(replace(trace, inner={**trace.inner, "states": states}), config(), model="none")["cells"])
    np.testing.assert_array_equal(cells[0], [-1, 1, 0, 1])


def test_tokens_stay_as_they_are(trace: Trace) -> None:
    sent = json.loads(json.dumps(data(trace, config(), model="none")))  # as it goes to the browser
    assert sent["source"] == list(SOURCE) and sent["target"] == list(TARGET)
    assert sent["sentence"] == trace.source_text
    assert sent["taken"] == [10, 11, 12]
    assert [c[0] for c in sent["candidates"][1]] == ["▁x", "▁rouge"]
    assert sent["candidates"][0][1][1:] == [pytest.approx(np.exp(-0.5)), 10]
    assert sent["probabilities"] == pytest.approx([np.exp(-0.5)] * T)


@pytest.mark.parametrize("both_ways", [True, False])
@pytest.mark.parametrize("context", ["start", "every_step"])
def test_it_says_how_the_vector_is_made_and_read(trace: Trace, both_ways: bool, context: str) -> None:
    sent = data(trace, replace(config(both_ways), context=context), model="none")
    assert (sent["bothWays"], sent["everyStep"], sent["size"]) == (both_ways, context == "every_step", D)


@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_the_strips_are_the_gates_and_states(trace: Trace, cell: str) -> None:
    """The shown numbers: the first ones of each vector, to four decimals, and the mean of each gate."""
    random = np.random.default_rng(4)
    gates = {letter: random.uniform(0, 1, (T, SHOWN + 5)) for letter in ("rz" if cell == "gru" else "ifo")}
    before, proposal, after, old, new = random.uniform(-1, 1, (5, T, SHOWN + 5))
    states = {"before": before, "proposal": proposal, "after": after}
    states |= {"cellBefore": old, "cellAfter": new} if cell == "lstm" else {}
    found = GateRecord(cell, 2, before, gates, proposal, after, *((old, new) if cell == "lstm" else ()))
    sent = json.loads(json.dumps(data(trace, config(cell=cell), model="none", gates=found)))
    assert sent["cell"] == cell and sent["gates"]["layers"] == 2
    rows = {row["name"]: row for row in sent["gates"]["rows"]}
    assert rows.keys() == {**gates, **states}.keys() and sent["gates"]["rows"][-1] is rows["after"]
    for name, vectors in {**gates, **states}.items():
        np.testing.assert_allclose(rows[name]["values"], vectors[:, :SHOWN], atol=6e-5)
        if name in gates:
            assert sent["gates"]["means"][name] == pytest.approx(vectors.mean(1), abs=6e-5)
            assert rows[name]["norms"] is None
        else:
            assert rows[name]["norms"] == pytest.approx(np.sqrt((vectors**2).sum(1)), abs=6e-4)


def test_without_gates_there_are_no_strips(trace: Trace) -> None:
    sent = data(trace, config(cell="rnn"), model="none")
    assert sent["gates"] is None and sent["cell"] == "rnn"


def test_every_layers_strips_give_its_new_cell_and_state(vocab: Vocab) -> None:
    model = small("deep-lstm", vocab)
    config = model.model.config
    assert isinstance(config, DeepRecurrentConfig)
    trace = translate(model, "a big <b> dog .", DecodingConfig(beam=2, max_length=5))
    gates = gates_by_layer(model, trace)
    sent = json.loads(json.dumps(layers_data(trace, config, gates, model="Deep LSTM")))
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
    assert layers_data(trace, config, [*gates, gates[0]], model="")["adds"] == adds
