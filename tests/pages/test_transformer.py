"""The Transformer page with tiny models: the browser gets the trace's data, and its requests are answered."""

import base64
import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmtcore import limits
from nmtcore.analysis import head_statistics
from nmtcore.analysis.head_ablation import without_each_head
from nmtcore.analysis.head_parts import attention_inputs, recompute_head
from nmtcore.analysis.occlusion import occlude
from nmtcore.config import DEFAULT_BEAM, DecodingConfig
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import Intervention
from nmtcore.models import checkpoint
from nmtcore.views.heads.head import Head, in_order
from nmtcore.views.parameters import PANES
from pages.common.examples import example_sentences
from pages.transformer.ablation import less_likely
from pages.transformer.state import TransformerState
from tests.helpers import rounding, translate
from tests.pages.helpers import add_meta, component_data, said

PAGE = "transformer"


def drawn(at: AppTest, **address: str) -> dict[str, Any]:
    """Open the page at an address; what the component got."""
    for name, value in address.items():
        at.query_params[name.replace("_", "-")] = value
    return component_data(at.run(), "heads")


def ordinary(
    model_directory: Path, pair: str = "en-fr", change: Intervention | None = None
) -> tuple[checkpoint.Checkpoint, Trace]:
    """The model and its trace of the opening sentence, as the page decodes it."""
    model = checkpoint.load(model_directory / pair / "transformer")
    text = example_sentences(pair)[0].text
    return model, translate(model, text, DecodingConfig(DEFAULT_BEAM), change or Intervention())


def numbers(coded: str, kind: str, *shape: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(coded), dtype=kind).reshape(shape)


def are_of(maps: dict[str, Any], trace: Trace, model: checkpoint.Checkpoint) -> None:
    """The maps that were sent are all of a trace."""
    for attention in trace.attention:
        sent = maps[attention.kind]
        assert (sent["queries"], sent["keys"]) == (list(attention.queries), list(attention.keys))
        weights = numbers(sent["weights"], "<u2", *attention.weights.shape) / 65535
        np.testing.assert_allclose(weights, attention.weights, rtol=0, atol=0.5 / 65535 + rounding(model.model))


@pytest.mark.numerical
@pytest.mark.parametrize("pair", ["en-fr", "zh-en"])
def test_all_maps_are_sent_once_with_their_tokens(page: AppTest, model_directory: Path, pair: str) -> None:
    data = drawn(page, pair=pair)
    model, trace = ordinary(model_directory, pair)
    assert list(data["heads"]["maps"]) == ["cross", "encoder", "decoder"]
    are_of(data["heads"]["maps"], trace, model)
    words = data["words"]  # the picture of the heads is redrawn while the page switches to a pane that it draws itself
    assert all(words[f"hint_{pane}"] and words[f"pane_{pane}"] for pane in PANES)
    assert data["sentence"] == example_sentences(pair)[0].text
    assert said(page) == []


def test_it_opens_with_the_head_that_agrees_with_the_models_own_leave_one_out(
    page: AppTest, model_directory: Path
) -> None:
    """Each row's weight on a word against the word's share of the piece's losses under occlusion, by a slow loop."""
    data = drawn(page)
    model, trace = ordinary(model_directory)
    found = occlude(model, trace)
    cross = trace.attention_of("cross")
    agrees = np.zeros(cross.weights.shape[:2])
    pieces = enumerate(trace.target)
    rows = [t for t, piece in pieces if piece != "<eos>" and (found.whole[t] > found.without[:, t]).any()]
    assert rows
    for place in np.ndindex(*agrees.shape):
        for t in rows:
            losses = [max(0.0, float(found.whole[t] - found.without[w, t])) for w in range(len(found.words))]
            for loss, group in zip(losses, found.pieces, strict=True):
                weight = sum(float(cross.weights[*place, t, s]) for s in group)
                agrees[place] += min(weight, loss / sum(losses)) / len(rows)
    layer, head = np.unravel_index(agrees.argmax(), agrees.shape)
    assert data["heads"]["chosen"] == {"kind": "cross", "layer": layer, "head": head}
    assert f"Best head: {{head}}. {agrees.max():.0%} of its weight" in data["heads"]["note"]
    assert data["heads"]["best"] == data["heads"]["chosen"]
    other = translate(
        checkpoint.load(model_directory / "en-fr" / "additive"),
        trace.source_text,
        DecodingConfig(),
        Intervention.prefix(trace.ids),
    )
    additive = head_statistics.agreement(cross, other.attention_of("cross"))
    sent = data["heads"]["agreement"]
    assert set(sent) == {"agreement", "occlusion"}
    for name, expected in (("occlusion", agrees), ("agreement", additive)):
        np.testing.assert_allclose(np.array(sent[name])[:-1, :-1], expected, atol=1e-4)


READINGS = [
    {"layer": 0, "head": 1, "position": "input", "aer": 0.05},
    {"layer": 1, "head": 1, "position": "output", "aer": 0.11},
    {"layer": 2, "head": 0, "position": "output", "aer": 0.3},
    {"layer": 1, "head": None, "position": "output", "aer": 0.1},
]


