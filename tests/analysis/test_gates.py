"""The gates of a recurrent decoder: they make the states of the model itself, which torch's layers computed."""

from typing import Any

import numpy as np
import pytest

from nmtcore.analysis.gates import gates_by_layer, recompute_gates
from nmtcore.config import DecodingConfig, DeepRecurrentConfig, RecurrentConfig
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.text.vocabulary import Vocab
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
    "deep": {"encoder_layers": 2, "decoder_layers": 4, "residual": True},
    "deep-plain": {"encoder_layers": 2, "decoder_layers": 4, "residual": False},
}


def built(vocab: Vocab, name: str) -> Checkpoint:
    settings = {"embedding": 10, "units": 14, **MODELS[name]}
    config = (DeepRecurrentConfig if name.startswith("deep") else RecurrentConfig)(len(vocab), **settings)
    return untrained(config, vocab, spread=2, noise=0.1)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_the_gates_of_every_layer_make_the_models_own_states(vocab: Vocab, name: str, fast: bool) -> None:
    """Each layer's equation holds of the parts that are shown, and the last layer's states are the model's own.

    They are what the layers below it make, so those are right, too.
    """
    model = built(vocab, name)
    if fast:
        model = Checkpoint(accelerate(model.model), vocab, model.name, {})
    trace = translate(model, TEXT, DecodingConfig(beam=2, max_length=7))
    layers = gates_by_layer(model, trace)
    T = len(trace.target)
    assert T > 3 and [found.layers for found in layers] == [MODELS[name].get("decoder_layers", 1)] * len(layers)
    np.testing.assert_allclose(layers[-1].after, trace.inner["state"][:, 0], atol=1e-5)
    np.testing.assert_array_equal(recompute_gates(model, trace).after, layers[-1].after)
    for found in layers:
        assert found.after.shape == (T, 14)
        np.testing.assert_array_equal(found.before[1:], found.after[:-1])
        g, n = found.gates, found.proposal
        if found.cell == "gru":
            again = (1 - g["z"]) * n + g["z"] * found.before
        else:
            before, after = found.cell_before, found.cell_after
            assert after is not None
            np.testing.assert_array_equal(before[1:], after[:-1])
            np.testing.assert_allclose(g["f"] * before + g["i"] * n, after, atol=1e-6)
            again = g["o"] * np.tanh(after)
        np.testing.assert_allclose(again, found.after, atol=1e-6)
        gates = np.stack(list(g.values()))
        assert gates.min() >= 0 and gates.max() <= 1 and gates.std() > 0.05
        for letter, mean in found.means().items():
            assert mean == pytest.approx([sum(row) / 14 for row in g[letter]], abs=1e-6)
