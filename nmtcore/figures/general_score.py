"""The general score as signed heatmaps: the first rows and columns of its matrix W, and the scores of a sentence."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from nmtcore.decoding.trace import Array
from nmtcore.figures.heatmap import percentile_limit, signed_heatmap
from nmtcore.figures.palette import NEUTRAL
from nmtcore.figures.style import INK, leaning_names, matrix_layout, overhang, words_down
from nmtcore.figures.text import escaped_names

SHOWN = 32  # rows and columns
FULL = 99  # percentile of the shown numbers that has full colour
HEIGHT = 400
CELL, LABELS = 24, 92  # px of a score's cell, and of the words at the sides
VALUES = 12  # most columns with numbers in their cells
NUMBER, NAME = 25, 13  # px of a column with numbers, and of a column with only its name, without overlap


def score_matrix(W: Array, titles: tuple[str, str], ink: str = INK, neutral: str = NEUTRAL) -> go.Figure:
    """A heatmap with square cells, components of s down and of h across the top; titles: of both."""
    shown = W[:SHOWN, :SHOWN]
    drawn = signed_heatmap(shown, percentile_limit(shown, FULL), "%{y}, %{x}: %{z:.4f}", neutral)
    down, across = titles
    every_fourth = list(range(0, len(shown), 4))
    ticks = {"tickvals": every_fourth, "ticktext": [str(n + 1) for n in every_fourth]}
    font = {"color": ink, "size": 13}
    both = {**ticks, "automargin": True, "constrain": "domain"}
    top = {**both, "side": "top", "title": {"text": across, "font": font}}
    side = {**both, "range": [len(shown) - 0.5, -0.5], "title": {"text": down, "font": font}, "scaleanchor": "x"}
    return go.Figure(drawn, matrix_layout(ink, HEIGHT, top, side))


def sentence_scores(
    scores: Array, rows: Sequence[str], columns: Sequence[str], ink: str = INK, neutral: str = NEUTRAL
) -> go.Figure:
    """A (T, S) matrix of signed scores, target down and source across the top.

    The layout is as narrow as it can be without overlapping numbers and names.
    """
    numbered = len(columns) <= VALUES
    limit, text = float(np.abs(scores).max()), "%{z:.1f}" if numbered else None
    drawn = signed_heatmap(scores, limit, "%{z:.4f}", neutral, texttemplate=text, textfont={"size": 11})
    high, wide = scores.shape
    names = escaped_names(columns)
    top, side = {**leaning_names(names), "side": "top"}, words_down(escaped_names(rows), high)
    width = (NUMBER if numbered else NAME) * wide + LABELS
    right = max(8, overhang(names, NAME))
    return go.Figure(drawn, matrix_layout(ink, CELL * high + LABELS, top, side, right=right, width=width))
