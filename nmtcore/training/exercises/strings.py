"""Exercises on strings of digits and letters: reverse, copy, sort, and whether a sum is odd."""

import random

from nmtcore.errors import DataError
from nmtcore.training.exercises.exercise import Exercise, Link, one

LETTERS = "abcdefghijklmnopqrstuvwxyz"
EVEN, ODD = "even", "odd"


def _string(characters: str, draw: random.Random, length: int) -> str:
    """A random string with two fifths of `length` to `length` characters, so that a model cannot rely on one length."""
    return " ".join(draw.choice(characters) for _ in range(draw.randint(max(1, round(0.4 * length)), length)))


def _digits(draw: random.Random, length: int) -> str:
    return _string("0123456789", draw, length)


def _letters(draw: random.Random, length: int) -> str:
    return _string(LETTERS, draw, length)


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
    words = source.split()
    numbers = "".join(words).split("+")
    if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
        raise DataError(f"This is not a sum of the exercise: {source!r}.")
    return words.index("+") - 1, len(words) - 1


def _parity(source: str) -> str:
    """Many to one: a single word answers the whole string."""
    words = source.split()
    return ODD if sum(int(words[i]) for i in _units(source)) % 2 else EVEN


REVERSE = Exercise(
    *("reverse", "anti-diagonal", 0.99, 10, (4, 60), "7 2 9 4 1 0 8 5 3 6"),
    _digits,
    lambda source: " ".join(reversed(source.split())),
    lambda source: tuple(one(i) for i in reversed(range(len(source.split())))),
)
COPY = Exercise(
    *("copy", "diagonal", 0.99, 10, (4, 60), "7 2 9 4 1 0 8 5 3 6"),
    _digits,
    lambda source: " ".join(source.split()),
    lambda source: tuple(one(i) for i in range(len(source.split()))),
)
SORT = Exercise(
    *("sort", "scattered", 0.9, 8, (3, 60), "q d t a m z f k"),
    _letters,
    lambda source: " ".join(sorted(source.split())),
    _sort_links,
)
SUM = Exercise(
    *("sum", "scattered", 0.95, 0, (0, 0), "4 7 + 1 2 8"), _sum, _parity, lambda source: (one(*_units(source)),)
)
