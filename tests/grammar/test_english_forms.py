"""Inflection of English."""

from __future__ import annotations

import pytest

from nmtcore.grammar import english_forms as forms


@pytest.mark.parametrize(
    ("word", "expected"),
    [("city", "cities"), ("toy", "toys"), ("box", "boxes"), ("watch", "watches"), ("dish", "dishes"), ("dog", "dogs")],
)
def test_plural(word: str, expected: str) -> None:
    assert forms.plural(word) == expected


@pytest.mark.parametrize(
    ("verb", "third", "gerund", "past"),
    [
        ("stop", "stops", "stopping", ("stopped", "stopped")),
        ("visit", "visits", "visiting", ("visited", "visited")),
        ("hurry", "hurries", "hurrying", ("hurried", "hurried")),
        ("lie", "lies", "lying", ("lay", "lain")),
        ("go", "goes", "going", ("went", "gone")),
        ("travel", "travels", "travelling", ("travelled", "travelled")),
        ("play", "plays", "playing", ("played", "played")),
        ("fix", "fixes", "fixing", ("fixed", "fixed")),
        ("be", "is", "being", ("was", "been")),
        ("rain", "rains", "raining", ("rained", "rained")),
    ],
)
def test_verbs(verb: str, third: str, gerund: str, past: tuple[str, str]) -> None:
    assert (forms.third_person(verb), forms.gerund(verb), forms.past(verb)) == (third, gerund, past)


@pytest.mark.parametrize(
    ("adjective", "comparative", "superlative"),
    [
        ("big", "bigger", "biggest"),
        ("happy", "happier", "happiest"),
        ("large", "larger", "largest"),
        ("good", "better", "best"),
        ("famous", "more famous", "most famous"),
        ("tired", "more tired", "most tired"),
        ("simple", "simpler", "simplest"),
    ],
)
def test_comparison(adjective: str, comparative: str, superlative: str) -> None:
    assert (forms.compared(adjective, "er"), forms.compared(adjective, "est")) == (comparative, superlative)


@pytest.mark.parametrize(
    ("word", "expected"),
    [("hour", "an"), ("house", "a"), ("uniform", "a"), ("uncle", "an"), ("European", "a"), ("egg", "an"), ("8", "an")],
)
def test_article(word: str, expected: str) -> None:
    assert forms.article(word) == expected
