"""Drawing derivations for Mandarin: aspect that fits the verb, and times where the tense is known by them alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from nmtcore.grammar.derivation import DeadEnd, Derivation
from nmtcore.grammar.lexicon import Complement, Entry
from nmtcore.grammar.mandarin_numbers import MandarinNumber
from nmtcore.grammar.noun_phrase import NounPhrases
from nmtcore.grammar.rules import Part, Rule
from nmtcore.grammar.template import Word
from nmtcore.grammar.tree import Clause, Leaf, NounPhrase, Phrase, Prepositional

SPOUSES = frozenset(("husband", "wife"))
SPOTS = frozenset(("furniture", "container", "room"))
TIMED = frozenset(("habit", "past", "future", "going", "imperfect"))
POTENTIAL = frozenset(("见", "到", "懂", "完", "好", "干净", "起来", "出", "住", "开", "上", "下", "掉", "光"))
UNOWNED = frozenset(  # of what is called mine one by one too rarely
    ("food", "material", "specimen", "celestial", "phenomenon", "incident", "shape", "sound", "medicine")
)
MOMENT = frozenset(("now", "pastprog", "habit", "since", "used"))  # tenses of what lasts, or is done again and again
DENIED = frozenset(("habit", "past", "future", "imperfect", "experience", "infinitive", "imperative", "conditional"))


class MandarinNounPhrases(NounPhrases):
    """Noun phrases that say the same in a language without plurals."""

    def noun(self, entry: Entry, a: Mapping[str, str], owner: NounPhrase | None) -> NounPhrase:
        if "instrument" in entry.kinds and a.get("det") == "the":
            a = {**a, "number": "sg", "adj": "no"}
        return super().noun(entry, a, owner)

    def owner(self, phrase: NounPhrase, subject: NounPhrase | None) -> NounPhrase:
        if phrase.plural and phrase.entry and not phrase.entry.plural:  # 他的书 is his book, rarely his books
            raise DeadEnd
        counted = phrase.entry is not None and not phrase.entry.mass
        if (counted and phrase.kinds & UNOWNED) or (subject is not None and subject.kind == "everyone"):
            raise DeadEnd
        owner = super().owner(phrase, subject)
        spouse = phrase.entry is not None and phrase.entry.words["en"][0] in SPOUSES
        if spouse and (owner.plural or (owner.person == 3 and owner.gender == phrase.gender)):
            raise DeadEnd
        return owner

    def invented(self) -> Entry:
        return self.d.choose(self.d.lexicon.entries["name"])

    def modify(self, phrase: NounPhrase, degree: str = "") -> None:
        super().modify(phrase, degree)
        if degree and phrase.adjectives and "attributive" in phrase.adjectives[-1][0].marks:  # no 最红色
            raise DeadEnd
        if (
            phrase.entry
            and phrase.adjectives
            and phrase.entry.words["zh"][0].startswith(phrase.adjectives[-1][0].words["zh"])
        ):
            phrase.adjectives.pop()  # no 短短信

    def determiner(self, entry: Entry, phrase: NounPhrase, a: Mapping[str, str]) -> Phrase:
        """Things in pairs and masses have a measure in English too: a pair of shoes, two cups of tea."""
        d = self.d
        measured = entry.mass or entry.plural
        if measured and a.get("role") == "object" and "det" not in a and "generic" not in a and d.chance(0.4):
            measure, number = entry.words["zh"][1], "mass" if entry.mass else "pl"
            rule = d.weighted(("Measured", measure, number), lambda: self.measures(measure, number))
            return d.expand(rule)
        determiner = super().determiner(entry, phrase, a)
        if measured and any(isinstance(i, Word) and i.form == "M" for i in determiner.rule.templates["zh"].items):
            raise DeadEnd
        return determiner

    def measures(self, measure: str, number: str) -> list[tuple[float, Rule]]:
        """The rules that measure a mass or a pair with this measure word, with their weights."""
        rules = [rule for rule in self.d.rules.get("Measured", ()) if rule.features.get("measure") == measure]
        return [(rule.weight, rule) for rule in rules if rule.features.get("number", number) == number]


class MandarinDerivation(Derivation):
    """One sentence's derivation where Mandarin is one of the languages."""

    tenses: ClassVar[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {  # type: ignore[misc]
        "present": (("habit", "now"), ("habit",)),
        "past": (("past",), ("imperfect",)),
        "perfect": (("already", "experience", "justpast"), ("habit",)),
        "backshift": (("pluperfect", "conditional"), ("imperfect",)),
        "future": (("future", "going"), ("future",)),
        "will": (("future",), ("future",)),
        "background": (("pastprog",), ("imperfect",)),
    }

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.nouns = MandarinNounPhrases(self)

    def part(self, part: Part, parts: Mapping[str, Any]) -> Any:
        a = part.arguments
        if part.category == "Number":
            step = int(a.get("step", "1"))
            value = self.random.randrange(int(a.get("from", "2")), int(a.get("to", "12")) + 1, step)
            spelled = value <= 20 and "en" not in a and self.chance(0.7)
            chinese = a["zh"] == "words" if "zh" in a else "digits" not in a and (spelled or self.chance(0.6))
            return Leaf(MandarinNumber(value, spelled, chinese), self.tag())
        if part.category == "Spot":
            return self.spot()
        if part.category == "Adjective" and a.get("grade") == "compare":
            leaf = super().part(part, parts)
            if "mood" in leaf.entry.kinds:  # no 比 ... 感激
                raise DeadEnd
            return leaf
        if part.category == "Time" and "tense" in a:
            return self.phrase("Time", tense=a["tense"])
        return super().part(part, parts)

    def clause_part(self, a: Mapping[str, str], parts: Mapping[str, Any]) -> Clause:
        clause = super().clause_part(a, parts)
        objects = any(complement.is_object for complement, _ in clause.complements)
        if clause.gap == "subject" and clause.form == "statement" and clause.tense == "past" and not objects:
            raise DeadEnd  # no 跟他吵架了的人
        if "plain" in a and self.featured(clause, "quantity"):
            raise DeadEnd
        if clause.gap == "topic" and any(complement.clause for complement, _ in clause.complements[1:]):
            raise DeadEnd  # no 连他都没请去
        if "time" in a:  # a time must be named: 是...的
            clause.back = [phrase for phrase in clause.back if not isinstance(phrase, Leaf)]
            if not clause.back and not clause.front:
                self.timed(clause)
            if clause.front:
                clause.back, clause.front = clause.back + clause.front, []
        return clause

    def verbs(self, a: Mapping[str, str], parts: Mapping[str, Any]) -> Sequence[Entry]:
        return [verb for verb in super().verbs(a, parts) if "bei" in verb.marks]

    def fits(self, verb: Entry, subject: NounPhrase | None, object: NounPhrase | None, form: str, action: str) -> bool:
        clausal = any(complement.clause in ("INF", "ING", "QUE") for complement in verb.complements)
        if form in ("imperative", "infinitive") and clausal:
            return False
        if action == "potential":  # 看得见, 看不见
            result = verb.words["zh"][1] in POTENTIAL and not verb.marks & {"bamust", "nopot"}
            return result and bool(verb.complements) and super().fits(verb, subject, object, form, "")
        if action == "will":  # what somebody does on purpose
            return (
                not verb.marks & {"state", "nowill"} and not clausal and super().fits(verb, subject, object, form, "")
            )
        return super().fits(verb, subject, object, form, action)

    def complement(
        self,
        complement: Complement,
        verb: Entry,
        taken: Sequence[tuple[Complement, Any]],
        arguments: Mapping[str, str],
        subject: NounPhrase | None,
    ) -> NounPhrase:
        return self.nouns.phrase(complement.kinds, arguments, subject)

    def clause_complement(
        self, clause: Clause, complement: Complement, controller: NounPhrase | None, depth: int
    ) -> Any:
        assert clause.verb is not None
        if complement.clause == "ADJ":  # she looks tired
            return Leaf(self.nouns.adjective(frozenset(("mood",))), self.tag())
        if complement.clause == "PLACE" and "bamust" in clause.verb.marks:
            return self.spot()
        if complement.clause == "QUE" and "wish" in clause.verb.marks:
            return self.clause(["will"], depth=depth + 1)
        if complement.clause == "QUE" and depth <= 1 and clause.tense == "habit":
            return self.clause(["present", "future", "experience"], depth=depth + 1)
        return super().clause_complement(clause, complement, controller, depth)

    def decorate(self, clause: Clause, state: bool, bare: bool, negation: str) -> None:
        marks = clause.verb.marks if clause.verb else frozenset()
        tense, form = clause.tense, clause.form
        plain = form in ("statement", "question")
        if "punct" in marks and tense in MOMENT:
            raise DeadEnd
        if "couple" in marks and clause.subject and any(one.kind == "noun" for one in clause.subject.both):
            raise DeadEnd  # nobody marries a brother
        if tense == "infinitive" and "ability" in marks and form == "infinitive" and self.featured(clause, "quantity"):
            raise DeadEnd  # no 会开九辆车
        if (form == "gerund" and "punct" in marks) or ("nowill" in marks and tense in ("future", "going", "about")):
            raise DeadEnd
        if state and clause.verb and tense in ("future", "going"):
            raise DeadEnd
        if tense not in ("habit", "infinitive", "gerund") and self.featured(clause, "bareplural"):
            raise DeadEnd
        if clause.gap == "object" and form == "statement" and "bamust" in marks:  # no 把他寄给的书
            raise DeadEnd
        if tense == "experience" and "guo" not in marks:
            raise DeadEnd
        if tense in ("about", "justpast") and "punct" not in marks:
            raise DeadEnd
        if tense == "since" and (clause.complements or "punct" in marks):
            raise DeadEnd
        self.deny(clause, negation)
        if any(c.clause == "QUE" for c, _ in clause.complements) and tense not in ("habit", "past"):
            raise DeadEnd
        if (
            (clause.negation or tense == "habit")
            and tense in ("habit", "past", "experience", "imperative", "potential")
            and self.featured(clause, "quantity")
        ):
            raise DeadEnd
        if tense == "going" and clause.negation:  # 不要 forbids
            raise DeadEnd
        if tense == "since":
            clause.back.append(self.phrase("Duration"))
        if bare or not plain:
            return
        if tense == "imperfect" and clause.verb and not any(c.clause for c in clause.verb.complements):
            raise DeadEnd  # nobody knew somebody yesterday
        if tense == "imperfect":
            clause.back.append(self.phrase("Time", tense="then"))
            return
        placed = any(c.clause or any(c.prepositions.values()) for c, _ in clause.complements)
        if tense == "habit" and not state and clause.verb:
            if self.chance(0.5) and not clause.negation:
                clause.adverb = Leaf(self.choose(self.adverbs("frequency")), self.tag())
            elif not clause.negation:
                self.timed(clause)
        elif tense in TIMED and not state and self.chance(0.5) and (clause.verb or "passive" in clause.rule.features):
            self.timed(clause)
        if state or not clause.verb or "punct" in marks or placed:
            return
        intransitive = not clause.verb.complements
        if (
            tense == "past"
            and intransitive
            and not clause.negation
            and "person" in clause.verb.subjects
            and self.chance(0.3)
        ):
            clause.back.insert(0, self.phrase("Duration"))
        elif tense in ("habit", "now", "past", "future") and self.chance(0.2):
            clause.back.insert(0, self.phrase("Place"))
        elif "manner" in marks and tense in ("now", "past", "future") and not clause.negation and self.chance(0.3):
            clause.back.insert(0, Leaf(self.choose(self.adverbs("manner")), self.tag()))

    def place(self, movement: bool) -> Prepositional:
        place = super().place(movement)
        if movement and place.prepositions["zh"] in ("上", "边"):
            raise DeadEnd
        return place

    def spot(self) -> Prepositional:
        """Where things are put: on the table, in the box."""
        nouns = [noun for noun in self.lexicon.of_kinds("noun", SPOTS) if noun.place]
        value = self.nouns.noun(self.choose(nouns), {"role": "place", "number": "sg", "det": "the", "adj": "no"}, None)
        assert value.entry is not None
        return Prepositional({"movement": False, **value.entry.place}, value, self.tag())

    def timed(self, clause: Clause) -> None:
        """Give a clause a phrase of time that fits its tense."""
        time = self.phrase("Time", tense=clause.tense)
        if "long" in time.rule.features and not (clause.verb and "life" in clause.verb.marks):
            raise DeadEnd
        front = clause.form == "statement" and not clause.gap and self.chance(0.15)
        (clause.front if front else clause.back).append(time)

    def deny(self, clause: Clause, negation: str) -> None:
        """Negate a clause, as asked or now and then."""
        if negation:
            clause.negation = "" if negation == "no" else negation
        elif clause.tense in DENIED and "affirmative" not in clause.rule.features and self.chance(0.18):
            choices = ["not"] * 5
            if clause.form == "statement" and clause.verb and clause.tense in ("habit", "experience"):
                choices += ["never"] * (1 if clause.tense == "habit" else 4)
            if clause.form in ("statement", "question", "imperative"):
                clause.negation = self.random.choice(choices)

    def featured(self, clause: Clause, feature: str) -> bool:
        """Whether it has an object whose determiner has a feature."""
        for _, value in clause.complements:
            if isinstance(value, NounPhrase) and value.determiner and feature in value.determiner.rule.features:
                return True
        return False

    def adverbs(self, mark: str) -> list[Entry]:
        """The adverbs with a mark."""
        return [entry for entry in self.lexicon.entries["adverb"] if mark in entry.marks]
