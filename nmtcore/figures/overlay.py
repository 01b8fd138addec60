"""Learning curves of several runs in one picture."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from nmtcore.figures.learning import step_rule
from nmtcore.figures.style import Picture, close_axis

DASHES = ([1, 0], [7, 4], [2, 3])  # for the first, second and third run, in addition to their hues
COLUMNS = {  # quantities measured in a run, and the events that contain them
    "loss": "progress",
    "score": "validation",
    "alignment_error": "validation",
    "learning_rate": "progress",
    "gradient_norm": "progress",
    "clipped": "progress",
}

LEGEND_ROW = 22  # px of a run in the legend, which is added to the height of the curves
PERCENT = ("score", "alignment_error", "clipped")


def overlay_table(runs: Mapping[str, Iterable[Mapping[str, Any]]]) -> pd.DataFrame:
    """Rows of name, step, quantity and value: every quantity in the events of each named run.

    clipped: the share of clipped updates, in percent. Older runs may lack a quantity.
    """
    rows = [
        (name, event["step"], column, 100 * event[column] if column == "clipped" else event[column])
        for name, events in runs.items()
        for event in events
        for column, kind in COLUMNS.items()
        if event["event"] == kind and isinstance(event.get(column), int | float)
    ]
    return pd.DataFrame(rows, columns=["name", "step", "quantity", "value"])


def by_length_table(scores: Mapping[str, Mapping[int, float]]) -> pd.DataFrame:
    """Rows of name, length and value: the percentage that each named run has right, by source length."""
    rows = [(name, length, value) for name, by_length in scores.items() for length, value in by_length.items()]
    return pd.DataFrame(rows, columns=["name", "length", "value"])


def overlaid_by_length(
    table: pd.DataFrame, names: Sequence[str], hues: Sequence[str], x_title: str, y_title: str
) -> Picture:
    """Accuracy by source length, one line per run: Bahdanau et al. 2015, figure 2. See `by_length_table`.

    names and hues: of all runs in the picture, so that a run without measurements does not change other colours.
    """
    lengths = sorted(set(table["length"]))
    domain = alt.Scale(domain=[0, max(lengths, default=1)], nice=False)
    x = alt.X("length:Q", scale=domain, axis=close_axis(x_title, values=lengths))
    y = alt.Y("value:Q", scale=alt.Scale(domain=[0, 100]), axis=close_axis(y_title, values=[0, 50, 100]))
    points = alt.OverlayMarkDef(size=45, opacity=1)
    lines = _lines_of_runs(table, names, hues, point=points, clip=False).encode(
        x=x, y=y, tooltip=["name:N", "length:Q", alt.Tooltip("value:Q", format=".0f", title=y_title)]
    )
    return alt.layer(lines).properties(height=260 + LEGEND_ROW * len(names))


def overlaid(
    table: pd.DataFrame,
    quantity: str,
    names: Sequence[str],
    hues: Sequence[str],
    x_title: str,
    y_title: str,
    at: int | None = None,
    legend: bool = False,
) -> Picture:
    """One quantity of an `overlay_table`, one line per run, over the steps of the longest run.

    at: a step to mark. A gradient norm is drawn on a logarithmic scale, since it varies by powers of ten.
    """
    shown = table[table["quantity"] == quantity]
    last = max(int(table["step"].max()) if len(table) else 1, 1)
    scales = {"gradient_norm": alt.Scale(type="log"), **dict.fromkeys(PERCENT, alt.Scale(domain=[0, 100]))}
    if quantity == "gradient_norm":
        shown = shown[shown["value"] > 0]
    x = alt.X("step:Q", scale=alt.Scale(domain=[0, last], nice=False), axis=close_axis(x_title, tickCount=5))
    axis = close_axis(y_title, tickCount=4, format="d" if quantity in PERCENT else "~g")
    y = alt.Y("value:Q", scale=scales.get(quantity, alt.Scale(domainMin=0)), axis=axis)
    lines = _lines_of_runs(shown, names, hues, legend, clip=True).encode(
        x=x, y=y, tooltip=["name:N", "step:Q", alt.Tooltip("value:Q", format=".3g", title=y_title)]
    )
    room = LEGEND_ROW * len(names) if legend else 0
    return alt.layer(lines, *step_rule(at)).properties(height=260 + room)


def _lines_of_runs(
    rows: pd.DataFrame, names: Sequence[str], hues: Sequence[str], legend: bool = True, **mark: Any
) -> alt.Chart:
    """A line of its own hue and dashes for each run. legend: with one row per run and a sample of its line."""
    key = None
    if legend:
        key = alt.Legend(
            title=None, orient="top", direction="vertical", symbolType="stroke", symbolSize=400, labelLimit=420
        )
    hue, dash = (alt.Scale(domain=list(names), range=list(style)) for style in (hues, DASHES[: len(names)]))
    color = alt.Color("name:N", scale=hue, legend=key)
    dashes = alt.StrokeDash("name:N", scale=dash, legend=key)
    lines: alt.Chart = alt.Chart(rows).mark_line(strokeWidth=2.2, **mark).encode(color=color, strokeDash=dashes)
    return lines
