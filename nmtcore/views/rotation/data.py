"""Positional encodings as a rotation, as plain data: one pair of dimensions as two waves and as points on a circle.

The browser gets the table once; the three sliders, for pair, position and distance, never run a page.
"""

from collections.abc import Sequence
from typing import Any

from nmtcore.decoding.trace import Array
from nmtcore.figures.palette import HUES
from nmtcore.models.sinusoidal_frequencies import angular_frequency
from nmtcore.text.words import sentence_names
from nmtcore.views.binary import in_base64
from nmtcore.views.rotation.messages import MESSAGES

OPENS = {"i": 8, "position": 2, "k": 3}


def data(table: Array, tokens: Sequence[str], max_distance: int, *, title: str) -> dict[str, Any]:
    """The rotation from p to p + k.

    table: sinusoids, (positions + max_distance, D); max_distance: the largest distance k; title: for saved pictures.
    values: the table row by row, 32-bit floats in base64, so that no digit is lost.
    """
    rows, width = table.shape
    return {
        "values": in_base64(table.astype("<f4")),
        "width": width,
        "rows": rows,
        "rates": [angular_frequency(pair, width) for pair in range(width // 2)],
        "tokens": sentence_names(tokens),
        **limits(rows - max_distance, width, max_distance),
        "hue": HUES["transformer"],
        "title": title,
        "words": MESSAGES,
    }


def limits(positions: int, width: int, max_distance: int) -> dict[str, dict[str, int]]:
    """The `first` and `last` choice of pair of dimensions i, position and distance k, and the initial one, `opens`."""
    last = {"i": width // 2 - 1, "position": positions - 1, "k": max_distance}
    return {
        "first": {"i": 0, "position": 0, "k": 1},
        "opens": {name: min(value, last[name]) for name, value in OPENS.items()},
        "last": last,
    }
