"""Bars by word: names are only names, and several charts have one scale."""

from __future__ import annotations

import pytest

from nmtcore.figures import word_bars
from nmtcore.figures.text import signed


def test_bars_keep_repeated_words_apart_on_one_scale() -> None:
    words = ("▁red", "▁red", "</b>", "▁")
    figure = word_bars.bars_by_word(words, (0.5, -0.25, 2, 0), "#123456", (-1, 3), "loss <b>")
    bars = figure.data[0]
    assert (bars.orientation, list(bars.x), list(bars.y)) == ("h", [0.5, -0.25, 2, 0], [0, 1, 2, 3])
    assert list(bars.text) == ["0.50", "\u22120.25", "2.00", "0.00"]
    assert bars.marker.color == "#123456"
    assert list(figure.layout.yaxis.ticktext) == ["red", "red", "&lt;/b&gt;", "␣"]
    assert list(figure.layout.yaxis.tickvals) == [0, 1, 2, 3]
    assert figure.layout.yaxis.type == "linear" and figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]
    assert figure.layout.xaxis.range[0] < -1 and figure.layout.xaxis.range[1] > 3
    other = word_bars.bars_by_word(words, (0, 0, 0, 0.1), "#123456", (-1, 3), "loss")
    assert other.layout.xaxis.range == figure.layout.xaxis.range and other.layout.height == figure.layout.height
    assert figure.layout.xaxis.title.text == "loss &lt;b&gt;"


@pytest.mark.parametrize(
    ("value", "text"), [(1.005, "1.00"), (-2.5, "\u22122.50"), (-0.004, "0.00"), (-0.006, "\u22120.01"), (0.0, "0.00")]
)
def test_a_printed_number_has_a_true_minus_and_no_minus_zero(value: float, text: str) -> None:
    assert signed(value) == text
