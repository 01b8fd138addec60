"""Chinese full names with their pinyin: every surname with every given name, and surnames with titles."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from nmtcore.grammar.lexicon import Entry, Lexicon
from nmtcore.grammar.rows import read_rows

PARTS: Final = ("surname", "given", "title")
FOREIGN_SHARE: Final = 0.45  # of all names drawn


def full_names(path: Path, lexicon: Lexicon) -> list[Entry]:
    """The names of the lexicon together with those made of the parts in a file. Raises DataError."""
    parts: dict[str, list[tuple[str, str, str]]] = {part: [] for part in PARTS}
    for row in read_rows(path, ("part", "zh", "en", "sex")):
        if row["part"] not in parts:
            raise row.error(f"{row['part']!r} is no part of a name: surname, given or title")
        if row["part"] != "surname":
            row.choice("sex", "m", "f", "mf")
        parts[row["part"]].append((row.need("zh"), row.need("en"), row["sex"]))
    person = lexicon.kinds.wider["person"]
    made: list[Entry] = []
    for surname, latin, _ in parts["surname"]:
        for given, pinyin, sex in parts["given"]:
            made.append(Entry("name", {"zh": surname + given, "en": f"{latin} {pinyin}"}, person, sex))
        for title, english, sex in parts["title"]:
            made += [Entry("name", {"zh": surname + title, "en": f"{english} {latin}"}, person, sex)] * 3
    foreign = lexicon.entries["name"]
    times = round(len(made) * FOREIGN_SHARE / (1 - FOREIGN_SHARE) / max(1, len(foreign)))
    return made + foreign * max(1, times)
