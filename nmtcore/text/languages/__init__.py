"""Languages and language pairs: one folder each, with everything known about them apart from models.

`en/language.toml` has a language's name, script and example sentences, `en/*.txt` its other sentences and words.
`en-fr/pair.toml` describes a pair, and `en-fr/analogies.txt` has its analogies. A language without a folder uses
defaults.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
_CODE = re.compile("[a-z]{2,3}(-[a-z]{2,3})?")


@dataclass(frozen=True)
class Language:
    """A language; `languages/en/language.toml` explains each field."""

    code: str
    name: str = ""
    scripts: tuple[str, ...] = ()
    separated: bool = True
    bleu_tokenizer: str = "13a"
    clause_joint: str = ", "
    full_stop: str = "."
    rare_name: str = ""
    sentences: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    examples: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class LanguagePair:
    """A language pair, such as en-fr. connectives: words between two statements, in the source and in the target."""

    source: Language
    target: Language
    connectives: tuple[tuple[str, str], ...] = ()

    @property
    def code(self) -> str:
        return f"{self.source.code}-{self.target.code}"


@cache
def language(code: str) -> Language:
    """The language with this code; without a folder it has the defaults, and its code as its name."""
    settings = _toml(code, "language.toml")
    lists = {name: tuple(value) for name, value in settings.items() if isinstance(value, list)}
    return Language(code, **({"name": code} | settings | lists))


@cache
def language_pair(code: str) -> LanguagePair:
    """The pair with a code such as en-fr."""
    source, _, target = code.partition("-")
    connectives = _toml(code, "pair.toml").get("connectives", ())
    return LanguagePair(language(source), language(target), tuple((before, after) for before, after in connectives))


@cache
def known_pairs() -> tuple[str, ...]:
    """The codes of the pairs that have a folder, sorted."""
    return tuple(sorted(path.parent.name for path in FOLDER.glob("*-*/pair.toml")))


def lines(code: str, name: str) -> tuple[str, ...]:
    """The lines in a text file of a language or pair, without comments and empty lines; none if there is no file."""
    read = (line.rstrip() for line in _text(code, name).splitlines())
    return tuple(line for line in read if line and not line.startswith("#"))


def word_lists(code: str, name: str) -> dict[str, tuple[str, ...]]:
    """The word lists in a text file of a language or pair: each line is a list's name, a tab, and words with spaces."""
    rows = (line.partition("\t") for line in lines(code, name))
    return {kind: tuple(words.split()) for kind, _, words in rows}


def word_pairs(words: Iterable[str]) -> dict[str, str]:
    """A dict of words written `this/that`, in which an underscore stands for a space."""
    return dict(word.replace("_", " ").partition("/")[::2] for word in words)


def _toml(code: str, name: str) -> dict[str, Any]:
    return tomllib.loads(_text(code, name))


def _text(code: str, name: str) -> str:
    """What is in a file of a language or pair; nothing if there is no file."""
    path = FOLDER / code / name
    return path.read_text(encoding="utf-8") if _CODE.fullmatch(code) and path.is_file() else ""
