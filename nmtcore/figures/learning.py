"""Learning curves, the learning rate's schedule, and the pinned sentence's attention at every evaluation in small."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from nmtcore.config import Architecture
from nmtcore.decoding.trace import Trace
from nmtcore.figures.palette import HUES, NEGATIVE
from nmtcore.figures.style import INK, MUTED, Picture, close_axis
from nmtcore.figures.svg_matrix import LETTER, Grid, document, text
from nmtcore.text.words import token_name

POINTS = 400  # in a curve; more than a screen shows
TICKS = 4  # approximate number for the loss; the last is at the top, so that the curve does not look cut off
FRAMES = 6  # small pictures in a strip
LOW = 190  # px of the schedule
HEIGHT = 280  # px of a curve with axes and legend; readable from the back of a room


def learning_table(events: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Rows of a run's events: step, kind (`training`, `validation`), loss, score, learning rate, tokens per second.

    old_score: ability from before training, if it is rehearsed. alignment_error: against exact links.
    """
    kinds = {"progress": "training", "validation": "validation"}
    columns = ["step", "kind", "loss", "score", "old_score", "alignment_error", "learning_rate", "tokens_per_second"]
    rows = [{**event, "kind": kinds[event["event"]]} for event in events if event["event"] in kinds]
    return pd.DataFrame(rows, columns=columns)


def loss_curves(
    table: pd.DataFrame,
    architecture: Architecture,
    total: int,
    names: Mapping[str, str],
    x_title: str,
    y_title: str,
    at: int | None = None,
) -> Picture:
    """Training and validation loss over all `total` steps, so that the picture keeps its scale while it fills.

    names: display names of `training` and `validation`. at: a step to mark. See `learning_table`.
    """
    shown = _thinned(table).assign(name=lambda rows: rows["kind"].map(names))
    scale = alt.Scale(domain=[names["training"], names["validation"]], range=[MUTED, HUES[architecture]])
    legend = alt.Legend(title=None, orient="top-right", symbolOpacity=1, symbolType="stroke")
    base = alt.Chart(shown).encode(
        x=_all_steps(total, x_title),
        y=alt.Y("loss:Q", scale=alt.Scale(domainMin=0, nice=TICKS), axis=close_axis(y_title, tickCount=TICKS)),
        color=alt.Color("name:N", scale=scale, legend=legend),
        tooltip=["name", "step", alt.Tooltip("loss:Q", format=".3f", title=y_title)],
    )
    training = base.transform_filter("datum.kind == 'training'").mark_line(strokeWidth=1.5, opacity=0.8)
    validation = base.transform_filter("datum.kind == 'validation'").mark_line(
        strokeWidth=2.5, point=alt.OverlayMarkDef(size=30, opacity=1)
    )
    return alt.layer(training, validation, *step_rule(at)).properties(height=HEIGHT)


def step_rule(at: int | None) -> list[alt.Chart]:
    """A vertical line at a step, if there is one."""
    if at is None:
        return []
    return [alt.Chart(pd.DataFrame({"step": [at]})).mark_rule(color=MUTED, strokeWidth=1.5).encode(x="step:Q")]


def score_curve(
    table: pd.DataFrame,
    architecture: Architecture,
    total: int,
    names: Mapping[str, str],
    x_title: str,
    mark: tuple[float, str] | None = None,
    ink: str = INK,
    at: int | None = None,
) -> Picture:
    """Exact match or BLEU on unseen pairs, and other percentages that were measured: one may rise while another falls.

    names: the columns to draw, with display names, `score` first. mark: position and name of a dashed line, whose text
    is `ink`. at: a step to mark.
    """
    shown = table[table["score"].notna()]
    measured = [column for column in names if shown[column].notna().any()] or ["score"]
    drawn = [names[column] for column in measured]
    rows = shown.rename(columns=dict(names)).melt("step", drawn, "name", "percent").dropna()
    inks = {"score": HUES[architecture], "old_score": MUTED, "alignment_error": NEGATIVE}
    together = len(drawn) > 1
    legend = alt.Legend(
        title=None, orient="bottom", direction="vertical", symbolOpacity=1, symbolType="stroke", offset=2
    )
    axis = close_axis(None if together else drawn[0], values=[0, 50, 100])
    percent = alt.Tooltip("percent:Q", format=".1f", title="percent" if together else drawn[0])
    lines = (
        alt.Chart(rows)
        .mark_line(strokeWidth=2.5, point=alt.OverlayMarkDef(size=30, opacity=1))
        .encode(
            x=_all_steps(total, x_title),
            y=alt.Y("percent:Q", scale=alt.Scale(domain=[0, 100]), axis=axis),
            color=alt.Color(
                "name:N",
                scale=alt.Scale(domain=drawn, range=[inks[column] for column in measured]),
                legend=legend if together else None,
            ),
            tooltip=["name", "step", percent] if together else ["step", percent],
        )
    )
    return alt.layer(lines, *_goal(mark, ink), *step_rule(at)).properties(height=HEIGHT)


