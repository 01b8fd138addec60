"""Learning rate schedule of a run, drawn before it begins."""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from nmtcore.figures.style import INK, MUTED, Picture, close_axis

HEIGHT = 190  # px


def schedule_table(rates: Sequence[tuple[int, float]]) -> pd.DataFrame:
    """Rows of step and learning rate."""
    return pd.DataFrame(rates, columns=["step", "learning_rate"])


def schedule_curve(
    table: pd.DataFrame, x_title: str, y_title: str, end: str, hue: str = MUTED, ink: str = INK
) -> Picture:
    """The learning rate over the steps, with a dot where the run ends and the text `end` next to it."""
    base = alt.Chart(table).encode(
        x=alt.X("step:Q", scale=alt.Scale(domainMin=0, nice=False), axis=close_axis(x_title, tickCount=5)),
        y=alt.Y("learning_rate:Q", scale=alt.Scale(domainMin=0), axis=close_axis(y_title, tickCount=4, format="~g")),
        tooltip=["step", alt.Tooltip("learning_rate:Q", format=".2e", title=y_title)],
    )
    last = table.tail(1).assign(end=end)
    # Place the text away from the curve: at the bottom if the curve ends high, otherwise at the top.
    high = bool(last["learning_rate"].iloc[0] > 0.5 * table["learning_rate"].max())
    corner = alt.value(HEIGHT - 8 if high else 0)
    words = alt.Chart(last).mark_text(align="right", baseline="bottom" if high else "top", fontSize=13, color=ink)
    return alt.layer(
        base.mark_line(strokeWidth=2.5, color=hue),
        base.transform_filter(alt.datum.step == int(last["step"].iloc[0])).mark_point(
            size=70, filled=True, color=hue, opacity=1
        ),
        words.encode(x="step:Q", y=corner, text="end:N"),
    ).properties(height=HEIGHT)
