"""Bar charts with one bar per word, such as its cosine to another word or its attention weight."""

import json
from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from nmtcore.decoding.trace import Array
from nmtcore.figures.style import INK, LEAN, MUTED, Picture, close_axis
from nmtcore.figures.text import signed
from nmtcore.text.words import token_name

ROW = 26  # px of a bar and its word
AXIS = 56  # px of the scale below the bars, and its name
TALL = 200  # px of vertical columns with their words


def bars_by_word(
    words: Sequence[str],
    values: Sequence[float] | Array,
    color: str,
    domain: tuple[float, float],
    axis: str,
    ink: str = INK,
) -> Picture:
    """One horizontal bar per word, in reading order; `domain` gives several such charts the same scale."""
    low, high = domain
    room = 0.16 * (high - low)  # for the numbers next to the bars
    scale = alt.Scale(domain=[low - room * (low < 0), high + room], nice=False)
    x = alt.X("value:Q", scale=scale, axis=close_axis(axis, tickCount=5, grid=False))
    y = alt.Y("place:O", axis=_word_axis(words, ink, labelFontSize=14))
    base = alt.Chart(_table(words, values)).encode(x=x, y=y, tooltip=["word:N", alt.Tooltip("value:Q", format=".4f")])
    bars = base.mark_bar(color=color, height={"band": 0.72})
    zero = alt.Chart(pd.DataFrame({"value": [0.0]})).mark_rule(color=MUTED).encode(x="value:Q")
    side: dict[str, Any] = {
        "align": {"expr": "datum.value < 0 ? 'right' : 'left'"},
        "dx": {"expr": "datum.value < 0 ? -4 : 4"},
    }
    numbers = base.mark_text(color=ink, fontSize=13, **side).encode(text="text:N")
    return alt.layer(bars, zero, numbers).properties(height=ROW * len(words) + AXIS)


def columns_by_word(words: Sequence[str], weights: Sequence[float] | Array, color: str, ink: str = INK) -> Picture:
    """A vertical column for each word's weight, from 0 to 1, in reading order."""
    x = alt.X("place:O", axis=_word_axis(words, ink, labelAngle=LEAN))
    y = alt.Y("value:Q", scale=alt.Scale(domain=[0, 1.08], nice=False), axis=None)
    base = alt.Chart(_table(words, weights)).encode(x=x, y=y, tooltip=["word:N", alt.Tooltip("value:Q", format=".4f")])
    numbers = base.transform_filter("datum.value >= 0.005").mark_text(color=ink, dy=-7).encode(text="text:N")
    return alt.layer(base.mark_bar(color=color), numbers).properties(height=TALL)


def _table(words: Sequence[str], values: Sequence[float] | Array) -> pd.DataFrame:
    # Coordinates are numbers instead of names, so that repeated words stay apart.
    rows = [
        (place, token_name(word), float(value)) for place, (word, value) in enumerate(zip(words, values, strict=True))
    ]
    table = pd.DataFrame(rows, columns=["place", "word", "value"])
    return table.assign(text=[signed(value) for value in table["value"]])


def _word_axis(words: Sequence[str], ink: str, **style: Any) -> alt.Axis:
    names = json.dumps([token_name(word) for word in words])
    plain: dict[str, Any] = {"title": None, "ticks": False, "domain": False, "labelOverlap": False, "labelLimit": 160}
    return alt.Axis(labelExpr=f"{names}[datum.value]", labelColor=ink, **plain, **style)
