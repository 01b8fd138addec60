"""Relative position bias by distance: one curve per head, distinguished by colour, dashes and number."""

import json

import altair as alt
import pandas as pd

from nmtcore.analysis.relative_bias import RelativeBias
from nmtcore.figures.palette import CURVES
from nmtcore.figures.style import MUTED, Picture, close_axis

DASHES = ([1, 0], [8, 3], [2, 3], [10, 3, 2, 3])  # used in turn for the curves
NUMBER = 15  # px of a head's number at the end of its curve
ROOM = 0.05  # share of the width for the numbers
AROUND = 120  # px of the height for the legend and the axis below


def bias_table(relative: RelativeBias) -> pd.DataFrame:
    """Rows of layer and head, counted from one, distance, and mean, low and high over the words of the sentence."""
    mean, low, high = relative.bias.mean(2), relative.bias.min(2), relative.bias.max(2)  # (L, H, 2k + 1)
    return pd.DataFrame(
        {
            "layer": layer + 1,
            "head": head + 1,
            "distance": int(distance),
            "mean": float(mean[layer, head, i]),
            "low": float(low[layer, head, i]),
            "high": float(high[layer, head, i]),
        }
        for layer in range(mean.shape[0])
        for head in range(mean.shape[1])
        for i, distance in enumerate(relative.distances)
    )


def bias_by_distance(
    table: pd.DataFrame, layer: int, limit: float, x_title: str, y_title: str, head_title: str, height: int = 320
) -> Picture:
    """One layer: a curve per head, the mean over the words, on a scale from -limit to limit."""
    rows = table[table["layer"] == layer]
    heads = sorted(rows["head"].unique().tolist())
    least, most = int(rows["distance"].min()), int(rows["distance"].max())
    across = alt.Scale(domain=[least, most + ROOM * (most - least)], nice=False)
    x = alt.X("distance:Q", axis=close_axis(x_title, grid=False, tickCount=9), scale=across)
    y = alt.Y("mean:Q", axis=close_axis(y_title), scale=alt.Scale(domain=[-limit, limit]))
    key = alt.Legend(
        title=None,
        orient="top",
        labelExpr=f"{json.dumps(head_title)} + ' ' + datum.label",
        symbolType="stroke",
        symbolSize=500,
        columns=2,
        symbolStrokeWidth=2.5,
    )
    hues, dashes = ([styles[n % len(styles)] for n in range(len(heads))] for styles in (CURVES, DASHES))
    color = alt.Color("head:N", scale=alt.Scale(domain=heads, range=hues), legend=key)
    dash = alt.StrokeDash("head:N", scale=alt.Scale(domain=heads, range=dashes), legend=key)
    lines = alt.Chart(rows).mark_line(strokeWidth=2.5).encode(x=x, y=y, color=color, strokeDash=dash)
    ends = rows[rows["distance"] == most].sort_values("mean")
    ends = ends.assign(place=_apart(ends["mean"].tolist(), 2 * limit * NUMBER / (height - AROUND)))
    number = alt.Chart(ends).mark_text(align="left", dx=6, fontSize=NUMBER, fontWeight=700)
    numbers = number.encode(x=x, y=alt.Y("place:Q"), text="head:N", color=color)
    tooltip = ["head", "distance", *(alt.Tooltip(name, format=".2f") for name in ("mean", "low", "high"))]
    dots = alt.Chart(rows).mark_circle(size=60, opacity=0).encode(x=x, y=y, tooltip=tooltip)
    here = alt.Chart(pd.DataFrame({"distance": [0]})).mark_rule(color=MUTED, strokeDash=[2, 4]).encode(x=x)
    return alt.layer(here, lines, numbers, dots).properties(height=height)


def _apart(values: list[float], least: float) -> list[float]:
    """Positions for rising values that are at least `least` apart, moved symmetrically about their centre."""
    places: list[float] = []
    for value in values:
        places.append(max(value, places[-1] + least) if places else value)
    shift = sum(value - place for value, place in zip(values, places, strict=True)) / max(1, len(values))
    return [place + shift for place in places]
