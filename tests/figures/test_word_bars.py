"""Bars by word: names are only names, and several charts have one scale."""

import json
from typing import Any

import altair as alt
import pytest

from nmtcore.figures import word_bars
from nmtcore.figures.text import signed


def bars(chart: alt.LayerChart | alt.FacetChart) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The first layer of a chart as Vega-Lite has it, and its rows."""
    spec = chart.to_dict()
    (rows,) = (rows for rows in spec["datasets"].values() if "word" in rows[0])
    return spec["layer"][0], rows


def test_bars_keep_repeated_words_apart_on_one_scale() -> None:
    words = ("▁red", "▁red", "</b>", "▁")
    chart = word_bars.bars_by_word(words, (0.5, -0.25, 2, 0), "#123456", (-1, 3), "loss <b>")
    layer, rows = bars(chart)
    assert [(row["place"], row["word"], row["value"]) for row in rows] == [
        *((0, "red", 0.5), (1, "red", -0.25), (2, "</b>", 2.0), (3, "␣", 0.0)),
    ]
    assert [row["text"] for row in rows] == ["0.50", "\u22120.25", "2.00", "0.00"]
    assert layer["mark"]["color"] == "#123456" and layer["encoding"]["x"]["axis"]["title"] == "loss <b>"
    names = layer["encoding"]["y"]["axis"]["labelExpr"].removesuffix("[datum.value]")
    assert json.loads(names) == ["red", "red", "</b>", "␣"]
    low, high = layer["encoding"]["x"]["scale"]["domain"]
    assert low < -1 and high > 3, "room for the numbers"
    other, _rows = bars(word_bars.bars_by_word(words, (0, 0, 0, 0.1), "#123456", (-1, 3), "loss"))
    assert other["encoding"]["x"]["scale"] == layer["encoding"]["x"]["scale"]


def test_columns_are_numbered_where_there_is_weight() -> None:
    chart = word_bars.columns_by_word(("▁a", "▁cat", "s"), (0.125, 0.874, 0.001), "#654321")
    layer, rows = bars(chart)
    assert [row["value"] for row in rows] == [0.125, 0.874, 0.001] and layer["mark"]["color"] == "#654321"
    assert chart.to_dict()["layer"][1]["transform"] == [{"filter": "datum.value >= 0.005"}]


@pytest.mark.parametrize(
    ("value", "text"), [(1.005, "1.00"), (-2.5, "\u22122.50"), (-0.004, "0.00"), (-0.006, "\u22120.01"), (0.0, "0.00")]
)
def test_a_printed_number_has_a_true_minus_and_no_minus_zero(value: float, text: str) -> None:
    assert signed(value) == text