def _all_steps(total: int, title: str) -> alt.X:
    return alt.X("step:Q", scale=alt.Scale(domain=[0, max(total, 1)], nice=False), axis=close_axis(title))


def _goal(mark: tuple[float, str] | None, ink: str) -> list[alt.Chart]:
    """A dashed line at the percentage to reach, with its name, if there is one."""
    if mark is None:
        return []
    line = alt.Chart(pd.DataFrame({"mark": [mark[0]], "name": [mark[1]]})).encode(y="mark:Q")
    # Goals are near 100%. Above the picture no curve crosses the name; an alignment error can start at 100%.
    text = line.mark_text(align="left", baseline="bottom", fontSize=12, color=ink)
    return [
        line.mark_rule(strokeDash=[5, 4], color=MUTED),
        text.encode(x=alt.value(2), y=alt.value(-3), text="name:N"),
    ]


def _thinned(table: pd.DataFrame) -> pd.DataFrame:
    """All validation rows, and training losses, averaged over neighbours if there are too many."""
    training = table[table["kind"] == "training"]
    if len(training) <= POINTS:
        return table
    groups = np.arange(len(training)) * POINTS // len(training)
    means = training.groupby(groups)[["step", "loss"]].mean().assign(kind="training")
    return pd.concat([means, table[table["kind"] == "validation"]])


def schedule_curve(
    table: pd.DataFrame, x_title: str, y_title: str, end: str, hue: str = MUTED, ink: str = INK
) -> Picture:
    """The learning rate over the steps, with a dot where the run ends and the text `end` next to it.

    table: rows of step and learning_rate.
    """
    base = alt.Chart(table).encode(
        x=alt.X("step:Q", scale=alt.Scale(domainMin=0, nice=False), axis=close_axis(x_title, tickCount=5)),
        y=alt.Y("learning_rate:Q", scale=alt.Scale(domainMin=0), axis=close_axis(y_title, tickCount=4, format="~g")),
        tooltip=["step", alt.Tooltip("learning_rate:Q", format=".2e", title=y_title)],
    )
    last = table.tail(1).assign(end=end)
    # Place the text away from the curve: at the bottom if the curve ends high, otherwise at the top.
    high = bool(last["learning_rate"].iloc[0] > 0.5 * table["learning_rate"].max())
    corner = alt.value(LOW - 8 if high else 0)
    words = alt.Chart(last).mark_text(align="right", baseline="bottom" if high else "top", fontSize=13, color=ink)
    return alt.layer(
        base.mark_line(strokeWidth=2.5, color=hue),
        base.transform_filter(alt.datum.step == int(last["step"].iloc[0])).mark_point(
            size=70, filled=True, color=hue, opacity=1
        ),
        words.encode(x="step:Q", y=corner, text="end:N"),
    ).properties(height=LOW)


def drawn_weights(trace: Trace, head: tuple[int, int] | None) -> np.ndarray[Any, Any] | None:
    """(T, S) weights of a head, or the mean of the last layer, for a small picture. None without attention."""
    cross = trace.attention_of("cross")
    return None if cross is None else cross.matrix(*cross.drawn(head))


