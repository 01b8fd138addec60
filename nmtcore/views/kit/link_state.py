"""Link state: query parameters of the address, and how they are read, checked and written, on server and browser.

A declaration gives a parameter's name, kind, range, default, and the sentence for an invalid value; each is a
field of the state of a page (`docs/architecture.md`, "State"). `to_json` is for the pictures, which read and write
some of them without a run of the page (`link_state.js`). Parameters at their defaults are left out of
the address.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

QUOTED = 40  # characters of a link that are repeated in a message
DIGITS = 9  # most digits of a whole number
DECIMAL = r"(?=\.?\d)\d{0,9}\.?\d{0,9}(?:e[+-]?\d{1,2})?"

T = TypeVar("T")
Sentence = Callable[[str], str]  # from the link's text, shortened, to a sentence about it


def silent(asked: str) -> str:
    """No sentence for an invalid value."""
    return ""


@dataclass(frozen=True)
class Parameter(Generic[T]):
    """A query parameter. wrong: makes the sentence about an invalid value; empty for none."""

    name: str
    default: T
    wrong: Sentence = field(default=silent, kw_only=True)

    def saying(self, wrong: Sentence) -> Self:
        """The parameter with a page's own sentence."""
        return dataclasses.replace(self, wrong=wrong)

    def parse(self, text: str) -> T | None:
        """The value of `text`; None if it is invalid."""
        raise NotImplementedError

    def text(self, value: T) -> str:
        """The inverse of `parse`."""
        return str(value)

    def to_json(self) -> dict[str, Any]:
        """The declaration for the browser."""
        raise NotImplementedError


@dataclass(frozen=True)
class Whole(Parameter[int]):
    """A whole number from `low` to `high`."""

    low: int = 0
    high: int = 10**DIGITS - 1

    def within(self, low: int, high: int) -> Whole:
        """The parameter with the page's present range, such as the number of steps in a tour."""
        return dataclasses.replace(self, low=low, high=high)

    def parse(self, text: str) -> int | None:
        if not (text.isascii() and text.isdecimal() and len(text) <= DIGITS):
            return None
        return int(text) if self.low <= int(text) <= self.high else None

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "kind": "whole", "low": self.low, "high": self.high, "default": self.default}


@dataclass(frozen=True)
class Number(Parameter[float]):
    """A decimal number from `low` to `high`."""

    low: float = 0.0
    high: float = 1.0

    def parse(self, text: str) -> float | None:
        value = float(text) if re.fullmatch(DECIMAL, text, re.ASCII) else math.nan
        return value if self.low <= value <= self.high else None

    def text(self, value: float) -> str:
        return f"{value:.4f}".rstrip("0").rstrip(".")

    def to_json(self) -> dict[str, Any]:
        limits = {"low": self.low, "high": self.high, "pattern": DECIMAL}
        return {"name": self.name, "kind": "number", "default": self.default, **limits}


@dataclass(frozen=True)
class Choice(Parameter[str]):
    """One of some codes."""

    options: tuple[str, ...] = ()

    def parse(self, text: str) -> str | None:
        return text if text in self.options else None

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "kind": "choice", "default": self.default, "options": list(self.options)}


@dataclass(frozen=True)
class Flag(Parameter[bool]):
    """Whether something folded away by default is shown: `shown` in the address."""

    default: bool = False

    def parse(self, text: str) -> bool | None:
        return True if text == "shown" else None

    def text(self, value: bool) -> str:
        return "shown" if value else ""

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "kind": "choice", "default": "", "options": ["shown"]}


@dataclass(frozen=True)
class Text(Parameter[str]):
    """Free text, checked by its users."""

    def parse(self, text: str) -> str:
        return text

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "kind": "text", "default": self.default}


@dataclass(frozen=True)
class Pattern(Parameter[str]):
    """A short code, such as `3.s5`. pattern: a regular expression that Python and JavaScript both read; the numbers
    that its groups stand for are named by `groups`. The empty default stands for nothing."""

    pattern: str = ""
    groups: tuple[str, ...] = ()

    def parse(self, text: str) -> str | None:
        return text if re.fullmatch(self.pattern, text, re.ASCII) else None

    def parts(self, text: str) -> tuple[str | None, ...]:
        """The matches of the pattern's groups; empty for a text that does not match."""
        match = re.fullmatch(self.pattern, text, re.ASCII)
        return match.groups() if match else ()

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "kind": "pattern", "pattern": self.pattern, "groups": list(self.groups)}


@dataclass(frozen=True)
class Codes(Parameter[tuple[str, ...]]):
    """Several codes with a separator between them; each must fit `item`, a regular expression as in `Pattern`."""

    item: str = ""
    separator: str = "_"

    def parse(self, text: str) -> tuple[str, ...] | None:
        parts = tuple(text.split(self.separator)) if text else ()
        return parts if all(re.fullmatch(self.item, part, re.ASCII) for part in parts) else None

    def text(self, value: tuple[str, ...]) -> str:
        return self.separator.join(value)

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "kind": "codes", "item": self.item, "separator": self.separator}
