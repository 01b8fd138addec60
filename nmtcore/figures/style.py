"""The style of all figures: colours of words and lines, and quiet axes and layouts for Plotly."""

import html
import math
from collections.abc import Sequence
from typing import Any

import altair as alt

Picture = alt.LayerChart | alt.FacetChart  # what alt.layer returns

INK = "#1F2430"  # words, on a light page
MUTED = "#808080"  # lines and quiet words, on light and dark pages alike
CLEAR = "rgba(0,0,0,0)"
LEAN, LETTER = -50, 7  # degrees of names at an axis, and px of their letters


def quiet_axis(ink: str) -> dict[str, Any]:
    """A Plotly axis of words or cells: no grid, no ticks, no zooming."""
    font = {"color": ink, "size": 12}
    return {"showgrid": False, "zeroline": False, "fixedrange": True, "ticks": "", "tickfont": font}


def leaning_names(names: Sequence[str]) -> dict[str, Any]:
    """A Plotly axis's names of cells, which lean: Plotly leaves out those that reach beyond the figure unless told."""
    places = {"tickvals": list(range(len(names))), "ticktext": list(names)}
    return {**places, "tickangle": LEAN, "automargin": True, "ticklabeloverflow": "allow"}


def overhang(names: Sequence[str], cell: float) -> int:
    """How many px the leaning names reach beyond the last cell, or the first one's where they hang: about."""
    reach = math.cos(math.radians(LEAN)) * LETTER
    return math.ceil(max(len(html.unescape(name)) * reach - (n + 0.5) * cell for n, name in enumerate(reversed(names))))


def quiet_layout(ink: str) -> dict[str, Any]:
    """A Plotly layout on the page's own background, without legend and dragging."""
    return {
        "showlegend": False, "dragmode": False, "paper_bgcolor": CLEAR, "plot_bgcolor": CLEAR,
        "font": {"color": ink, "size": 12},
    }  # fmt: skip


def words_down(names: Sequence[str], count: int) -> dict[str, Any]:
    """The side of a Plotly matrix: a name for each of its rows, the first on top."""
    return {"range": [count - 0.5, -0.5], "automargin": True, "tickvals": list(range(count)), "ticktext": list(names)}


def matrix_layout(
    ink: str, height: int, across: dict[str, Any], down: dict[str, Any], *, right: int = 4, bottom: int = 4, **more: Any
) -> dict[str, Any]:
    """A Plotly layout of a matrix of cells. across, down: what its axes have beside being quiet; right, bottom: px."""
    axes = {"xaxis": quiet_axis(ink) | across, "yaxis": quiet_axis(ink) | down}
    margin = {"l": 4, "r": right, "t": 4, "b": bottom}
    return {"height": height, "margin": margin, **axes, **more, **quiet_layout(ink)}


def close_axis(title: str | None, **settings: Any) -> alt.Axis:
    """An axis whose words stand close to it: the height is the curve's."""
    return alt.Axis(title=title, labelPadding=6, titlePadding=6, **settings)
