"""One way to show an Altair or Plotly figure: with words for screen readers, and saving in the browser.

What is saved is what is on the screen, with a title that names model, sentence and step.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from nmtcore.figures.palette import NEUTRAL
from nmtcore.figures.style import INK
from nmtcore.views import bundle
from pages.common.component import page_component
from pages.common.i18n import _

MAX_ROWS, MAX_COLUMNS = 60, 40  # of the table that screen readers get; the CSV has all

HTML = """
<div class="figure-save" role="group"></div>
<div class="figure-unseen"><table></table></div>
"""
# Not isolated: the figure beside the component scrolls where the page is narrower than it can be read.
_saver = page_component(
    "save_figure", html=HTML, css=bundle.style(Path(__file__).with_suffix(".css")), isolate_styles=False
)


def draw_figure(
    chart: altair.TopLevelMixin | go.Figure,
    *,
    key: str,
    title: str,
    table: pd.DataFrame,
) -> None:
    """Draw `chart` with what saves it.

    key: letters, digits and hyphens; title: what it shows, of which model, sentence and step; table: its numbers.
    It is as wide as its place; but a figure that has a width of its own is never narrower, and scrolls instead.
    """
    colors = theme_colors()
    if isinstance(chart, go.Figure):
        chart.for_each_xaxis(lambda axis: _darken(axis, colors.quiet))
        chart.for_each_yaxis(lambda axis: _darken(axis, colors.quiet))
    with st.container(key=f"figure-{key}", gap="xxsmall"):
        if isinstance(chart, go.Figure):
            st.plotly_chart(chart, key=key, config={"displayModeBar": False}, alt=title)
        else:
            words: dict[str, Any] = {"labelColor": colors.quiet, "titleColor": colors.quiet, "labelFontSize": 13}
            # labelFlush: names of the ends stay at their lines.
            readable = chart.configure_axis(labelFlush=False, **words).configure_legend(**words)
            st.altair_chart(readable, key=key, alt=title, width="stretch")
        shown = table.iloc[:MAX_ROWS, :MAX_COLUMNS]
        rows = [
            [f"{value:.4g}" if isinstance(value, float) else str(value) for value in row]
            for row in shown.itertuples(index=False, name=None)
        ]
        data: dict[str, Any] = {
            "host": f"figure-{key}",
            "kind": "plotly" if isinstance(chart, go.Figure) else "vega",
            "title": title,
            "csv": table.to_csv(index=False, float_format="%.6g"),
            "rows": [list(shown.columns), *rows],
            "words": {"save": _("Save")},
        }
        least = chart.layout.width if isinstance(chart, go.Figure) else getattr(chart, "width", None)
        data["leastWidth"] = least if isinstance(least, int | float) else 0  # Altair's may be "undefined"
        _saver(key=f"save-{key}", data=data, height="content")


@dataclass(frozen=True)
class ThemeColors:
    """Colours that a figure takes from the page: ink of words, neutral, the zero of a signed scale, and more."""

    ink: str
    neutral: str
    quiet: str  # 4.5 to 1 and better, where Streamlit's own axes are fainter; as captions in look.css
    background: str  # as in .streamlit/config.toml


def theme_colors() -> ThemeColors:
    """The colours for the theme on the screen."""
    dark = st.context.theme.type == "dark"
    if dark:
        return ThemeColors("#E8EAED", "#303338", "#A6A9AE", "#15181D")
    return ThemeColors(INK, NEUTRAL, "#5D626C", "#FFFFFF")


def _darken(axis: Any, color: str) -> None:
    """Give the words of a Plotly axis a colour where the figure has chosen none."""
    axis.tickfont.color = axis.tickfont.color or color
    axis.title.font.color = axis.title.font.color or color
