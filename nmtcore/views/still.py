"""A picture as one SVG without a script, for places that run none: GitHub, a PDF, a notebook that is not trusted.

Where there is attention it is the matrix that the picture opens with; else the sentence and what the model wrote.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from nmtcore.decoding.trace import Array
from nmtcore.text.words import sentence_names

CELL, LETTER, LINE = 30, 7.5, 20  # px: a cell, a letter of a label, a line of text
SLANT = 0.75  # of a label's length, its height above the matrix
LEAST = 0.005  # the least weight that has two decimals
BLACK_BELOW = 0.55  # weights up to which the number in a cell is black
CONTROLS = {code: "\ufffd" for code in (*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF)}  # that XML cannot hold


@dataclass(frozen=True, eq=False)
class Matrix:
    """Weights (T, S) with the names of rows and columns."""

    title: str
    hue: str
    rows: Sequence[str]
    columns: Sequence[str]
    weights: Array


def still(view: str, data: Mapping[str, Any]) -> str:
    """The SVG of a picture. view, data: as of `to_html`."""
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
        parts.append(_text(line, 10, height, size=14))
        x = max(x, 20 + LETTER * 1.1 * len(line))
    height += LINE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{x:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {x:.0f} {height:.0f}" font-family="sans-serif">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>'
    )


def matrices_of(view: str, data: Mapping[str, Any]) -> list[Matrix]:
    """What a picture has of attention as it opens."""
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
        found = heads["maps"][kind]
        T, S = len(found["queries"]), len(found["keys"])
        numbers = np.frombuffer(base64.b64decode(found["weights"]), "<u2").reshape(-1, found["heads"], T, S) / 65535
        layers = numbers.mean(0) if layer is None else numbers[layer]
        weights = (layers.mean(0) if head is None else layers[head]).astype(np.float32)
        place = (found["layers"] if layer is None else layer, found["heads"] if head is None else head)
        return [Matrix(found["titles"][place[0]][place[1]], heads["hue"], found["queries"], found["keys"], weights)]
    return []


def lines_of(view: str, data: Mapping[str, Any]) -> list[str]:
    """What the models wrote, a line each."""
    if view == "alignment":
        return [": ".join(filter(None, (panel["title"], panel["translation"]))) for panel in data["panels"]]
    if view == "beam_tree":
        return [end["text"] for end in data["ends"]]
    if view == "mask_predict":
        return [" ".join(place["word"] for place in places) for places in data["rounds"]]
    return [" ".join(sentence_names(data["target"]))] if "target" in data else []


def _matrix(matrix: Matrix, x: float) -> tuple[str, float, float]:
    """A heatmap at x: its SVG, its width, and where it ends."""
    rows, columns = sentence_names(matrix.rows), sentence_names(matrix.columns)
    side = 12 + LETTER * max(map(len, rows))
    top = LINE + 12 + SLANT * LETTER * max(map(len, columns))
    parts = [
        _text(matrix.title, x, 16, weight=700),
        f'<path d="M{x + side:.1f} {top:.1f}h{len(columns) * CELL}v{len(rows) * CELL}h-{len(columns) * CELL}z" '
        'fill="none" stroke="#d9dce1"/>',
    ]
    for s, name in enumerate(columns):
        left = x + side + s * CELL + CELL / 2
        parts.append(_text(name, left, top - 6, turned=True))
    for t, name in enumerate(rows):
        below = top + t * CELL
        parts.append(_text(name, x + side - 6, below + 20, anchor="end"))
        for s, weight in enumerate(matrix.weights[t].tolist()):
            left = x + side + s * CELL
            if weight >= LEAST:
                parts.append(
                    f'<rect x="{left:.1f}" y="{below:.1f}" width="{CELL - 1}" height="{CELL - 1}" fill="{matrix.hue}" '
                    f'fill-opacity="{weight:.3f}"/>'
                )
                colour = "#1f2430" if weight < BLACK_BELOW else "#fff"
                number = _text(f"{weight:.2f}", left + CELL / 2, below + 19, size=10, anchor="middle", colour=colour)
                parts.append(number)
    widest = max(side + len(columns) * CELL + SLANT * LETTER * len(columns[-1]), LETTER * 1.1 * len(matrix.title))
    return "".join(parts), widest, top + len(rows) * CELL


def _text(
    text: str,
    x: float,
    y: float,
    *,
    size: int = 13,
    anchor: str = "start",
    weight: int = 400,
    colour: str = "#1f2430",
    turned: bool = False,
) -> str:
    turn = f' transform="rotate(-50 {x:.1f} {y:.1f})"' if turned else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{colour}"{turn}>{escape(text.translate(CONTROLS))}</text>'
    )
