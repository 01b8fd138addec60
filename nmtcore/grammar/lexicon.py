"""The lexicon: nouns, verbs, adjectives, adverbs, names and places, with the kinds of things they go with.

Columns that one language needs begin with its code (`fr_gender`) and are read by that language; the others are common.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol

from nmtcore.grammar.rows import Row, read_rows

COLUMNS: Final = frozenset(("kinds", "count", "place", "sex", "subject", "frame", "marks"))
OF_A_LANGUAGE: Final = (  # further columns, with the language's code in them
    *("{}", "{}_plural", "{}_gender", "{}_number", "{}_feminine", "{}_vowel", "{}_measure"),
    "place_{}",
)
CLAUSES: Final = frozenset(
    ("INF", "ING", "QUE", "SUBJ", "WISH", "SI", "PLACE", "TO", "ADJ")
)  # complements that are no nouns
_COMPLEMENT = re.compile(r"(?:(?P<source>[^/:]*)/(?P<target>[^:]*))?:(?P<kinds>[\w+-]+)(?P<marks>[?*=]*)")


@dataclass(frozen=True, slots=True)
class Complement:
    """What a verb takes. prepositions: by language code, empty for an object.

    determiner: `generic`, of a whole kind (likes cats), `the`, or empty for any.
    """

    prepositions: Mapping[str, str]
    kinds: frozenset[str]
    clause: str  # INF, QUE, ...; empty for a noun phrase
    optional: bool
    determiner: str

    @property
    def is_object(self) -> bool:
        """Whether it is a noun phrase without a preposition."""
        return not self.clause and not any(self.prepositions.values())


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A row of the lexicon. words: its forms by language code; sex: m, f or mf of persons."""

    category: str
    words: Mapping[str, Any]
    kinds: frozenset[str] = frozenset()
    sex: str = ""
    mass: bool = False
    plural: bool = False  # used in the plural alone, as trousers
    place: Mapping[str, str] = field(default_factory=dict)  # prepositions of being there
    subjects: frozenset[str] = frozenset()  # kinds that a verb has as its subject
    complements: tuple[Complement, ...] = ()
    marks: frozenset[str] = frozenset()
    numbers: Mapping[str, bool] = field(default_factory=dict)  # of languages where it is always plural, or never


class Forms(Protocol):
    """What reads the columns of one language."""

    code: str

    def forms(self, category: str, row: Row) -> Any: ...


@dataclass(slots=True)
class Kinds:
    """The kinds of things, each with the wider kinds that it belongs to."""

    wider: dict[str, frozenset[str]]

    @classmethod
    def read(cls, path: Path) -> Kinds:
        """The kinds of a file, each below the wider ones that it names. Raises DataError."""
        wider: dict[str, frozenset[str]] = {}
        for row in read_rows(path, ("kind", "wider")):
            found = {row.need("kind")}
            for parent in row["wider"].split():
                if parent not in wider:
                    raise row.error(f"the wider kind {parent!r} must be named above")
                found |= wider[parent]
            wider[row["kind"]] = frozenset(found)
        return cls(wider)

    def closure(self, text: str, row: Row) -> frozenset[str]:
        """All kinds of a noun, the wider ones too. Raises DataError for a kind that is not named."""
        self.check(text, row)
        return frozenset().union(*(self.wider[kind] for kind in text.split("+")))

    def check(self, text: str, row: Row) -> frozenset[str]:
        """The kinds that a text names. Raises DataError for one that kinds.tsv lacks."""
        for kind in text.split("+"):
            if kind not in self.wider:
                raise row.error(f"{kind!r} is no kind of thing that kinds.tsv names")
        return frozenset(text.split("+"))


