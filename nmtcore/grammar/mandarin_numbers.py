"""Numbers in Mandarin: numerals, the digits of years, and 两 before a measure word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from nmtcore.grammar.tree import Number

DIGITS: Final = "零一二三四五六七八九"
_UNITS: Final = ((1000, "千"), (100, "百"), (10, "十"))


@dataclass(frozen=True, slots=True)
class MandarinNumber(Number):
    """A whole number. chinese: written with numerals (三十五) in Mandarin, whatever English does."""

    chinese: bool = True


def numeral(value: int, measured: bool = False) -> str:
    """A whole number below a hundred million in numerals. measured: a measure word follows."""
    if value == 2 and measured:
        return "两"
    if value < 10:
        return DIGITS[value]
    if value >= 10000:
        high, low = divmod(value, 10000)
        text = ("两" if high == 2 else numeral(high)) + "万"
        return text + (("零" if low < 1000 else "") + numeral(low) if low else "")
    text, missing = "", False
    for size, name in _UNITS:
        digit, value = divmod(value, size)
        if digit:
            two = "两" if digit == 2 and size == 1000 and not text else DIGITS[digit]
            text += ("零" if missing else "") + ("" if size == 10 and digit == 1 and not text else two) + name
            missing = False
        elif text:
            missing = True
    if value:
        text += ("零" if missing else "") + DIGITS[value]
    return text


def year(value: int) -> str:
    """The digits of a year, one after another: 二零一五."""
    return "".join(DIGITS[int(digit)] for digit in str(value))
