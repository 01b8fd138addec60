"""Positions as a turn: one pair of dimensions as two waves and as points of a circle, and the way from p to p + k.

The browser gets the table once; the three sliders, for pair, position and distance, never run the page. They stand
in the address (`i=8&position=2&k=3`), written there by the component.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from nmtcore.decoding.trace import Array
from nmtcore.figures import positions
from nmtcore.figures.palette import ARCHITECTURE
from nmtcore.text.words import token_name
from pages.common.i18n import _
from pages.common.scripts import joined

HERE = Path(__file__).parent
BORROWED = (
    *(
        HERE.parent / "alignment" / f"{name}.js"
        for name in ("dom", "mount", "number", "color", "layout", "width", "address", "paper")
    ),
    *(HERE.parent / "steps" / f"{name}.js" for name in ("notation", "saving")),
)
OWN = tuple(HERE / f"{name}.js" for name in ("pair", "circle", "waves", "equation", "sliders", "turn"))
OPENS = {"i": 8, "position": 2, "k": 3}

_component = st.components.v2.component(
    "turn", js=joined((*BORROWED, *OWN)), css=(HERE / "turn.css").read_text(encoding="utf-8")
)


def turn(table: Array, tokens: Sequence[str], farthest: int, *, title: str, key: str) -> None:
    """Draw the turn. table: sinusoids, (positions + farthest, D); farthest: the largest distance k."""
    _component(key=key, data={**record(table, tokens, farthest), "title": title, "words": words()})


def record(table: Array, tokens: Sequence[str], farthest: int) -> dict[str, Any]:
    """What the browser draws. values: the table row by row, 32-bit floats in base64, so that no digit is lost."""
    rows, width = table.shape
    count, pairs = rows - farthest, width // 2
    last = {"i": pairs - 1, "position": count - 1, "k": farthest}
    return {
        "values": base64.b64encode(np.ascontiguousarray(table, "<f4").tobytes()).decode(),
        "width": width,
        "rows": rows,
        "rates": [positions.rate(pair, width) for pair in range(pairs)],
        "tokens": [token_name(token) for token in tokens],
        "first": {"i": 0, "position": 0, "k": 1},
        "opens": {name: min(value, last[name]) for name, value in OPENS.items()},
        "last": last,
        "hue": ARCHITECTURE["transformer"],
    }


def words() -> Mapping[str, Any]:
    """The component's own words, in the language of the page. Names in braces are filled in the browser."""
    return {
        "sliders": {"i": _("Pair i: dimensions 2i and 2i + 1"), "position": _("Position p"), "k": _("Distance k")},
        "ignored": _("The link asked for {name} = {asked}; it can be {low} to {high}."),
        "circle": _("Pair {i} on the circle: position {p} turns by {angle} to position {q}"),
        "waves": _("The two waves of pair {i} over the positions, with positions {p} and {q}"),
        "axis": _("position"),
        "turn": _(
            "Pair {i} puts each position on a circle. To go {k} further is to turn by kω = {angle} radians, wherever "
            "one starts: one matrix for k, which a model can learn."
        ),
        "rate": _("ω = {rate}: after {length} positions this pair begins again."),
        "error": _("Over all positions drawn here, both sides differ by at most {error}."),
        "save": _("Save"),
        "figure": _("this turn"),
    }
