"""Soft and exact lookup as pictures: two vectors as strips, and the gradient of the softmax as a matrix."""

import html
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from nmtcore.analysis.lookup import Lookup
from nmtcore.figures.heatmap import signed_heatmap
from nmtcore.figures.palette import NEUTRAL
from nmtcore.figures.style import INK, leaning_names, matrix_layout, overhang, words_down
from nmtcore.figures.text import escaped_names

SHOWN = 24  # numbers in each vector
CELL, LOW = 26, 16  # px of a row, and of a row in a long sentence
LEAST = 13  # px of a column in a long sentence
NUMBERED = 10  # most columns with numbers in their cells


def lookup_vectors(lookup: Lookup, names: tuple[str, str], ink: str = INK, neutral: str = NEUTRAL) -> go.Figure:
    """The first numbers of E[value] and of the exact answer, one above the other; `names` labels them."""
    z = np.stack([lookup.expectation[:SHOWN], lookup.exact[:SHOWN]])
    drawn = signed_heatmap(z, 1.0, "%{z:.3f}", neutral, gaps=(1, 4))
    side = words_down([html.escape(name) for name in names], 2)
    return go.Figure(drawn, matrix_layout(ink, 2 * CELL + 16, {"showticklabels": False}, side))


def softmax_gradient(lookup: Lookup, source: Sequence[str], ink: str = INK, neutral: str = NEUTRAL) -> go.Figure:
    """The matrix of d alpha_i / d score_k, weights down and scores across the top, from -0.25 to 0.25 times 1/tau."""
    limit = 0.25 / (lookup.temperature or 1.0)  # a (1 - a) is at most a quarter
    names = escaped_names(source)
    drawn = signed_heatmap(lookup.gradient, limit, "%{z:.4f}", neutral)
    if len(source) <= NUMBERED:
        drawn.update(texttemplate="%{z:.2f}", textfont={"size": 11})
    height = (CELL if len(source) <= NUMBERED else LOW) * len(source) + 80
    top, side = {**leaning_names(names), "side": "top"}, words_down(names, len(source))
    return go.Figure(drawn, matrix_layout(ink, height, top, side, right=max(4, overhang(names, LEAST))))
