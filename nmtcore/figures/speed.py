"""Run time by length, log-log: measured points, and the line of the theory."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple

import altair as alt
import pandas as pd

from nmtcore.analysis.complexity import layer_complexity
from nmtcore.analysis.costs import in_rounds, operations
from nmtcore.analysis.speed import Speed
from nmtcore.config import ModelConfig, is_autoregressive
from nmtcore.figures.style import Picture

Part = Literal["encode", "decode"]
HEIGHT = 440


class Measured(NamedTuple):
    """A line in the chart. name: unique in a chart; speeds: shortest first.

    rounds: number of mask-predict rounds in a non-autoregressive model.
    """

    name: str
    config: ModelConfig
    speeds: Sequence[Speed]
    rounds: int = 1


def speed_table(models: Sequence[Measured]) -> pd.DataFrame:
    """One row per model and length: measured milliseconds, and those of the theory, if it covers the kind of layer.

    The theory is layers times n d^2, n^2 d or k n d^2, per round in mask-predict. It has one rate for all models in a
    chart: the most multiply-adds per millisecond that any of them reached.
    """
    all_speeds = [(model, speed) for model in models for speed in model.speeds]
    rates = {
        part: max((_counted(model, s.length, part) / getattr(s, part) for model, s in all_speeds), default=1.0)
        for part in ("encode", "decode")
    }
    rows = []
    for model in models:
        kind = layer_complexity(model.config)
        for speed in model.speeds:
            row: dict[str, object] = {"model": model.name, "length": speed.length}
            for part in ("encode", "decode"):
                layers = int(getattr(model.config, f"{part}r_layers", 1)) * (model.rounds if part == "decode" else 1)
                row[part] = 1000 * getattr(speed, part)
                row[f"{part} theory"] = (
                    None if kind is None else 1000 * layers * kind.operations(speed.length) / rates[part]
                )
            rows.append(row)
    return pd.DataFrame(rows)


def time_by_length(
    table: pd.DataFrame,
    part: Part,
    hues: Mapping[str, str],
    x_title: str,
    y_title: str,
    dashed: Collection[str] = (),
) -> Picture:
    """A solid line per model through its measured points, a dotted one for the theory; both axes logarithmic.

    hues: the colour of each line, by name; dashed: which of two lines with one colour has dashes.
    """
    lengths = sorted(set(table["length"]))
    legend = alt.Legend(title=None, orient="top", columns=2, labelLimit=200, symbolType="stroke", symbolSize=500)

    def by_name(values: Sequence[str | Sequence[float]]) -> alt.Scale:
        return alt.Scale(domain=list(hues), range=values)

    color = alt.Color("model:N", scale=by_name(list(hues.values())), legend=legend)
    x = alt.X(
        "length:Q",
        axis=alt.Axis(title=x_title, values=lengths, format="d"),
        scale=alt.Scale(type="log", base=2, domain=[lengths[0], lengths[-1]], nice=False),
    )
    base = alt.Chart(table).encode(x=x, color=color)
    y = alt.Y(f"{part}:Q", scale=alt.Scale(type="log", nice=True), axis=alt.Axis(title=y_title, tickCount=6))
    tooltip = ["model", "length", alt.Tooltip(f"{part}:Q", format=".3g", title=y_title)]
    theory = (
        base.transform_filter(alt.datum[f"{part} theory"] > 0)
        .mark_line(strokeDash=[0.1, 4], strokeCap="round", strokeWidth=1.8, opacity=0.8)
        .encode(y=alt.Y(f"{part} theory:Q", title=y_title))
    )
    dashes = by_name([[8, 5] if name in dashed else [1, 0] for name in hues])
    lines = base.mark_line(strokeWidth=2.5).encode(
        y=y, strokeDash=alt.StrokeDash("model:N", scale=dashes, legend=legend)
    )
    points = base.mark_circle(size=60, opacity=1).encode(y=y, tooltip=tooltip)
    return alt.layer(theory, lines, points).properties(height=HEIGHT)


def _counted(model: Measured, length: int, part: str) -> int:
    non_autoregressive = not is_autoregressive(model.config.architecture)
    count = partial(in_rounds, rounds=model.rounds) if non_autoregressive else operations
    counted = count(model.config, length, length)
    return counted.encode if part == "encode" else counted.total - counted.encode
