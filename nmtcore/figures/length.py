"""Quality by length: for the test split, and for one sentence that grows clause by clause.

The field `meta["by_length"]` in a model's config.json contains the results of `evaluation.bleu_chrf.by_length`:
for each bucket its `low` and `high` length in words, `items`, and `bleu` and `chrf`, each with the `_low` and `_high`
ends of its interval.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import altair as alt
import pandas as pd

from nmtcore.analysis.length_effect import kept, per_piece, repeated
from nmtcore.config import Architecture
from nmtcore.decoding.trace import Trace
from nmtcore.figures.palette import HUES
from nmtcore.figures.style import Picture

Score = Literal["bleu", "chrf"]
RIMS = (8.0, 6.0, 4.0, 2.5)  # px of lines that may coincide: each shows as a rim around the next


def by_length_table(scores: Mapping[Architecture, Sequence[Mapping[str, Any]]], score: Score) -> pd.DataFrame:
    """`meta["by_length"]` of several models as rows: architecture, length, place, items, value, low, high."""
    rows = [
        {
            "architecture": architecture,
            "length": f"{part['low']}\u2013{part['high']}",
            "place": part["low"],
            "items": part["items"],
            "value": part[score],
            "low": part.get(f"{score}_low", part[score]),
            "high": part.get(f"{score}_high", part[score]),
        }
        for architecture, parts in scores.items()
        for part in parts
    ]
    return pd.DataFrame(rows)


def quality_by_length(
    table: pd.DataFrame, names: Mapping[Architecture, str], x_title: str, y_title: str, height: int = 360
) -> Picture:
    """Lines with intervals, one per model, over buckets of sentences of similar length. See `by_length_table`."""
    table = table.assign(model=table["architecture"].map(names))
    order = [str(length) for length in table.sort_values("place")["length"].drop_duplicates()]
    base = alt.Chart(table).encode(
        x=alt.X("length:O", sort=order, axis=alt.Axis(title=x_title, labelAngle=0)), color=_colors(table, names)
    )
    y = alt.Y("value:Q", axis=alt.Axis(title=y_title), scale=alt.Scale(domainMin=0))
    band = base.mark_errorband(opacity=0.16).encode(y=alt.Y("low:Q", title=y_title), y2="high:Q")
    tooltip = ["model", "length", "items", alt.Tooltip("value", format=".1f", title=y_title)]
    lines = base.mark_line(strokeWidth=2.5).encode(y=y)
    points = base.mark_circle(size=60, opacity=1).encode(y=y, tooltip=tooltip)
    return alt.layer(band, lines, points).properties(height=height)


def growth_table(grown: Mapping[Architecture, Sequence[Trace]]) -> pd.DataFrame:
    """One row per model and sentence. grown: each model's Traces of one sentence as it grows, the shortest first.

    Pieces are counted in sources and outputs alike, including `<eos>`.
    """
    rows = [
        {
            "architecture": architecture,
            "clauses": number,
            "source": len(trace.source),
            "likelihood": per_piece(trace),
            "kept": kept(traces[0], trace),
            "repeated": repeated(trace),
            "ratio": len(trace.target) / len(trace.source),
            "translation": trace.text,
        }
        for architecture, traces in grown.items()
        for number, trace in enumerate(traces)
    ]
    return pd.DataFrame(rows)


def growth(
    table: pd.DataFrame,
    measure: str,
    names: Mapping[Architecture, str],
    x_title: str,
    y_title: str,
    domain: tuple[float, float] | None = None,
) -> Picture:
    """One measure of `growth_table` against the length of the source, one line per model."""
    table = table.assign(model=table["architecture"].map(names))
    scale = alt.Scale(zero=False, nice=True) if domain is None else alt.Scale(domain=list(domain))
    base = alt.Chart(table).encode(
        x=alt.X(
            "source:Q",
            axis=alt.Axis(title=x_title, values=sorted(set(table["source"]))),
            scale=alt.Scale(zero=False, nice=False, padding=12),
        ),
        y=alt.Y(f"{measure}:Q", axis=alt.Axis(title=y_title), scale=scale),
        color=_colors(table, names),
    )
    tooltip = ["model", "translation", alt.Tooltip(f"{measure}:Q", format=".3f", title=y_title)]
    points = base.mark_circle(size=70, opacity=1).encode(tooltip=tooltip)
    shown = [names[a] for a in _models_shown(table, names)]
    widths = alt.Scale(type="ordinal", domain=shown, range=list(RIMS[-len(shown) :]))
    lines = base.mark_line().encode(strokeWidth=alt.StrokeWidth("model:N", scale=widths, legend=None))
    return alt.layer(lines, points).properties(height=360)


def _models_shown(table: pd.DataFrame, names: Mapping[Architecture, str]) -> list[Architecture]:
    """The models with rows in the table, in the order of `names`."""
    return [a for a in names if (table["architecture"] == a).any()]


def _colors(table: pd.DataFrame, names: Mapping[Architecture, str]) -> alt.Color:
    shown = _models_shown(table, names)
    scale = alt.Scale(domain=[names[a] for a in shown], range=[HUES[a] for a in shown])
    return alt.Color(
        "model:N",
        scale=scale,
        legend=alt.Legend(title=None, orient="top", columns=2, labelLimit=200, symbolOpacity=1, symbolStrokeWidth=1),
    )
