"""Inflection of French, and what changes before a vowel."""

from __future__ import annotations

import pytest

from nmtcore.grammar import french_forms as forms
from nmtcore.grammar.french import French
from nmtcore.grammar.grammar import FOLDER
from nmtcore.grammar.words import Token

FRENCH = French(FOLDER / "en-fr")


@pytest.mark.parametrize(
    ("word", "expected"),
    [("cheval", "chevaux"), ("bal", "bals"), ("gâteau", "gâteaux"), ("jeu", "jeux"), ("pneu", "pneus"), ("nez", "nez"),
     ("bijou", "bijoux"), ("clou", "clous"), ("œil", "yeux")],
)  # fmt: skip
def test_plural(word: str, expected: str) -> None:
    assert forms.plural(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("pomme de terre", "pommes de terre"),
        ("boucle d'oreille", "boucles d'oreille"),
        ("brosse à dents", "brosses à dents"),
    ],
)
def test_plural_of_several_words(word: str, expected: str) -> None:
    assert FRENCH.plural(word) == expected


@pytest.mark.parametrize(
    ("adjective", "expected"),
    [("petit", "petite"), ("heureux", "heureuse"), ("actif", "active"), ("italien", "italienne"), ("bon", "bonne"),
     ("dernier", "dernière"), ("rouge", "rouge"), ("créatif", "créative")],
)  # fmt: skip
def test_feminine(adjective: str, expected: str) -> None:
    assert forms.feminine(adjective) == expected


@pytest.mark.parametrize(
    ("verb", "tense", "expected"),
    [
        ("manger", "present", "mange manges mange mangeons mangez mangent"),
        ("manger", "imperfect", "mangeais mangeais mangeait mangions mangiez mangeaient"),
        ("acheter", "future", "achèterai achèteras achètera achèterons achèterez achèteront"),
        ("avoir", "conditional", "aurais aurais aurait aurions auriez auraient"),
        ("être", "subjunctive", "sois sois soit soyons soyez soient"),
        ("écrire", "imperative", "écris écrivons écrivez"),
    ],
)
def test_conjugation(verb: str, tense: str, expected: str) -> None:
    assert " ".join(FRENCH.conjugations.forms(verb, tense)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("le_ homme", "l'homme"),
        ("le_ hibou", "le hibou"),
        ("de le_ chat", "du chat"),
        ("de le_ ami", "de l'ami"),
        ("à les_ enfants", "aux enfants"),
        ("de le voir", "de le voir"),
        ("ma école", "mon école"),
        ("ce_ arbre", "cet arbre"),
        ("ce_ héros", "ce héros"),
        ("je ne ai", "je n'ai"),
        ("parce que elle", "parce qu'elle"),
        ("si il", "s'il"),
        ("si elle", "si elle"),
        ("le_ yaourt", "le yaourt"),
        ("la yeux", "l'yeux"),
        ("je y habite", "j'y habite"),
    ],
)
def test_before_a_vowel(text: str, expected: str) -> None:
    words = FRENCH.finish([Token(form) for form in text.split()])
    assert " ".join(token.form for token in words) == expected
