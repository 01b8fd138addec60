"""The data of the residual stream's picture: the streams' numbers, for every piece, layer and vector."""

import base64
import json
from typing import Any

import numpy as np
import pytest
import torch

from nmtcore.analysis.residual_stream import ResidualStream, recompute_stream
from nmtcore.config import DecodingConfig, TransformerConfig, model_config
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import NO_CHANGE, Intervention, layer_switch
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.vocabulary import Vocab
from nmtcore.text.words import piece_name, sentence_names
from nmtcore.views.residual_stream.data import FULL, SHOWN, data
from tests.helpers import translate

WIDTH = 18  # more than are shown


@pytest.fixture(params=["pre", "post"])
def model(request: pytest.FixtureRequest, vocab: Vocab) -> Checkpoint:
    torch.manual_seed(6)
    sizes = {"width": WIDTH, "feedforward": 34, "heads": 3, "encoder_layers": 2, "decoder_layers": 3}
    built = checkpoint.build(model_config("transformer", len(vocab), norm=request.param, **sizes))
    for parameter in built.parameters():
        parameter.data = 1.7 * parameter.data + 0.02  # biases too
    return Checkpoint(built.eval(), vocab, "en-fr/transformer", {})


def sent(
    model: Checkpoint, change: Intervention = NO_CHANGE
) -> tuple[dict[str, Any], Trace, dict[str, ResidualStream]]:
    """The record as it goes to the browser, with the trace and the streams behind it."""
    trace = translate(model, "a big dog does not like it .", DecodingConfig(max_length=7), change)
    encoder, decoder = recompute_stream(model, trace, "encoder"), recompute_stream(model, trace, "decoder")
    assert isinstance(model.config, TransformerConfig)
    record = data(encoder, decoder, trace, model.config, model="Transformer", opens="t1")
    return json.loads(json.dumps(record)), trace, {"s": encoder, "t": decoder}


def numbers(row: dict[str, Any]) -> np.ndarray[Any, Any]:
    """The strips of a row as the browser reads them, (T, numbers)."""
    whole = np.frombuffer(base64.b64decode(row["values"]), "<i2").reshape(len(row["norms"]), -1)
    return whole / FULL * np.array(row["largest"])[:, None]


@pytest.mark.parametrize("side", ["s", "t"])
def test_the_rows_of_each_layer_are_its_vectors_in_their_order(model: Checkpoint, side: str) -> None:
    record, _, streams = sent(model)
    stream, layers = streams[side], record["stacks"][side]["layers"]
    assert len(layers) == {"s": 2, "t": 3}[side]
    for index, rows in enumerate(layers):
        stages = stream.layer(index)
        vectors = [("scaled", stream.embedding), ("place", stream.place)] if index == 0 else []
        vectors.append(("stream", stages[0].before))
        for stage in stages:
            inner = ("contexts", stage.inner) if stage.active is None else ("inner", -np.sort(-stage.inner, axis=1))
            if stream.norm == "pre":
                vectors += [("read", stage.read), inner, ("added", stage.added), ("stream", stage.stream)]
            else:
                vectors += [inner, ("added", stage.added), ("total", stage.total), ("normed", stage.stream)]
        assert [row["name"] for row in rows] == [name for name, _ in vectors]
        for row, (_, vector) in zip(rows, vectors, strict=True):
            shown = vector[:, :SHOWN]
            assert numbers(row).shape == shown.shape == (len(stream.tokens), SHOWN)
            np.testing.assert_allclose(numbers(row), shown, atol=np.abs(shown).max() / FULL + 1e-4)
            np.testing.assert_allclose(row["norms"], np.linalg.norm(vector, axis=1), atol=1e-3)


def test_each_stream_says_what_the_lens_has_in_its_column(model: Checkpoint) -> None:
    record, trace, streams = sent(model)
    for side, stream in streams.items():
        lens = record["stacks"][side]["lens"]
        said = [stream.start_says, *(stage.says for stage in stream.stages)]
        assert [[[c[1] for c in piece] for piece in column["says"]] for column in lens] == [
            [[found.id for found in piece] for piece in column] for column in said
        ]
        assert lens[-1]["says"][0][0][0] == piece_name(said[-1][0][0].token)
        assert [c[2] for c in lens[-1]["says"][1]] == pytest.approx([s.value for s in said[-1][1]], rel=1e-3)
        columns = [[row["says"] for row in rows if "says" in row] for rows in record["stacks"][side]["layers"]]
        each = len(stream.layer(0))
        assert columns == [list(range(n * each, (n + 1) * each + 1)) for n in range(len(columns))]
        assert [lens[n]["layer"] for n in columns[-1][1:]] == [len(columns)] * each
    assert record["stacks"]["t"]["predicts"] == sentence_names(trace.target)
    assert record["stacks"]["s"]["predicts"] is None


def test_shares_and_units_above_zero_stand_beside_what_they_are_of(model: Checkpoint) -> None:
    codes = ("decoder.1.attention", "decoder.1.cross", "decoder.1.residual")
    record, _, streams = sent(model, Intervention(parts_off=tuple(map(layer_switch, codes))))
    assert record["off"] == list(codes)
    for side, stream in streams.items():
        for index, rows in enumerate(record["stacks"][side]["layers"]):
            alone = (stream.stack, index) == ("decoder", 0)  # its residual connection is off
            added = [row for row in rows if row["name"] == ("alone" if alone else "added")]
            assert len(added) == len(stream.layer(index))
            for row, stage in zip(added, stream.layer(index), strict=True):
                assert row["part"] == stage.part
                assert (row["note"] == "off") == (f"{stream.stack}.{index + 1}.{stage.part}" in codes)
                wanted = [None if np.isinf(share) else pytest.approx(share, abs=1e-3) for share in stage.share]
                assert row["shares"] == wanted
            (inner,) = [row for row in rows if row["name"] == "inner"]
            active = stream.layer(index)[-1].active
            assert active is not None and (inner["active"], inner["units"]) == (active.tolist(), 34)
    if record["norm"] == "pre":  # the stream is zero, and the feed-forward part adds to it
        assert set(record["stacks"]["t"]["layers"][0][-2]["shares"]) == {None}


def test_a_layer_without_norm_names_none(model: Checkpoint) -> None:
    record, _, _ = sent(
        model, Intervention(parts_off=(layer_switch("encoder.1.norm"), layer_switch("encoder.2.residual")))
    )
    first, second = ({row["name"] for row in rows} for rows in record["stacks"]["s"]["layers"])
    assert not first & {"read", "normed"} and "added" in first
    assert not second & {"added", "total"} and {"read", "normed"} & second


def test_of_a_deep_stack_the_lens_draws_the_layers_alone(model: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    stacks = sent(model)[0]["stacks"]
    assert stacks["t"]["columns"] == list(range(10)) and stacks["s"]["columns"] == list(range(5))
    monkeypatch.setattr("nmtcore.views.residual_stream.data.COLUMNS", 9)
    stacks = sent(model)[0]["stacks"]
    assert stacks["t"]["columns"] == [0, 3, 6, 9] and stacks["s"]["columns"] == list(range(5))
