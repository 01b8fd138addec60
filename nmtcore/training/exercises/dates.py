"""The date exercise: dates in fourteen notations, answered in ISO format. Digits are spaced, names are whole words."""

import random

from nmtcore.errors import DataError
from nmtcore.training.exercises.exercise import Exercise, Link, one

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
DAYS_IN_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_STYLES = (
    "{day} {month} {year}",
    "{day} {month} , {year}",
    "{month} {day} , {year}",
    "{month} {day} {year}",
    "the {day} {nth} of {month} {year}",
    "{day} {short} {year}",
    "{short} {day} , {year}",
    "{year} {short} {day}",
    "{year} , {day} {month}",
    "{day2} / {number2} / {year}",  # the day comes first, as in most of the world
    "{day} . {number} . {year}",
    "{day2} - {number2} - {year}",
    "{year} / {number2} / {day2}",
    "{year} . {number} . {day}",
)


def spaced(number: int, width: int = 1) -> str:
    """Write a number as spaced digits, at least `width` of them."""
    return " ".join(f"{number:0{width}d}")


def _nth(day: int) -> str:
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _date(draw: random.Random, length: int) -> str:
    month = draw.randint(1, 12)
    day = draw.randint(1, 28 if month == 2 else DAYS_IN_MONTH[month - 1])
    return draw.choice(_STYLES).format(
        day=spaced(day),
        day2=spaced(day, 2),
        nth=_nth(day),
        month=MONTHS[month - 1],
        short=MONTHS[month - 1][:3],
        number=spaced(month),
        number2=spaced(month, 2),
        year=spaced(draw.randint(1900, 2099)),
    )


_SHORT = {name[:3]: number for number, name in enumerate(MONTHS, 1)}


def _read_date(source: str) -> dict[str, tuple[int, list[int]]]:
    """The year, month and day of a written date, each with the positions of its words."""
    words = source.split()
    numbers: list[tuple[int, list[int]]] = []  # runs of digits; a year has four digits and ends its run
    named: tuple[int, list[int]] | None = None
    places: list[int] = []
    for i, word in enumerate([*words, ""]):
        if word.isdigit():
            places.append(i)
            continue
        if places:
            numbers += _runs(words, places)
            places = []
        if word[:3] in _SHORT:
            named = (_SHORT[word[:3]], [i])
    year = next((n for n in numbers if len(n[1]) == 4), None)
    rest = [n for n in numbers if len(n[1]) < 4]
    if year is None or len(rest) != (1 if named else 2):
        raise DataError(f"This is not a date of the exercise: {source!r}.")
    if named:
        return {"year": year, "month": named, "day": rest[0]}
    first, second = rest
    year_first = year[1][0] < first[1][0]
    day, month = (second, first) if year_first else (first, second)
    return {"year": year, "month": month, "day": day}


def _runs(words: list[str], places: list[int]) -> list[tuple[int, list[int]]]:
    """The numbers in a run of digits: "1 2 2 0 2 6" without a word in between is a day and a year."""
    parts = [places[:-4], places[-4:]] if len(places) > 4 else [places]
    return [(int("".join(words[i] for i in part)), part) for part in parts]


def _iso(source: str) -> str:
    date = _read_date(source)
    return f"{spaced(date['year'][0], 4)} - {spaced(date['month'][0], 2)} - {spaced(date['day'][0], 2)}"


def _date_links(source: str) -> tuple[Link, ...]:
    date = _read_date(source)
    links: list[Link] = [one(place) for place in date["year"][1]]
    for part in ("month", "day"):
        value, places = date[part]
        links.append(frozenset())  # the dash
        if source.split()[places[0]].isdigit() and len(places) == 2:
            links += [one(places[0]), one(places[1])]
        else:  # a single word or digit, from which both digits of the answer come
            links += [frozenset(places), frozenset(places)]
    return tuple(links)


DATES = Exercise(*("dates", "blocks", 0.98, 0, (0, 0), "the 2 1 st of March 2 0 1 7"), _date, _iso, _date_links)
