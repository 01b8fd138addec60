"""The source of a lesson: TOML with a title, sections in Markdown and their questions, each part checked."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nmtcore.errors import DataError
from nmtcore.files import open_ordinary

MOST_BYTES = 1_000_000  # of a lesson's source


@dataclass(frozen=True)
class LessonQuestion:
    """A question for the class. answer: folded away until somebody opens it. Both are Markdown."""

    ask: str
    answer: str


@dataclass(frozen=True)
class Section:
    """A section. text: Markdown, whose images are links to pages of the app; minutes: its length, or 0."""

    title: str
    text: str
    minutes: int = 0
    question: tuple[LessonQuestion, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """A lesson. about: Markdown below its title; language: its text's, as in HTML."""

    title: str
    section: tuple[Section, ...]
    about: str = ""
    language: str = "en"


def read_lesson(path: Path) -> Lesson:
    """Read a lesson. Raises DataError, with the file's name, if it is not valid; OSError if it cannot be read."""
    try:
        with open_ordinary(path) as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise DataError(f"it is larger than the {MOST_BYTES // 1000} kB that a lesson may have.")
        return _lesson(tomllib.loads(content.decode()))
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: it is not in UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path}: it is not TOML: {error}.") from error
    except (DataError, RecursionError) as error:
        raise DataError(f"{path}: {error}") from error


def _lesson(table: Mapping[str, Any]) -> Lesson:
    _check(table, "the lesson", {"title": str, "section": list, "about": str, "language": str}, {"title", "section"})
    language = table.get("language", "en")
    if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", language):
        raise DataError(f"language must be a code such as en or zh-Hans; it is {language[:40]!r}.")
    sections = tuple(_section(n, section) for n, section in enumerate(table["section"], 1))
    if not sections:
        raise DataError("the lesson has no [[section]].")
    return Lesson(table["title"], sections, table.get("about", ""), language)


def _section(number: int, table: object) -> Section:
    where = f"section {number}"
    entries = _check(table, where, {"title": str, "text": str, "minutes": int, "question": list}, {"title", "text"})
    questions = []
    for n, question in enumerate(entries.get("question", ()), 1):
        name = f"question {n} of {where}"
        questions.append(LessonQuestion(**_check(question, name, {"ask": str, "answer": str}, {"ask", "answer"})))
    return Section(entries["title"], entries["text"], entries.get("minutes", 0), tuple(questions))


def _check(table: object, where: str, kinds: Mapping[str, type], needed: set[str]) -> Mapping[str, Any]:
    """Raises DataError if a table lacks an entry, has an unknown one, or one of the wrong type."""
    if not isinstance(table, Mapping):
        raise DataError(f"{where} must be a table.")
    if unknown := sorted(table.keys() - kinds.keys()):
        raise DataError(f"{where} has {unknown[0]!r}, which is not one of {', '.join(kinds)}.")
    if missing := sorted(needed - table.keys()):
        raise DataError(f"{where} has no {missing[0]}.")
    says = {str: "a text", int: "a whole number", list: "a list of tables"}
    for name, value in table.items():
        if type(value) is not kinds[name]:
            raise DataError(f"{name} of {where} must be {says[kinds[name]]}.")
    return table
