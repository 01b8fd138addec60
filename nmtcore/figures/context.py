"""The one vector: encoder states, the context C that they leave, decoder states; and what C still knows."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nmtcore.config import Architecture
from nmtcore.figures.heatmap import token_name
from nmtcore.figures.palette import ARCHITECTURE, NEUTRAL, signed_scale
from nmtcore.trace import Array, Candidate, Trace

Picture = alt.LayerChart | alt.FacetChart  # what alt.layer returns

GAP, WIDE = 1.6, 2.0  # columns of air around C, columns that C takes
INK = "#1F2430"  # words, on a light page
MUTED = "#808080"  # lines and quiet words, on light and dark pages alike
FAINT = "rgba(128,128,128,0.4)"
CLEAR = "rgba(0,0,0,0)"
ROW = 26  # px of a bar and its word


def bottleneck(
    trace: Trace,
    step: int,
    bidirectional: bool,
    neutral: str = NEUTRAL,
    ink: str = INK,
    hover: str = "component {i}: {value}",
) -> go.Figure:
    """h_1 .. h_S, C and s_1 .. s_T as columns of their D numbers, from -1 (red) to 1 (blue).

    What comes after s_step, which counts from 1, is faint. The outlined half columns are what C is made of: the
    forward direction's last and the backward direction's first state, or all of h_S where the encoder reads one way.
    """
    states, context = trace.inner["states"][0], trace.inner["summary"][-1]  # (S, D), (D,)
    decoder = trace.inner["state"][:, 0]  # (T, D)
    S, D = states.shape
    middle = S + GAP
    start = middle + WIDE + GAP
    drawing = _Drawing(neutral, hover)
    drawing.columns(states, 0)
    drawing.columns(context[None], middle, width=WIDE)
    drawing.columns(decoder[:step], start)
    if step < len(decoder):
        drawing.columns(decoder[step:], start + step, opacity=0.22)
    half = D / 2 if bidirectional else D
    drawing.box(S - 1, S, 0, half)
    drawing.arrow((S + 0.1, half / 2), (middle - 0.1, half / 2))
    if bidirectional:
        drawing.box(0, 1, half, D)
        below = 1.05 * D
        drawing.arrow((0.5, D), (0.5, below), (middle + WIDE / 2, below), (middle + WIDE / 2, D))
    drawing.arrow((middle + WIDE + 0.1, D / 2), (start - 0.1, D / 2))
    drawing.box(start + step - 1, start + step, 0, D)
    end = start + len(decoder)
    for x, letter, last in ((S / 2, "h", S), ((start + end) / 2, "s", len(decoder))):
        ends = f"{letter}<sub>1</sub> … {letter}<sub>{last}</sub>" if last > 1 else f"{letter}<sub>1</sub>"
        drawing.label(x, 1.11 * D, ends)
    drawing.label(middle + WIDE / 2, 1.11 * D, "C")
    shown = [*map(_name, trace.source), "<b>C</b>", *map(_name, trace.target[:step]), *[""] * (len(decoder) - step)]
    centres = [*np.arange(S) + 0.5, middle + WIDE / 2, *np.arange(len(decoder)) + start + 0.5]
    size = 14 if end < 45 else 11 if end < 75 else 9
    longest = max(len(token_name(t)) for t in (*trace.source, *trace.target))
    top = 24 + round(0.5 * size * min(longest, 14))  # px of the leaning names
    quiet: dict[str, Any] = {"showgrid": False, "zeroline": False, "fixedrange": True, "type": "linear"}
    names_above = {"tickmode": "array", "tickvals": centres, "ticktext": shown, "tickangle": -50, "ticks": ""}
    return go.Figure(
        drawing.heatmaps,
        {
            "shapes": drawing.shapes,
            "annotations": drawing.annotations,
            "height": max(240, D) + top + 34,
            "margin": {"l": 4, "r": 4, "t": top, "b": 6},
            "xaxis": quiet
            | names_above
            | {"side": "top", "tickfont": {"size": size, "color": ink}, "range": [-0.3, end + 0.6]},
            "yaxis": quiet | {"visible": False, "range": [1.2 * D, -1]},
            "showlegend": False,
            "dragmode": False,
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
        },
    )


class _Drawing:
    """Heatmaps on one signed scale, and the lines and words around them; y runs from 0.5 down to D + 0.5."""

    def __init__(self, neutral: str, hover: str) -> None:
        self.scale = signed_scale(neutral)
        # Plotly puts the name that the axis has at a column's centre for x: the cells need no names of their own.
        self.hover = "%{x}<br>" + hover.format(i="%{y:.0f}", value="%{z:.3f}") + "<extra></extra>"
        self.heatmaps: list[go.Heatmap] = []
        self.shapes: list[dict[str, Any]] = []
        self.annotations: list[dict[str, Any]] = []

    def columns(self, numbers: Array, left: float, width: float = 1.0, opacity: float = 1.0) -> None:
        """(N, D) numbers as N columns from `left` on."""
        count, size = numbers.shape
        heatmap = go.Heatmap(
            z=np.round(numbers.T, 3).astype(np.float32),
            x=left + width * np.arange(count + 1),
            y=np.arange(size + 1) + 0.5,  # component i, from 1, is centred on i
            zmin=-1,
            zmax=1,
            colorscale=self.scale,
            xgap=2,
            showscale=False,
            opacity=opacity,
            hovertemplate=self.hover,
        )
        self.heatmaps.append(heatmap)

    def box(self, left: float, right: float, top: float, bottom: float) -> None:
        """An outline around the components after `top` up to `bottom`."""
        edges = {"x0": left, "x1": right, "y0": top + 0.5, "y1": bottom + 0.5}
        self.shapes.append({"type": "rect", "line": {"color": MUTED, "width": 2}, "fillcolor": CLEAR, **edges})

    def arrow(self, *points: tuple[float, float]) -> None:
        """A line through `points` with a head at its end."""
        path = "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
        self.shapes.append({"type": "path", "path": path, "line": {"color": MUTED, "width": 1.5}})
        (ax, ay), (x, y) = points[-2:]
        ends = {"x": x, "y": y, "ax": ax, "ay": ay, "axref": "x", "ayref": "y"}
        head = {"arrowhead": 2, "arrowsize": 1.2, "arrowwidth": 1.5, "arrowcolor": MUTED}
        self.annotations.append({"text": "", "showarrow": True, **ends, **head})

    def label(self, x: float, y: float, text: str) -> None:
        label = {"x": x, "y": y, "text": text, "showarrow": False, "font": {"size": 15}, "yanchor": "top"}
        self.annotations.append(label)


def _name(token: str) -> str:
    return html.escape(token_name(token))


def candidate_bars(
    candidates: Sequence[Candidate],
    chosen: int,
    architecture: Architecture,
    axis: str = "probability",
    ink: str = INK,
    count: int = 5,
) -> go.Figure:
    """The likeliest next tokens with their probabilities, 0 to 1; the chosen id is in the architecture's colour."""
    shown = list(candidates[:count])
    shown += [c for c in candidates[count:] if c.id == chosen]
    colors = [ARCHITECTURE[architecture] if c.id == chosen else FAINT for c in shown]
    names = [c.token for c in shown]
    return _bars(names, [c.probability for c in shown], colors, (0, 1), axis, ink, ticks=[0, 0.5, 1])


