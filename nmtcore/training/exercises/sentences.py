"""Exercises on short sentences: put names in brackets, pick the sentence about a person, answer where a person is.

The last resembles bAbI task 1 (Weston et al. 2015), a single supporting fact, which is the answer here.
"""

import random

from nmtcore.training.exercises.exercise import Exercise, Link, diagonal, one

PEOPLE = ("Anna", "Paul", "Mei", "Omar", "Lucie", "Tom", "Sara", "Ivan")
CITIES = ("Paris", "Lima", "Oslo", "Delhi", "Rome", "Quito")
WHEN = ("today", "yesterday", "often", "later", "never")
ACTS = ("met", "saw", "called", "helped", "visited", "followed")
PLACES = ("kitchen", "garden", "office", "hall", "bedroom", "bathroom")
VERBS = ("went", "moved", "walked", "ran")
DOES = (
    *("eats a pear", "reads a book", "feeds the cat", "opens the window", "sings a song", "draws a house"),
    *("sells the car", "washes the dog", "buys some bread", "writes a letter"),
)


def _meeting(draw: random.Random, length: int) -> str:
    first, second = draw.sample(PEOPLE, 2)
    city = draw.choice(CITIES)
    tail = draw.choice((f"in {city}", f"near {city}", "at home", f"and {draw.choice(PEOPLE)}"))
    return draw.choice(
        (
            f"{draw.choice(WHEN)} {first} {draw.choice(ACTS)} {second} {tail}",
            f"{first} {draw.choice(ACTS)} {second} {draw.choice(WHEN)} {tail}",
            f"we {draw.choice(ACTS)} {first} {tail} {draw.choice(WHEN)}",
        )
    )


def _brackets(source: str) -> str:
    return " ".join(f"[{word}]" if word[0].isupper() else word for word in source.split())


def _facts(draw: random.Random, length: int) -> str:
    """`about Tom :` and three sentences about three people, one of whom is Tom."""
    people = draw.sample(PEOPLE, 3)
    facts = " ".join(f"{person} {draw.choice(DOES)} ." for person in people)
    return f"about {draw.choice(people)} : {facts}"


def _kept(source: str) -> tuple[int, int]:
    """The start and end of the sentence that a summary keeps."""
    words = source.split()
    begin = words.index(words[1], 2)
    return begin, words.index(".", begin) + 1


def _summary(source: str) -> str:
    begin, end = _kept(source)
    return " ".join(source.split()[begin:end])


def _summary_links(source: str) -> tuple[Link, ...]:
    """The name occurs twice, and either will do."""
    begin, end = _kept(source)
    return (one(1, begin), *(one(i) for i in range(begin + 1, end)))


def _story(draw: random.Random, length: int) -> str:
    """Three sentences about two people, one of whom moves twice, and a question about one of them."""
    first, second = draw.sample(PEOPLE, 2)
    who = draw.sample((first, second, draw.choice((first, second))), 3)
    told = " ".join(f"{person} {draw.choice(VERBS)} to the {draw.choice(PLACES)} ." for person in who)
    return f"{told} where is {draw.choice((first, second))} ?"


def _supporting(source: str) -> tuple[int, int]:
    """The start of the supporting fact, the last sentence about the person, and the position of its place."""
    words = source.split()
    asked = words.index("where")
    last = max(i for i, word in enumerate(words[:asked]) if word == words[asked + 2])
    return last, words.index(".", last) - 1


def _where(source: str) -> str:
    """The supporting fact itself, so that the training signal of every word helps to find it.

    When asked for the place alone, in one word, an additive model of the default size had half of the answers right
    after 2,000 steps; with `Mei is in the hall`, one seed of two attended elsewhere in a third of its answers after
    1,500. The name in the question says nothing about the place without the names in the sentences, so learning starts
    slowly. The verb is easier, since it is next to the name.
    """
    first, place = _supporting(source)
    return " ".join(source.split()[first : place + 1])


def _where_links(source: str) -> tuple[Link, ...]:
    """The name, wherever it occurs, the verb and the place; "to the" occurs in every sentence, so any will do."""
    words = source.split()
    first, place = _supporting(source)
    name = one(*(i for i, word in enumerate(words) if word == words[first]))
    return (name, one(first + 1), *[Link()] * (place - first - 2), one(place))


CAPITALS = Exercise(
    *("capitals", 0.98, "yesterday Anna met Paul in Rome"),
    _meeting,
    _brackets,
    diagonal,
    whole_words=True,
)
SUMMARY = Exercise(
    *("summary", 0.95, "about Tom : Anna sings a song . Tom eats a pear . Paul reads a book ."),
    _facts,
    _summary,
    _summary_links,
    whole_words=True,
)
STORY = Exercise(
    *("story", 0.95),
    "Mei went to the kitchen . Omar ran to the garden . Mei moved to the hall . where is Mei ?",
    _story,
    _where,
    _where_links,
    whole_words=True,
)
