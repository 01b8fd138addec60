"""Drawing noun phrases: which noun, determiner, adjectives and pronoun fit a place in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nmtcore.grammar.lexicon import Entry
from nmtcore.grammar.tree import NounPhrase, Phrase, Prepositional

if TYPE_CHECKING:
    from nmtcore.grammar.derivation import Derivation

UNDETERMINED = frozenset(("sport", "game", "subject", "language", "proper"))  # play tennis, celebrate Christmas
ABSTRACT = frozenset(("topic", "quality"))
PLACES = frozenset(("building", "room", "outdoor"))
PUBLIC = frozenset(("building", "outdoor", "animal", "vehicle", "plant"))
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


ONSETS = "b d f g j k l m n p r s sh t v w y z ch th kw br tr".split()  # noqa: SIM905
RHYMES = "a e i o u a i o an en in on".split()  # noqa: SIM905
CODAS = ("", "", "", "n", "s", "k", "l", "r", "m", "d")


def role_allows(a: Mapping[str, str]) -> bool:
    """Whether a noun phrase may have a superlative."""
    return a.get("role") in ("subject", "object") and "adj" not in a


class NounPhrases:
    """The noun phrases of one derivation, `d`, drawn at random."""

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
                    return self.both()
            elif chance < 0.3 and "pron" not in a:
                return self.pronoun(owner)
            elif chance < 0.42:
                return self.name(d.choose(d.lexicon.entries["name"]))
        if human and len(kinds) > 1 and d.chance(0.6):
            kinds = frozenset(("person",))
        return self.noun(d.choose(d.lexicon.of_kinds("noun", kinds)), a, owner)

    def both(self) -> NounPhrase:
        """Two people joined by `and`."""
        d = self.d
        first = self.name(d.choose(d.lexicon.entries["name"]))
        second: NounPhrase
        if d.chance(0.5):
            second = self.name(d.choose(d.lexicon.entries["name"]))
        else:
            second = self.noun(
                d.choose(d.lexicon.of_kinds("noun", frozenset(("kin",)))), {"number": "sg", "det": "poss"}, first
            )
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
        """A personal pronoun with these features."""
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
        if category == "We":
            return self.make_pronoun(1, True, "m", True, d.lexicon.kinds.wider["person"])
        if category in ("Who", "Everyone"):
            return NounPhrase(category.lower(), d.tag(), human=True, kinds=d.lexicon.kinds.wider["person"])
        kinds = frozenset(("food", "drink", "text", "clothing", "device", "thing", "subject", "language"))
        return NounPhrase("what", d.tag(), kinds=kinds)

    def other(self, subject: NounPhrase | None) -> NounPhrase:
        """Somebody else than the subject."""
        return self.phrase(frozenset(("person",)), {"role": "object"}, subject)

    def indefinite(self, human: bool) -> NounPhrase:
        """someone, nothing ..."""
        d = self.d
        kind = d.random.choice(("someone", "nobody", "everyone") if human else ("something", "nothing", "everything"))
        kinds = d.lexicon.kinds.wider["person"] if human else frozenset()
        return NounPhrase(kind, d.tag(), human=human, kinds=kinds)

    def it(self, kinds: frozenset[str], many: bool) -> NounPhrase:
        """`it` or `them`, of which nothing is known: masculine in French."""
        return self.make_pronoun(3, many, "m", False, kinds)

    def name(self, entry: Entry) -> NounPhrase:
        """A person by a name; one in five is invented."""
        if self.d.chance(0.2):
            entry = self.invented()
        return NounPhrase("name", self.d.tag(), entry, 3, False, self.gender(entry), True, entry.kinds)

    def noun(self, entry: Entry, a: Mapping[str, str], owner: NounPhrase | None) -> NounPhrase:
        """A noun with determiner, adjectives and what follows it. a: as of `phrase`; owner: who may possess it."""
        d = self.d
        gender = self.gender(entry)
        number = a.get("number", "")
        if "like" in a and owner is not None:
            number = "pl" if owner.plural else "sg"
        kin = "kin" in entry.kinds
        single = entry.mass or "singular" in entry.marks
        plural = entry.plural or (
            not single
            and "unique" not in entry.kinds
            and (number == "pl" or (number != "sg" and d.chance(0.12 if kin else 0.3)))
        )
        if "generic" in a and not entry.mass and not self.undetermined(entry):
            plural = True
        phrase = NounPhrase("noun", d.tag(2), entry, 3, plural, gender, "person" in entry.kinds, entry.kinds)
        phrase.determiner = self.determiner(entry, phrase, a)
        if "poss" in phrase.determiner.rule.features:
            phrase.owner = self.owner(phrase, owner)
        if self.undetermined(entry) or "generic" in a:
            return phrase
        if "like" in a and owner is not None:
            phrase.gender = self.gender_like(entry, owner)
        if "genitive" in phrase.determiner.rule.features:
            phrase.genitive = self.possessor(owner)
        if "feature" in entry.kinds and "the" in phrase.determiner.rule.features:
            whole = self.phrase(frozenset(("thing", "building", "vehicle")), {"det": "the", "adj": "no"}, None)
            phrase.post.append(Prepositional({"en": "of", "fr": "de"}, whole, d.tag()))
            return phrase
        degree = a.get(
            "degree", "est" if role_allows(a) and "the" in phrase.determiner.rule.features and d.chance(0.05) else ""
        )
        if degree:
            self.modify(phrase, degree)
        elif a.get("adj") != "no" and "unique" not in entry.kinds and not kin and d.chance(0.28):
            self.modify(phrase)
        if (
            a.get("role") in ("subject", "object")
            and "asked" not in a
            and not kin
            and d.tags < 60
            and d.chance(0.1)
            and "Relative" in d.rules
            and "definite" in phrase.determiner.rule.features
        ):
            phrase.post.append(self.relative(phrase))
        return phrase

    def gender(self, entry: Entry) -> str:
        """The grammatical gender of a noun, or the sex of a person."""
        d = self.d
        if entry.sex == "mf":
            return "m" if d.chance(0.7) else "f"
        return entry.sex or d.lexicon.languages[1].gender(entry)

    def determiner(self, entry: Entry, phrase: NounPhrase, a: Mapping[str, str]) -> Phrase:
        """A determiner that fits the noun, its number and its place in the sentence."""
        d = self.d
        number = "mass" if entry.mass else "pl" if phrase.plural else "sg"
        role = a.get("role", "")
        family = self.family(entry)
        wanted = a.get("det", "generic" if "generic" in a or self.undetermined(entry) else "")
        key = ("Determiner", number, role, family, wanted)
        return d.expand(d.weighted(key, lambda: self.determiners(number, role, family, wanted)))

    def undetermined(self, entry: Entry) -> bool:
        """Whether English has no article: to play tennis, to talk about democracy."""
        return bool(entry.kinds & UNDETERMINED) or (entry.mass and bool(entry.kinds & ABSTRACT))

    def family(self, entry: Entry) -> str:
        """Nouns with the same determiners: not everything is called mine, and the sun is called `the` alone."""
        kinds = entry.kinds
        found = next((k for k in ("kin", "body", "unique", "weather") if k in kinds), "other")
        if found == "other" and "relation" not in kinds and "person" in kinds:
            return "person"
        if found == "other" and not kinds & {"own", "mine"} and kinds & PUBLIC:
            return "public"
        return found

    def determiners(self, number: str, role: str, family: str, wanted: str) -> list[tuple[float, Any]]:
        """The rules of determiners that fit, with their weights, for `weighted`."""
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
        """Who a possessive determiner refers to: mostly the subject."""
        d = self.d
        if subject is not None and subject.human and (d.chance(0.75) or "body" in phrase.kinds):
            return self.pronoun_of(subject)
        return self.pronoun(subject)

    def adjective(self, kinds: frozenset[str], graded: bool = False) -> Entry:
        """A predicative adjective that fits; graded: one that can be compared."""
        key = ("predicative", kinds, graded)
        d = self.d
        fits = d.pools.get(key)
        if fits is None:
            entries = d.lexicon.of_kinds("adjective", kinds)
            fits = d.pools[key] = [
                e for e in entries if "attributive" not in e.marks and not (graded and "nograde" in e.marks)
            ]
        return d.choose(fits)

    def invented(self) -> Entry:
        """A name that nobody has, made of syllables, so that names are copied rather than known."""
        d = self.d
        draw = d.random.choice
        text = "".join(draw(ONSETS) + draw(RHYMES) for _ in range(draw((2, 2, 2, 3))))
        text = text.capitalize() + (draw(CODAS) if text[-1] != "n" else "")
        return Entry("name", dict.fromkeys(d.lexicon.codes, text), d.lexicon.kinds.wider["person"], draw("mf"))

    def possessor(self, subject: NounPhrase | None) -> NounPhrase:
        """The noun phrase of a genitive, as in my brother's dog."""
        d = self.d
        if d.chance(0.6):
            return self.name(d.choose(d.lexicon.entries["name"]))
        people = d.lexicon.of_kinds("noun", frozenset(("kin", "relation")))
        return self.noun(d.choose(people), {"number": "sg", "det": "poss", "adj": "no"}, subject)

    def gender_like(self, entry: Entry, other: NounPhrase) -> str:
        """The gender of a noun that says what somebody is. Raises DeadEnd where it has no such form."""
        if entry.sex in ("mf", other.gender):
            return other.gender
        from nmtcore.grammar.derivation import DeadEnd

        raise DeadEnd

    def modify(self, phrase: NounPhrase, degree: str = "") -> None:
        """Add an adjective that fits; a colour or an origin may follow another."""
        d = self.d
        key = ("attributive", phrase.kinds, bool(degree))
        fits = d.pools.get(key)
        if fits is None:
            fits = d.pools[key] = [
                e
                for e in d.lexicon.of_kinds("adjective", phrase.kinds)
                if "predicative" not in e.marks and not (degree and "nograde" in e.marks)
            ]
        if not fits:
            return
        adjective = d.choose(fits)
        features = phrase.determiner.rule.features if phrase.determiner else {}
        if "possessed" in adjective.marks and "poss" not in features:
            return
        if "noindef" in adjective.marks and not ("the" in features or "poss" in features):
            return
        phrase.adjectives.append((adjective, d.tag(), degree))

    def relative(self, phrase: NounPhrase) -> Phrase:
        """A relative clause about a noun phrase."""
        d = self.d
        head = "person" if phrase.human else "place" if phrase.kinds & PLACES else "thing"
        wanted = {"person": ("person",), "thing": ("thing",), "place": ("thing", "place")}[head]
        rule = d.weighted(
            ("relative", head), lambda: [(r.weight, r) for r in d.rules["Relative"] if r.features["head"] in wanted]
        )
        return d.expand(rule, {"n": phrase})