class Lexicon:
    """All entries, by category and by kind. Raises DataError, naming file and row."""

    def __init__(self, folder: Path, languages: tuple[Any, Any]) -> None:
        self.languages = languages
        self.codes = tuple(language.code for language in languages)
        self.kinds = Kinds.read(folder / "kinds.tsv")
        self.entries: dict[str, list[Entry]] = {}
        columns = {*COLUMNS, *(column.format(code) for column in OF_A_LANGUAGE for code in self.codes)}
        for category, file in FILES.items():
            self.entries[category] = [
                self._entry(category, row)
                for path in sorted(folder.glob(f"{file}*.tsv")) or [folder / f"{file}.tsv"]
                for row in read_rows(path, columns)
            ]
        self._found: dict[tuple[str, frozenset[str]], list[Entry]] = {}

    def _entry(self, category: str, row: Row) -> Entry:
        row.choice("count", "m", "s", "p", "")
        row.choice("sex", "m", "f", "mf", "")
        words = {language.code: language.forms(category, row) for language in self.languages}
        kinds: frozenset[str] = frozenset()
        complements: tuple[Complement, ...] = ()
        subjects: frozenset[str] = frozenset()
        if category == "noun":
            kinds = self.kinds.closure(row.need("kinds"), row)
        elif category == "adjective":
            kinds = self.kinds.check(row.need("kinds"), row)
        elif category == "verb":
            subjects = self.kinds.check(row.need("subject"), row)
            complements = tuple(self._complement(text, row) for text in _split(row["frame"]))
        elif category in ("name", "city", "country"):
            kinds = self.kinds.wider["person"] if category == "name" else frozenset((category,))
        if category == "verb" and " " in row[self.codes[0]]:
            row.fields["marks"] = row["marks"] + " fixed"
        marks = frozenset(row["marks"].split()) | ({"singular"} if row["count"] == "s" else set())
        return Entry(
            category,
            words,
            kinds,
            row["sex"] or (row["fr_gender"] if "person" in kinds else ""),
            mass=row["count"] == "m",
            plural=row["count"] == "p",
            place=self._place(row),
            subjects=subjects,
            complements=complements,
            marks=marks,
            numbers={code: row[f"{code}_number"] == "p" for code in self.codes if row[f"{code}_number"]},
        )

    def _place(self, row: Row) -> dict[str, str]:
        if not row["place"]:
            return {}
        prepositions = row["place"].split("/")
        if len(prepositions) != 2:
            raise row.error("the column place holds a preposition of each language, as in/dans")
        return dict(zip(self.codes, prepositions, strict=True))

    def _complement(self, text: str, row: Row) -> Complement:
        match = _COMPLEMENT.fullmatch(text)
        if not match:
            raise row.error(f"{text!r} is no complement: write preposition/preposition:kinds")
        prepositions = dict(zip(self.codes, (match["source"] or "", match["target"] or ""), strict=True))
        clause = match["kinds"] if match["kinds"] in CLAUSES else ""
        kinds = frozenset() if clause else self.kinds.check(match["kinds"], row)
        return Complement(
            prepositions,
            kinds,
            clause,
            "?" in match["marks"],
            {"*": "generic", "=": "the"}.get(match["marks"].strip("?"), ""),
        )

    def of_kinds(self, category: str, kinds: frozenset[str]) -> list[Entry]:
        """Entries of a category that belong to one of the kinds; of adjectives those that fit one of them."""
        found = self._found.get((category, kinds))
        if found is None:
            found = [entry for entry in self.entries[category] if not entry.kinds.isdisjoint(kinds)]
            self._found[category, kinds] = found
        return found

    @cached_property
    def by_object(self) -> dict[str, list[Entry]]:
        """Verbs by each kind that may be their object."""
        verbs = [v for v in self.entries["verb"] if v.complements and v.complements[0].is_object]
        return {kind: [v for v in verbs if kind in v.complements[0].kinds] for kind in self.kinds.wider}


def _split(frame: str) -> list[str]:
    """The complements of a frame; a preposition of two words has `_` between them."""
    return [text.replace("_", " ") for text in frame.split()]


FILES: Final = {
    "noun": "nouns",
    "verb": "verbs",
    "adjective": "adjectives",
    "adverb": "adverbs",
    "name": "names",
    "city": "cities",
    "country": "countries",
}
