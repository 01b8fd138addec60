"""Drawing a derivation at random: which rules and words, so that verbs, nouns and adjectives fit each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Any, Final

from nmtcore.grammar.lexicon import Complement, Entry, Lexicon
from nmtcore.grammar.noun_phrase import NounPhrases
from nmtcore.grammar.rules import Part, Rule
from nmtcore.grammar.tree import INDEFINITE, LINKS, Clause, Leaf, NounPhrase, Number, Phrase, Prepositional

TENSES: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    # name in rules: what it may be with a verb of action, and with a verb of state
    "present": (("habit", "now"), ("habit",)),
    "past": (("past",), ("imperfect",)),
    "perfect": (("perfect",), ("imperfect",)),
    "backshift": (("pluperfect", "conditional", "pastprog"), ("imperfect", "conditional")),
    "before": (("pluperfect",), ("imperfect",)),
    "future": (("future", "future", "going"), ("future",)),
    "background": (("pastprog",), ("imperfect",)),
    "hypothesis": (("imperfect",), ("imperfect",)),
}
PLACES = frozenset(("place", "building", "room", "outdoor"))


class DeadEnd(Exception):
    """A dead end: nothing in the lexicon fits here, so that the sentence is drawn again."""


class Derivation:
    """One sentence's derivation; `rules` and `lexicon` are shared by all."""

    tenses: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = TENSES

    def __init__(self, rules: Mapping[str, Sequence[Rule]], lexicon: Lexicon, random: Random, pools: dict[Any, Any]):
        self.rules = rules
        self.lexicon = lexicon
        self.random = random
        self.pools = pools  # what has been computed for choosing, kept between sentences
        self.tags = 0
        self.register = random.choice(("tu", "tu", "vous", "vous", "vous-pl"))
        self.short = random.random() < 0.6
        self.nouns = NounPhrases(self)

    def tag(self, count: int = 1) -> int:
        """The next free tag, of `count` that are taken: words of both languages with one tag are linked."""
        self.tags += count
        return self.tags - count + 1

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return self.random.random() < share

    def weighted(self, key: Any, items: Any) -> Any:
        """One of `items()`, pairs of weight and item, which are computed once for each key."""
        pool = self.pools.get(key)
        if pool is None:
            found = [(weight, item) for weight, item in items() if weight > 0]
            pool = self.pools[key] = ([item for _, item in found], list(accumulate(weight for weight, _ in found)))
        if not pool[0]:
            raise DeadEnd
        return self.random.choices(pool[0], cum_weights=pool[1])[0]

    def choose(self, entries: Sequence[Entry]) -> Entry:
        """One of some entries, all as likely. Raises DeadEnd where there is none."""
        if not entries:
            raise DeadEnd
        return entries[int(self.random.random() * len(entries))]

    # rules

    def phrase(self, category: str, **features: str) -> Phrase:
        """A phrase of a category, by a rule that contradicts none of the features."""
        rule = self.weighted((category, *features.items()), lambda: self._fitting(category, features))
        return self.expand(rule)

    def _fitting(self, category: str, features: Mapping[str, str]) -> list[tuple[float, Rule]]:
        return [
            (rule.weight, rule)
            for rule in self.rules.get(category, ())
            if all(value in rule.features.get(key, value).split("|") for key, value in features.items())
        ]

    def expand(self, rule: Rule, given: Mapping[str, Any] | None = None) -> Phrase:
        """A phrase by this rule: each of its parts that is not given is drawn, in order."""
        phrase = Phrase(rule, dict(given or {}), self.tag(LINKS))
        for part in rule.parts:
            if part.name not in phrase.parts:
                phrase.parts[part.name] = self.part(part, phrase.parts)
        return phrase

    def part(self, part: Part, parts: Mapping[str, Any]) -> Any:
        """What is drawn for one slot, given those before it."""
        a = part.arguments
        category = part.category
        if category == "NP":
            owner = parts.get(a.get("owner", "s"))
            return self.nouns.phrase(part.kinds, a, owner if isinstance(owner, NounPhrase) else None)
        if category == "Clause":
            return self.clause_part(a, parts)
        if category == "Adjective":
            kinds = part.kinds or parts[a["of"]].kinds
            return Leaf(self.nouns.adjective(kinds, graded="grade" in a), self.tag())
        if category == "Verb":
            return Leaf(self.choose(self.verbs(a, parts)), self.tag(3))
        if category == "Pronoun":
            return self.nouns.pronoun_of(parts[a["of"]])
        if category == "Number":
            low, high = a.get("from", "2"), a.get("to", "12")
            value = self.random.randint(int(low), int(high))
            spelled = "words" in a or (value <= 20 and "digits" not in a and self.chance(0.6))
            return Leaf(Number(value, spelled), self.tag())
        if category == "Located":
            return self.place(False)
        if category in ("What", "Who", "You", "We", "Everyone"):
            return self.nouns.special(category)
        if category in ("City", "Country", "Adverb", "Name"):
            entries = self.lexicon.entries[category.lower()]
            if "mark" in a:
                entries = [entry for entry in entries if a["mark"] in entry.marks]
            entry = self.choose(entries)
            if category == "Name":
                return self.nouns.name(entry)
            return Leaf(entry, self.tag())
        return self.phrase(category, **a)

    def verbs(self, a: Mapping[str, str], parts: Mapping[str, Any]) -> Sequence[Entry]:
        """Verbs with an object that fits the slot `object`, for passives."""
        kinds = parts[a["object"]].kinds
        found = self.pools.get(("passive", kinds))
        if found is None:
            verbs = {v for kind in kinds for v in self.lexicon.by_object.get(kind, ())}
            found = [
                v
                for v in sorted(verbs, key=self.lexicon.entries["verb"].index)
                if not v.marks & {"state", "nopassive"}
                and "person" in v.subjects
                and not (v.complements[1:] and not all(c.optional for c in v.complements[1:]))
            ]
            self.pools["passive", kinds] = found
        return found

    # clauses

    def clause_part(self, a: Mapping[str, str], parts: Mapping[str, Any]) -> Clause:
        """A clause for a slot of a rule, as the slot's arguments say."""
        return self.clause(
            a.get("tense", "present").split("|"),
            form=a.get("form", "statement"),
            subject=parts[a["subject"]] if "subject" in a else None,
            object=parts[a["object"]] if "object" in a else None,
            gap=a.get("gap", ""),
            negation=a.get("neg", ""),
            bare="bare" in a,
            action=a.get("verb", ""),
            only=a.get("only", ""),
        )

    def clause(
        self,
        tenses: Sequence[str],
        form: str = "statement",
        subject: NounPhrase | None = None,
        object: NounPhrase | None = None,
        gap: str = "",
        negation: str = "",
        bare: bool = False,
        action: str = "",
        depth: int = 0,
        only: str = "",
    ) -> Clause:
        """A clause in one of the tenses. subject, object: given ones; bare: without adverbs and adjuncts."""
        rule, verb = self.head(subject, object, form, action, depth, only)
        clause = Clause(rule, {}, self.tag(LINKS), "", form, subject, verb, gap=gap, short=self.short)
        state = bool(verb.marks & {"state"}) if verb else "state" in rule.features
        tense = tenses[int(self.random.random() * len(tenses))]
        if tense in self.tenses:
            past_state = state and not (verb and "point" in verb.marks and tense != "present")
            tense = self.random.choice(self.tenses[tense][past_state])
        if tense not in rule.features.get("tense", tense).split("|"):
            raise DeadEnd
        clause.tense = tense
        for part in rule.parts:
            if part.name == "s":
                if subject is None:
                    kinds = verb.subjects if verb and not part.kinds else part.kinds
                    clause.subject = self.nouns.phrase(
                        kinds, {"role": "subject", **part.arguments, **ASKED.get(form, {})}, None
                    )
                clause.parts["s"] = clause.subject
            elif part.category != "Verb" or part.arguments:
                clause.parts[part.name] = self.part(part, clause.parts)
        if verb:
            clause.complements = [*self.complements(clause, verb, object, depth, gap)]
        clause.gapped = subject if gap == "subject" else object if gap == "object" else None
        self.decorate(clause, state, bare or depth > 0 or "bare" in rule.features, negation)
        clause.inverted = self.chance(0.5)
        return clause

    def head(
        self, subject: NounPhrase | None, object: NounPhrase | None, form: str, action: str, depth: int, only: str
    ) -> tuple[Rule, Entry | None]:
        """The rule of a clause, and its verb if that is in the lexicon."""
        key: Any = ("clause", subject and subject.kinds, object is not None, form, action, only)
        rule: Rule = self.weighted(key, lambda: self.clause_rules(subject, object, form, action, only))
        if not any(part.category == "Verb" and part.name == "v" and not part.arguments for part in rule.parts):
            return rule, None
        verbs: Sequence[Entry] = self.lexicon.entries["verb"]
        key = ("verbs", subject and subject.kinds, object and object.kinds, form, action)
        found = self.pools.get(key)
        if found is None:
            found = [v for v in verbs if self.fits(v, subject, object, form, action)]
            self.pools[key] = found
        verb = self.choose(found)
        if depth > 0 and any(c.clause in ("INF", "ING", "QUE", "SUBJ", "WISH", "SI") for c in verb.complements):
            raise DeadEnd
        return rule, verb

    def fits(self, verb: Entry, subject: NounPhrase | None, object: NounPhrase | None, form: str, action: str) -> bool:
        """Whether a verb can have this subject and object, and be used in this form."""
        if subject and verb.subjects.isdisjoint(subject.kinds):
            return False
        if object and not (
            verb.complements
            and verb.complements[0].is_object
            and not verb.complements[0].kinds.isdisjoint(object.kinds)
        ):
            return False
        if form in INFINITE and ("person" not in verb.subjects or verb.marks & {"state", "nowill"}):
            return False
        if action in ("yes", "action", "will"):
            return action == "yes" or not verb.marks & ({"state"} if action == "action" else {"state", "nowill"})
        return not action or action in verb.marks

    def clause_rules(
        self, subject: NounPhrase | None, object: NounPhrase | None, form: str, action: str, only: str
    ) -> list[tuple[float, Rule]]:
        """The rules of clauses that fit, with their weights, for `weighted`."""
        found = []
        for rule in self.rules["Clause"]:
            lexical = any(part.category == "Verb" and part.name == "v" and not part.arguments for part in rule.parts)
            about = next((part for part in rule.parts if part.name == "s"), None)
            if object and not lexical:
                continue
            if subject and (about is None or (about.kinds and about.kinds.isdisjoint(subject.kinds))):
                continue
            if "onlywanted" in rule.features and only not in rule.features:
                continue
            if form not in rule.features.get("form", "statement|question" if not lexical else form).split("|"):
                continue
            if (action and not lexical) or (only and only not in rule.features):
                continue
            found.append((rule.weight, rule))
        return found

    def complements(
        self, clause: Clause, verb: Entry, object: NounPhrase | None, depth: int, gap: str
    ) -> Sequence[tuple[Complement, Any]]:
        """What the verb of a clause takes, drawn in order; a given object takes the place of the first."""
        taken: list[tuple[Complement, Any]] = []
        controller = clause.subject
        for i, complement in enumerate(verb.complements):
            if i == 0 and object is not None:
                if gap != "object":
                    taken.append((complement, object))
                continue
            if complement.optional and self.chance(0.4):
                continue
            if complement.clause:
                taken.append((complement, self.clause_complement(clause, complement, controller, depth)))
                continue
            arguments = {"role": "object"}
            if complement.determiner == "generic":
                arguments["generic"] = "yes"
            elif complement.determiner:
                arguments |= {"det": complement.determiner, "number": "sg"}
            value = self.complement(complement, verb, taken, arguments, clause.subject)
            taken.append((complement, value))
            if value.human:
                controller = value
        return taken

    def complement(
        self,
        complement: Complement,
        verb: Entry,
        taken: Sequence[tuple[Complement, Any]],
        arguments: Mapping[str, str],
        subject: NounPhrase | None,
    ) -> NounPhrase:
        """The noun phrase of a complement; now and then a pronoun: it, something, nobody."""
        chance = self.random.random()
        things = "person" not in complement.kinds
        if chance < 0.05 and not complement.determiner and not taken and "state" not in verb.marks:
            return self.nouns.indefinite(not things)
        pair = complement.is_object and len(verb.complements) > 1
        simple = complement.is_object or complement.prepositions.get("fr") in ("à", "de")
        if things and simple and complement.kinds and not complement.determiner and chance < (0.2 if pair else 0.09):
            return self.nouns.it(complement.kinds, chance < 0.04)
        return self.nouns.phrase(complement.kinds, arguments, subject)

    def clause_complement(
        self, clause: Clause, complement: Complement, controller: NounPhrase | None, depth: int
    ) -> Any:
        """A complement that is no noun phrase: an infinitive, a clause, a place, an adjective."""
        name = complement.clause
        if depth > 1:
            raise DeadEnd
        if name in ("INF", "ING"):
            form = "infinitive" if name == "INF" else "gerund"
            return self.clause(["infinitive"], form, controller, depth=depth + 1)
        if name == "PLACE":
            return self.place(False)
        if name == "TO":
            return self.place(True)
        if name == "ADJ":
            assert controller is not None
            return Leaf(self.nouns.adjective(controller.kinds), self.tag())
        if name == "SUBJ":
            return self.clause(["subjunctive"], depth=depth + 1)
        if name == "WISH":
            return self.clause(["wish"], subject=self.nouns.other(controller), negation="no", depth=depth + 1)
        past = clause.tense in ("past", "imperfect", "pluperfect", "used", "pastprog", "conditional", "condperfect")
        return self.clause(["backshift"] if past else ["present", "past", "future"], depth=depth + 1)

    def place(self, movement: bool) -> Prepositional:
        """Where something is, or where it goes."""
        noun = self.choose([n for n in self.lexicon.of_kinds("noun", PLACES) if n.place])
        value = self.nouns.noun(
            noun, {"role": "place", "number": "sg", **({"det": "the"} if self.chance(0.8) else {})}, None
        )
        prepositions = noun.place
        return Prepositional({"movement": movement, **prepositions}, value, self.tag())

    def decorate(self, clause: Clause, state: bool, bare: bool, negation: str) -> None:
        """Negation, an adverb and adjuncts of time and place."""
        values = [value for _, value in clause.complements]
        fixed = any(isinstance(v, NounPhrase) and v.kind in INDEFINITE for v in (clause.subject, *values))
        if fixed:
            clause.negation = ""
            if clause.tense in ("justpast", "since", "used"):
                raise DeadEnd
        elif negation:
            clause.negation = "" if negation == "no" else negation
        elif (
            clause.form not in ("infinitive", "gerund", "participle", "after")
            and clause.tense not in ("wish", "since", "justpast", "used")
            and self.chance(0.18)
            and "affirmative" not in clause.rule.features
        ):
            choices = ["not"] * 6
            if clause.form == "statement" and clause.tense in ("habit", "imperfect", "perfect", "future", "pluperfect"):
                choices += ["never", "no longer"] if clause.tense in ("habit", "imperfect") else ["never"]
            if clause.tense == "perfect":
                choices += ["not yet"] * 4
            if (
                values
                and clause.form == "statement"
                and clause.complements[0][0].is_object
                and not clause.gap
                and values[0].kind == "noun"
            ):
                choices += ["only"]
            clause.negation = self.random.choice(choices)
        if clause.tense == "used":
            clause.negation = ""
        if bare:
            return
        if clause.tense in ("habit", "imperfect") and not clause.negation and not state and self.chance(0.25):
            adverbs = [e for e in self.lexicon.entries["adverb"] if "frequency" in e.marks]
            clause.adverb = Leaf(self.choose(adverbs), self.tag())
        placed = any(c.clause or any(c.prepositions.values()) for c, _ in clause.complements)
        placed = (
            placed or "verbal" in clause.rule.features or (clause.verb is not None and "fixed" in clause.verb.marks)
        )
        if not state and not placed and self.chance(0.2) and "Place" in self.rules:
            clause.back.append(self.phrase("Place"))
        elif not state and clause.subject and clause.verb and "manner" in clause.verb.marks and self.chance(0.3):
            manner = [e for e in self.lexicon.entries["adverb"] if "manner" in e.marks and "short" not in e.marks]
            clause.back.append(Leaf(self.choose(manner), self.tag()))
        if any(c.clause for c, _ in clause.complements):
            return
        if self.chance(0.3) and clause.tense in TIMED and "Time" in self.rules and not clause.adverb:
            name = {"imperfect": "then", "habit": "none"}.get(clause.tense, clause.tense) if state else clause.tense
            if name == "none":
                return
            time = self.phrase("Time", tense=name)
            front = clause.form == "statement" and not clause.gap and self.chance(0.2)
            (clause.front if front and "front" not in time.rule.features else clause.back).append(time)


INFINITE: Final = frozenset(("imperative", "infinitive", "gerund", "participle", "after"))
ASKED: Final[Mapping[str, Mapping[str, str]]] = {"question": {"asked": "yes"}}
TIMED = frozenset(("habit", "now", "past", "imperfect", "future", "going", "pastprog"))
