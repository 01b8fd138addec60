"""Beam width figure: log P of search's winner against the number of hypotheses kept."""

import altair as alt
import pandas as pd

from nmtcore.config import Architecture
from nmtcore.figures.palette import HUES
from nmtcore.figures.style import INK, Picture

HEIGHT = 260
LEAST = 0.1  # smallest range, in nats, above and below the line, so that rounding does not look like a slope


def log_probability_by_width(
    table: pd.DataFrame, architecture: Architecture, present: int, x_title: str, y_title: str, ink: str = INK
) -> Picture:
    """A line through log P of each width's winner. table: of WidthResult; present: the width marked with a ring."""
    hue = HUES[architecture]
    low, high = float(table["log_probability"].min()), float(table["log_probability"].max())
    room = max(LEAST, 0.1 * (high - low))
    scale = alt.Scale(domain=[low - room, high + room], nice=False)
    base = alt.Chart(table).encode(
        x=alt.X("width:O", axis=alt.Axis(title=x_title, labelAngle=0)),
        y=alt.Y("log_probability:Q", axis=alt.Axis(title=y_title, format=".2f", tickCount=5), scale=scale),
    )
    line = base.mark_line(color=hue, strokeWidth=2.5)
    tooltip = [
        alt.Tooltip("width:O", title=x_title),
        alt.Tooltip("log_probability:Q", format=".3f", title=y_title),
        alt.Tooltip("text:N", title=" "),
    ]
    points = base.mark_circle(color=hue, size=70, opacity=1).encode(tooltip=tooltip)
    ring = base.transform_filter(f"datum.width === {present}").mark_point(color=ink, size=220, strokeWidth=2)
    return alt.layer(line, points, ring).properties(height=HEIGHT)
