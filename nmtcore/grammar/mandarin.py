"""Mandarin: noun phrases with measure words, numbers, places; clauses are in mandarin_clause.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from nmtcore.grammar.language import Language, Tokens, tokens
from nmtcore.grammar.mandarin_clause import ClauseWords
from nmtcore.grammar.mandarin_numbers import MandarinNumber, numeral, year
from nmtcore.grammar.rows import Row
from nmtcore.grammar.template import Slot
from nmtcore.grammar.tree import Clause, Leaf, NounPhrase, Number, Phrase, Prepositional
from nmtcore.grammar.words import Token

MARKS: Final = {".": "。", "?": "？", "!": "！", ",": "，", ";": "；"}
SINGULAR: Final = ("我", "你", "他")
ASKED: Final = {"who": "谁", "what": "什么", "everyone": "大家"}
UNMARKED: Final = frozenset("大小新旧老好热红白黑绿坏冷凉长短")  # adjectives before a noun without 的


def pronoun(phrase: NounPhrase) -> str:
    """我, 你们, 她, 它."""
    if phrase.person < 3:
        text = SINGULAR[phrase.person - 1]
        if phrase.person == 2 and not phrase.plural and phrase.register == "vous":
            text = "您"
    elif not phrase.human:
        text = "它"
    else:
        text = "她" if phrase.gender == "f" else "他"
    return text + ("们" if phrase.plural else "")


class Mandarin(Language):
    code = "zh"
    shortest = 3

    def __init__(self) -> None:
        self.clauses = ClauseWords(self)

    def forms(self, category: str, row: Row) -> Any:
        word = row.need("zh")
        if category == "noun":
            if row["count"] not in ("m", "s"):
                row.need("zh_measure")
            return word, row["zh_measure"]
        if category == "verb":
            verb, bar, result = word.partition("|")
            if bar and not result:
                raise row.error("a complement must follow the |")
            head, _, inner = verb.partition("/")
            return head, result, inner
        return word

    def write(self, words: Sequence[Token]) -> str:
        return "".join(token.form for token in words)

    def finish(self, words: Tokens) -> Tokens:
        return [Token(MARKS.get(token.form, token.form), token.tags) for token in words]

    def slot(self, item: Slot, owner: Phrase | Clause, agree: NounPhrase | None) -> Tokens:
        value = owner.parts[item.name]
        if isinstance(value, Clause) and item.form == "same":  # its subject was named before
            return self.clauses.clause(value, None, named=True)
        if isinstance(value, Clause) and item.form and not item.form.isascii():
            word = Token(item.form.removesuffix("!"), (owner.tag + 1,))
            return self.clauses.clause(value, word, named=item.form.endswith("!"))
        if isinstance(value, Prepositional) and item.form == "bare":  # 桌子上有 ...
            return self.prepositional(value)[1:]
        return self.value(value, item.form, agree)

    def clause(self, clause: Clause) -> Tokens:
        return self.clauses.clause(clause, None)

    def noun_phrase(self, phrase: NounPhrase, role: str) -> Tokens:
        own = (phrase.tag,)
        if phrase.kind == "pronoun":
            return [Token(pronoun(phrase), own)]
        if phrase.kind == "both":
            first, second = phrase.both
            return [*self.noun_phrase(first, role), Token("和", own), *self.noun_phrase(second, role)]
        if phrase.kind in ASKED:
            return [Token(ASKED[phrase.kind], own)]
        entry = phrase.entry
        assert entry is not None
        if phrase.kind != "noun":
            return [Token(entry.words["zh"], own)]
        words: Tokens = []
        for post in phrase.post:
            words += self.value(post)
        words += self.determiner(phrase, role)
        for adjective, tag, degree in phrase.adjectives:
            words += self.attribute(adjective, tag, degree)
        noun = entry.words["zh"][0]
        if phrase.human and phrase.plural and phrase.determiner and "the" in phrase.determiner.rule.features:
            noun += "们"
        return [*words, Token(noun, own)]

    def determiner(self, phrase: NounPhrase, role: str) -> Tokens:
        """The determiner with the measure word (M in templates), or the owner (OWN)."""
        determiner = phrase.determiner
        assert phrase.entry is not None
        if determiner is None or (role == "ba" and "bare" in determiner.rule.features):
            return []
        words: Tokens = []
        if "bare" in determiner.rule.features and phrase.adjectives and role == "subject" and not phrase.plural:
            own = (determiner.tag + 1,)
            return [Token("那", own), Token(phrase.entry.words["zh"][1] or "个", (phrase.tag,))]
        for token in self.items(determiner.rule.templates["zh"].items, determiner):
            if token.form == "-":
                continue
            if token.form == "M":
                words.append(Token(phrase.entry.words["zh"][1] or "个", token.tags or (phrase.tag,)))
            elif token.form == "OWN":
                assert phrase.owner is not None
                words.append(Token(pronoun(phrase.owner), token.tags))
                marked = phrase.adjectives and len(self.attribute(phrase.adjectives[0][0], 0)) > 1
                if "kin" not in phrase.kinds and not marked:
                    words.append(Token("的", token.tags))
            else:
                words.append(token)
        return words

    def attribute(self, adjective: Any, tag: int, degree: str = "") -> Tokens:
        """An adjective before its noun, with 的 unless it has one syllable of a few, or is a country."""
        word = adjective.words["zh"]
        if degree:
            return [Token(form, (tag,)) for form in ("最", word, "的")]
        if "nation" in adjective.marks or word in UNMARKED:
            return [Token(word, (tag,))]
        return [Token(word, (tag,)), Token("的", (tag,))]

    def leaf(self, leaf: Leaf, form: str, agree: NounPhrase | None) -> Tokens:
        if isinstance(leaf.entry, Number):
            return [Token(self.number(leaf.entry, form), (leaf.tag,))]
        if leaf.entry.category == "verb":
            return [Token("".join((leaf.entry.words["zh"][0], leaf.entry.words["zh"][1])), (leaf.tag,))]
        return tokens(leaf.entry.words["zh"], (leaf.tag,))

    def number(self, number: Number, form: str) -> str:
        """form: `year`, `plain` (no measure word follows), or empty."""
        if isinstance(number, MandarinNumber) and not number.chinese:
            return str(number.value)
        return year(number.value) if form == "year" else numeral(number.value, form != "plain")

    def prepositional(self, phrase: Prepositional) -> Tokens:
        """在 ... 里; of a movement the place alone."""
        place = self.noun_phrase(phrase.value, "place")
        if phrase.prepositions.get("movement"):
            return place
        own = (phrase.tag,)
        after = phrase.prepositions["zh"]
        return [Token("在", own), *place, *([Token(after, own)] if after else [])]
