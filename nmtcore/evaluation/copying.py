"""Copying: the share of names, numbers, dates, clock times and prices that a model transfers correctly.

The file is TSV in UTF-8, one sentence per line: the kind (KINDS), the sentence, and one column for each thing that must
occur in the translation. In a column, `|` separates ways to write it, and `{7|seven}` stands for either word. Case,
punctuation and spaces make no difference, nor does what follows the digits of an ordinal number (`14th`, `1er`). Lines
that begin with `#` are comments; one of them, `# languages: en-fr`, names the languages.
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

NAMES = ("name", "pinyin")  # names in Latin letters; names in Chinese characters, which must become Latin letters
NUMBERS = ("number", "date", "time", "price")
KINDS = NAMES + NUMBERS
_TOKEN = re.compile(r"\d+|[^\W\d_]+|[$€£¥%°]")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th|er|re|e|ème)\b")
_BETWEEN_FORMS = re.compile(r"\|(?![^{}]*\})")


@dataclass(frozen=True)
class Copied:
    """A sentence, and the ways to write each of its things in the translation, in the form of `tokens`."""

    kind: str
    source: str
    wanted: tuple[frozenset[str], ...]

    def accepts(self, translation: str) -> bool:
        """Whether the translation contains everything."""
        text = tokens(translation)
        return all(any(form in text for form in forms) for forms in self.wanted)


def tokens(text: str) -> str:
    """Words, digits and currency signs in lower case, with a space around each, so that `in` finds whole ones."""
    text = _ORDINAL.sub("", unicodedata.normalize("NFKC", text).casefold())
    return f" {' '.join(_TOKEN.findall(text))} "


def read_copying(path: Path | str) -> tuple[str, list[Copied]]:
    """Read the languages, such as "en-fr" ("" if the file names none), and the sentences. Raises DataError."""
    languages, lines = read_lines(path)
    sentences = []
    for number, line in lines:
        kind, *columns = (column.strip() for column in line.split("\t"))
        if len(columns) < 2 or not all(columns):
            raise DataError(
                f"{path}, line {number}: there must be a kind, a sentence and what must occur in its translation, "
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
        raise DataError(f"{path} has no line with a kind, a sentence and what must occur in its translation.")
    return languages, sentences


def _forms(column: str) -> list[str]:
    """Expand every way to write something. Raises ValueError."""
    forms = [tokens(form) for part in _BETWEEN_FORMS.split(column) for form in written_out(part)]
    if any(not form.strip() for form in forms):
        raise ValueError(f"there is nothing between the bars in {column!r}.")
    return forms


def measure(
    checkpoint: Checkpoint,
    sentences: Sequence[Copied],
    decoding: Decoding,
    progress: Callable[[int], object] = lambda done: None,
) -> dict[str, Any]:
    """Accuracy by kind, with every translation, like the challenge set's; also the shares for `names` and `numbers`.

    A share is left out if there is no sentence of its kinds.
    """
    measured = challenge_set.measure(checkpoint, sentences, decoding, progress)
    for name, kinds in (("names", NAMES), ("numbers", NUMBERS)):
        verdicts = [row["right"] for row in measured["translations"] if row["kind"] in kinds]
        if verdicts:
            measured[name] = round(sum(verdicts) / len(verdicts), 4)
    return measured
