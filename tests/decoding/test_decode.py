"""The record of a real decode, of every architecture."""

import copy
import dataclasses
import json
import math

import numpy as np
import pytest
import torch

from nmtcore.config import DecodingConfig
from nmtcore.decoding import batched
from nmtcore.decoding.decode import translate_batch
from nmtcore.decoding.trace import Trace
from nmtcore.errors import CheckpointError, InterventionError, TextError
from nmtcore.intervention import Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import EOS, UNK
from tests.helpers import rounding, translate

TEXT = "the small small cat <s> sees"
WIDTHS = [1, 4]


@pytest.fixture(scope="module", params=WIDTHS)
def made(small_checkpoint: Checkpoint, request: pytest.FixtureRequest) -> Trace:
    return translate(small_checkpoint, TEXT, DecodingConfig(beam=request.param, max_length=9))


@pytest.fixture
def close_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that still depend on sentence length, but that models that do not stop reach sooner."""
    monkeypatch.setattr(DecodingConfig, "limit", lambda self, length: self.max_length or length + 3)


def test_maps_carry_the_names_of_their_axes(made: Trace) -> None:
    kinds = {a.kind: a for a in made.attention}
    every = {"encoder", "decoder", "cross"}
    expected = {"none": set(), "transformer": every, "relative": every}.get(made.architecture, {"cross"})
    assert set(kinds) == expected
    assert made.source[-1] == "<eos>" and "".join(made.source[:-1]).replace("▁", " ").strip() == TEXT
    for attention in made.attention:
        assert np.allclose(attention.weights.sum(-1), 1, atol=1e-5)
    if "decoder" in kinds:
        assert np.allclose(np.triu(kinds["decoder"].weights, 1), 0)
        assert kinds["decoder"].queries == kinds["decoder"].keys == ("<sos>", *made.target[:-1])
        assert (kinds["encoder"].layers, kinds["cross"].layers) == (2, 3)


@pytest.mark.numerical
def test_the_numbers_of_a_trace_agree(made: Trace) -> None:
    assert made.log_probability == pytest.approx(sum(s.log_probability for s in made.steps), abs=1e-4)
    best = made.ranked(made.decoding.alpha, made.decoding.beta)[0]
    assert best.fate == "winner" and best.score(made.decoding.alpha, made.decoding.beta) == made.score
    assert tuple(n.token_id for n in made.path(best)) == made.ids
    for step in made.steps:
        values = [c.log_probability for c in step.candidates]
        assert values == sorted(values, reverse=True) and len(values) == 10
        assert any(c.id == step.id and c.log_probability == step.log_probability for c in step.candidates)


def test_json_round_trip(made: Trace) -> None:
    once = Trace.from_json(json.loads(made.dumps(inner=True)))
    assert Trace.from_json(json.loads(once.dumps(inner=True))) == once  # six digits are lost once, then nothing
    assert (once.source, once.target, once.text, once.ids) == (made.source, made.target, made.text, made.ids)
    assert [(n.parent, n.token, n.rank, n.fate) for n in once.beam] == [
        (n.parent, n.token, n.rank, n.fate) for n in made.beam
    ]
    for a, b in zip(once.attention, made.attention, strict=True):
        assert (a.kind, a.queries, a.keys) == (b.kind, b.queries, b.keys)
        assert np.allclose(a.weights, b.weights, rtol=1e-5)
    for name, values in made.inner.items():
        assert np.allclose(once.inner[name], values, rtol=1e-5), name


@pytest.mark.numerical
def test_a_forced_decode_sees_what_search_saw(small_checkpoint: Checkpoint) -> None:
    searched = translate(small_checkpoint, TEXT, DecodingConfig(beam=3, max_length=8))
    forced = translate(small_checkpoint, TEXT, DecodingConfig(max_length=8), Intervention.prefix(searched.ids))
    assert forced.target == searched.target
    assert forced.log_probability == pytest.approx(searched.log_probability, abs=1e-4)
    for a, b in zip(forced.attention, searched.attention, strict=True):
        assert np.allclose(a.weights, b.weights, atol=1e-4)
    assert set(forced.inner) == set(searched.inner)
    for name, values in forced.inner.items():
        assert np.allclose(values, searched.inner[name], atol=1e-3), name


@pytest.mark.numerical
def test_inner_holds_what_the_arithmetic_needs(small_checkpoint: Checkpoint) -> None:
    made = translate(small_checkpoint, TEXT, DecodingConfig(max_length=7))
    inner, T, S = made.inner, len(made.target), len(made.source)
    if made.architecture == "none":
        assert inner["summary"].shape == (1, 18)
        return
    cross = made.known_attention("cross")
    if "cross_query" in inner:
        scores = np.einsum("tlhk,lhsk->lhts", inner["cross_query"], inner["cross_key"])
        if made.architecture != "convolutional":
            scores /= np.sqrt(8)
            assert inner["decoder_scores"].shape == (T, 3, 2, T)
        assert np.allclose(np.einsum("tlhs->lhts", inner["cross_scores"]), scores, atol=1e-4)
    else:
        scores = inner["scores"][None, :, 0]  # (1, T, S)
        context = inner["context"][:, 0]
        assert np.allclose(context, cross.weights[0, 0] @ inner["states"][0], atol=1e-5)
        if made.architecture == "dot":
            assert np.allclose(scores[0], inner["query"][:, 0] @ inner["states"][0].T, atol=1e-4)
    exponent = np.exp(scores - scores.max(-1, keepdims=True))
    assert np.allclose(
        exponent / exponent.sum(-1, keepdims=True),
        cross.weights.reshape(-1, 1, T, S)[:, 0].reshape(scores.shape),
        atol=1e-5,
    )


@pytest.mark.numerical
@pytest.mark.usefixtures("close_limits")
@pytest.mark.parametrize("width", WIDTHS)
def test_many_at_once_as_one_by_one(small_checkpoint: Checkpoint, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has its own length limit, as a model that does not stop shows, in one batch and in batches of one."""
    decoding, texts = DecodingConfig(beam=width), ["a dog", TEXT, "红色的房子"]
    alone = [translate(small_checkpoint, text, decoding) for text in texts]
    stops = ("none", "convolutional", "copying")  # when untrained
    assert not alone[0].finished or small_checkpoint.config.architecture in stops
    for rows, batches in ((batched.ROWS, [3]), (1, [1, 1, 1])):
        monkeypatch.setattr(batched, "ROWS", rows)
        progress: list[int] = []
        sources = [*map(small_checkpoint.read, texts)]
        done = batched.translate_all(small_checkpoint, sources, decoding, progress.append)
        assert progress == batches
        assert list(zip(done.texts, done.finished, strict=True)) == [(trace.text, trace.finished) for trace in alone]
    assert batched.translate_all(small_checkpoint, [], decoding).texts == []


