"""Attention as a matrix in Plotly, for notebooks and reports: the app's pages draw the same in the browser."""

from __future__ import annotations

import html
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from nmtcore.config import Architecture
from nmtcore.errors import TraceError
from nmtcore.figures.palette import attention_scale
from nmtcore.trace import Array, AttentionMap
from nmtcore.words import token_name

Index = int | Literal["mean"]
CELL = 32  # px


def attention_heatmap(
    map: AttentionMap, architecture: Architecture, layer: Index = 0, head: Index = 0, title: str = ""
) -> go.Figure:
    """One layer and head, keys along the top and queries down the side, colours from 0 to 1 whatever the weights.

    Layers and heads count from zero; "mean" averages over them. Cells that the future mask of decoder self
    attention closes are left out. Raises TraceError for a layer or head that is not there.
    """
    weights = shown_weights(map, layer, head).astype(np.float64)
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


def shown_weights(map: AttentionMap, layer: Index, head: Index) -> Array:
    """The (T, S) weights of one layer and head, averaged over what is "mean". Raises TraceError."""
    for name, index, size in (("layer", layer, map.layers), ("head", head, map.heads)):
        if index != "mean" and not 0 <= index < size:
            raise TraceError(f"There is no {name} {index}: this attention has {size}, counted from 0.")
    layers = map.weights.mean(0) if layer == "mean" else map.weights[layer]  # (H, T, S)
    weights: Array = layers.mean(0) if head == "mean" else layers[head]  # (T, S)
    return weights


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
