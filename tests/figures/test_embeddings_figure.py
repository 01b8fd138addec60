"""The plane of a sentence's pieces: points where the analysis has them, names that do not cover one another."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from nmtcore.analysis.embeddings import Plane
from nmtcore.figures.embeddings import embedding_plane, name_places

POINTS = np.array([[-2.0, 0.5], [1.0, 1.5], [1.5, -2.0], [0.0, 0.1], [2.0, 0.0]])


def drawn(names: list[str], points: np.ndarray = POINTS, picked: int | None = 1) -> go.Figure:
    groups = [n % 3 for n in range(len(names))]
    words = ("source", "translation", "both")
    return embedding_plane(Plane(points, np.array([0.5, 0.2])), names, groups, words, ("x", "y"), picked, "#123456")


def test_every_piece_stands_at_its_point_and_under_its_group() -> None:
    names = ["le", "<b>x", "chat", "noir", "."]
    figure = drawn(names)
    ring, *groups = figure.data
    assert (ring.x[0], ring.y[0]) == (1.0, 1.5)
    assert [g.name for g in groups] == ["source", "translation", "both"]
    at = {word: (x, y) for g in groups for word, x, y in zip(g.customdata, g.x, g.y, strict=True)}
    assert at == {word.replace("<b>", "&lt;b&gt;"): tuple(p) for word, p in zip(names, POINTS.tolist(), strict=True)}
    (bold,) = [text for g in groups for text in g.text if "<b>" in text]
    assert bold.strip() == "<b>&lt;b&gt;x</b>"
    assert figure.layout.yaxis.scaleanchor == "x", "a unit is as long upwards as across"


def test_where_all_stand_close_the_picked_one_is_named_and_no_name_covers_another() -> None:
    points = np.random.default_rng(2).normal(size=(90, 2)) * 40
    names = [f"piece{n}" for n in range(90)]
    places = name_places(points, names, picked=7)
    assert places[7] and 5 < sum(map(bool, places)) < 90
    shown = [text.strip() for g in drawn(names, points, picked=7).data[1:] for text in g.text if text]
    assert "<b>piece7</b>" in shown and len(shown) < 90
    assert len(drawn(["a", "b", "c", "d", "e"], picked=None).data) == 3, "no ring"


@pytest.mark.parametrize("name", ["acheté", "红色的"])
def test_names_of_two_near_points_stand_apart(name: str) -> None:
    places = name_places(np.array([[0.0, 0.0], [12.0, 4.0], [300.0, 0.0]]), [name] * 3)
    assert places[0] != places[1] and places[2] == "middle right"
