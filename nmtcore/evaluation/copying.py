"""Copying: the share of names, numbers, dates, clock times and prices that a model carries over as they should be.

A file of such sentences is TSV in UTF-8, one a line: the kind (KINDS), the sentence, and what of it must stand in the
translation; where there is more than one thing, each has a column of its own. In a column `|` separates ways to
write it, and `{7|seven}` stands for either word. Case, punctuation and spaces make no difference, nor does what
follows the digits of an ordinal number (`14th`, `1er`). Lines that begin with `#` are comments; one of them,
`# languages: en-fr`, names the languages.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nmtcore.config import Decoding
from nmtcore.errors import DataError
from nmtcore.evaluation import challenge_set
from nmtcore.evaluation.challenge_set import written_out
from nmtcore.evaluation.gold_alignments import read_lines
from nmtcore.models.checkpoint import Checkpoint

NAMES = ("name", "pinyin")  # in Latin letters; in Chinese characters, which become letters
NUMBERS = ("number", "date", "time", "price")
KINDS = NAMES + NUMBERS
_TOKEN = re.compile(r"\d+|[^\W\d_]+|[$€£¥%°]")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th|er|re|e|ème)\b")
_BETWEEN_FORMS = re.compile(r"\|(?![^{}]*\})")


@dataclass(frozen=True)
class Copied:
    """A sentence, and for each thing in it the ways to write it in the translation, as `tokens` writes texts."""

    kind: str
    source: str
    wanted: tuple[frozenset[str], ...]

    def accepts(self, translation: str) -> bool:
        """Whether everything is there."""
        text = tokens(translation)
        return all(any(form in text for form in forms) for forms in self.wanted)


def tokens(text: str) -> str:
    """Words, digits and signs of currencies in lower case, a space before and after each: so `in` finds whole ones."""
    text = _ORDINAL.sub("", unicodedata.normalize("NFKC", text).casefold())
    return f" {' '.join(_TOKEN.findall(text))} "


def read_copying(path: Path | str) -> tuple[str, list[Copied]]:
    """The languages, such as "en-fr" ("" where the file does not say), and the sentences. Raises DataError."""
    languages, lines = read_lines(path)
    sentences = []
    for number, line in lines:
        kind, *columns = (column.strip() for column in line.split("\t"))
        if len(columns) < 2 or not all(columns):
            raise DataError(
                f"{path}, line {number}: there must be a kind, a sentence and what must stand in its translation, "
                "separated by tabs."
            )
        if kind not in KINDS:
            raise DataError(f"{path}, line {number}: unknown kind {kind!r}; kinds are {', '.join(KINDS)}.")
        try:
            wanted = tuple(frozenset(_forms(column)) for column in columns[1:])
        except ValueError as error:
            raise DataError(f"{path}, line {number}: {error}") from error
        sentences.append(Copied(kind, columns[0], wanted))
    if not sentences:
        raise DataError(f"{path} has no line with a kind, a sentence and what must stand in its translation.")
    return languages, sentences


def _forms(column: str) -> list[str]:
    """Every way to write something. Raises ValueError."""
    forms = [tokens(form) for part in _BETWEEN_FORMS.split(column) for form in written_out(part)]
    if any(not form.strip() for form in forms):
        raise ValueError(f"between the bars of {column!r} there is nothing.")
    return forms


def measure(
    checkpoint: Checkpoint,
    sentences: Sequence[Copied],
    decoding: Decoding,
    progress: Callable[[int], object] = lambda done: None,
) -> dict[str, Any]:
    """As the challenge set's: of each kind, with every translation; beside it the shares of `names` and `numbers`.

    A share is left out where there is no sentence of its kinds.
    """
    measured = challenge_set.measure(checkpoint, sentences, decoding, progress)
    for name, kinds in (("names", NAMES), ("numbers", NUMBERS)):
        verdicts = [row["right"] for row in measured["translations"] if row["kind"] in kinds]
        if verdicts:
            measured[name] = round(sum(verdicts) / len(verdicts), 4)
    return measured