@pytest.mark.parametrize(
    ("alignments", "opening"),
    [
        ({"best": {"layer": 2, "head": 0}}, "cross.3.1"),
        (
            {"best": READINGS[0], "readings": READINGS},
            "cross.2.2",
        ),  # the best one's rows are the words read, not written
    ],
)
def test_it_opens_with_the_head_that_the_model_names(
    page: AppTest, own_model_directory: Path, alignments: dict[str, Any], opening: str
) -> None:
    add_meta(own_model_directory / "en-fr" / "transformer", alignments=alignments)
    data = drawn(page)
    assert data["heads"]["opening"] == opening
    assert "On the test sentences" in data["heads"]["note"]
    best = data["heads"]["best"]
    assert f"{best['kind']}.{best['layer'] + 1}.{best['head'] + 1}" == opening


def test_without_the_additive_model_there_is_no_such_column(page: AppTest, own_model_directory: Path) -> None:
    shutil.rmtree(own_model_directory / "en-fr" / "additive")
    assert "agreement" not in drawn(page)["heads"]["agreement"]


def test_a_text_too_long_for_leave_one_out_has_all_but_that(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_SCORED_POSITIONS", 3)
    data = drawn(page, pane="compare")
    assert "head 1 of the first layer" in data["heads"]["note"]
    assert data["heads"]["best"] is None and data["heads"]["chosen"] == {"kind": "cross", "layer": 0, "head": 0}
    assert set(data["heads"]["agreement"]) == {"agreement"} and data["heads"]["changes"]


def test_heads_off_are_translated_again_and_scored(page: AppTest, model_directory: Path) -> None:
    data = drawn(page, off="cross.2.1_encoder.1.2")
    change = Intervention(heads_off=(("cross", 1, 0), ("encoder", 0, 1)))
    model, before = ordinary(model_directory)
    __, after = ordinary(model_directory, change=change)
    forced = Intervention(heads_off=change.heads_off, forced=tuple(enumerate(before.ids)))
    same = translate(model, before.source_text, DecodingConfig(max_length=len(before.ids)), forced)
    effect = data["heads"]["effect"]
    assert effect["off"] == ["cross.2.1", "encoder.1.2"] and before.ids != after.ids
    for text, trace in ((effect["old"], before), (effect["new"], after)):
        assert "".join(part for part, __ in text["parts"]) == trace.text
        assert text["log_probability"] == pytest.approx(trace.log_probability, abs=1e-4)
    assert effect["rescored"] == pytest.approx(same.log_probability, abs=1e-4)


@pytest.mark.numerical
@pytest.mark.parametrize("run", ["after", "before"])
def test_heads_off_show_the_new_translations_attention(page: AppTest, model_directory: Path, run: str) -> None:
    """Maps of both translations are sent, and q, k and v of the one that is shown."""
    data = drawn(page, off="cross.2.1_encoder.1.2", pane="cell", head="cross.3.2", attention=run)["heads"]
    change = Intervention(heads_off=(("cross", 1, 0), ("encoder", 0, 1)))
    model, trace = ordinary(model_directory)
    traces = {"maps": trace, "after": ordinary(model_directory, change=change)[1]}
    for name, trace in traces.items():
        are_of(data[name], trace, model)
    assert data["after"]["cross"]["weights"] != data["maps"]["cross"]["weights"]
    assert data["run"] == data["vectors"]["run"] == run
    shown = traces["after" if run == "after" else "maps"]
    v = numbers(data["vectors"]["v"], "<f4", len(shown.source), data["vectors"]["width"])
    expected = shown.inner["cross_value"][2, 1]
    np.testing.assert_allclose(v, expected, rtol=0, atol=rounding(model.model, np.abs(expected).max()))
    f = numbers(data["vectors"]["f"], "<f4", len(shown.source), data["vectors"]["width"])
    assert np.abs(f).max() > 0


def test_a_less_likely_translation_says_why_it_won(model_directory: Path) -> None:
    """By its length if its score is higher, else because search missed the other; nothing if it is likelier."""
    __, trace = ordinary(model_directory)
    assert len(trace.ids) > 2
    longer = dataclasses.replace(trace, log_probability=-3.0)
    shorter = dataclasses.replace(
        trace, log_probability=-2.9, target=trace.target[:2], steps=trace.steps[:2], attention=()
    )
    decoding = DecodingConfig(5, alpha=1.0)
    said = less_likely(longer, shorter, decoding)
    T = len(trace.ids)
    for part in (f"−3.00 / {(5 + T) / 6:.2f}", f"−2.90 / {7 / 6:.2f}", f"= −{2.9 * 6 / 7:.2f} for the old one"):
        assert part in said
    assert "a beam of 5 did not find it" in less_likely(longer, shorter, DecodingConfig(5, alpha=0.0))
    assert "greedy search did not find it" in less_likely(longer, shorter, DecodingConfig(1, alpha=0.0))
    assert less_likely(shorter, longer, decoding) == ""


def test_the_table_scores_the_output_without_each_head(page: AppTest, model_directory: Path) -> None:
    data = drawn(page, pane="compare")
    model, trace = ordinary(model_directory)
    expected = []
    for attention in in_order(trace):
        for layer in range(attention.layers):
            expected += (without_each_head(model, trace, attention.kind, layer) - trace.log_probability).tolist()
    assert len(expected) == 16
    np.testing.assert_allclose(data["heads"]["changes"], expected, atol=1e-3)
    assert any(abs(change) > 1e-3 for change in expected)


@pytest.mark.parametrize("code", ["cross.2.2", "encoder.2.1", "decoder.3.1"])
def test_the_vectors_of_a_head_are_the_models_own(page: AppTest, model_directory: Path, code: str) -> None:
    """Those of a cell, and its input and output: x_i and x_j, and what arrives through the model's own W^O."""
    sent = drawn(page, pane="cell", head=code)["heads"]["vectors"]
    model, trace = ordinary(model_directory)
    head = Head.read(code, trace)
    assert head and head.layer is not None and head.head is not None
    attention = trace.attention_of(head.kind)
    assert sent["name"] == code
    K, T, S = sent["width"], len(attention.queries), len(attention.keys)
    q, k = (numbers(sent[letter], "<f4", count, K) for letter, count in (("q", T), ("k", S)))
    scores = q @ k.T / np.sqrt(K)
    if head.kind == "decoder":
        scores[np.triu_indices(T, 1)] = -np.inf
    alpha = attention.weights[head.layer, head.head]
    weights = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    np.testing.assert_allclose(weights, alpha, rtol=0, atol=rounding(model.model))
    inner = trace.inner[f"{head.kind}_value"]
    inputs = attention_inputs(model, trace, head.kind)
    parts = recompute_head(model, trace, head.kind, head.layer, head.head)
    for name, count, expected in (
        ("v", S, inner[:, head.layer, head.head] if head.kind == "decoder" else inner[head.layer, head.head]),
        ("xi", T, inputs.queries[head.layer]),
        ("xj", S, inputs.keys[head.layer]),
        ("f", S, parts.arriving),
    ):
        exact = rounding(model.model, np.abs(expected).max())
        np.testing.assert_allclose(numbers(sent[name], "<f4", count, K), expected[:, :K], rtol=0, atol=exact)
    norms = [np.linalg.norm(row) for row in parts.arriving]
    assert sent["norms"] == pytest.approx(norms, abs=rounding(model.model, max(norms)))
    totals = [np.linalg.norm(row) for row in alpha @ parts.arriving]
    assert sent["totals"] == pytest.approx(totals, abs=rounding(model.model, max(totals)))
    assert parts.arriving.shape[1] > K


def test_an_average_has_no_vectors(page: AppTest) -> None:
    assert drawn(page, pane="cell", head="cross.mean.1")["heads"]["vectors"] is None


def test_sixty_pieces_stay_light(page: AppTest) -> None:
    data = drawn(page, text=" ".join(["the cat sees a red dog ."] * 7))
    pieces = len(data["heads"]["maps"]["encoder"]["keys"])
    assert pieces >= 50
    cells = sum(m["layers"] * m["heads"] * len(m["queries"]) * len(m["keys"]) for m in data["heads"]["maps"].values())
    assert len(json.dumps(data)) < 3 * cells + 60_000  # 2 2/3 bytes a weight; the words and figures beside them


def test_state_names_what_this_translation_has(model_directory: Path) -> None:
    """Requests of a link beyond it are left out, each with a sentence; the fields keep the requests."""
    __, trace = ordinary(model_directory)
    opening = Head("cross", 1, 0)
    asked = {"head": "cross.9.1", "off": "cross.2.1_encoder.mean.1_nobody", "pick": "0.t99", "pick-step": "99"}
    state = TransformerState.parse(asked)
    assert state.texts() == asked
    assert state.enlarged(trace, opening) == opening
    assert state.without_heads(trace) == (Head("cross", 1, 0),)
    fields = [field for field, __ in state.lacking_heads(trace, opening)]
    assert fields == ["head", "heads_off", "heads_off", "pick", "pick_step"]
    fitting = TransformerState.parse({"head": "decoder.3.2", "off": "cross.2.1", "pick": "0.t1s2", "pick-step": "2"})
    assert fitting.enlarged(trace, opening) == Head("decoder", 2, 1)
    assert list(fitting.lacking_heads(trace, opening)) == []


@pytest.mark.parametrize(
    ("asked", "shows"),
    [
        ({}, False),
        ({"pane": "cell"}, True),
        ({"pick": "0.t1"}, False),
        ({"pick": "1.t1s2"}, True),
        ({"pick": "0.t1s99"}, False),
    ],
)
def test_vectors_are_sent_where_a_cell_is_shown(model_directory: Path, asked: dict[str, str], shows: bool) -> None:
    __, trace = ordinary(model_directory)
    assert TransformerState.parse(asked).shows_cell(trace.attention_of("cross")) == shows
