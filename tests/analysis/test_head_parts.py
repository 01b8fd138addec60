"""A head's contribution: norms equal a direct computation, and all heads' parts add up to the layer's."""

import numpy as np
import pytest

from nmtcore.analysis.head_parts import attention_inputs, attention_layer, recompute_head
from nmtcore.analysis.residual_stream import run_trace
from nmtcore.config import DecodingConfig, TransformerConfig
from nmtcore.errors import InterventionError
from nmtcore.intervention import AttentionKind, Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.text.vocabulary import Vocab
from tests.helpers import translate, untrained

TEXT = "a big dog does not like the red house ."
D, H, K = 18, 3, 6
KINDS: list[AttentionKind] = ["encoder", "decoder", "cross"]


@pytest.fixture(params=["pre", "post"])
def model(request: pytest.FixtureRequest, vocab: Vocab) -> Checkpoint:
    config = TransformerConfig(len(vocab), D, 22, H, 2, 3, norm=request.param)
    return untrained(config, vocab, 9, spread=1.5, noise=0.05)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fast", [False, True])
def test_the_parts_of_all_heads_add_up(model: Checkpoint, kind: AttentionKind, fast: bool) -> None:
    if fast:
        model = Checkpoint(accelerate(model.model), model.vocab, model.name, {})
    change = Intervention(heads_off=((kind, 1, 2),))
    trace = translate(model, TEXT, DecodingConfig(beam=2, max_length=7), change)
    attention = trace.attention_of(kind)
    run = run_trace(model, trace)["encoder" if kind == "encoder" else "decoder"]
    read = attention_inputs(model, trace, kind)
    for layer in range(attention.layers):
        module = attention_layer(model, trace, kind, layer, 0)
        parts = [recompute_head(model, trace, kind, layer, head) for head in range(H)]
        whole = sum(part.output for part in parts) + module.output.bias.detach().numpy()
        np.testing.assert_allclose(whole, run.layers[layer][kind == "cross"].added[0].detach().numpy(), atol=1e-4)
        for head, part in enumerate(parts):
            off = (layer, head) == (1, 2)
            weight = module.project.weight.detach().numpy()[2 * D + head * K : 2 * D + (head + 1) * K]
            bias = module.project.bias.detach().numpy()[2 * D + head * K : 2 * D + (head + 1) * K]
            out = module.output.weight.detach().numpy()[:, head * K : (head + 1) * K]
            f = (read.keys[layer] @ weight.T + bias) @ out.T * (not off)  # (S, D)
            np.testing.assert_allclose(part.arriving, f, atol=1e-4)
            weighted = attention.weights[layer, head][..., None] * f  # (T, S, D)
            np.testing.assert_allclose(part.output, weighted.sum(1), atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_q_is_made_of_what_the_layer_reads(model: Checkpoint, kind: AttentionKind) -> None:
    trace = translate(model, TEXT, DecodingConfig(beam=1, max_length=6))
    attention = trace.attention_of(kind)
    read = attention_inputs(model, trace, kind)
    assert read.queries.shape == (attention.layers, len(attention.queries), D)
    assert read.keys.shape == (attention.layers, len(attention.keys), D)
    for layer in range(attention.layers):
        module = attention_layer(model, trace, kind, layer, 0)
        weight, bias = module.project.weight.detach().numpy(), module.project.bias.detach().numpy()
        inner = trace.inner[f"{kind}_query"]
        q = inner[layer] if kind == "encoder" else inner[:, layer].swapaxes(0, 1)  # (H, T, K)
        made = (read.queries[layer] @ weight[:D].T + bias[:D]).reshape(-1, H, K).swapaxes(0, 1)
        np.testing.assert_allclose(made, q, atol=1e-4)
        inner = trace.inner[f"{kind}_key"]
        k = inner[:, layer].swapaxes(0, 1) if kind == "decoder" else inner[layer]
        made = (read.keys[layer] @ weight[D : 2 * D].T + bias[D : 2 * D]).reshape(-1, H, K).swapaxes(0, 1)
        np.testing.assert_allclose(made, k, atol=1e-4)


def test_what_has_no_such_head_says_so(model: Checkpoint) -> None:
    trace = translate(model, TEXT, DecodingConfig(beam=1, max_length=4))
    for layer, head in ((3, 0), (0, 3), (-1, 0)):
        with pytest.raises(InterventionError, match="There is no cross layer"):
            recompute_head(model, trace, "cross", layer, head)
