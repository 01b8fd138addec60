"""Exercises that write numbers in words: French from spaced digits, and English from a number as one word.

French numbers use the traditional spelling: hyphens below a hundred, but not around "et".
"""

import random

from nmtcore.errors import DataError
from nmtcore.training.exercises.dates import spaced
from nmtcore.training.exercises.exercise import Exercise, Link, one

UNITS = (
    *("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
    *("onze", "douze", "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf"),
)
TENS = ("", "", "vingt", "trente", "quarante", "cinquante", "soixante")
ENGLISH_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
ENGLISH_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def french(number: int) -> str:
    """A number from 0 to 999,999 in French words. Raises DataError for any other."""
    if not 0 <= number <= 999_999:
        raise DataError(f"Only numbers from 0 to 999,999 are written out; this is {number}.")
    thousands, rest = divmod(number, 1000)
    if not thousands:
        return _below_1000(rest, last=True)
    words = "mille" if thousands == 1 else f"{_below_1000(thousands, last=False)} mille"
    return f"{words} {_below_1000(rest, last=True)}" if rest else words


def _below_1000(number: int, last: bool) -> str:
    """last: whether nothing follows, in which case "cents" and "quatre-vingts" take their s."""
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _below_100(rest, last)
    words = "cent" if hundreds == 1 else f"{UNITS[hundreds]} cent"
    if rest:
        return f"{words} {_below_100(rest, last)}"
    return f"{words}s" if hundreds > 1 and last else words


def _below_100(number: int, last: bool) -> str:
    if number < 20:
        return UNITS[number]
    tens, unit = divmod(number, 10)
    if tens < 7:
        return _joined(TENS[tens], unit)
    if tens == 7:
        return _joined("soixante", unit + 10)
    if number == 80:
        return "quatre-vingts" if last else "quatre-vingt"
    return f"quatre-vingt-{UNITS[number - 80]}"


def _joined(tens: str, unit: int) -> str:
    """Join tens and units: vingt, vingt et un, vingt-deux; soixante et onze, soixante-douze."""
    if unit in (1, 11):
        return f"{tens} et {UNITS[unit]}"
    return f"{tens}-{UNITS[unit]}" if unit else tens


def _number(draw: random.Random, length: int) -> str:
    """A random number; each count of digits is equally likely, so that small, irregular numbers are not rare."""
    digits = draw.randint(1, length)
    return spaced(draw.randrange(10 ** (digits - 1) if digits > 1 else 0, 10**digits))


def _in_words(source: str) -> str:
    return french(int("".join(source.split())))


def _number_links(source: str) -> tuple[Link, ...]:
    """Each word comes from the digits in its group of three, units or thousands; "mille" comes from the thousands."""
    digits = source.split()
    border = max(0, len(digits) - 3)
    thousands, units = frozenset(range(border)), frozenset(range(border, len(digits)))
    words = _in_words(source).split()
    split = words.index("mille") + 1 if "mille" in words else 0
    return (*[thousands] * split, *[units] * (len(words) - split))


def english(number: int) -> str:
    """A number from 0 to 9,999 in English words, like "four thousand and twelve". Raises DataError for any other."""
    if not 0 <= number <= 9_999:
        raise DataError(f"Only numbers from 0 to 9,999 are spelled; this is {number}.")
    if number < 20:
        return ENGLISH_UNITS[number]
    if number < 100:
        tens, unit = divmod(number, 10)
        return f"{ENGLISH_TENS[tens]} {ENGLISH_UNITS[unit]}" if unit else ENGLISH_TENS[tens]
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    head, rest = divmod(number, size)
    words = f"{ENGLISH_UNITS[head]} {name}"
    return f"{words}{' and' if rest < 100 else ''} {english(rest)}" if rest else words


def _spelled(source: str) -> str:
    try:
        return english(int(source))
    except ValueError:
        raise DataError(f"This is not a number of the exercise: {source!r}.") from None


def _written(draw: random.Random, length: int) -> str:
    """As many of each number of digits as there can be, so that the irregular small ones are not drowned."""
    digits = draw.choice((1, 2, 3, 3, 4, 4, 4))
    return str(draw.randrange(10 ** (digits - 1) if digits > 1 else 0, 10**digits))


NUMBERS = Exercise(*("numbers", "blocks", 0.95, 4, (4, 6), "4 3 7 1"), _number, _in_words, _number_links)
SPELL = Exercise(
    *("spell", "column", 0.95, 0, (0, 0), "4371"),
    _written,
    _spelled,
    lambda source: tuple(one(0) for _ in _spelled(source).split()),
    split_digits=True,
)
