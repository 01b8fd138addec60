"""What putting a derivation into words has in common for all languages: templates, and what fills their slots."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from nmtcore.grammar.rows import Row
from nmtcore.grammar.template import Item, Slot, VerbSlot, Word
from nmtcore.grammar.tree import Clause, Leaf, NounPhrase, Phrase, Prepositional
from nmtcore.grammar.words import PUNCTUATION, Tags, Token

Tokens = list[Token]


def tokens(text: str, tags: Tags = ()) -> Tokens:
    """The words of a text, all with the same tags."""
    if " " not in text:
        return [Token(text, tags)] if text else []
    return [Token(form, tags) for form in text.split()]


def write(words: Sequence[Token], space_before: str = "") -> str:
    """The sentence: punctuation follows its word without a space, but for the marks in `space_before`."""
    text = ""
    for token in words:
        glued = not text or (token.form in PUNCTUATION and token.form not in space_before)
        text += token.form if glued else f" {token.form}"
    return text


class Language(ABC):
    """One language: reads its columns of the lexicon, and puts derivations into words."""

    code: str
    shortest = 4  # words of a sentence that is drawn
    space_before = ""  # punctuation that a space stands before

    @abstractmethod
    def forms(self, category: str, row: Row) -> Any:
        """The inflected forms of a row of the lexicon. Raises DataError."""

    @abstractmethod
    def noun_phrase(self, phrase: NounPhrase, role: str) -> Tokens:
        """role: subject, object, negated (the object of a negated verb), or a preposition."""

    @abstractmethod
    def clause(self, clause: Clause) -> Tokens:
        """A clause in the order of words of this language."""

    @abstractmethod
    def leaf(self, leaf: Leaf, form: str, agree: NounPhrase | None) -> Tokens:
        """A word of the lexicon, or a number. form: as of a slot; agree: the noun phrase that it agrees with."""

    @abstractmethod
    def prepositional(self, phrase: Prepositional) -> Tokens:
        """A preposition with its noun phrase."""

    @abstractmethod
    def finish(self, words: Tokens) -> Tokens:
        """What depends on the neighbouring word: elision, contraction, a or an."""

    def write(self, words: Sequence[Token]) -> str:
        """The sentence as it is written."""
        return write(words, self.space_before)

    def gender(self, entry: Any) -> str:
        """The grammatical gender of a noun that is no person."""
        return "m"

    def agreeing(self, form: str, with_: Any) -> str:
        """A word of a template that agrees with a part."""
        return form

    def phrase(self, phrase: Phrase) -> Tokens:
        """A phrase by the template of its rule."""
        return self.items(phrase.rule.templates[self.code].items, phrase)

    def items(self, items: Sequence[Item], owner: Phrase | Clause, agree: NounPhrase | None = None) -> Tokens:
        """Words and slots of a template, in order."""
        found: Tokens = []
        for item in items:
            if isinstance(item, Word):
                form = self.agreeing(item.form, owner.parts[item.agree]) if item.agree else item.form
                tags = (owner.tag + item.link,) if item.link else ()
                if item.agree and isinstance(owner.parts[item.agree], NounPhrase):
                    tags += (owner.parts[item.agree].tag,)
                found.append(Token(form, tags))
            elif isinstance(item, Slot):
                found += self.slot(item, owner, agree)
            else:
                assert not isinstance(item, VerbSlot)
        return found

    def slot(self, item: Slot, owner: Phrase | Clause, agree: NounPhrase | None) -> Tokens:
        """What stands in a slot of a template."""
        return self.value(owner.parts[item.name], item.form, agree)

    def value(self, value: Any, form: str = "", agree: NounPhrase | None = None) -> Tokens:
        """Whatever was drawn for a slot, by its kind."""
        if isinstance(value, NounPhrase):
            return self.noun_phrase(value, form)
        if isinstance(value, Clause):
            return self.clause(value)
        if isinstance(value, Phrase):
            return self.phrase(value)
        if isinstance(value, Prepositional):
            return self.prepositional(value)
        return self.leaf(value, form, agree)
