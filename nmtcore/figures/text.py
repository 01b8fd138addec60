"""Numbers and pieces as figures print them."""

import html
from collections.abc import Sequence

from nmtcore.text.words import sentence_names


def signed(value: float, digits: int = 2) -> str:
    """A signed number with `digits` decimals, with a minus sign instead of a hyphen, and without negative zero."""
    text = f"{abs(value):.{digits}f}"
    return f"\u2212{text}" if value < 0 and float(text) else text


def escaped_names(pieces: Sequence[str]) -> list[str]:
    """The pieces of a sentence as people read them, escaped for Plotly, which interprets HTML."""
    return list(map(html.escape, sentence_names(pieces)))