def bars_by_word(
    words: Sequence[str],
    values: Sequence[float] | Array,
    color: str,
    domain: tuple[float, float],
    axis: str,
    ink: str = INK,
) -> go.Figure:
    """One bar a word, in reading order down the side; `domain` makes the scale of several such charts one."""
    return _bars(words, [float(v) for v in values], [color] * len(words), domain, axis, ink)


def _bars(
    names: Sequence[str],
    values: Sequence[float],
    colors: Sequence[str],
    domain: tuple[float, float],
    axis: str,
    ink: str,
    ticks: Sequence[float] | None = None,
) -> go.Figure:
    # Numbers, not names, are the coordinates: repeated words stay apart, and none is read as markup.
    escaped = [_name(name) for name in names]
    bars = go.Bar(
        x=values,
        y=list(range(len(names))),
        orientation="h",
        marker={"color": colors},
        width=0.72,
        text=[f"{value:.2f}".replace("-", "\u2212") for value in values],
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
    down = {"tickvals": list(range(len(names))), "ticktext": escaped, "tickfont": {"size": 14, "color": ink}}
    return go.Figure(
        bars,
        {
            "height": ROW * len(names) + 56,
            "margin": {"l": 4, "r": 4, "t": 4, "b": 52},
            "xaxis": quiet | across | {"zerolinecolor": MUTED, "tickvals": ticks},
            "yaxis": quiet | down | {"zeroline": False, "range": [len(names) - 0.5, -0.5], "automargin": True},
            "showlegend": False,
            "dragmode": False,
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
        },
    )


def state_table(trace: Trace) -> pd.DataFrame:
    """What `bottleneck` draws: a row a component, a column a state."""
    columns = {
        f"h{i} {token_name(t)}": h
        for i, (t, h) in enumerate(zip(trace.source, trace.inner["states"][0], strict=True), 1)
    }
    columns["C"] = trace.inner["summary"][-1]
    columns |= {
        f"s{j} {token_name(t)}": s
        for j, (t, s) in enumerate(zip(trace.target, trace.inner["state"][:, 0], strict=True), 1)
    }
    return pd.DataFrame(columns)
