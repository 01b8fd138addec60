"""Drawing noun phrases: which noun, determiner, adjectives and pronoun fit a place in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nmtcore.grammar.lexicon import Entry
from nmtcore.grammar.tree import NounPhrase, Phrase

if TYPE_CHECKING:
    from nmtcore.grammar.derivation import Derivation

UNDETERMINED = frozenset(("sport", "game", "subject", "language"))  # play tennis, study biology
PUBLIC = frozenset(("building", "outdoor", "room", "animal", "vehicle", "plant")) - {"room"}
# person, plural, gender, weight
PRONOUNS = (
    (1, False, "m", 10),
    (1, False, "f", 8),
    (2, False, "", 16),
    (3, False, "m", 16),
    (3, False, "f", 16),
    (1, True, "m", 12),
    (3, True, "m", 10),
    (3, True, "f", 1),
)


class NounPhrases:
    """Noun phrases of one derivation."""

    def __init__(self, derivation: Derivation) -> None:
        self.d = derivation

    def phrase(self, kinds: frozenset[str], a: Mapping[str, str], owner: NounPhrase | None) -> NounPhrase:
        """A noun phrase of one of the kinds. a: role, number, pron, adj, generic, det; owner: who may possess it."""
        d = self.d
        human = "person" in kinds
        role = a.get("role", "")
        generic = "generic" in a
        if role == "agent" and d.chance(0.4):
            return self.name(d.choose(d.lexicon.entries["name"]))
        if human and not generic and "det" not in a and "number" not in a and role != "agent":
            chance = d.random.random()
            if role == "subject" or role == "any":
                if chance < 0.45 and "pron" not in a:
                    return self.pronoun(asked="asked" in a)
                if chance < 0.6:
                    return self.name(d.choose(d.lexicon.entries["name"]))
                if chance < 0.64 and role == "subject":
                    return self.both(kinds)
            elif chance < 0.3 and "pron" not in a:
                return self.pronoun(owner)
            elif chance < 0.42:
                return self.name(d.choose(d.lexicon.entries["name"]))
        if human and len(kinds) > 1 and d.chance(0.6):
            kinds = frozenset(("person",))
        return self.noun(d.choose(d.lexicon.of_kinds("noun", kinds)), a, owner)

    def both(self, kinds: frozenset[str]) -> NounPhrase:
        d = self.d
        first = self.name(d.choose(d.lexicon.entries["name"]))
        second: NounPhrase
        if d.chance(0.5):
            second = self.name(d.choose(d.lexicon.entries["name"]))
        else:
            second = self.noun(d.choose(d.lexicon.of_kinds("noun", frozenset(("kin",)))), {"number": "sg"}, None)
        gender = "f" if first.gender == second.gender == "f" else "m"
        return NounPhrase(
            "both", d.tag(), None, 3, True, gender, True, d.lexicon.kinds.wider["person"], both=(first, second)
        )

    def pronoun(self, other: NounPhrase | None = None, asked: bool = False) -> NounPhrase:
        """A personal pronoun; none of the person of `other`, the subject whose object this is."""
        d = self.d
        while True:
            person, plural, gender, _ = d.weighted("pronouns", lambda: [(p[3], p) for p in PRONOUNS])
            if asked and person == 1:
                continue
            if (
                other is None
                or other.person != person
                or (person == 3 and other.kind != "pronoun" and not other.plural)
            ):
                break
        if person == 2:
            plural = d.register == "vous-pl"
            gender = d.random.choice("mf") if not plural else "m"
        return self.make_pronoun(person, plural, gender, True, d.lexicon.kinds.wider["person"])

    def make_pronoun(self, person: int, plural: bool, gender: str, human: bool, kinds: frozenset[str]) -> NounPhrase:
        register = "tu" if self.d.register == "tu" else "vous"
        return NounPhrase("pronoun", self.d.tag(), None, person, plural, gender, human, kinds, register=register)

    def pronoun_of(self, other: NounPhrase) -> NounPhrase:
        """The pronoun that refers to a noun phrase."""
        pronoun = self.make_pronoun(other.person, other.plural, other.gender, other.human, other.kinds)
        pronoun.entry = other.entry if other.kind == "noun" else None
        return pronoun

    def special(self, category: str) -> NounPhrase:
        """who and what, which ask; you, to whom an imperative speaks."""
        d = self.d
        if category == "You":
            pronoun = self.make_pronoun(2, d.register == "vous-pl", "m", True, d.lexicon.kinds.wider["person"])
            return pronoun
        if category == "Who":
            return NounPhrase("who", d.tag(), human=True, kinds=d.lexicon.kinds.wider["person"])
        kinds = frozenset(("food", "drink", "text", "clothing", "device", "thing", "subject", "language"))
        return NounPhrase("what", d.tag(), kinds=kinds)

    def name(self, entry: Entry) -> NounPhrase:
        return NounPhrase("name", self.d.tag(), entry, 3, False, entry.sex, True, entry.kinds)

    def noun(self, entry: Entry, a: Mapping[str, str], owner: NounPhrase | None) -> NounPhrase:
        d = self.d
        gender = self.gender(entry)
        number = a.get("number", "")
        kin = "kin" in entry.kinds
        single = entry.mass or "singular" in entry.marks
        plural = entry.plural or (
            not single
            and "unique" not in entry.kinds
            and (number == "pl" or (number != "sg" and d.chance(0.12 if kin else 0.3)))
        )
        if "generic" in a and not entry.mass and not entry.kinds & UNDETERMINED:
            plural = True
        phrase = NounPhrase("noun", d.tag(), entry, 3, plural, gender, "person" in entry.kinds, entry.kinds)
        phrase.determiner = self.determiner(entry, phrase, a)
        if "poss" in phrase.determiner.rule.features:
            phrase.owner = self.owner(phrase, owner)
        if a.get("adj") != "no" and "unique" not in entry.kinds and not kin and d.chance(0.28):
            self.modify(phrase)
        if (
            a.get("role") in ("subject", "object")
            and not kin
            and d.tags < 60
            and d.chance(0.1)
            and "Relative" in d.rules
            and "definite" in phrase.determiner.rule.features
        ):
            phrase.post.append(self.relative(phrase))
        return phrase

    def gender(self, entry: Entry) -> str:
        d = self.d
        if entry.sex == "mf":
            return "m" if d.chance(0.7) else "f"
        return entry.sex or d.lexicon.languages[1].gender(entry)

    def determiner(self, entry: Entry, phrase: NounPhrase, a: Mapping[str, str]) -> Phrase:
        d = self.d
        number = "mass" if entry.mass else "pl" if phrase.plural else "sg"
        role = a.get("role", "")
        family = self.family(entry)
        wanted = a.get("det", "generic" if "generic" in a or entry.kinds & UNDETERMINED else "")
        key = ("Determiner", number, role, family, wanted)
        return d.expand(d.weighted(key, lambda: self.determiners(number, role, family, wanted)))

    def family(self, entry: Entry) -> str:
        """Nouns with the same determiners: not everything is called mine, and the sun is called `the` alone."""
        kinds = entry.kinds
        found = next((k for k in ("kin", "body", "unique", "weather") if k in kinds), "other")
        if found == "other" and "relation" not in kinds and "person" in kinds:
            return "person"
        if found == "other" and "own" not in kinds and kinds & PUBLIC:
            return "public"
        return found

    def determiners(self, number: str, role: str, family: str, wanted: str) -> list[tuple[float, Any]]:
        found = []
        for rule in self.d.rules["Determiner"]:
            f = rule.features
            if number not in f.get("number", number).split("|"):
                continue
            if wanted:
                fits = wanted in f and (family != "kin" or wanted != "there")
            else:
                fits = "onlywanted" not in f and family in f.get("family", "other|person|public").split("|")
                fits = fits and role in f.get("role", role).split("|")
            if fits:
                found.append((rule.weight, rule))
        return found

    def owner(self, phrase: NounPhrase, subject: NounPhrase | None) -> NounPhrase:
        d = self.d
        if subject is not None and subject.human and (d.chance(0.75) or "body" in phrase.kinds):
            return self.pronoun_of(subject)
        return self.pronoun(subject)

    def adjective(self, kinds: frozenset[str], phrase: NounPhrase | None) -> Entry:
        key = ("predicative", kinds)
        d = self.d
        fits = d.pools.get(key)
        if fits is None:
            entries = d.lexicon.of_kinds("adjective", kinds)
            fits = d.pools[key] = [e for e in entries if "attributive" not in e.marks]
        return d.choose(fits)

    def modify(self, phrase: NounPhrase) -> None:
        """Add an adjective that fits; a colour or an origin may follow another."""
        d = self.d
        key = ("attributive", phrase.kinds)
        fits = d.pools.get(key)
        if fits is None:
            fits = d.pools[key] = [
                e for e in d.lexicon.of_kinds("adjective", phrase.kinds) if "predicative" not in e.marks
            ]
        if not fits:
            return
        adjective = d.choose(fits)
        features = phrase.determiner.rule.features if phrase.determiner else {}
        if "noindef" in adjective.marks and not ("the" in features or "poss" in features):
            return
        phrase.adjectives.append((adjective, d.tag(), ""))

    def relative(self, phrase: NounPhrase) -> Phrase:
        d = self.d
        rule = d.weighted(
            ("relative", phrase.human),
            lambda: [
                (r.weight, r)
                for r in d.rules["Relative"]
                if r.features.get("head", "any") in ("any", "person" if phrase.human else "thing")
            ],
        )
        return d.expand(rule, {"n": phrase})
