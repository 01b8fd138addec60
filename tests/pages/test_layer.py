"""The pane of one layer: a piece, a layer and parts that are off come from the address, and go back into it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmtcore.analysis.residual_stream import recompute_stream
from nmtcore.config import DecodingConfig
from nmtcore.decoding import decode
from nmtcore.intervention import Intervention
from nmtcore.models import checkpoint
from nmtcore.text.words import piece_name
from pages.common import figure, neighbors
from pages.common.examples import example_sentences
from pages.common.link_parameters import DEFAULT_BEAM
from pages.common.registry import script
from pages.transformer import layer
from tests.pages.helpers import saved_figures


@pytest.fixture
def page(shelf: Path) -> AppTest:
    return AppTest.from_file(script("transformer"), default_timeout=120)


def opened(at: AppTest, **address: str) -> AppTest:
    at.query_params["pane"] = "layer"
    for name, value in address.items():
        at.query_params[name.replace("_", "-")] = value
    at.run()
    assert not at.exception, at.exception
    return at


def rows(at: AppTest) -> tuple[list[str], np.ndarray, list[str]]:
    """The names, the strips and the words of the rows of the first picture."""
    drawn = json.loads(at.get("plotly_chart")[0].proto.spec)
    layout = drawn["layout"]
    z = drawn["data"][0]["z"]
    if isinstance(z, dict):
        import base64

        z = np.frombuffer(base64.b64decode(z["bdata"]), dtype=z["dtype"]).reshape(
            [int(n) for n in z["shape"].split(",")]
        )
    return layout["yaxis"]["ticktext"], np.array(z), [a["text"] for a in layout["annotations"]]


@pytest.mark.parametrize(("piece", "stack", "position"), [("s2", "encoder", 2), ("t1", "decoder", 1)])
def test_the_rows_are_the_streams_own_numbers(
    page: AppTest, shelf: Path, piece: str, stack: str, position: int
) -> None:
    opened(page, piece=piece, layer="2")
    model = checkpoint.load(shelf / "en-fr" / "transformer")
    trace = decode.translate(model, example_sentences("en-fr")[0].text, DecodingConfig(DEFAULT_BEAM))
    stream = recompute_stream(model, trace, stack, position)  # type: ignore[arg-type]
    names, strips, words = rows(page)
    stages = stream.layer(1)
    assert len(names) == 1 + 4 * len(stages)  # pre-norm: norm, contexts or inner layer, what is added, stream
    np.testing.assert_allclose(strips[0] + strips[3], strips[4], atol=1e-4)
    for n, stage in enumerate(stages):
        shown = stage.inner if stage.active is None else sorted(stage.inner, reverse=True)
        np.testing.assert_allclose(strips[4 * n + 2], shown[:16], atol=1e-4)
    config = model.config
    assert f"{config.heads} heads, {config.width // config.heads} numbers each, joined" in words  # type: ignore[attr-defined]
    np.testing.assert_allclose(strips[-1], stages[-1].stream[:16], atol=1e-4)
    assert f"{np.linalg.norm(stages[-1].stream):.2f}" in words
    assert any(f"{stages[-1].active} of {stages[-1].units} units above zero" in text for text in words)
    assert any(piece_name(stages[-1].says[0].token) in text for text in words)


@pytest.mark.parametrize(("piece", "stack", "position"), [("s1", "encoder", 1), ("t2", "decoder", 2)])
def test_every_piece_that_the_stream_would_say_can_be_picked(
    page: AppTest, shelf: Path, monkeypatch: pytest.MonkeyPatch, piece: str, stack: str, position: int
) -> None:
    picks: dict[str, Callable[[int], None]] = {}
    drawn = layer.draw_figure

    def drawn_with(chart: Any, *, key: str, on_pick: Callable[[int], None] | None = None, **words: Any) -> None:
        if on_pick:
            picks[key] = on_pick
        drawn(chart, key=key, on_pick=on_pick, **words)

    monkeypatch.setattr(layer, "draw_figure", drawn_with)
    opened(page, piece=piece)
    model = checkpoint.load(shelf / "en-fr" / "transformer")
    trace = decode.translate(model, example_sentences("en-fr")[0].text, DecodingConfig(DEFAULT_BEAM))
    stream = recompute_stream(model, trace, stack, position)  # type: ignore[arg-type]
    columns = [stream.start_says, *(stage.says for stage in stream.stages)]
    chart = next(c.proto for c in page.get("plotly_chart") if c.proto.alt.startswith("What the stream would say"))
    points = json.loads(chart.spec)["data"][1]
    cells = dict(zip(zip(points["x"], points["y"], strict=True), points["customdata"], strict=True))
    assert cells == {(x, y): said.id for x, column in enumerate(columns) for y, said in enumerate(column)}
    (shown,) = (
        json.loads(e.proto.json)
        for e in page.get("bidi_component")
        if e.proto.component_name == "save_figure" and "layer-says" in e.proto.json
    )
    assert {(cell["column"], cell["row"]): cell["pick"] for cell in shown["cells"]} == cells, "for the keyboard"
    first = shown["cells"][0]
    assert first["name"] == f"embedding, 1: {piece_name(columns[0][0].token)}: {columns[0][0].value:.4f}"
    assert (first["x"], first["y"]) == (0.5 / len(columns), 0.5 / len(columns[0]))
    assert list(chart.selection_mode) == [chart.SelectionMode.POINTS]
    asked: dict[str, str] = {}
    monkeypatch.setattr(neighbors.st, "query_params", asked)
    monkeypatch.setattr(neighbors.st, "session_state", {})
    picks["layer-says"](4711)
    assert list(picks) == ["layer-says"] and asked == {"vectors": f"{piece[0]}.4711"}


def test_parts_off_are_translated_again(page: AppTest, shelf: Path) -> None:
    opened(page, parts_off="decoder.2.residual_encoder.1.norm", off="cross.1.1")
    model = checkpoint.load(shelf / "en-fr" / "transformer")
    change = Intervention(heads_off=(("cross", 0, 0),), parts_off=(("decoder", 1, "residual"), ("encoder", 0, "norm")))
    text = example_sentences("en-fr")[0].text
    after = decode.translate(model, text, DecodingConfig(DEFAULT_BEAM), change)
    shown = " ".join(element.proto.body for element in page.get("html"))
    assert f"{after.log_probability:.2f}".replace("-", "\u2212") in shown
    assert "decoder layer 2 residual, encoder layer 1 norm, heads: 1" in shown


def test_what_is_chosen_stands_in_the_address(page: AppTest) -> None:
    opened(page)
    pills = {group.key: group for group in page.get("button_group")}
    pills["layer piece s"].set_value(1).run()
    assert page.query_params["piece"] in ("s1", ["s1"])
    pills = {group.key: group for group in page.get("button_group")}
    pills["layer switches"].set_value(["feedforward"]).run()
    assert page.query_params["parts-off"] in ("encoder.1.feedforward", ["encoder.1.feedforward"])
    pills = {group.key: group for group in page.get("button_group")}
    pills["pane tabs"].set_value("compare").run()
    assert not page.exception
    assert page.query_params["pane"] in ("compare", ["compare"])
    assert [e.proto.component_name for e in page.get("bidi_component") if e.proto.component_name == "heads"]


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ({"piece": "t99"}, "picks a piece that is not in these sentences"),
        ({"piece": "<b>"}, "picks a piece that is not in these sentences"),
        ({"layer": "9"}, "asks for layer 9"),
        ({"parts_off": "encoder.3.norm"}, "switches off encoder.3.norm"),
        ({"parts_off": "encoder.1.cross"}, "switches off encoder.1.cross"),
    ],
)
def test_what_is_not_there_is_ignored_in_a_sentence(page: AppTest, address: dict[str, str], sentence: str) -> None:
    opened(page, **address)
    assert any(sentence in element.value for element in page.text)
    assert rows(page)[0]


def test_the_table_beside_the_picture_is_short_and_the_file_has_every_number(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser needs most of a second to draw all numbers of the inner layer as a table that nobody sees."""
    monkeypatch.setattr(figure, "MAX_COLUMNS", 20)
    saved = saved_figures(opened(page, layer="2"))["layer-rows"]
    head, *lines = saved["rows"]
    assert {"row", "norm", "share", "says 1", "x1"} <= set(head)
    assert {len(line) for line in [head, *lines]} == {20}
    columns = saved["csv"].splitlines()[0].split(",")
    assert columns[:20] == head and len(columns) > 20
