"""One way to show an Altair or Plotly figure: with words for screen readers, and saving in the browser.

What is saved is what is on the screen, with a title that names model, sentence and step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import altair
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from nmtcore.figures.context import INK
from nmtcore.figures.palette import NEUTRAL
from nmtcore.views import bundle
from pages.common.i18n import _

MAX_ROWS = 60  # of the table that screen readers get; the CSV has all

HTML = """
<div class="figure-save" role="group"></div>
<div class="figure-unseen"><table></table></div>
"""
# Not isolated: the figure beside the component scrolls where the page is narrower than it can be read.
CSS = """
[class*="st-key-figure-"] > :has([data-testid="stPlotlyChart"]) { overflow-x: auto; scrollbar-width: thin; }
[class*="st-key-figure-"] > * > :has(> [data-testid="stPlotlyChart"]) { min-width: 0; }
.figure-save { font-size: 0.82rem; opacity: 0.75; }
.figure-save > span { display: flex; gap: 0.35rem; }
.figure-save:hover, .figure-save:focus-within { opacity: 1; }
.figure-save button {
  font: inherit; color: inherit; background: none; border: 0; padding: 0 0.2rem; cursor: pointer;
  text-decoration: underline dotted; text-underline-offset: 0.2em;
}
.figure-save button:focus-visible { outline: 2px solid var(--st-primary-color); border-radius: 2px; }
.figure-unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
"""

SCRIPT = Path(__file__).with_suffix(".js")

_saver = st.components.v2.component(
    "save_figure",
    html=HTML,
    css=CSS,
    js=bundle.script(SCRIPT),
    isolate_styles=False,
)


def figure(
    chart: altair.TopLevelMixin | go.Figure,
    *,
    key: str,
    title: str,
    table: pd.DataFrame,
    on_pick: Callable[[int], None] | None = None,
) -> None:
    """Draw `chart` with what saves it.

    key: letters, digits and hyphens; title: what it shows, of which model, sentence and step; table: its numbers.
    on_pick: called with the custom data of a point of a Plotly figure that was clicked, before the page runs again.
    """
    config = {"displayModeBar": False}
    count = f"{key} picked"  # in the session: how often

    def picked() -> None:
        points = st.session_state[key]["selection"]["points"]
        if points and on_pick:
            st.session_state[count] = st.session_state.get(count, 0) + 1
            on_pick(int(points[0]["customdata"]))

    with st.container(key=f"figure-{key}", gap="xxsmall"):
        if isinstance(chart, go.Figure) and on_pick:
            # Let go of what was picked: a second click on the same point would only take the selection back.
            chart.update_layout(selectionrevision=st.session_state.get(count, 0))
            st.plotly_chart(chart, key=key, config=config, alt=title, on_select=picked, selection_mode="points")
        elif isinstance(chart, go.Figure):
            st.plotly_chart(chart, key=key, config=config, alt=title)
        else:
            level = chart.configure_axis(labelFlush=False)  # names of the ends stay at their lines
            st.altair_chart(level, key=key, alt=title, width="stretch")
        shown = table.head(MAX_ROWS).map(lambda value: f"{value:.4g}" if isinstance(value, float) else str(value))
        data = {
            "host": f"figure-{key}",
            "title": title,
            "csv": table.to_csv(index=False, float_format="%.6g"),
            "rows": [list(shown.columns), *shown.to_numpy().tolist()],
            "words": {"save": _("Save")},
        }
        _saver(key=f"save-{key}", data=data, height="content")


@dataclass(frozen=True)
class Look:
    """Colours that a figure takes from the page: ink of words, and neutral, the zero of a signed scale."""

    ink: str
    neutral: str


def look() -> Look:
    """The colours for the theme on the screen."""
    return Look("#E8EAED", "#303338") if st.context.theme.type == "dark" else Look(INK, NEUTRAL)
