"""Embeddings as a picture: the pieces of a sentence and its translation on their first two principal components."""

from __future__ import annotations

import html
from collections.abc import Sequence

import plotly.graph_objects as go

from nmtcore.analysis.embeddings import Plane
from nmtcore.decoding.trace import Array
from nmtcore.figures.style import INK, quiet_axis, quiet_layout
from nmtcore.text.words import is_wide

WIDTH, HEIGHT, MARGIN = 560, 430, 40  # px of the picture; of its width, those that names are placed for
LETTER, LINE = 8, 17  # px of a letter of a name (a wide one has two), and of a line
COVERED = 0.2  # part of a name, at most, that may lie over something else
SYMBOLS = ("circle", "diamond-open", "square", "cross")  # in the source, in the translation, in both, in neither
PLACES = {  # of a name: how far its middle is from the point, in half widths and in lines
    "middle right": (1.0, 0.0), "middle left": (-1.0, 0.0), "top center": (0.0, 0.9), "bottom center": (0.0, -0.9),
    "top right": (0.9, 0.8), "top left": (-0.9, 0.8), "bottom right": (0.9, -0.8), "bottom left": (-0.9, -0.8),
}  # fmt: skip
FAINT = "rgba(128,128,128,0.35)"  # the lines through the middle
Box = tuple[float, float, float, float]  # left, bottom, right, top


def embedding_plane(
    plane: Plane,
    names: Sequence[str],
    groups: Sequence[int],
    group_names: Sequence[str],
    axes: tuple[str, str],
    picked: int | None,
    color: str,
    ink: str = INK,
) -> go.Figure:
    """A point a piece with its name where there is room for it, both axes on one scale; the picked one has a ring.

    groups: the number of each piece's group, of which `group_names` are the words; axes: the titles of both.
    """
    low, high = plane.points.min(0), plane.points.max(0)
    scale = min((WIDTH - 3 * MARGIN) / (high[0] - low[0] or 1), (HEIGHT - 3 * MARGIN) / (high[1] - low[1] or 1))
    places = name_places(plane.points * scale, names, picked)
    traces = []
    if picked is not None:
        ring = {"size": 22, "color": "rgba(0,0,0,0)", "line": {"color": ink, "width": 2}}
        x, y = plane.points[picked]
        traces.append(go.Scatter(x=[x], y=[y], mode="markers", marker=ring, hoverinfo="skip", showlegend=False))
    for group, name in enumerate(group_names):
        own = [i for i, g in enumerate(groups) if g == group]
        if not own:
            continue
        escaped = [html.escape(names[i]) for i in own]
        shown = [
            _beside(f"<b>{word}</b>" if i == picked else word, places[i], 2 if i == picked else 1) if places[i] else ""
            for i, word in zip(own, escaped, strict=True)
        ]
        traces.append(
            go.Scatter(
                x=plane.points[own, 0],
                y=plane.points[own, 1],
                mode="markers+text",
                text=shown,
                textposition=[places[i] or "middle right" for i in own],
                textfont={"color": ink, "size": 14},
                marker={"symbol": SYMBOLS[group], "color": color, "size": 11, "line": {"color": color, "width": 2}},
                name=html.escape(name),
                customdata=escaped,
                hovertemplate="%{customdata}: %{x:.3f}, %{y:.3f}<extra></extra>",
                cliponaxis=False,
            )
        )
    middle, half = (low + high) / 2, ((WIDTH - MARGIN) / 2 / scale, (HEIGHT - 2.4 * MARGIN) / 2 / scale)
    axis = quiet_axis(ink) | {"zeroline": True, "zerolinecolor": FAINT, "showticklabels": False}
    titles = [{"text": html.escape(title), "font": {"color": ink, "size": 13}} for title in axes]
    ranges = [[float(m - h), float(m + h)] for m, h in zip(middle, half, strict=True)]
    return go.Figure(
        traces,
        quiet_layout(ink)
        | {
            "height": HEIGHT,
            "margin": {"l": 30, "r": 8, "t": 30, "b": 34},
            "xaxis": axis | {"title": titles[0], "range": ranges[0]},
            "yaxis": axis | {"title": titles[1], "range": ranges[1], "scaleanchor": "x"},
            "showlegend": True,
            "legend": {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font": {"color": ink, "size": 13}},
        },
    )


def name_places(points: Array, names: Sequence[str], picked: int | None = None) -> list[str]:
    """Where each name stands beside its point, (N, 2) in px: the place where it covers least of what is there.

    Greedy label placement: the picked one first, then from left to right; the first of the places where several are
    as good. Empty for a name that finds no room, but never for the picked one.
    """
    points_taken: list[Box] = [(x - 6, y - 6, x + 6, y + 6) for x, y in points.tolist()]
    names_taken: list[Box] = []
    chosen = [""] * len(names)
    for i in sorted(range(len(names)), key=lambda i: (i != picked, *points[i])):
        boxes = {place: _box(points[i], names[i], shift) for place, shift in PLACES.items()}
        others = [*names_taken, *(box for n, box in enumerate(points_taken) if n != i)]
        covered = {place: sum(_overlap(box, other) for other in others) for place, box in boxes.items()}
        best = min(covered, key=covered.__getitem__)
        left, bottom, right, top = boxes[best]
        if i == picked or covered[best] <= COVERED * (right - left) * (top - bottom):
            chosen[i] = best
            names_taken.append(boxes[best])
    return chosen


def _beside(name: str, place: str, spaces: int) -> str:
    """A name with room between it and its point, which Plotly leaves only above and below."""
    room = "\u2002" * spaces
    return f"{room}{name}" if place.endswith("right") else f"{name}{room}" if place.endswith("left") else name


def _box(point: Array, name: str, shift: tuple[float, float]) -> Box:
    width = sum(2 * LETTER if is_wide(letter) else LETTER for letter in name)
    x, y = float(point[0]) + shift[0] * (width / 2 + 9), float(point[1]) + shift[1] * LINE
    return x - width / 2, y - LINE / 2, x + width / 2, y + LINE / 2


def _overlap(a: Box, b: Box) -> float:
    """The area that two boxes have in common."""
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
