"""Sentences built word by word from the lexicon, so that what the languages make of them can be written down."""

from __future__ import annotations

from random import Random
from typing import Any

from nmtcore.grammar.derivation import Derivation
from nmtcore.grammar.grammar import Grammar
from nmtcore.grammar.language import write
from nmtcore.grammar.lexicon import Complement, Entry
from nmtcore.grammar.rules import Rule
from nmtcore.grammar.tree import Clause, Leaf, NounPhrase, Phrase, Prepositional
from nmtcore.grammar.words import Link, Token, capital, links

GRAMMAR = Grammar.load()
PERSONS = {  # person, plural, gender, register
    "I": (1, False, "m", "tu"),
    "I (f)": (1, False, "f", "tu"),
    "you (tu)": (2, False, "m", "tu"),
    "you (vous)": (2, False, "f", "vous"),
    "he": (3, False, "m", "tu"),
    "she": (3, False, "f", "tu"),
    "it": (3, False, "m", "tu"),
    "it (f)": (3, False, "f", "tu"),
    "we": (1, True, "m", "tu"),
    "they": (3, True, "m", "tu"),
    "they (f)": (3, True, "f", "tu"),
}


class Builder:
    """Builds phrases and clauses; every call takes new tags from one derivation."""

    def __init__(self) -> None:
        self.d = Derivation(GRAMMAR.rules, GRAMMAR.lexicon, Random(1), {})

    def entry(self, category: str, en: str, fr: str = "") -> Entry:
        for entry in GRAMMAR.lexicon.entries[category]:
            word = entry.words["en"]
            text = " ".join(word).strip() if category == "verb" else word[0] if category == "noun" else word
            french = entry.words["fr"]
            infinitive = french[0] if category in ("verb", "adjective") else ""
            if text == en and (not fr or infinitive == fr):
                return entry
        raise AssertionError(f"The lexicon has no {category} {en} {fr}.")

    def verb(self, words: tuple[str, ...], frame: int) -> Entry:
        """The verb (English, French) with so many complements; a third word is the kind of its clause."""
        en, fr, *kind = words
        for entry in GRAMMAR.lexicon.entries["verb"]:
            if (
                " ".join(entry.words["en"]).strip() == en
                and entry.words["fr"][0] == fr
                and len(entry.complements) == frame
                and (not kind or entry.complements[0].clause == kind[0])
            ):
                return entry
        raise AssertionError(f"The lexicon has no verb {en} {fr} with {frame} complements.")

    def rule(self, category: str, english: str, only: str = "", **features: str) -> Rule:
        """The rule whose English side is written so, and that has the feature `only`."""
        for rule in GRAMMAR.rules[category]:
            hidden = category == "Determiner" and not only and "onlywanted" in rule.features
            if hidden or (only and only not in rule.features):
                continue
            if rule.row["en"] == english and all(v in rule.features.get(k, v).split("|") for k, v in features.items()):
                return rule
        raise AssertionError(f"There is no rule {category} {english}.")

    def pronoun(self, text: str) -> NounPhrase:
        person, plural, gender, register = PERSONS[text]
        found = self.d.nouns.make_pronoun(person, plural, gender, not text.startswith("it"), frozenset())
        found.register = register
        return found

    def noun(
        self, en: str, det: str = "the~1", many: bool = False, gender: str = "", adj: str = "", degree: str = "",
        owner: NounPhrase | None = None, **kind: bool
    ) -> NounPhrase:  # fmt: skip
        entry = self.entry("noun", en)
        gender = gender or (entry.sex if len(entry.sex) == 1 else "") or next(iter(entry.words["fr"]))
        found = NounPhrase(
            "noun", self.d.tag(2), entry, 3, many or entry.plural, gender, "person" in entry.kinds, entry.kinds
        )
        count = "mass" if entry.mass else "pl" if found.plural else "sg"
        only = next(iter(kind), "")  # genitive, job, bodypart, generic: which of the rules that look alike
        found.determiner = self.d.expand(self.rule("Determiner", det, only, number=count))
        if det == "his~1":
            found.owner = owner
        elif owner:
            found.genitive = owner
        if adj:
            found.adjectives = [(self.entry("adjective", adj), self.d.tag(), degree)]
        return found

    def clause(
        self, subject: NounPhrase | None, verb: tuple[str, ...], *values: Any, tense: str = "habit", **more: Any
    ) -> Clause:
        entry = self.verb(verb, len(values) + (more.get("gap") == "object"))
        complements: list[tuple[Complement, Any]] = list(
            zip(entry.complements[more.get("gap") == "object" :], values, strict=True)
        )
        rule = self.rule("Clause", "{s} <v>")
        return Clause(
            rule,
            {"s": subject},
            self.d.tag(16),
            tense,
            more.pop("form", "statement"),
            subject,
            entry,
            complements,
            **more,
        )

    def template(self, english: str, subject: NounPhrase | None, tense: str = "habit", **more: Any) -> Clause:
        """A clause by a rule of its own. more: its parts, and features of clauses."""
        features = {name: more.pop(name) for name in ("negation", "short", "inverted") if name in more}
        form = more.pop("form", "statement")
        rule = self.rule("Clause", english, more.pop("only", ""))
        return Clause(rule, {"s": subject, **more}, self.d.tag(16), tense, form, subject, **features)

    def leaf(self, category: str, en: str, fr: str = "") -> Leaf:
        return Leaf(self.entry(category, en, fr), self.d.tag())

    def sentence(self, english: str, tense: str = "", **parts: Any) -> Phrase:
        """tense: a word that the rule's parts have, where several rules are written alike."""
        rules = [r for r in GRAMMAR.rules["Sentence"] if r.row["en"] == english and tense in r.row["parts"]]
        return self.d.expand(rules[0], {part.name: None for part in rules[0].parts} | parts)

    def special(self, kind: str) -> NounPhrase:
        return NounPhrase(kind, self.d.tag(), human=kind.endswith(("body", "one")))

    def place_of(self, noun: NounPhrase, en: str, fr: str) -> Prepositional:
        return Prepositional({"en": en, "fr": fr}, noun, self.d.tag())

    def place(self, en: str, movement: bool = False) -> Prepositional:
        noun = self.noun(en)
        assert noun.entry
        return Prepositional({"movement": movement, **noun.entry.place}, noun, self.d.tag())


def said(value: Any, end: str = ".") -> tuple[str, str]:
    """What both languages make of a clause or sentence."""
    texts = []
    for language in GRAMMAR.languages:
        words = language.value(value)
        if isinstance(value, Clause):
            words = [*words, Token(end)]
        texts.append(write(capital(language.finish(words)), language.space_before))
    return texts[0], texts[1]


def linked(value: Any) -> set[tuple[str, str]]:
    """The pairs of linked words."""
    sides = [language.finish(language.value(value)) for language in GRAMMAR.languages]
    found: tuple[Link, ...] = links(*sides)
    return {(sides[0][i].form, sides[1][j].form) for i, j in found}
