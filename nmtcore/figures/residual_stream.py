"""Residual stream as pictures: strips of numbers with what each sub-layer adds, and the logit lens."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from nmtcore.analysis.residual_stream import LensPiece
from nmtcore.decoding.trace import Array
from nmtcore.figures.heatmap import percentile_limit, signed_heatmap
from nmtcore.figures.palette import HUES, NEUTRAL
from nmtcore.figures.style import CLEAR, INK
from nmtcore.text.words import piece_name

SHOWN = 16  # numbers of each vector
ROW = 26  # px
FULL = 95  # percentile of the numbers shown that has full colour
MOST = 99.0  # times the stream, which a bar shows; the stream may be zero
LEAST = 736  # px across, on a phone too: many columns
STRIP, NORM, BAR, SAYS = (0.0, 0.255), 0.33, (0.35, 0.43), 0.46  # parts of the width


@dataclass(frozen=True, eq=False)
class VectorRow:
    """A vector as a row: what it is, its numbers, its size relative to the stream (of what is added), what it says."""

    name: str
    values: Array
    share: float | None = None
    says: tuple[LensPiece, ...] = ()
    note: str = ""  # stands where the pieces of a stream stand
    shown: Array | None = None  # the numbers in the order of the strip, where that is another


def vector_rows(
    rows: Sequence[VectorRow], headings: tuple[str, str, str, str], ink: str = INK, neutral: str = NEUTRAL
) -> go.Figure:
    """One row a vector: a strip of its first numbers, its norm, a bar of its relative size, the pieces that it says.

    headings: what stands above the four columns.
    """
    z = np.stack([(row.values if row.shown is None else row.shown)[:SHOWN] for row in rows])
    places = list(range(len(rows)))
    across = list(range(z.shape[1]))
    strips = signed_heatmap(z, percentile_limit(z, FULL), "%{z:.3f}", neutral, gaps=(1, 3), x=across, y=places)
    shares = [min(row.share, MOST) if row.share is not None else None for row in rows]
    most = max([1.0, *(share for share in shares if share is not None)])
    bars = go.Bar(
        x=shares,
        y=places,
        orientation="h",
        xaxis="x2",
        width=0.6,
        marker={"color": HUES["transformer"]},
        text=["" if share is None else f"{share:.2f}" if share < MOST else f"&gt;{MOST:.0f}" for share in shares],
        textposition="outside",
        textfont={"color": ink, "size": 13},
        cliponaxis=False,
        hovertemplate="%{x:.3f}<extra></extra>",
    )
    words: dict[str, Any] = {"showarrow": False, "xref": "paper", "font": {"size": 13, "color": ink}}
    notes = [
        {**words, "x": x, "y": 1.0, "yref": "paper", "yanchor": "bottom", "xanchor": anchor, "text": html.escape(text)}
        for x, anchor, text in zip(
            (STRIP[0], NORM, BAR[0], SAYS), ("left", "right", "left", "left"), headings, strict=True
        )
    ]
    for y, row in zip(places, rows, strict=True):
        said = " · ".join(f"<b>{html.escape(piece_name(s.token))}</b> {share(s.value)}" for s in row.says)
        norm = f"{float(np.linalg.norm(row.values)):.2f}"
        notes.append({**words, "x": NORM, "y": y, "xanchor": "right", "text": norm})
        notes.append({**words, "x": SAYS, "y": y, "xanchor": "left", "text": said or html.escape(row.note)})
    quiet: dict[str, Any] = {"showgrid": False, "zeroline": False, "showticklabels": False, "fixedrange": True}
    names = [f"<b>{html.escape(row.name)}</b>" if row.says else html.escape(row.name) for row in rows]
    down = {"tickvals": places, "ticktext": names, "tickfont": {"size": 14, "color": ink}, "ticks": ""}
    return go.Figure(
        [strips, bars],
        {
            "height": ROW * len(rows) + 34,
            "width": LEAST,
            "margin": {"l": 4, "r": 4, "t": 28, "b": 4},
            "xaxis": quiet | {"domain": STRIP},
            "xaxis2": quiet | {"domain": BAR, "range": [0, 1.35 * most]},
            "yaxis": {
                **quiet, **down, "showticklabels": True, "range": [len(rows) - 0.5, -0.5], "automargin": True,
            },
            "annotations": notes,
            "showlegend": False,
            "dragmode": False,
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
        },
    )  # fmt: skip


def share(value: float) -> str:
    """A probability or a cosine with two decimals; what is not quite zero is not shown as zero."""
    return "&lt;0.01" if 0 < value < 0.005 else f"{value:.2f}"


def logit_lens(
    stages: Sequence[tuple[str, tuple[LensPiece, ...]]], background: str = "#FFFFFF", ink: str = INK
) -> go.Figure:
    """Logit lens: what the stream would say after each stage (its name, its pieces), the likeliest on top.

    Over every cell lies an unseen point whose custom data is the id of its piece: a heatmap cannot be picked from.
    """
    most = max(len(said) for _, said in stages)
    values = [[said[r].value if r < len(said) else math.nan for _, said in stages] for r in range(most)]
    texts = [
        [html.escape(piece_name(said[r].token)) if r < len(said) else "" for _, said in stages] for r in range(most)
    ]
    drawn = go.Heatmap(
        z=values,
        text=texts,
        texttemplate="%{text}",
        textfont={"size": 13},
        zmin=0,
        zmax=1,
        colorscale=[[0, background], [1, HUES["transformer"]]],
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
    cells = [(x, y, piece) for x, (_, said) in enumerate(stages) for y, piece in enumerate(said)]
    unseen = {"marker": {"opacity": 0}}
    points = go.Scatter(
        x=[x for x, _, _ in cells],
        y=[y for _, y, _ in cells],
        customdata=[piece.id for _, _, piece in cells],
        text=[f"{html.escape(piece_name(piece.token))}: {piece.value:.4f}" for _, _, piece in cells],
        mode="markers",
        marker={"opacity": 0, "size": ROW - 4},
        selected=unseen,
        unselected=unseen,
        hovertemplate="%{text}<extra></extra>",
    )
    places = list(range(len(stages)))
    quiet: dict[str, Any] = {"showgrid": False, "zeroline": False, "fixedrange": True, "ticks": ""}
    names = [html.escape(name).replace("\n", "<br>") for name, _ in stages]
    return go.Figure(
        [drawn, points],
        {
            "height": ROW * most + 48,
            "width": LEAST,
            "hoverdistance": -1,  # whichever point is nearest: all of a cell belongs to its own
            "margin": {"l": 4, "r": 4, "t": 44, "b": 4},
            "xaxis": {
                **quiet, "range": [-0.5, len(stages) - 0.5], "tickvals": places, "ticktext": names, "side": "top",
                "tickangle": 0, "tickfont": {"size": 12, "color": ink},
            },
            "yaxis": {
                **quiet, "range": [most - 0.5, -0.5], "tickvals": list(range(most)),
                "ticktext": [str(r + 1) for r in range(most)], "tickfont": {"size": 12, "color": ink},
            },
            "showlegend": False,
            "dragmode": False,
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
        },
    )  # fmt: skip