@pytest.mark.numerical
@pytest.mark.usefixtures("close_limits")
@pytest.mark.parametrize("decoding", [DecodingConfig(1), DecodingConfig(4), DecodingConfig(3, max_length=9)])
def test_the_records_of_a_batch_are_those_of_its_sentences_alone(
    small_checkpoint: Checkpoint, decoding: DecodingConfig
) -> None:
    texts = ["a dog", TEXT, "红色的房子"]
    for made, text in zip(
        translate_batch(small_checkpoint, [*map(small_checkpoint.read, texts)], decoding), texts, strict=True
    ):
        alone = translate(small_checkpoint, text, decoding)
        assert (made.source_text, made.source, made.text, made.ids) == (text, alone.source, alone.text, alone.ids)
        assert (made.finished, made.decoding, made.model) == (alone.finished, decoding, alone.model)
        assert made.score == pytest.approx(alone.score, abs=1e-4)
        # Of two pruned candidates whose scores differ by rounding, either may come first.
        kept = [
            [(i, n.parent, n.step, n.token, n.rank, n.fate) for i, n in enumerate(trace.beam) if n.fate != "pruned"]
            for trace in (made, alone)
        ]
        assert kept[0] == kept[1] and len(made.beam) == len(alone.beam)
        assert [n.total for n in made.beam] == pytest.approx(
            [n.total for n in alone.beam], rel=4 * rounding(small_checkpoint.model)
        )
        for mine, others in zip(made.steps, alone.steps, strict=True):
            assert [c.id for c in mine.candidates] == [c.id for c in others.candidates]
        for a, b in zip(made.attention, alone.attention, strict=True):
            assert (a.kind, a.queries, a.keys) == (b.kind, b.queries, b.keys)
            assert np.allclose(a.weights, b.weights, rtol=0, atol=4 * rounding(small_checkpoint.model))
        assert made.inner.keys() == alone.inner.keys()
        for name, values in made.inner.items():
            assert values.shape == alone.inner[name].shape, name
            largest = np.abs(values[np.isfinite(values)]).max(initial=1)
            exact = 4 * rounding(small_checkpoint.model, largest)  # of consecutive steps
            assert np.allclose(values, alone.inner[name], rtol=0, atol=exact), name


def test_a_batch_with_a_text_beyond_the_limits_is_refused(small_checkpoint: Checkpoint) -> None:
    with pytest.raises(TextError):
        translate_batch(
            small_checkpoint, [*map(small_checkpoint.read, ("a dog", "cat " * 400))], DecodingConfig(max_length=2)
        )


@pytest.mark.parametrize("width", WIDTHS)
def test_a_model_without_numbers_is_said(small_checkpoint: Checkpoint, width: int) -> None:
    broken = dataclasses.replace(small_checkpoint, model=copy.deepcopy(small_checkpoint.model))
    with torch.no_grad():
        for parameter in broken.model.parameters():
            parameter.fill_(math.nan)
    with pytest.raises(CheckpointError, match="not numbers"):
        translate(broken, TEXT, DecodingConfig(beam=width))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("step", [0, 1])
def test_forbidding_every_piece_is_refused(small_checkpoint: Checkpoint, width: int, step: int) -> None:
    every = tuple((step, token) for token in (UNK, *range(EOS, len(small_checkpoint.vocab))))
    change = Intervention(forbidden=(*every, (0, EOS)))  # so that nothing has finished before
    with pytest.raises(InterventionError, match="Every piece is forbidden"):
        translate(small_checkpoint, TEXT, DecodingConfig(beam=width, max_length=4), change)


def test_what_if_is_another_trace(small_checkpoint: Checkpoint) -> None:
    if small_checkpoint.config.architecture == "none":
        return
    plain = translate(small_checkpoint, TEXT, DecodingConfig(max_length=6))
    change = Intervention.attend_to(1, 2, len(plain.source))
    changed = translate(small_checkpoint, TEXT, DecodingConfig(max_length=6), change)
    assert changed.intervention == change and changed.steps[0] == plain.steps[0]
    cross = changed.attention_of("cross")
    assert cross is not None and (cross.weights[:, :, 1, 2] == 1).all()
    assert changed.log_probability != plain.log_probability
