"""Numbers as figures print them."""

from __future__ import annotations


def signed(value: float) -> str:
    """A signed number with two decimals, with a minus sign in place of a hyphen, and never a minus before zero."""
    text = f"{abs(value):.2f}"
    return f"\u2212{text}" if value < 0 and float(text) else text
