"""Rules of a synchronous grammar: a category, its parts, and one template a language.

A row of rules.tsv: category, weight, parts, features, and a column a language. Parts are `name:Category(arguments)`, in
the order in which they are drawn; arguments are kinds of things (`person+animal`) and `key=value`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from nmtcore.errors import DataError
from nmtcore.grammar.rows import Row, read_rows
from nmtcore.grammar.template import Template, parse

LEXICAL = frozenset(  # categories that derivation.py draws, beside those that rules name
    ("NP", "Clause", "Verb", "Adjective", "Adverb", "Pronoun", "Number", "City", "Country", "Name", "Located", "What")
) | {"Who", "You", "We", "Everyone", "Spot"}
START = "Sentence"  # the category that every derivation begins with
_PART = re.compile(r"(\w+):(\w+)(?:\(([^()]*)\))?")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a rule: what is drawn for its slot."""

    name: str
    category: str
    kinds: frozenset[str]
    arguments: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Rule:
    """A production, with one template for each language, by its code."""

    category: str
    weight: float
    parts: tuple[Part, ...]
    features: Mapping[str, str]
    templates: Mapping[str, Template]
    row: Row


def _pairs(words: Collection[str], row: Row) -> dict[str, str]:
    found = {}
    for word in words:
        key, equals, value = word.partition("=")
        found[key] = value if equals else "yes"
    return found


def _part(text: str, kinds: Collection[str], row: Row) -> Part:
    match = _PART.fullmatch(text)
    if not match:
        raise row.error(f"{text!r} is no part: write name:Category(arguments)")
    arguments = [word for word in (match[3] or "").split(",") if word]
    named = [word for word in arguments if "=" in word]
    wanted = [kind for word in arguments if "=" not in word for kind in word.split("+")]
    for kind in wanted:
        if kind not in kinds and match[2] in ("NP", "Adjective", "Verb"):
            raise row.error(f"{kind!r} is no kind of thing that kinds.tsv names")
    return Part(match[1], match[2], frozenset(wanted), _pairs(named, row))


def read_rules(path: Path, languages: tuple[str, str], kinds: Collection[str]) -> dict[str, list[Rule]]:
    """The rules of a file by category. Raises DataError, naming file and row, where a rule cannot be used."""
    rules: dict[str, list[Rule]] = {}
    for row in read_rows(path, ("category", "weight", "parts", "features", *languages)):
        parts = tuple(_part(text, kinds, row) for text in row["parts"].split())
        names = {part.name: part for part in parts}
        templates = {code: parse(row.need(code), names, row) for code in languages}
        try:
            weight = float(row.need("weight"))
        except ValueError:
            raise row.error(f"the weight {row['weight']!r} is no number") from None
        if not 0 < weight < math.inf:
            raise row.error(f"the weight {row['weight']!r} is not above zero")
        rule = Rule(row.need("category"), weight, parts, _pairs(row["features"].split(), row), templates, row)
        rules.setdefault(rule.category, []).append(rule)
    for rule in (rule for some in rules.values() for rule in some):
        for part in rule.parts:
            if part.category not in rules and part.category not in LEXICAL:
                raise rule.row.error(f"there is no category {part.category!r}")
    if START not in rules:
        raise DataError(f"{path} has no rule of the category {START}.")
    return rules
