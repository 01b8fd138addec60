"""The nearest pieces as plain data: their names, their ids in the vocabulary and their cosines."""

from collections.abc import Sequence
from typing import Any

from nmtcore.analysis.embeddings import Neighbor
from nmtcore.text.words import piece_name
from nmtcore.views.nearest.messages import MESSAGES


def data(neighbors: Sequence[Neighbor], hue: str, *, title: str) -> dict[str, Any]:
    """The bars of one vector. hue: the model's; title: for saved pictures."""
    return {"hue": hue, "title": title, "nearest": named(neighbors), "words": MESSAGES}


def named(neighbors: Sequence[Neighbor]) -> list[list[Any]]:
    """The neighbours as the browser gets them: name, number, cosine."""
    return [[piece_name(neighbor.piece), neighbor.id, round(neighbor.cosine, 5)] for neighbor in neighbors]
