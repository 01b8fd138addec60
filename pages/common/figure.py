"""Show an Altair or Plotly figure, with a table for screen readers and saving in the browser.

The saved picture is the one on the screen, with a title that names model, sentence and step.
"""

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

import altair
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from altair.utils.schemapi import disable_debug_mode

from nmtcore.figures.palette import NEUTRAL
from nmtcore.figures.style import INK
from nmtcore.files import csv_cell
from nmtcore.views.kit.messages import SAVING
from pages.common.component import fetched_component, localized
from pages.common.shared import fingerprint, shared

MOST_BYTES = 60_000_000  # bytes of cached figures
MAX_ROWS, MAX_COLUMNS = 60, 40  # rows of the table for screen readers; the CSV has all

HTML = """
<div class="figure-save" role="group"></div>
<div class="figure-unseen"><table></table></div>
"""
# Streamlit applies its own theme to charts and sends all rows.
altair.theme.enable("none")
altair.data_transformers.disable_max_rows()
disable_debug_mode()  # validating charts against their schema took a quarter of the time; tests do that

# Not isolated: the figure beside the component scrolls if the page is too narrow to read it.
_saver = fetched_component("save_figure", html=HTML, isolate_styles=False)


@dataclass(frozen=True)
class Drawn:
    """A figure as it is sent: a Vega-Lite specification or a Plotly figure, and the data for saving it."""

    chart: dict[str, Any] | go.Figure
    saved: dict[str, Any]
    bytes: int


def draw_figure(chart: partial[Any], *, key: str, title: str, table: pd.DataFrame) -> None:
    """Draw a figure with its buttons for saving.

    chart: a function of nmtcore.figures with arguments, called only if the result is not in the cache.
    key: letters, digits and hyphens; title: what it shows, of which model, sentence and step; table: its numbers.
    The figure fills the width of its container; one with a width of its own is never narrower and scrolls instead.
    """
    drawn = _drawn(chart, table, theme_colors().quiet)
    with st.container(key=f"figure-{key}", gap="xxsmall"):
        if isinstance(drawn.chart, go.Figure):
            st.plotly_chart(drawn.chart, key=key, config={"displayModeBar": False}, alt=title)
        else:
            st.vega_lite_chart(spec=drawn.chart, key=key, alt=title, width="stretch")
        data = {**drawn.saved, "host": f"figure-{key}", "title": title, "words": localized(SAVING)}
        _saver(key=f"save-{key}", data=data, height="content")


@shared(MOST_BYTES, lambda drawn: drawn.bytes, key=fingerprint)
def _drawn(call: partial[Any], table: pd.DataFrame, quiet: str) -> Drawn:
    """A figure, made once for everybody who looks at the same one. quiet: the colour of axis labels."""
    chart: altair.TopLevelMixin | go.Figure = call()
    least = chart.layout.width if isinstance(chart, go.Figure) else getattr(chart, "width", None)
    shown = table.iloc[:MAX_ROWS, :MAX_COLUMNS]
    rows = [
        [f"{value:.4g}" if isinstance(value, float) else str(value) for value in row]
        for row in shown.itertuples(index=False, name=None)
    ]
    saved = {
        "kind": "plotly" if isinstance(chart, go.Figure) else "vega",
        "csv": table.rename(columns=csv_cell).map(csv_cell).to_csv(index=False, float_format="%.6g"),
        "rows": [list(shown.columns), *rows],
        "signed": isinstance(chart, go.Figure) and any((getattr(part, "zmin", None) or 0) < 0 for part in chart.data),
        "leastWidth": least if isinstance(least, int | float) else 0,  # Altair's may be "undefined"
    }
    if isinstance(chart, go.Figure):
        chart.for_each_xaxis(lambda axis: _darken(axis, quiet))
        chart.for_each_yaxis(lambda axis: _darken(axis, quiet))
        return Drawn(chart, saved, len(chart.to_json(validate=False)) + len(saved["csv"]))
    words: dict[str, Any] = {"labelColor": quiet, "titleColor": quiet, "labelFontSize": 13}
    spec = chart.to_dict(validate=False)
    # labelFlush: labels at the ends stay at their ticks.
    spec["config"] = {**spec.get("config", {}), "axis": {"labelFlush": False, **words}, "legend": words}
    spec["padding"] = {"right": 12}  # px; Streamlit leaves none, and the last label of an axis would be cut
    size = len(json.dumps(spec)) + len(saved["csv"])
    # As tables they are sent in a binary format and need not be converted to rows each time.
    spec["datasets"] = {name: pd.DataFrame(rows) for name, rows in spec["datasets"].items()}
    return Drawn(spec, saved, size)


@dataclass(frozen=True)
class ThemeColors:
    """Colours that a figure takes from the page: for text, neutral marks, zero on a signed scale, and more."""

    ink: str
    neutral: str
    quiet: str  # contrast of 4.5 to 1 and better, unlike Streamlit's own axes; as captions in look.css
    background: str  # as in .streamlit/config.toml


LIGHT = ThemeColors(INK, NEUTRAL, "#5D626C", "#FFFFFF")
DARK = ThemeColors("#E8EAED", "#303338", "#A6A9AE", "#15181D")


def theme_colors() -> ThemeColors:
    """The colours for the theme on the screen."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def _darken(axis: Any, color: str) -> None:
    """Colour the labels of a Plotly axis unless the figure has chosen a colour."""
    axis.tickfont.color = axis.tickfont.color or color
    axis.title.font.color = axis.title.font.color or color
