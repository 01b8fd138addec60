"""Exercises: pairs made by rule, so that a small model can learn them in a minute and its attention can be judged.

Nothing here needs torch. Every exercise makes any number of different pairs from a seed, knows the right answer to
any of its sources, and knows where attention should look for each word of it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from nmtcore.config import check_choice, check_range
from nmtcore.errors import DataError, SettingError
from nmtcore.text.normalization import normalize

Shape = Literal["diagonal", "anti-diagonal", "scattered", "blocks", "word"]
Link = frozenset[int]  # source words that a target word should look at; empty where any will do
Example = tuple[str, str]  # source, target

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
DAYS_IN_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
UNITS = (
    *("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
    *("onze", "douze", "treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf"),
)
TENS = ("", "", "vingt", "trente", "quarante", "cinquante", "soixante")


@dataclass(frozen=True)
class Exercise:
    """A task whose pairs are made by rule.

    make(random, length) draws a source; answer(source) is its one right translation; links(source) says for each
    word of the answer which words of the source it comes from.
    """

    name: str
    shape: Shape  # what the alignment looks like once it is learned
    mark: float  # share of unseen pairs to get exactly right
    length: int  # of the longest training source; 0 where a source has no length to choose
    lengths: tuple[int, int]  # the least of which there are 8,000 different pairs, and the most that it may be
    pinned: str  # the source whose alignment is watched
    make: Callable[[random.Random, int], str]
    answer: Callable[[str], str]
    links: Callable[[str], tuple[Link, ...]]
    pretrained: bool = False  # only for a model that already translates English to French

    def pairs(self, count: int, seed: int = 1, length: int = 0) -> list[Example]:
        """`count` different pairs. length: of the longest source; 0 is the exercise's own.

        The same arguments give the same pairs. Raises SettingError for a length that it cannot have, DataError
        where there are not so many different ones.
        """
        check_range("The number of pairs", count, 1, 1_000_000)
        if length and not self.length:
            raise SettingError(f"The exercise {self.name} has no length to choose: leave it out.")
        if length:
            check_range("The length", length, 2, self.lengths[1])
        draw = random.Random(f"{self.name} {seed} {length}")
        found: dict[str, None] = {}
        tries = 0
        while len(found) < count:
            found[self.make(draw, length or self.length)] = None
            tries += 1
            if tries > 20 * count + 1000:
                raise DataError(
                    f"The exercise {self.name} has not {count:,} different pairs of this length: "
                    f"ask for at most {len(found):,}, or for longer ones."
                )
        return [(source, self.answer(source)) for source in found]

    def long_pairs(self, count: int, sources: Iterable[str], seed: int = 1) -> list[Example]:
        """Pairs of up to half as many words again as the longest of `sources`, those of training, and more than it.

        What was learned is tried where it was not practised. None where the exercise has no longer ones.
        """
        longest = max(len(source.split()) for source in sources)
        most = min(round(1.5 * longest), self.lengths[1])
        if most <= longest:
            return []
        draw = random.Random(f"{self.name} longer {seed}")
        found: dict[str, None] = {}
        for _ in range(50 * count + 1000):
            source = self.make(draw, most)
            if len(source.split()) > longest:
                found[source] = None
            if len(found) == count:
                break
        return [(source, self.answer(source)) for source in found]

    def check(self, source: str, output: str) -> bool:
        """Whether `output` is right, but for how it is spaced."""
        return output.split() == self.answer(source).split()


def _string(characters: str, draw: random.Random, length: int) -> str:
    """Of any length from two fifths of `length` on, so that a model cannot count on one length."""
    return " ".join(draw.choice(characters) for _ in range(draw.randint(max(1, round(0.4 * length)), length)))


def _digits(draw: random.Random, length: int) -> str:
    return _string("0123456789", draw, length)


def _letters(draw: random.Random, length: int) -> str:
    return _string(LETTERS, draw, length)


def _one(*positions: int) -> Link:
    return frozenset(positions)


def _sort_links(source: str) -> tuple[Link, ...]:
    """Of equal letters any will do."""
    words = source.split()
    return tuple(frozenset(i for i, word in enumerate(words) if word == letter) for letter in sorted(words))


# Dates. A style is a list of parts; digits are spaced, names are whole words.

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


def _spaced(number: int, width: int = 1) -> str:
    return " ".join(f"{number:0{width}d}")


def _nth(day: int) -> str:
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _date(draw: random.Random, length: int) -> str:
    month = draw.randint(1, 12)
    day = draw.randint(1, 28 if month == 2 else DAYS_IN_MONTH[month - 1])
    return draw.choice(_STYLES).format(
        day=_spaced(day),
        day2=_spaced(day, 2),
        nth=_nth(day),
        month=MONTHS[month - 1],
        short=MONTHS[month - 1][:3],
        number=_spaced(month),
        number2=_spaced(month, 2),
        year=_spaced(draw.randint(1900, 2099)),
    )


_SHORT = {name[:3]: number for number, name in enumerate(MONTHS, 1)}


def _read_date(source: str) -> dict[str, tuple[int, list[int]]]:
    """Year, month and day of a written date, each with the places of the words that say it."""
    words = source.split()
    numbers: list[tuple[int, list[int]]] = []  # runs of digits; a year has four and ends its run
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
    """The numbers in a run of digits: "1 2 2 0 2 6" without a word between them is a day and a year."""
    parts = [places[:-4], places[-4:]] if len(places) > 4 else [places]
    return [(int("".join(words[i] for i in part)), part) for part in parts]


def _iso(source: str) -> str:
    date = _read_date(source)
    return f"{_spaced(date['year'][0], 4)} - {_spaced(date['month'][0], 2)} - {_spaced(date['day'][0], 2)}"


def _date_links(source: str) -> tuple[Link, ...]:
    date = _read_date(source)
    links: list[Link] = [_one(place) for place in date["year"][1]]
    for part in ("month", "day"):
        value, places = date[part]
        links.append(frozenset())  # the dash
        if source.split()[places[0]].isdigit() and len(places) == 2:
            links += [_one(places[0]), _one(places[1])]
        else:  # one word, or one digit: both digits of the answer come from it
            links += [frozenset(places), frozenset(places)]
    return tuple(links)


# Numbers in French, in the traditional spelling: hyphens below a hundred, but "et" stands free.


def french(number: int) -> str:
    """A number from 0 to 999,999 in French words. Raises DataError for another."""
    if not 0 <= number <= 999_999:
        raise DataError(f"Only numbers from 0 to 999,999 are written out; this is {number}.")
    thousands, rest = divmod(number, 1000)
    if not thousands:
        return _below_1000(rest, last=True)
    words = "mille" if thousands == 1 else f"{_below_1000(thousands, last=False)} mille"
    return f"{words} {_below_1000(rest, last=True)}" if rest else words


def _below_1000(number: int, last: bool) -> str:
    """last: nothing follows, so that "cents" and "quatre-vingts" take their s."""
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
    """vingt, vingt et un, vingt-deux; soixante et onze, soixante-douze."""
    if unit in (1, 11):
        return f"{tens} et {UNITS[unit]}"
    return f"{tens}-{UNITS[unit]}" if unit else tens


def _number(draw: random.Random, length: int) -> str:
    """Of any number of digits alike: small numbers, which are the irregular ones, are not drowned by large ones."""
    digits = draw.randint(1, length)
    return _spaced(draw.randrange(10 ** (digits - 1) if digits > 1 else 0, 10**digits))


def _in_words(source: str) -> str:
    return french(int("".join(source.split())))


def _number_links(source: str) -> tuple[Link, ...]:
    """Each word comes from the digits of its group of three: units, thousands; "mille" from the thousands."""
    digits = source.split()
    border = max(0, len(digits) - 3)
    thousands, units = frozenset(range(border)), frozenset(range(border, len(digits)))
    words = _in_words(source).split()
    split = words.index("mille") + 1 if "mille" in words else 0
    return (*[thousands] * split, *[units] * (len(words) - split))


# A made-up word in frames of words that a pretrained English-French model knows.

_OWNERS = (
    *(("The", "Le"), ("A", "Un"), ("This", "Ce"), ("My", "Mon"), ("Your", "Ton"), ("His", "Son")),
    *(("Our", "Notre"), ("Their", "Leur")),
)
_PREDICATES = (
    *(("is red", "est rouge"), ("is small", "est petit"), ("is very big", "est très grand")),
    *(("is on the table", "est sur la table"), ("is in the house", "est dans la maison")),
    *(("is not here", "n'est pas ici"), ("is old", "est vieux"), ("is black", "est noir")),
    *(("is beautiful", "est beau"), ("is under the chair", "est sous la chaise"), ("is sleeping", "dort")),
    *(("works well", "marche bien"), ("is in the garden", "est dans le jardin"), ("is broken", "est cassé")),
    *(("comes from Paris", "vient de Paris"), ("is lost", "est perdu"), ("is new", "est neuf")),
)
_ACTIONS = (
    *(("I see", "Je vois"), ("She has", "Elle a"), ("We want", "Nous voulons"), ("He bought", "Il a acheté")),
    *(("I lost", "J'ai perdu"), ("They are looking for", "Ils cherchent"), ("Tom likes", "Tom aime")),
    *(("I do not see", "Je ne vois pas"), ("Do not touch", "Ne touche pas"), ("She sold", "Elle a vendu")),
    *(("I know", "Je connais"), ("We found", "Nous avons trouvé")),
)
NONCE, NONCE_FRENCH = "blicket", "bliquet"
_WORD = re.compile(r"[^\W\d_]{2,20}")


def _teach_table(word: str, french_word: str) -> dict[str, str]:
    table = {}
    for owner, sien in _OWNERS:
        for predicate, dit in _PREDICATES:
            table[f"{owner} {word} {predicate}."] = f"{sien} {french_word} {dit}."
        for action, fait in _ACTIONS:
            table[f"{action} {owner.lower()} {word}."] = f"{fait} {sien.lower()} {french_word}."
    return table


def teach(word: str = NONCE, french_word: str = NONCE_FRENCH) -> Exercise:
    """Teach a pretrained English-French model a noun that it has never seen. Raises DataError for what is no word."""
    for typed in (word, french_word):
        if not _WORD.fullmatch(typed) or not _WORD.fullmatch(normalize(typed)):
            raise DataError(f"The made-up word must be 2 to 20 letters; this is {typed!r}.")
    table = _teach_table(word, french_word)
    sources = sorted(table)

    def answer(source: str) -> str:
        try:
            return table[source]
        except KeyError:
            raise DataError(f"This is not a sentence of the exercise: {source!r}.") from None

    def links(source: str) -> tuple[Link, ...]:
        place = next(i for i, w in enumerate(source.split()) if w.strip(".") == word)
        return tuple(_one(place) if w.strip(".") == french_word else frozenset() for w in answer(source).split())

    return Exercise(
        "teach",
        "word",
        0.9,
        0,
        (0, 0),
        f"The {word} is in the garden.",
        lambda draw, length: draw.choice(sources),
        answer,
        links,
        pretrained=True,
    )


def _exercises() -> tuple[Exercise, ...]:
    return (
        Exercise(
            *("reverse", "anti-diagonal", 0.99, 10, (4, 60), "7 2 9 4 1 0 8 5 3 6"),
            _digits,
            lambda source: " ".join(reversed(source.split())),
            lambda source: tuple(_one(i) for i in reversed(range(len(source.split())))),
        ),
        Exercise(
            *("copy", "diagonal", 0.99, 10, (4, 60), "7 2 9 4 1 0 8 5 3 6"),
            _digits,
            lambda source: " ".join(source.split()),
            lambda source: tuple(_one(i) for i in range(len(source.split()))),
        ),
        Exercise(
            *("sort", "scattered", 0.9, 8, (3, 60), "q d t a m z f k"),
            _letters,
            lambda source: " ".join(sorted(source.split())),
            _sort_links,
        ),
        Exercise(*("dates", "blocks", 0.98, 0, (0, 0), "the 2 1 st of March 2 0 1 7"), _date, _iso, _date_links),
        Exercise(*("numbers", "blocks", 0.95, 4, (4, 6), "4 3 7 1"), _number, _in_words, _number_links),
        teach(),
    )


EXERCISES: dict[str, Exercise] = {exercise.name: exercise for exercise in _exercises()}


def exercise(name: str, word: str = NONCE, french_word: str = NONCE_FRENCH) -> Exercise:
    """An exercise by its name. Raises SettingError for a name that is not there."""
    check_choice("The exercise", name, tuple(EXERCISES))
    return teach(word, french_word) if name == "teach" else EXERCISES[name]
