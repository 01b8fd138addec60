"""Bar chart with one bar per word, such as its cosine to another word."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from nmtcore.decoding.trace import Array
from nmtcore.figures.style import CLEAR, INK, MUTED
from nmtcore.figures.text import signed
from nmtcore.text.words import token_name

ROW = 26  # px of a bar and its word


def bars_by_word(
    words: Sequence[str],
    values: Sequence[float] | Array,
    color: str,
    domain: tuple[float, float],
    axis: str,
    ink: str = INK,
) -> go.Figure:
    """One bar a word, in reading order down the side; `domain` makes the scale of several such charts one."""
    # Numbers, not names, are the coordinates: repeated words stay apart, and none is read as markup.
    escaped = [html.escape(token_name(word)) for word in words]
    places = list(range(len(words)))
    bars = go.Bar(
        x=[float(value) for value in values],
        y=places,
        orientation="h",
        marker={"color": color},
        width=0.72,
        text=[signed(value) for value in values],
        textposition="outside",
        textfont={"color": ink, "size": 13},
        cliponaxis=False,
        customdata=escaped,
        hovertemplate="%{customdata}: %{x:.4f}<extra></extra>",
    )
    low, high = domain
    room = 0.16 * (high - low)  # for the numbers beside the bars
    quiet: dict[str, Any] = {"showgrid": False, "fixedrange": True, "type": "linear", "ticks": ""}
    across = {"range": [low - room * (low < 0), high + room], "title": {"text": html.escape(axis)}, "nticks": 5}
    down = {"tickvals": places, "ticktext": escaped, "tickfont": {"size": 14, "color": ink}}
    return go.Figure(
        bars,
        {
            "height": ROW * len(words) + 56,
            "margin": {"l": 4, "r": 4, "t": 4, "b": 52},
            "xaxis": quiet | across | {"zerolinecolor": MUTED},
            "yaxis": quiet | down | {"zeroline": False, "range": [len(words) - 0.5, -0.5], "automargin": True},
            "showlegend": False,
            "dragmode": False,
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
        },
    )
