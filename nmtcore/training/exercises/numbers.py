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
    takes_s = number % 100 == 80 or (number % 100 == 0 and number % 1000 > 100)
    return f"{_invariable(number)}s" if takes_s else _invariable(number)


def _invariable(number: int) -> str:
    """A number without the s that "deux cents" and "quatre-vingts" take where nothing follows."""
    for size, name in ((1000, "mille"), (100, "cent")):
        head, rest = divmod(number, size)
        if head:
            words = name if head == 1 else f"{_invariable(head)} {name}"
            return f"{words} {_invariable(rest)}" if rest else words
    if number < 20:
        return UNITS[number]
    if number >= 80:
        return f"quatre-vingt-{UNITS[number - 80]}" if number > 80 else "quatre-vingt"
    tens = min(number // 10, 6)  # seventy is soixante-dix
    unit = number - 10 * tens
    if unit in (1, 11):
        return f"{TENS[tens]} et {UNITS[unit]}"
    return f"{TENS[tens]}-{UNITS[unit]}" if unit else TENS[tens]


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


def _written(draw: random.Random, length: int) -> str:
    """As many of each number of digits as there can be, so that the irregular small ones are not drowned."""
    digits = draw.choice((1, 2, 3, 3, 4, 4, 4))
    return str(draw.randrange(10 ** (digits - 1) if digits > 1 else 0, 10**digits))


NUMBERS = Exercise("numbers", 0.95, "4 3 7 1", _number, _in_words, _number_links, length=4, lengths=(4, 6))
SPELL = Exercise(
    *("spell", 0.95, "4371"),
    _written,
    lambda source: english(int(source)),
    lambda source: tuple(one(0) for _ in english(int(source)).split()),
    may_look_wrong=False,
    split_digits=True,
)