def chosen_frames(steps: Sequence[int], picked: int) -> list[int]:
    """Indices of at most `count` traces: first, last, the picked one, and others evenly between, in recorded order."""
    if len(steps) <= FRAMES:
        return list(range(len(steps)))
    indices = {round(i * (len(steps) - 1) / (FRAMES - 1)) for i in range(FRAMES)}
    if picked not in indices:
        inner = sorted(indices - {0, len(steps) - 1}, key=lambda i: abs(i - picked))
        indices = (indices - {inner[0]}) | {picked}
    return sorted(indices)


def frames(
    traces: Sequence[tuple[int, Trace]], picked: int, label: str, head: tuple[int, int] | None = None
) -> list[tuple[int, str]]:
    """Small heatmaps of some of the traces, as HTML with the index of the trace; the picked one has a frame.

    label: text for a step, with `{step}` in it; head: as in AttentionMap.drawn. The HTML contains numbers and `label`
    but no typed text. A row of cells is one gradient with hard edges.
    """
    pictures = []
    for index in chosen_frames([step for step, _ in traces], picked):
        step, trace = traces[index]
        weights = drawn_weights(trace, head)
        if weights is not None:
            words = label.format(step=f"{step:,}")
            picture = _small_heatmap(weights, HUES[trace.architecture], words, index == picked)
            pictures.append((index, picture))
    return pictures


def _small_heatmap(weights: np.ndarray[Any, Any], hue: str, words: str, framed: bool) -> str:
    count, columns = weights.shape
    red, green, blue = (int(hue[i : i + 2], 16) for i in (1, 3, 5))
    rows = []
    for row in weights:
        stops = ",".join(
            f"rgba({red},{green},{blue},{0.05 + 0.95 * float(weight):.2f}) "
            f"{100 * s / columns:.1f}% {100 * (s + 1) / columns:.1f}%"
            for s, weight in enumerate(row)
        )
        rows.append(f'<div style="flex:1;background:linear-gradient(to right,{stops})"></div>')
    frame = "currentColor" if framed else "transparent"
    picture = f"aspect-ratio:{columns}/{count};display:flex;flex-direction:column;padding:2px;border-radius:3px"
    heading = f"font-size:0.78rem;white-space:nowrap;font-weight:{650 if framed else 400}"
    return (
        f'<div><div style="{heading}">{words}</div>'
        f'<div style="{picture};border:1.5px solid {frame}">{"".join(rows)}</div></div>'
    )


def animation(traces: Sequence[tuple[int, Trace]], title: str, label: str, head: tuple[int, int] | None = None) -> str:
    """An animated SVG of the pinned sentence's attention, half a second per step, with both axes, for any browser.

    label: text for a step, with `{step}` in it; head: as in AttentionMap.drawn. All traces must have the same tokens,
    as forced ones have.
    """
    drawn = [(step, trace, weights) for step, trace in traces if (weights := drawn_weights(trace, head)) is not None]
    _, last, _ = drawn[-1]
    grid = Grid([*map(token_name, last.target)], [*map(token_name, last.source)], 12, 60)
    moves = f'dur="{len(drawn) / 2:g}s" repeatCount="indefinite" calcMode="discrete"'
    parts = [text(title, 12, 26, size=18, weight=650)]
    for i, (step, _, _) in enumerate(drawn):
        values = ";".join("1" if i == j else "0" for j in range(len(drawn)))
        animate = f'<animate attributeName="opacity" values="{values}" {moves}/>'
        shown = float(i == len(drawn) - 1)
        parts.append(text(label.format(step=f"{step:,}"), 12, 50, size=15, shown=shown, inside=animate))
    parts += [grid.column_names(), *map(grid.row_name, range(len(grid.rows)))]
    for t, s in np.ndindex(drawn[-1][2].shape):
        weights_of_cell = [float(weights[t, s]) for _, _, weights in drawn]
        values = ";".join(f"{weight:.3f}" for weight in weights_of_cell)
        animate = f'<animate attributeName="fill-opacity" values="{values}" {moves}/>'
        parts.append(grid.cell(t, s, weights_of_cell[-1], HUES[last.architecture], animate))
    return document(max(grid.right, 1.4 * LETTER * len(title)) + 20, grid.bottom + 20, parts)
