"""The matrix W of the general score as a heatmap: its first rows and columns, signed."""

from __future__ import annotations

import plotly.graph_objects as go

from nmtcore.decoding.trace import Array
from nmtcore.figures.heatmap import percentile_limit, signed_heatmap
from nmtcore.figures.palette import NEUTRAL
from nmtcore.figures.style import INK, quiet_axis, quiet_layout

SHOWN = 32  # rows and columns
FULL = 99  # percentile of the numbers shown that has full colour
HEIGHT = 400


def score_matrix(W: Array, titles: tuple[str, str], ink: str = INK, neutral: str = NEUTRAL) -> go.Figure:
    """Cells of one size, components of s down and of h along the top; titles: of both."""
    shown = W[:SHOWN, :SHOWN]
    drawn = signed_heatmap(shown, percentile_limit(shown, FULL), "%{y}, %{x}: %{z:.4f}", neutral)
    down, across = titles
    every_fourth = list(range(0, len(shown), 4))
    ticks = {"tickvals": every_fourth, "ticktext": [str(n + 1) for n in every_fourth]}
    font = {"color": ink, "size": 13}
    return go.Figure(
        drawn,
        {
            "height": HEIGHT,
            "margin": {"l": 4, "r": 4, "t": 4, "b": 4},
            "xaxis": quiet_axis(ink)
            | ticks
            | {"side": "top", "title": {"text": across, "font": font}, "automargin": True, "constrain": "domain"},
            "yaxis": quiet_axis(ink)
            | ticks
            | {"range": [len(shown) - 0.5, -0.5], "title": {"text": down, "font": font}, "automargin": True}
            | {"scaleanchor": "x", "constrain": "domain"},
            **quiet_layout(ink),
        },
    )
