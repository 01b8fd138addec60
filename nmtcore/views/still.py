"""A picture as one SVG without a script, for hosts that run none: GitHub, a PDF, an untrusted notebook.

If there is attention, the SVG shows the picture's initial matrix; otherwise the sentence and its translation.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nmtcore.decoding.trace import Array
from nmtcore.figures.svg_matrix import INK, LETTER, Grid, document, text
from nmtcore.text.words import sentence_names
from nmtcore.views.heads.head import Head

LINE = 20  # px: a line of text
LEAST = 0.005  # the least weight shown with two decimals
BLACK_BELOW = 0.55  # weights up to which the number in a cell is black


@dataclass(frozen=True, eq=False)
class Matrix:
    """Weights (T, S) with the names of rows and columns."""

    title: str
    hue: str
    rows: Sequence[str]
    columns: Sequence[str]
    weights: Array


def still(view: str, data: Mapping[str, Any]) -> str:
    """The SVG of a picture. view, data: as in `to_html`."""
    matrices = matrices_of(view, data)
    parts: list[str] = []
    x, height = 10.0, 0.0
    for matrix in matrices:
        drawn, width, below = _matrix(matrix, x)
        parts.append(drawn)
        x, height = x + width + 30, max(height, below)
    lines = [str(data.get("sentence", "")), *lines_of(view, data)]
    for line in filter(None, lines):
        height += LINE
        parts.append(text(line, 10, height, size=14))
        x = max(x, 20 + LETTER * 1.1 * len(line))
    height += LINE
    return document(x, height, parts)


def matrices_of(view: str, data: Mapping[str, Any]) -> list[Matrix]:
    """The attention matrices that a picture shows initially."""
    if view == "alignment":
        return [
            Matrix(p["title"], p["hue"], p["target"], p["source"], np.asarray(p["weights"], np.float32))
            for p in data["panels"]
            if p["weights"] is not None
        ]
    if view == "walkthrough":
        weights = np.asarray(data["weights"], np.float32)
        return [Matrix("", data["hue"], data["target"], data["source"], weights)]
    if view == "heads":
        heads = data["heads"]
        kind, layer, head = (heads["chosen"][name] for name in ("kind", "layer", "head"))
        maps = heads["maps"][kind]
        T, S = len(maps["queries"]), len(maps["keys"])
        numbers = np.frombuffer(base64.b64decode(maps["weights"]), "<u2").reshape(-1, maps["heads"], T, S) / 65535
        layers = numbers.mean(0) if layer is None else numbers[layer]
        weights = (layers.mean(0) if head is None else layers[head]).astype(np.float32)
        return [Matrix(Head(kind, layer, head).title(), heads["hue"], maps["queries"], maps["keys"], weights)]
    if view == "masks":  # what the decoder of the shortest sentence may see of its own inputs
        row = data["opens"]
        inputs, real = data["inputs"][row], data["lengths"]["inputs"][row]
        seen = np.tri(real, len(inputs), dtype=np.float32)
        return [Matrix(data["sentences"][row], data["hue"], inputs[:real], inputs, seen)]
    return []


def lines_of(view: str, data: Mapping[str, Any]) -> list[str]:
    """The translations, one line each."""
    if view == "alignment":
        return [": ".join(filter(None, (panel["title"], panel["translation"]))) for panel in data["panels"]]
    if view == "beam_tree":
        return [end["text"] for end in data["ends"]]
    if view == "mask_predict":
        return [" ".join(place["word"] for place in places) for places in data["rounds"]]
    if view == "residual_stream":
        return [" ".join(data["stacks"]["t"]["names"])]
    return [" ".join(sentence_names(data["target"]))] if "target" in data else []


def _matrix(matrix: Matrix, x: float) -> tuple[str, float, float]:
    """A heatmap at x: its SVG, its width, and its lower edge."""
    grid = Grid(sentence_names(matrix.rows), sentence_names(matrix.columns), x, LINE)
    parts = [text(matrix.title, x, 16, weight=700), grid.frame(), grid.column_names()]
    for t, row in enumerate(matrix.weights.tolist()):
        parts.append(grid.row_name(t))
        for s, weight in enumerate(row):
            if weight >= LEAST:
                colour = INK if weight < BLACK_BELOW else "#fff"
                parts += [grid.cell(t, s, weight, matrix.hue), grid.number(t, s, f"{weight:.2f}", colour)]
    return "".join(parts), max(grid.right - x, LETTER * 1.1 * len(matrix.title)), grid.bottom
