"""What relative positions add to the scores, by distance, as one curve a head."""

from __future__ import annotations

import altair as alt
import pandas as pd

from nmtcore.analysis.relative_bias import RelativeBias
from nmtcore.figures.palette import HUES
from nmtcore.figures.style import MUTED, Picture

HUE = HUES["relative"]


def bias_table(found: RelativeBias) -> pd.DataFrame:
    """Rows of layer and head, counted from one, distance, and over the words of the sentence mean, low and high."""
    mean, low, high = found.bias.mean(2), found.bias.min(2), found.bias.max(2)  # (L, H, 2k + 1)
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
        for i, distance in enumerate(found.distances)
    )


def bias_by_distance(
    table: pd.DataFrame, layer: int, limit: float, x_title: str, y_title: str, head_title: str, height: int = 300
) -> Picture:
    """One layer: a curve a head, the mean over the words, on a scale from -limit to limit."""
    rows = table[table["layer"] == layer]
    x = alt.X("distance:Q", axis=alt.Axis(title=x_title, grid=False), scale=alt.Scale(nice=False))
    y = alt.Y("mean:Q", axis=alt.Axis(title=y_title), scale=alt.Scale(domain=[-limit, limit]))
    dash = alt.StrokeDash("head:N", legend=alt.Legend(title=head_title, orient="top", symbolStrokeColor=HUE))
    lines = alt.Chart(rows).mark_line(color=HUE, strokeWidth=2).encode(x=x, y=y, strokeDash=dash)
    tooltip = ["head", "distance", *(alt.Tooltip(name, format=".2f") for name in ("mean", "low", "high"))]
    dots = alt.Chart(rows).mark_circle(size=60, opacity=0).encode(x=x, y=y, tooltip=tooltip)
    here = alt.Chart(pd.DataFrame({"distance": [0]})).mark_rule(color=MUTED, strokeDash=[2, 4]).encode(x=x)
    return alt.layer(here, lines, dots).properties(height=height)
