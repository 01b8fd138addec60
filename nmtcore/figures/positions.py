"""Positional encodings: PE(pos, 2i) = sin(pos / 10000^(2i/D)), PE(pos, 2i+1) = cos(same), Vaswani et al. 2017, 3.5.

Tables are (N, D): one row per position, one column per dimension. A pair i is the dimensions 2i and 2i + 1.
"""

import html
import math
from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nmtcore.decoding.trace import Array
from nmtcore.figures.heatmap import signed_heatmap
from nmtcore.figures.palette import CURVES, HUES, NEUTRAL
from nmtcore.figures.style import INK, MUTED, Picture, matrix_layout, words_down
from nmtcore.figures.text import escaped_names
from nmtcore.models.sinusoidal_frequencies import angular_frequency, wavelength
from nmtcore.text.words import sentence_names

HUE = HUES["transformer"]
APART = 17  # px between positions with slanted names
DOT = "PE(p) · PE(p + k)"
SMOOTH = 24  # points per wave, enough to look smooth


def dot_table(table: Array) -> pd.DataFrame:
    """PE(p) . PE(p + k) for every distance k: the mean over all p, the minimum and the maximum."""
    products = table.astype(np.float64) @ table.T.astype(np.float64)  # (N, N)
    rows = []
    for k in range(len(table)):
        values = np.diagonal(products, k)
        rows.append({"distance": k, "mean": values.mean(), "low": values.min(), "high": values.max()})
    return pd.DataFrame(rows)


def curve_table(table: Array, pairs: Sequence[int]) -> pd.DataFrame:
    """Rows for the waves of some pairs: pair (as its two dimensions), dimension, wave, position, value."""
    rows = [
        {
            "pair": _pair_name(pair),
            "dimension": 2 * pair + odd,
            "wave": ("sin", "cos")[odd],
            "position": position,
            "value": round(float(value), 5),
        }
        for pair in pairs
        for odd in (0, 1)
        for position, value in enumerate(table[:, 2 * pair + odd])
    ]
    return pd.DataFrame(rows)


def wave_table(count: int, width: int, pairs: Sequence[int]) -> pd.DataFrame:
    """The continuous waves, also between positions: pair, wave, position from 0 to count - 1, value."""
    parts = []
    for pair in pairs:
        step = min(1.0, wavelength(pair, width) / SMOOTH)
        places = np.linspace(0, count - 1, math.ceil((count - 1) / step) + 1)
        angles = places * angular_frequency(pair, width)
        for wave, values in (("sin", np.sin(angles)), ("cos", np.cos(angles))):
            rows = {"pair": _pair_name(pair), "wave": wave, "position": places.round(3), "value": values.round(4)}
            parts.append(pd.DataFrame(rows))
    return pd.concat(parts, ignore_index=True)


def curves(
    table: Array, pairs: Sequence[int], tokens: Sequence[str], x_title: str, legend: str, ink: str = INK
) -> Picture:
    """The waves of some pairs of sinusoids (N, D): sines solid, cosines dashed, a dot at every position.

    A click in the legend shows one pair only; pointing shows one position on all waves. tokens: of a sentence,
    written above their positions.
    """
    count, width = table.shape
    rows = curve_table(table, pairs)
    kept = alt.selection_point(fields=["pair"], bind="legend", name="pair")
    pointed = alt.selection_point(
        fields=["position"], on="pointerover", nearest=True, clear="pointerout", empty=False, name="pointed"
    )
    base = alt.Chart(rows).encode(
        x=alt.X(
            "position:Q",
            axis=alt.Axis(title=x_title, grid=False, tickMinStep=1),
            scale=alt.Scale(domain=[0, count - 1], nice=False),
        ),
        y=alt.Y(
            "value:Q",
            axis=alt.Axis(title=None, values=[-1, 0, 1]),
            scale=alt.Scale(domain=[-1.05, 1.8]),
        ),
        color=alt.Color(
            "pair:N",
            scale=alt.Scale(domain=[_pair_name(pair) for pair in pairs], range=CURVES[: len(pairs)]),
            legend=alt.Legend(title=legend, orient="top", columns=4),
        ),
        opacity=alt.condition(kept, alt.value(1), alt.value(0.1)),
    )
    dashes = alt.Scale(domain=["sin", "cos"], range=[[1, 0], [4, 4]])
    lines = base.mark_line(strokeWidth=2.2).encode(strokeDash=alt.StrokeDash("wave:N", scale=dashes, legend=None))
    lines.data = wave_table(count, width, pairs)
    dots = base.mark_circle().encode(
        size=alt.condition(pointed, alt.value(70), alt.value(16)),
        tooltip=["dimension", "wave", "position", alt.Tooltip("value", format=".4f")],
    )
    names = pd.DataFrame({"position": range(len(tokens)), "token": sentence_names(tokens)})
    labels = alt.Chart(names).mark_text(angle=310, align="left", baseline="middle", fontSize=13, color=ink)
    words = labels.encode(x="position:Q", y=alt.datum(1.2), text="token")
    layers = lines.add_params(kept), dots.add_params(pointed), words
    return alt.layer(*layers).properties(height=460, width=APART * count)


