"""A padded batch and its masks as pictures: sentences of unequal length as rows, and matrices of who may look where."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from nmtcore.decoding.trace import Array
from nmtcore.figures.palette import HUES, NEUTRAL, Scale, signed_scale
from nmtcore.figures.style import INK, quiet_axis, quiet_layout
from nmtcore.figures.text import escaped_names
from nmtcore.text.words import sentence_names

CELL, LABELS = 24, 92  # px of a matrix's cell, and of the words at its sides
LIGHT = "#FFFFFF"
HIDDEN = "#9AA0A8"  # what a mask hides, on a light page
HIDDEN_DARK = "#5D626C"
SEEN = 0.16  # of the hue over the page: what it does not hide
VALUES = 12  # columns up to which a cell has its number
NUMBER, NAME = 25, 13  # px of a column with numbers, and of one whose name alone must not touch the next
ROOMY = 1000  # px up to which a batch has larger letters
LETTER = 0.57  # of the letters' height: how wide they are, in bold


def _hidden(background: str) -> str:
    return HIDDEN if background == LIGHT else HIDDEN_DARK


def _seen(background: str) -> str:
    """The hue over the page, opaque: Plotly chooses a number's ink as if what is translucent lay on white."""
    pairs = [(int(background[i : i + 2], 16), int(HUES["transformer"][i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(page + (hue - page) * SEEN):02X}" for page, hue in pairs)


def batch_rows(
    rows: Sequence[Sequence[str]], real: Array, chosen: int, ink: str = INK, background: str = LIGHT
) -> go.Figure:
    """The batch as one matrix of pieces, (B, S): padding grey, the chosen row in bold.

    real: (B, S) of bool, True on tokens. Every column is as wide as its longest piece; the layout's width is the least
    at which no piece touches its neighbour.
    """
    size = 14 if _widths(rows, 14).sum() <= ROOMY else 12
    edges = np.concatenate([[0.0], _widths(rows, size).cumsum()])
    names = [
        [f"<b>{name}</b>" if row == chosen else name for name in escaped_names(pieces)]
        for row, pieces in enumerate(rows)
    ]
    height = len(rows)
    cells = go.Heatmap(
        z=real.astype(float),
        x=edges,
        y=list(range(height)),
        text=names,
        texttemplate="%{text}",
        textfont={"size": size, "color": ink},
        zmin=0,
        zmax=1,
        colorscale=[[0.0, _hidden(background)], [1.0, _seen(background)]],
        showscale=False,
        xgap=3,
        ygap=3,
        hoverinfo="skip",
    )
    return go.Figure(
        cells,
        {
            "height": 36 * height + 8,
            "width": max(280, round(edges[-1]) + 32),
            "margin": {"l": 28, "r": 4, "t": 4, "b": 4},
            "xaxis": quiet_axis(ink) | {"showticklabels": False, "range": [0.0, float(edges[-1])]},
            "yaxis": quiet_axis(ink)
            | {
                "range": [height - 0.5, -0.5],
                "tickvals": list(range(height)),
                "ticktext": list(map(str, range(1, height + 1))),
            },
            **quiet_layout(ink),
        },
    )


def _widths(rows: Sequence[Sequence[str]], size: int) -> np.ndarray[Any, Any]:
    """How wide each column of a batch must be, (S,) in px, for letters of this size."""
    longest = [max(map(_letters, column)) for column in zip(*map(sentence_names, rows), strict=True)]
    return LETTER * size * np.array(longest) + 10


def _letters(name: str) -> float:
    """The length of a name in Latin letters: a Chinese character is as wide as it is tall."""
    return sum(1 / LETTER if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name)


def mask_matrix(
    values: Array,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    kind: str,
    hidden: Array | None = None,
    sums: Array | None = None,
    ink: str = INK,
    neutral: str = NEUTRAL,
    background: str = LIGHT,
) -> go.Figure:
    """A (T, S) matrix, queries down and keys along the top.

    kind: "mask" (0 and 1), "scores" (signed) or "weights" (0 to 1). hidden: (T, S), 0 where a cell was set to minus
    infinity; it is drawn grey. sums: (T,) numbers at the right of the rows. The layout's width is the least at which
    numbers and names do not touch.
    """
    shown = np.where(hidden == 0, np.nan, values) if hidden is not None else values
    limit = float(np.nanmax(np.abs(shown))) if np.isfinite(shown).any() else 1.0
    covered = _hidden(background)
    scales: dict[str, tuple[Scale, float, float]] = {
        "mask": ([[0.0, covered], [1.0, _seen(background)]], 0.0, 1.0),
        "scores": (signed_scale(neutral), -limit, limit),
        "weights": ([[0.0, background], [1.0, HUES["transformer"]]], 0.0, 1.0),
    }
    scale, low, high = scales[kind]
    drawn: list[Any] = []
    if hidden is not None:
        grey = np.where(hidden == 0, 1.0, np.nan)
        scale_of_one = [[0, covered], [1, covered]]
        drawn.append(go.Heatmap(z=grey, colorscale=scale_of_one, showscale=False, xgap=1, ygap=1, hoverinfo="skip"))
    form = ".0f" if kind == "mask" else ".1f" if kind == "scores" else ".2f"
    drawn.append(
        go.Heatmap(
            z=shown,
            zmin=low,
            zmax=high,
            colorscale=scale,
            showscale=False,
            xgap=1,
            ygap=1,
            texttemplate=f"%{{z:{form}}}" if len(columns) <= VALUES else None,
            textfont={"size": 11},
            hovertemplate="%{z:.4f}<extra></extra>",
            hoverongaps=False,
        )
    )
    notes = []
    if sums is not None:
        notes = [
            {
                "x": 1.01, "xref": "paper", "xanchor": "left", "y": place, "text": f"<b>{value:.2f}</b>",
                "showarrow": False, "font": {"size": 12, "color": ink},
            }
            for place, value in enumerate(sums)
        ]  # fmt: skip
    high_cells, wide_cells = values.shape
    return go.Figure(
        drawn,
        {
            "height": CELL * high_cells + LABELS,
            "width": (NUMBER if wide_cells <= VALUES else NAME) * wide_cells + LABELS,
            "margin": {"l": 4, "r": 44 if sums is not None else 8, "t": 4, "b": 4},
            "xaxis": quiet_axis(ink)
            | {"side": "top", "tickangle": -60, "automargin": True}
            | {"tickvals": list(range(wide_cells)), "ticktext": escaped_names(columns)},
            "yaxis": quiet_axis(ink)
            | {"range": [high_cells - 0.5, -0.5], "automargin": True}
            | {"tickvals": list(range(high_cells)), "ticktext": escaped_names(rows)},
            "annotations": notes,
            **quiet_layout(ink),
        },
    )
