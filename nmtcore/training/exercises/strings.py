"""Exercises on strings of digits and letters: reverse, copy, sort, and whether a sum is odd."""

import random
from functools import partial
from string import ascii_lowercase, digits

from nmtcore.training.exercises.exercise import Exercise, Link, diagonal, one


def _string(characters: str, draw: random.Random, length: int) -> str:
    """A random string with two fifths of `length` to `length` characters, so that a model cannot rely on one length."""
    return " ".join(draw.choice(characters) for _ in range(draw.randint(max(1, round(0.4 * length)), length)))


def _sort_links(source: str) -> tuple[Link, ...]:
    """Links of sorting: a sorted letter may come from any equal letter of the source."""
    words = source.split()
    return tuple(frozenset(i for i, word in enumerate(words) if word == letter) for letter in sorted(words))


def _number(draw: random.Random) -> str:
    """A number of one to three digits; three of four are even.

    If half of them were even, one number alone would say nothing about the sum: the gradient of a digit would start
    at zero, as for any parity, and a small model would guess for thousands of steps.
    """
    number = draw.randrange(10 ** draw.randint(1, 3))
    return " ".join(str(number - number % 2 * draw.randrange(2)))


def _sum(draw: random.Random, length: int) -> str:
    """A sum of two numbers of one to three digits."""
    return f"{_number(draw)} + {_number(draw)}"


def _units(source: str) -> tuple[int, int]:
    """The positions of both numbers' last digits, which alone decide whether the sum is odd."""
    first, second = (part.split() for part in source.split("+"))
    return len(first) - 1, len(first) + len(second)


def _parity(source: str) -> str:
    """Many to one: a single word answers the whole string."""
    words = source.split()
    return "odd" if sum(int(words[i]) for i in _units(source)) % 2 else "even"


REVERSE = Exercise(
    *("reverse", 0.99, "7 2 9 4 1 0 8 5 3 6"),
    partial(_string, digits),
    lambda source: " ".join(reversed(source.split())),
    lambda source: diagonal(source)[::-1],
    length=10,
    lengths=(4, 60),
)
COPY = Exercise(
    *("copy", 0.99, "7 2 9 4 1 0 8 5 3 6"),
    partial(_string, digits),
    lambda source: " ".join(source.split()),
    diagonal,
    length=10,
    lengths=(4, 60),
)
SORT = Exercise(
    *("sort", 0.9, "q d t a m z f k"),
    partial(_string, ascii_lowercase),
    lambda source: " ".join(sorted(source.split())),
    _sort_links,
    length=8,
    lengths=(3, 60),
)
SUM = Exercise("sum", 0.95, "4 7 + 1 2 8", _sum, _parity, lambda source: (one(*_units(source)),))
