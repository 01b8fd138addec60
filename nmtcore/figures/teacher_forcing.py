"""Forced decoding piece by piece: the probability of the true piece, and of the piece that the model prefers."""

import math
from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from nmtcore.analysis.teacher_forcing import TeacherForcing
from nmtcore.config import Architecture
from nmtcore.figures.palette import GREEDY, HUES
from nmtcore.figures.style import INK, Picture
from nmtcore.text.words import sentence_names

ROW = 24  # px of a piece
SCALE = 72  # px of the axis below them, with a name of two lines
LEAST = 520  # px; on a phone the picture scrolls, so that the text next to a bar is not cut off
ROOM = 1.75  # end of the scale, which leaves room for text next to a bar of probability 1


def forced_table(forced: TeacherForcing) -> pd.DataFrame:
    """One row per piece: step, piece, probability, log_probability, rank, favourite and its probability, parts.

    parts: whether the model's own translation first departs from the true one here.
    """
    names = sentence_names([piece.token for piece in forced.pieces])
    before = ["", *(piece.token for piece in forced.pieces)]  # the piece before the favourite
    rows = [
        {
            "step": step,
            "piece": names[step - 1],
            "probability": math.exp(piece.log_probability),
            "log_probability": piece.log_probability,
            "rank": piece.rank,
            "favourite": sentence_names([before[step - 1], piece.favourite])[1],
            "favourite_probability": math.exp(piece.favourite_log_probability),
            "parts": step == forced.first_difference,
        }
        for step, piece in enumerate(forced.pieces, 1)
    ]
    return pd.DataFrame(rows)


def forced_probabilities(
    table: pd.DataFrame, architecture: Architecture, axis: Sequence[str], rank: str, instead: str, ink: str = INK
) -> Picture:
    """Bars of p(y_j | y_<j, x) in reading order; a second, thin one if the model prefers another piece.

    table: from `forced_table`. axis: the name of the scale in lines that fit a phone; rank: a phrase with {rank};
    instead: a phrase about the model's favourite, with {piece} and {probability}.
    """
    notes, names = [], []
    for row in table.to_dict("records"):
        note = _probability(row["probability"])
        if row["rank"] > 1:
            other = instead.format(piece=row["favourite"], probability=_probability(row["favourite_probability"]))
            place = rank.format(rank=format(row["rank"], ","))
            note += f" · {place} · {other}"
        notes.append(note)
        names.append(f"{row['step']}  {row['piece']}")  # the number distinguishes repeated pieces
    longest = table[["probability", "favourite_probability"]].max(axis=1)
    drawn = table.assign(
        name=names,
        note=notes,
        end=longest.where(table["rank"] > 1, table["probability"]),
    )
    y = alt.Y(
        "name:N",
        sort=names,
        axis=alt.Axis(
            title=None, labelLimit=160, labelFontSize=13, labelOverlap=False, ticks=False, domain=False, labelColor=ink
        ),
    )
    scale = alt.Scale(domain=[0, ROOM], nice=False)
    x_axis = alt.Axis(title=list(axis), values=[0, 0.25, 0.5, 0.75, 1], format=".2f", titleAnchor="start", grid=True)
    base = alt.Chart(drawn).encode(y=y)

    def across(field: str) -> alt.X:
        return alt.X(f"{field}:Q", axis=x_axis, scale=scale)

    rejected = base.transform_filter("datum.rank > 1").mark_bar(color=GREEDY, opacity=0.55, height=5, yOffset=7)
    own = rejected.encode(x=across("favourite_probability"))
    bars = base.mark_bar(color=HUES[architecture], height=10, yOffset=-1).encode(x=across("probability"))
    words = base.mark_text(align="left", dx=6, fontSize=12.5).encode(
        x=across("end"),
        text="note:N",
        color=alt.condition("datum.parts", alt.value(GREEDY), alt.value(ink)),
    )
    here = base.transform_filter("datum.parts").mark_rule(
        color=GREEDY, strokeDash=[5, 4], strokeWidth=2, yOffset=-ROW / 2
    )
    return alt.layer(bars, own, words, here).properties(height=ROW * len(drawn) + SCALE, width=LEAST)


def _probability(value: Any) -> str:
    """Three decimals, but a very small probability is not shown as zero."""
    return f"{value:.3f}" if value >= 0.0005 else "< 0.001"
