"""Inflection of French: plurals, feminines, conjugation from a table of stems, and where a word elides."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from nmtcore.errors import DataError
from nmtcore.grammar.rows import read_rows

# Words whose first letter counts as a consonant: no elision before them. By their beginnings.
_ASPIRATED: Final = re.compile(
    r"ha(?!b[ie]|l[eo]|rm[oe]|lt[èe])|hâ|hé(?:ron$|rons$|ros|riss|rissé)|hi(?:bou|deu|érar|sse)|ho(?:bb|ll|mar|ngr|nt|r[ds]|tte"
    r"|uss|ux|ul|cke|nd)|hu(?:it|rl|tte|ssard|é)|he(?:rn|urt)|onz|oui",
    re.IGNORECASE,
)
_VOWEL: Final = "aeiouâàéèêëîïôöùûœæh"
_IRREGULAR_PLURALS: Final = """
    bleu:bleus pneu:pneus bal:bals festival:festivals carnaval:carnavals récital:récitals chacal:chacals
    œil:yeux travail:travaux vitrail:vitraux bijou:bijoux caillou:cailloux chou:choux genou:genoux
    hibou:hiboux joujou:joujoux pou:poux corail:coraux monsieur:messieurs madame:mesdames ciel:cieux
    final:finals fatal:fatals banal:banals naval:navals landau:landaus
"""
_PLURALS: Final = dict(pair.split(":") for pair in _IRREGULAR_PLURALS.split())
_GERUNDS: Final = {"être": "étant", "avoir": "ayant", "savoir": "sachant"}
ETRE: Final = frozenset(
    """
    aller venir arriver partir entrer sortir monter descendre naître mourir rester tomber retourner rentrer revenir
    devenir passer repartir intervenir parvenir survenir redevenir décéder remonter redescendre ressortir
    """.split()  # noqa: SIM905
)
_ENDINGS: Final = {
    "imperfect": ("ais", "ais", "ait", "ions", "iez", "aient"),
    "future": ("ai", "as", "a", "ons", "ez", "ont"),
    "conditional": ("ais", "ais", "ait", "ions", "iez", "aient"),
}


def plural(word: str) -> str:
    """The regular plural of a noun or a masculine adjective."""
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith(("s", "x", "z")):
        return word
    if word.endswith("al"):
        return word[:-1] + "ux"
    if word.endswith(("au", "eu")):
        return word + "x"
    return word + "s"


def feminine(adjective: str) -> str:
    """The regular feminine of an adjective."""
    for ending, changed in _FEMININES:
        if adjective.endswith(ending):
            return adjective[: len(adjective) - len(ending)] + changed
    return adjective + "e"


_FEMININES: Final = (
    ("e", "e"), ("eux", "euse"), ("if", "ive"), ("er", "ère"), ("el", "elle"), ("eil", "eille"), ("ien", "ienne"),
    ("on", "onne"), ("et", "ette"), ("en", "enne"), ("teur", "trice"), ("eur", "euse"), ("c", "que"), ("gu", "guë"),
)  # fmt: skip


@cache
def elides(word: str) -> bool:
    """Whether a word begins with the sound of a vowel."""
    first = word[:1].lower()
    if first == "y":
        return word.lower() in ("y", "yeux")
    return bool(first) and first in _VOWEL and not _ASPIRATED.match(word)


# Forms, or stems, in each column of the table.
_FORMS = {"present": 6, "imperfect": 1, "future": 1, "subjunctive": 6, "imperative": 3, "participle": 1}


class Conjugations:
    """The conjugation of every verb of the lexicon, from a table of stems."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows = {row.need("infinitive"): row for row in read_rows(path, ("infinitive", *_FORMS))}
        for row in self.rows.values():
            for tense, count in _FORMS.items():
                if len(row[tense].split()) != count:
                    raise row.error(f"{tense} needs {count} {'form' if count == 1 else 'forms'}, separated by spaces")
        self.found: dict[tuple[str, str], tuple[str, ...]] = {}

    def forms(self, verb: str, tense: str) -> tuple[str, ...]:
        """The six persons of a simple tense, of `imperative` three (tu, nous, vous). Raises DataError."""
        key = (verb, tense)
        if key not in self.found:
            self.found[key] = self._forms(verb, tense)
        return self.found[key]

    def _forms(self, verb: str, tense: str) -> tuple[str, ...]:
        row = self.rows.get(verb)
        if row is None:
            raise DataError(f"{self.path} has no row for the verb {verb!r}.")
        if tense in ("present", "subjunctive", "imperative"):
            return tuple(row.need(tense).split())
        stem = row.need("imperfect" if tense == "imperfect" else "future")
        forms = [stem + ending for ending in _ENDINGS[tense]]
        if tense == "imperfect" and stem.endswith(("ç", "ge")):  # mangeais, but mangions; plaçais, but placions
            short = stem[:-1] + "c" if stem.endswith("ç") else stem[:-1]
            forms[3:5] = [short + "ions", short + "iez"]
        return tuple(forms)

    def gerund(self, verb: str) -> str:
        """The present participle: mangeant, étant."""
        return _GERUNDS.get(verb) or self.forms(verb, "present")[3].removesuffix("ons") + "ant"

    def participle(self, verb: str, gender: str = "m", plural_: bool = False) -> str:
        """The past participle, agreeing in gender and number."""
        if verb not in self.rows:
            raise DataError(f"{self.path} has no row for the verb {verb!r}.")
        form = self.rows[verb].need("participle")
        if form in ("dû", "mû") and (gender == "f" or plural_):
            form = form.replace("û", "u")
        if gender == "f":
            form += "e"
        return form + "s" if plural_ and not form.endswith("s") else form