def matrix(
    table: Array,
    tokens: Sequence[str],
    limit: float,
    x_title: str,
    y_title: str,
    neutral: str = NEUTRAL,
    ink: str = INK,
) -> go.Figure:
    """The whole table, positions down, dimensions across, from -limit (red) to limit (blue).

    tokens: of a sentence; they label their positions.
    """
    hover = f"{x_title} %{{x}}<br>{y_title} %{{y}}<br>%{{z:.4f}}"
    drawn = signed_heatmap(np.round(table.astype(np.float64), 4), limit, hover, neutral, gaps=(0, 0))
    row = min(14.0, max(7.0, 440 / len(table)))
    across = {"title": html.escape(x_title), "type": "linear", "tickfont": {"size": 12}}
    names = [f"{name}  {i}" for i, name in enumerate(escaped_names(tokens))]
    font = {"size": 12 if row > 11 else 9, "color": ink}
    down = words_down(names, len(names)) | {"range": [len(table) - 0.5, -0.5], "type": "linear", "tickfont": font}
    margin = {"l": 8, "r": 8, "t": 12, "b": 50}
    return go.Figure(drawn, matrix_layout(ink, round(row * len(table)) + 62, across, down, margin=margin))


def dot_by_distance(table: pd.DataFrame, x_title: str) -> Picture:
    """The dot product of two positions by their distance: the mean, and a band from minimum to maximum."""
    base = alt.Chart(table).encode(
        x=alt.X("distance:Q", axis=alt.Axis(title=x_title, grid=False), scale=alt.Scale(nice=False))
    )
    band = base.mark_area(color=HUE, opacity=0.25).encode(y=alt.Y("low:Q", title=DOT), y2="high:Q")
    line = base.mark_line(color=HUE, strokeWidth=2.5).encode(y=alt.Y("mean:Q", title=DOT))
    points = base.mark_circle(color=HUE, size=30, opacity=1).encode(
        y="mean:Q", tooltip=["distance", *(alt.Tooltip(name, format=".4f") for name in ("mean", "low", "high"))]
    )
    return alt.layer(band, line, points).properties(height=320)


def wavelengths(width: int, length: int, x_title: str, y_title: str) -> Picture:
    """The wavelength of every pair, on a logarithmic scale, with the length of a sentence as a line."""
    rows = pd.DataFrame({"pair": range(width // 2), "wavelength": [wavelength(i, width) for i in range(width // 2)]})
    x = alt.X("pair:Q", axis=alt.Axis(title=x_title, grid=False), scale=alt.Scale(nice=False))
    y = alt.Y("wavelength:Q", axis=alt.Axis(title=y_title, values=[10, 100, 1000, 10000]), scale=alt.Scale(type="log"))
    line = alt.Chart(rows).mark_line(color=MUTED, strokeWidth=2).encode(x=x, y=y)
    tooltip = ["pair", alt.Tooltip("wavelength", format=",.1f")]
    dots = alt.Chart(rows).mark_circle(size=60, opacity=0).encode(x=x, y=y, tooltip=tooltip)
    rule = alt.Chart(pd.DataFrame({"wavelength": [length]})).mark_rule(color=HUE, strokeDash=[4, 4]).encode(y=y)
    return alt.layer(line, rule, dots).properties(height=320)


def _pair_name(pair: int) -> str:
    return f"{2 * pair}, {2 * pair + 1}"
