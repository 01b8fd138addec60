"""The style of all figures: colours of text and lines, and minimal axes and layouts for Plotly."""

import html
import math
from collections.abc import Sequence
from typing import Any

import altair as alt

Picture = alt.LayerChart | alt.FacetChart  # return types of alt.layer

INK = "#1F2430"  # text, on a light page
MUTED = "#808080"  # lines and secondary text, on light and dark pages alike
CLEAR = "rgba(0,0,0,0)"
LEAN, LETTER = -50, 7  # angle of slanted axis names in degrees, and px of a letter


def leaning_names(names: Sequence[str]) -> dict[str, Any]:
    """Slanted cell names for a Plotly axis, which by default would drop those that reach beyond the figure."""
    places = {"tickvals": list(range(len(names))), "ticktext": list(names)}
    return {**places, "tickangle": LEAN, "automargin": True, "ticklabeloverflow": "allow"}


def overhang(names: Sequence[str], cell: float) -> int:
    """About how many px slanted names extend beyond the last cell, or hanging ones beyond the first."""
    reach = math.cos(math.radians(LEAN)) * LETTER
    return math.ceil(max(len(html.unescape(name)) * reach - (n + 0.5) * cell for n, name in enumerate(reversed(names))))


def words_down(names: Sequence[str], count: int) -> dict[str, Any]:
    """The vertical axis of a Plotly matrix: a name for each row, the first at the top."""
    return {"range": [count - 0.5, -0.5], "automargin": True, "tickvals": list(range(count)), "ticktext": list(names)}


def matrix_layout(
    ink: str, height: int, across: dict[str, Any], down: dict[str, Any], *, right: int = 4, bottom: int = 4, **more: Any
) -> dict[str, Any]:
    """A Plotly layout for a matrix of cells on the background of the page, without legend, grid, ticks and zooming.

    across, down: further settings of its axes; right, bottom: px.
    """
    font = {"color": ink, "size": 12}
    axis = {"showgrid": False, "zeroline": False, "fixedrange": True, "ticks": "", "tickfont": font}
    margin = {"l": 4, "r": right, "t": 4, "b": bottom}
    background = {"paper_bgcolor": CLEAR, "plot_bgcolor": CLEAR}
    axes = {"xaxis": axis | across, "yaxis": axis | down}
    quiet = {"showlegend": False, "dragmode": False, "font": font}
    return {"height": height, "margin": margin, **axes, **background, **quiet, **more}


def close_axis(title: str | None, **settings: Any) -> alt.Axis:
    """An axis with labels close to it, which leaves more height for the curve."""
    return alt.Axis(title=title, labelPadding=6, titlePadding=6, **settings)
