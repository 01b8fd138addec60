"""The date exercise: dates in fourteen notations, answered in ISO format. Digits are spaced, names are whole words."""

import random
import re

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
_ONE_OR_TWO = r"(?P<{}>\d(?: \d)?)".format
_NAMED = r"(?P<month>[A-Z][a-z]+)"
_PATTERNS = tuple(
    style.replace(".", "[.]").format(
        day=_ONE_OR_TWO("day"),
        day2=_ONE_OR_TWO("day"),
        nth="(?:st|nd|rd|th)",
        month=_NAMED,
        short=_NAMED,
        number=_ONE_OR_TWO("month"),
        number2=_ONE_OR_TWO("month"),
        year=r"(?P<year>\d \d \d \d)",
    )
    for style in _STYLES
)


def _read_date(source: str) -> re.Match[str]:
    """The year, month and day of a written date, as groups of a match. Raises LookupError for any other text."""
    return [date for pattern in _PATTERNS if (date := re.fullmatch(pattern, source))][0]


def _iso(source: str) -> str:
    date = _read_date(source)
    month = int(date["month"].replace(" ", "")) if date["month"][0].isdigit() else _SHORT[date["month"][:3]]
    return f"{date['year']} - {spaced(month, 2)} - {spaced(int(date['day'].replace(' ', '')), 2)}"


def _date_links(source: str) -> tuple[Link, ...]:
    date = _read_date(source)
    places = {
        part: range(first := source.count(" ", 0, date.start(part)), first + len(date[part].split()))
        for part in ("year", "month", "day")
    }
    links = [one(place) for place in places["year"]]
    for part in ("month", "day"):
        links.append(one())  # the dash
        # From a single word or digit come both digits of the answer.
        links += [one(place) for place in places[part]] if len(places[part]) == 2 else [one(*places[part])] * 2
    return tuple(links)


DATES = Exercise("dates", 0.98, "the 2 1 st of March 2 0 1 7", _date, _iso, _date_links)
