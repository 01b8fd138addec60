"""Sensitivity of the context vector: how far it moves when a word is replaced, by the word's position."""

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from nmtcore.analysis.word_swaps import WordSwaps
from nmtcore.figures.palette import HUES
from nmtcore.figures.style import Picture


def swaps_table(by_sentences: Mapping[str, WordSwaps]) -> pd.DataFrame:
    """One row per position: the sentences' name, the position from 1, median, both quartiles, number of sentences."""
    return pd.DataFrame(
        [
            {"sentences": name, "place": place, "low": low, "median": median, "high": high, "count": len(swaps.moves)}
            for name, swaps in by_sentences.items()
            for place, (low, median, high) in enumerate(np.percentile(swaps.moves, [25, 50, 75], axis=0).T, 1)
        ]
    )


def swaps_by_place(table: pd.DataFrame, x_title: str, y_title: str) -> Picture:
    """Medians as lines, with bands for the middle half of the sentences; each sentence length has its own dashes."""
    names = list(table["sentences"].drop_duplicates())
    dashes = alt.Scale(domain=names, range=[[1, 0], [6, 4], [2, 3]][: len(names)])
    color = HUES["none"]
    places = list(range(1, int(table["place"].max()) + 1))
    x = alt.X(
        "place:Q", axis=alt.Axis(title=x_title, values=places, grid=False), scale=alt.Scale(nice=False, padding=14)
    )
    y = alt.Y("median:Q", axis=alt.Axis(title=y_title, tickCount=5), scale=alt.Scale(domain=[0, 1]))
    base = alt.Chart(table).encode(x=x)
    band = base.mark_errorband(opacity=0.16, color=color).encode(
        y=alt.Y("low:Q", title=y_title), y2="high:Q", detail="sentences:N"
    )
    dash = alt.StrokeDash("sentences:N", scale=dashes, legend=alt.Legend(title=None, orient="top", symbolSize=400))
    line = base.mark_line(strokeWidth=2.5, color=color).encode(y=y, strokeDash=dash)
    tips = ["sentences", "place", *(alt.Tooltip(name, format=".2f") for name in ("low", "median", "high"))]
    points = base.mark_circle(size=60, opacity=1, color=color).encode(y=y, detail="sentences:N", tooltip=tips)
    return alt.layer(band, line, points).properties(height=300)
