"""Heatmaps of signed numbers: negative red, positive blue, zero in the colour of the background."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from nmtcore.decoding.trace import Array
from nmtcore.figures.palette import NEGATIVE, NEUTRAL, POSITIVE


def percentile_limit(values: Array, percent: float) -> float:
    """The magnitude with full colour: a percentile of all magnitudes, so that outliers do not make others pale."""
    return float(np.percentile(np.abs(values), percent)) or 1.0


def signed_heatmap(
    values: np.ndarray[Any, Any],
    limit: float,
    hover: str,
    neutral: str = NEUTRAL,
    gaps: tuple[int, int] = (1, 1),
    **axes: Any,
) -> go.Heatmap:
    """Cells (rows, columns) from -limit to limit, whose number is shown under the mouse.

    hover: Plotly's format of a cell, such as %{z:.3f}; gaps: px between columns and rows; axes: Plotly's x and y.
    """
    return go.Heatmap(
        z=values,
        zmin=-limit,
        zmax=limit,
        colorscale=[[0.0, NEGATIVE], [0.5, neutral], [1.0, POSITIVE]],
        showscale=False,
        xgap=gaps[0],
        ygap=gaps[1],
        hovertemplate=f"{hover}<extra></extra>",
        **axes,
    )
