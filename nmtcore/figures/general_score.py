"""The general score as heatmaps: the first rows and columns of its matrix W, and the scores of a sentence, signed."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from nmtcore.decoding.trace import Array
from nmtcore.figures.heatmap import percentile_limit, signed_heatmap
from nmtcore.figures.palette import NEUTRAL
from nmtcore.figures.style import INK, leaning_names, overhang, quiet_axis, quiet_layout
from nmtcore.figures.text import escaped_names

SHOWN = 32  # rows and columns
FULL = 99  # percentile of the numbers shown that has full colour
HEIGHT = 400
CELL, LABELS = 24, 92  # px of a score's cell, and of the words at the sides
VALUES = 12  # columns up to which a cell has its number
NUMBER, NAME = 25, 13  # px of a column with numbers, and of one whose name alone must not touch the next


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


def sentence_scores(
    scores: Array, rows: Sequence[str], columns: Sequence[str], ink: str = INK, neutral: str = NEUTRAL
) -> go.Figure:
    """A (T, S) matrix of scores, target down and source along the top, signed.

    The layout's width is the least at which numbers and names do not touch.
    """
    numbered = len(columns) <= VALUES
    limit, text = float(np.abs(scores).max()), "%{z:.1f}" if numbered else None
    drawn = signed_heatmap(scores, limit, "%{z:.4f}", neutral, texttemplate=text, textfont={"size": 11})
    high, wide = scores.shape
    names = escaped_names(columns)
    return go.Figure(
        drawn,
        {
            "height": CELL * high + LABELS,
            "width": (NUMBER if numbered else NAME) * wide + LABELS,
            "margin": {"l": 4, "r": max(8, overhang(names, NAME)), "t": 4, "b": 4},
            "xaxis": quiet_axis(ink) | leaning_names(names) | {"side": "top"},
            "yaxis": quiet_axis(ink)
            | {"range": [high - 0.5, -0.5], "automargin": True}
            | {"tickvals": list(range(high)), "ticktext": escaped_names(rows)},
            **quiet_layout(ink),
        },
    )
