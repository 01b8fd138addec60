"""The residual stream of every token: its parts add up, and its end is what the model itself computed."""

import dataclasses
import functools
from typing import Any

import numpy as np
import pytest
import torch

from nmtcore.analysis.residual_stream import recompute_stream
from nmtcore.config import DecodingConfig, TransformerConfig
from nmtcore.decoding.trace import Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import NO_CHANGE, Intervention, Stack, layer_switch
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.text.vocabulary import Vocab
from tests.helpers import translate, untrained

TEXT = "a big dog does not like the red house ."
CHANGED = Intervention(
    heads_off=(("cross", 1, 0),),
    positions="dropped",
    target_positions="dropped",
    parts_off=(("encoder", 1, "residual"), ("decoder", 2, "feedforward"), ("decoder", 0, "norm")),
)


@pytest.fixture(scope="module", params=["pre", "post", "learned", "relative", "none", "unscaled", "beside"])
def model(request: pytest.FixtureRequest, vocab: Vocab) -> Checkpoint:
    """Untrained, of unequal sizes: two encoder layers, three decoder layers."""
    settings: dict[str, Any] = {
        **{"pre": {}, "post": {"norm": "post"}, "unscaled": {"scale_embedding": False}},
        "beside": {"concatenate_positions": True},
    }.get(request.param, {"positions": request.param})
    return untrained(TransformerConfig(len(vocab), 18, 34, 3, 2, 3, **settings), vocab, 6, spread=1.7)


@functools.cache
def translated(model: Checkpoint, change: Intervention = NO_CHANGE) -> Trace:
    return translate(model, TEXT, DecodingConfig(beam=2, max_length=7), change)


@pytest.mark.parametrize(("stack", "count"), [("encoder", 4), ("decoder", 9)])
def test_the_parts_add_up_to_the_stream(model: Checkpoint, stack: Stack, count: int) -> None:
    found = recompute_stream(model, translated(model), stack)
    assert len(found.start) == len(found.tokens) > 1
    layers = model.model.encoder if stack == "encoder" else model.model.decoder
    np.testing.assert_allclose(found.embedding + found.place, found.start, atol=1e-4)
    assert len(found.stages) == count and len(found.layer(1)) == count // len(layers)
    stream = found.start
    for n, stage in enumerate(found.stages):
        norm = layers[stage.layer].sublayers[n % len(found.layer(0))].norm
        np.testing.assert_array_equal(stage.before, stream)
        np.testing.assert_allclose(stream + stage.added, stage.total, atol=1e-4)
        changed = stage.before if found.norm == "pre" else stage.total
        expected = norm(torch.tensor(changed)).detach().numpy()
        np.testing.assert_allclose(stage.read if found.norm == "pre" else stage.stream, expected, atol=1e-4)
        stream = stage.stream
        sizes = [np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(stage.added, stage.before, strict=True)]
        assert stage.share == pytest.approx(sizes, rel=1e-5)
    if found.norm == "pre":
        np.testing.assert_allclose(found.start + sum(stage.added for stage in found.stages), stream, atol=1e-4)


@pytest.mark.parametrize("change", [NO_CHANGE, CHANGED], ids=["ordinary", "changed"])
@pytest.mark.parametrize("fast", [False, True])
def test_it_ends_where_the_model_ended(model: Checkpoint, change: Intervention, fast: bool) -> None:
    """The trace was decoded step by step; the last layer's lens gives exactly its candidates."""
    if fast:
        model = Checkpoint(accelerate(model.model), model.vocab, model.name, {})
    trace = translated(model, change)
    found = recompute_stream(model, trace, "decoder")
    assert (found.tokens, found.predicts) == (tuple(trace.inputs), tuple(trace.target))
    for step, said in zip(trace.steps, found.stages[-1].says, strict=True):
        likeliest = step.candidates[:5]
        assert [s.value for s in said] == pytest.approx([np.exp(c.log_probability) for c in likeliest], abs=1e-4)
        assert said[0].id == likeliest[0].id
    source = recompute_stream(model, trace, "encoder")
    assert (source.tokens, source.predicts) == (tuple(trace.source), None)
    last = model.model.encoder_norm(torch.tensor(source.stages[-1].stream)).detach().numpy()
    np.testing.assert_allclose(last, trace.inner["states"][0], atol=1e-4)


