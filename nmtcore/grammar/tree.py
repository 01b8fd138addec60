"""What a derivation is made of, before either language puts it into words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from nmtcore.grammar.lexicon import Complement, Entry
from nmtcore.grammar.rules import Rule

LINKS = 16  # tags that a phrase takes: its own, one for each link number in its rule, and those below
VERB, AUXILIARY, NEGATION, QUESTION = 10, 11, 12, 13  # tags of a clause, counted from its own
EVEN = 14  # tag of `even`, where the object has no preposition whose tag this is


INDEFINITE = frozenset(("someone", "something", "everyone", "everything", "nobody", "nothing"))


@dataclass(slots=True, eq=False)
class Leaf:
    """A word of the lexicon, or a number, with its tag."""

    entry: Any
    tag: int


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, spelled (seven) or in digits."""

    value: int
    spelled: bool


@dataclass(slots=True, eq=False)
class NounPhrase:
    """A noun with its determiner and modifiers, a name, a pronoun, or two of them (`both`).

    owner: whose it is, where the determiner is a possessive. register: tu or vous, of the second person.
    """

    kind: str  # noun, name, pronoun, both, who, what, or one of INDEFINITE
    tag: int
    entry: Entry | None = None
    person: int = 3
    plural: bool = False
    gender: str = "m"
    human: bool = False
    kinds: frozenset[str] = frozenset()
    determiner: Phrase | None = None
    adjectives: list[tuple[Entry, int, str]] = field(default_factory=list)  # entry, tag, degree
    post: list[Any] = field(default_factory=list)
    owner: NounPhrase | None = None
    register: str = "tu"
    both: tuple[NounPhrase, ...] = ()
    genitive: NounPhrase | None = None  # whose it is, as in my brother's dog

    def many(self, code: str) -> bool:
        """Whether it is plural in a language: trousers are, un pantalon is not."""
        return self.entry.numbers.get(code, self.plural) if self.entry else self.plural


@dataclass(slots=True, eq=False)
class Phrase:
    """A rule with its parts drawn."""

    rule: Rule
    parts: dict[str, Any]
    tag: int


@dataclass(slots=True, eq=False)
class Prepositional:
    """A preposition of each language with its noun phrase."""

    prepositions: Any
    value: Any
    tag: int


@dataclass(slots=True, eq=False)
class Clause:
    """A subject, a verb and what it takes, with tense, negation and form.

    form: statement, question, imperative, infinitive, gerund, participle, or after (after having ...). gap: what stands
    elsewhere, as in relative clauses: subject or object; `gapped` is what stands there, for agreement. gap `topic`: the
    object stands first in Mandarin.
    """

    rule: Rule
    parts: dict[str, Any]
    tag: int
    tense: str
    form: str
    subject: NounPhrase | None
    verb: Entry | None = None
    complements: list[tuple[Complement, Any]] = field(default_factory=list)
    negation: str = ""  # not, not yet, never, no longer, only, even
    adverb: Leaf | None = None
    front: list[Any] = field(default_factory=list)
    back: list[Any] = field(default_factory=list)
    gap: str = ""
    gapped: NounPhrase | None = None
    inverted: bool = False  # of French questions: by inversion rather than with est-ce que
    short: bool = False  # of English: contracted, as in don't
