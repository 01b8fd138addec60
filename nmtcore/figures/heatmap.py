"""Attention as a matrix in Plotly, for notebooks and reports: the app's pages draw the same in the browser."""

from __future__ import annotations

import html
from typing import Any

import numpy as np
import plotly.graph_objects as go

from nmtcore.config import Architecture
from nmtcore.decoding.trace import AttentionMap, Index
from nmtcore.figures.palette import attention_scale
from nmtcore.text.words import token_name

CELL = 32  # px


def attention_heatmap(
    map: AttentionMap, architecture: Architecture, layer: Index = 0, head: Index = 0, title: str = ""
) -> go.Figure:
    """One layer and head, keys along the top and queries down the side, colours from 0 to 1 whatever the weights.

    Layers and heads count from zero; "mean" averages over them. Cells that the future mask of decoder self
    attention closes are left out. Raises TraceError for a layer or head that is not there.
    """
    weights = map.matrix(layer, head).astype(np.float64)
    if map.kind == "decoder":
        weights[np.triu_indices_from(weights, k=1)] = np.nan
    heatmap = go.Heatmap(
        z=weights,
        zmin=0,
        zmax=1,
        colorscale=attention_scale(architecture),
        xgap=1,
        ygap=1,
        hoverongaps=False,
        customdata=hover_names(map),
        hovertemplate="%{customdata[0]} → %{customdata[1]}: %{z:.3f}<extra></extra>",
        showscale=False,
    )
    figure = go.Figure(heatmap)
    figure.update_layout(
        title={"text": html.escape(title), "x": 0, "xref": "paper"},
        width=CELL * len(map.keys) + 140,
        height=CELL * len(map.queries) + 170,
        margin={"l": 120, "r": 20, "t": 150, "b": 20},
        plot_bgcolor="#FFFFFF",
    )
    figure.update_xaxes(**_axis(map.keys), side="top", tickangle=-50)
    figure.update_yaxes(**_axis(map.queries), autorange="reversed")
    return figure


def hover_names(map: AttentionMap) -> list[list[tuple[str, str]]]:
    """For each cell the names of its query and key, escaped."""
    keys = [html.escape(token_name(key)) for key in map.keys]
    return [[(html.escape(token_name(query)), key) for key in keys] for query in map.queries]


def _axis(tokens: tuple[str, ...]) -> dict[str, Any]:
    # Numbers, not tokens, are the coordinates: Plotly would merge repeated tokens and read `<s>` as markup.
    names = [html.escape(token_name(token)) for token in tokens]
    return {
        "tickmode": "array",
        "tickvals": list(range(len(tokens))),
        "ticktext": names,
        "type": "linear",
        "showgrid": False,
        "zeroline": False,
    }