def test_what_is_off_adds_nothing(model: Checkpoint) -> None:
    found = recompute_stream(model, translated(model, CHANGED), "decoder")
    last = found.stages[-1]
    assert last.part == "feedforward" and not last.added.any() and not last.share.any()
    np.testing.assert_array_equal(last.total, last.before)
    if found.norm == "pre":
        np.testing.assert_array_equal(found.stages[0].read, found.start)
    source = recompute_stream(model, translated(model, CHANGED), "encoder")
    assert not source.place.any()
    np.testing.assert_array_equal(source.stages[-1].total, source.stages[-1].added)


def test_nothing_added_to_nothing_is_no_large_share_and_something_is(model: Checkpoint) -> None:
    codes = ("attention", "cross", "residual")
    change = Intervention(parts_off=tuple(layer_switch(f"decoder.1.{part}") for part in codes))
    stages = recompute_stream(model, translated(model, change), "decoder").stages
    assert stages[1].part == "cross" and not stages[1].added.any()
    assert not stages[1].share.any()
    something = dataclasses.replace(stages[2], added=np.ones_like(stages[2].added))
    assert not something.before.any() and np.isinf(something.share).all()


@pytest.mark.parametrize("change", [NO_CHANGE, CHANGED], ids=["ordinary", "changed"])
def test_contexts_and_inner_layer_make_what_is_added(model: Checkpoint, change: Intervention) -> None:
    """For every sub-layer that is on, in NumPy; a head that is off has contexts of zero."""
    found = recompute_stream(model, translated(model, change), "decoder")
    for stage in found.stages:
        layer = model.model.decoder[stage.layer]
        last = {
            "attention": layer.self_attention.output,
            "cross": layer.cross_attention.output,
            "feedforward": layer.feedforward.outer,
        }[stage.part]
        made = stage.inner @ last.weight.detach().numpy().T + last.bias.detach().numpy()
        off = ("decoder", stage.layer, stage.part) in change.parts_off
        np.testing.assert_allclose(stage.added, np.zeros_like(made) if off else made, atol=1e-4)
        if stage.part == "cross":
            heads = stage.inner.reshape(-1, 3, 6)
            on = (("cross", stage.layer, 0)) not in change.heads_off
            assert heads[:, 1:].any(2).all() and (heads[:, 0].any(1) == on).all()
        if stage.part == "feedforward":
            assert stage.active is not None and stage.units == 34
            np.testing.assert_array_equal(stage.active, (stage.inner > 0).sum(1))
        else:
            assert stage.active is None and stage.units is None


def test_an_encoder_stream_names_the_nearest_embeddings(model: Checkpoint) -> None:
    found = recompute_stream(model, translated(model), "encoder")
    table = model.model.embed.weight.detach().numpy()
    stream, says = found.stages[2].stream[5], found.stages[2].says[5]
    cosines = table @ stream / np.linalg.norm(table, axis=1) / np.linalg.norm(stream)
    cosines[[0, 2]] = -np.inf  # padding and <sos>
    best = np.argsort(-cosines)[:5]
    assert [said.id for said in says] == best.tolist()
    assert [said.value for said in says] == pytest.approx(cosines[best], abs=1e-5)


def test_attention_replaced_at_a_step_has_no_stream(model: Checkpoint) -> None:
    row = Intervention.attend_to(0, 1, len(translated(model).source))
    with pytest.raises(InterventionError, match="was replaced"):
        recompute_stream(model, translated(model, row), "decoder")
