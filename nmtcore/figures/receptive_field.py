"""Receptive field of a convolutional encoder as a pyramid: words below, layers above them, a single state at the top.

A layer of width k sees (k - 1) / 2 states on each side of its own, so a state in layer l has seen l (k - 1) / 2 words
on each side: the field grows with every layer (Gehring et al. 2017, section 3.2).
"""

import html
from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from nmtcore.config import ConvolutionalConfig
from nmtcore.decoding.trace import Array
from nmtcore.figures.palette import HUES
from nmtcore.figures.style import CLEAR, INK, matrix_layout, words_down
from nmtcore.figures.text import escaped_names

HUE = HUES["convolutional"]
ROW, NAMES = 34, 86  # px of a layer, and of the words below
COLUMN, SIDE = 22, 70  # smallest px of a word, and px of the layers' names


def find_receptive_field(config: ConvolutionalConfig, length: int, word: int) -> Array:
    """Which positions of each layer the top state of one of S words depends on, (L + 1, S) of bool.

    Row l stands for the outputs of layer l, row 0 for the words themselves; row L holds only the state itself.
    """
    sides, layers = config.kernel // 2, config.encoder_layers
    away = np.abs(np.arange(length) - word)  # (S,)
    return np.stack([away <= (layers - layer) * sides for layer in range(layers + 1)])


def field_table(field: Array, tokens: Sequence[str]) -> pd.DataFrame:
    """One row per layer: the number of states in the field, and its first and last piece."""
    rows = []
    for layer, seen in enumerate(field):
        places = seen.nonzero()[0]
        ends = {"first": tokens[places[0]], "last": tokens[places[-1]]}
        rows.append({"layer": layer, "seen": len(places), **ends})
    return pd.DataFrame(rows)


def pyramid(field: Array, tokens: Sequence[str], names: Sequence[str], ink: str = INK) -> go.Figure:
    """field: (L + 1, S) from `find_receptive_field`; tokens: pieces of a vocabulary; names: of rows, words first."""
    rows, columns = field.shape
    cells = go.Heatmap(
        z=field.astype(float),
        zmin=0,
        zmax=1,
        colorscale=[[0.0, CLEAR], [1.0, HUE]],
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
    )
    angle = -45 if columns > 8 else 0
    words = {"tickvals": list(range(columns)), "ticktext": escaped_names(tokens), "tickangle": angle}
    upwards = words_down([html.escape(name) for name in names], rows) | {"range": [-0.5, rows - 0.5]}
    width = COLUMN * columns + SIDE
    return go.Figure(cells, matrix_layout(ink, ROW * rows + NAMES, words, upwards, bottom=NAMES, width=width))
