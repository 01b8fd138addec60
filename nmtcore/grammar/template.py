"""Templates of rules: words, slots and the verb, in one language.

    the~1 {n}            a word with link number 1; the slot n
    {s} <be> {n:pp}      the verb `be`, which the language inflects; the slot n in another form
    {s} <v> {o:at}       the verb of slot v; slot o with the preposition `at`
    fatigué@s            a word that agrees with slot s

Words of both languages with the same link number are linked. A clause's verb and slots are linked by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from nmtcore.grammar.rows import Row

_ITEM = re.compile(
    r"\{(?P<slot>\w+)(?::(?P<form>[\w']+!?))?\}|<(?P<verb>[^<>]+)>|(?P<word>[^\s{}<>~@]+)(?:~(?P<link>\d))?(?:@(?P<agree>\w+))?"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A literal. link: number of what it is linked with, 0 for nothing; agree: the slot that it agrees with."""

    form: str
    link: int = 0
    agree: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of the rule. form: a preposition, or a form such as `pp` (participle)."""

    name: str
    form: str = ""


@dataclass(frozen=True, slots=True)
class VerbSlot:
    """Where a clause's verb stands. words: clitics that go with it, then the infinitive or the name of a part."""

    words: tuple[str, ...]


Item = Word | Slot | VerbSlot


@dataclass(frozen=True, slots=True)
class Template:
    """The items of one side of a rule; before and after its verb if it has one."""

    items: tuple[Item, ...]
    verb: VerbSlot | None
    before: tuple[Item, ...]
    after: tuple[Item, ...]


def parse(text: str, parts: Mapping[str, object], row: Row) -> Template:
    """Raises DataError for a slot that is no part of the rule."""
    items: list[Item] = []
    for piece in text.split():
        match = _ITEM.fullmatch(piece.replace("_", " ") if piece.startswith("<") else piece)
        if not match:
            raise row.error(f"{piece!r} is neither a word, nor a {{slot}}, nor a <verb>")
        for name in (match["slot"], match["agree"]):
            if name and name not in parts:
                raise row.error(f"the slot {name!r} is none of the rule's parts")
        if match["slot"]:
            items.append(Slot(match["slot"], match["form"] or ""))
        elif match["verb"]:
            items.append(VerbSlot(tuple(match["verb"].split())))
        else:
            items.append(Word(match["word"], int(match["link"] or 0), match["agree"] or ""))
    verbs = [i for i, item in enumerate(items) if isinstance(item, VerbSlot)]
    if len(verbs) > 1:
        raise row.error("a template has one verb at most")
    if not verbs:
        return Template(tuple(items), None, (), ())
    at = verbs[0]
    verb = items[at]
    assert isinstance(verb, VerbSlot)
    return Template(tuple(items), verb, tuple(items[:at]), tuple(items[at + 1 :]))
