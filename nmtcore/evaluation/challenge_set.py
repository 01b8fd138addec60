"""Challenge set: the share of difficult sentences, written as people type them, that a model translates acceptably.

The file is TSV in UTF-8, one sentence per line: the kind of difficulty, the sentence, and one column for each
acceptable translation. In a translation, `{big|large}` stands for either word, `{very|}` for an optional word, and `*`
for any words. A model is right if its translation equals one of them, ignoring case, punctuation and spaces. Lines that
begin with `#` are comments; one of them, `# languages: en-fr`, names the languages.
"""

import itertools
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from nmtcore.config import Decoding
from nmtcore.decoding.batched import translate_all
from nmtcore.errors import DataError
from nmtcore.evaluation.gold_alignments import read_lines
from nmtcore.models.checkpoint import Checkpoint

MAX_FORMS = 10_000  # most translations that one column may stand for


class Judged(Protocol):
    """A sentence of some kind, and a test of its translation."""

    @property
    def kind(self) -> str: ...

    @property
    def source(self) -> str: ...

    def accepts(self, translation: str) -> bool: ...


@dataclass(frozen=True)
class Challenge:
    """A sentence, its difficulty, and acceptable translations: normalised texts, and patterns for those with `*`."""

    kind: str
    source: str
    texts: frozenset[str]
    patterns: tuple[re.Pattern[str], ...]

    def accepts(self, translation: str) -> bool:
        text = _joined(translation)
        return text in self.texts or any(pattern.fullmatch(text) for pattern in self.patterns)


def normalise(text: str) -> list[str]:
    """The words of a text in lower case; punctuation, apostrophes and hyphens separate words."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return "".join(" " if unicodedata.category(c).startswith("P") else c for c in text).split()


def read_challenges(path: Path | str) -> tuple[str, list[Challenge]]:
    """Read the languages, such as "en-fr" ("" if the file names none), and the sentences. Raises DataError."""
    languages, lines = read_lines(path)
    challenges = []
    for number, line in lines:
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) < 3 or not all(columns[:3]):
            raise DataError(f"{path}, line {number}: there must be a kind, a sentence and a translation, with tabs.")
        try:
            forms = [form for column in columns[2:] if column for form in written_out(column)]
        except ValueError as error:
            raise DataError(f"{path}, line {number}: {error}") from error
        texts = frozenset(_joined(form) for form in forms if "*" not in form)
        patterns = tuple(_pattern(form) for form in forms if "*" in form)
        challenges.append(Challenge(columns[0], columns[1], texts, patterns))
    if not challenges:
        raise DataError(f"{path} has no line with a kind, a sentence and a translation, separated by tabs.")
    return languages, challenges


def written_out(column: str) -> list[str]:
    """Expand the braces in every possible way. Raises ValueError."""
    pieces = re.split(r"\{([^{}]*)\}", column)
    if any(brace in piece for piece in pieces[::2] for brace in "{}"):
        raise ValueError(f"the braces do not match in {column!r}.")
    choices = [piece.split("|") if i % 2 else [piece] for i, piece in enumerate(pieces)]
    total = 1
    for choice in choices:
        total *= len(choice)
    if total > MAX_FORMS:
        raise ValueError(f"the choices make {total:,} translations; the limit is {MAX_FORMS:,}.")
    return ["".join(parts) for parts in itertools.product(*choices)]


def _joined(text: str) -> str:
    """The normalised words of a text, with a space after each."""
    return "".join(f"{word} " for word in normalise(text))


def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(r"(?:\S+ )*".join(re.escape(_joined(part)) for part in form.split("*")))


def measure(
    checkpoint: Checkpoint,
    challenges: Sequence[Judged],
    decoding: Decoding,
    progress: Callable[[int], object] = lambda done: None,
) -> dict[str, Any]:
    """Accuracy on the challenge set, overall and by kind, and every translation with its verdict."""
    texts = translate_all(checkpoint, [checkpoint.read(c.source) for c in challenges], decoding, progress).texts
    right = [c.accepts(text) for c, text in zip(challenges, texts, strict=True)]
    kinds: dict[str, list[bool]] = {}
    for challenge, verdict in zip(challenges, right, strict=True):
        kinds.setdefault(challenge.kind, []).append(verdict)
    return {
        "sentences": len(challenges),
        "right": round(sum(right) / len(right), 4),
        "kinds": {
            kind: {"sentences": len(verdicts), "right": round(sum(verdicts) / len(verdicts), 4)}
            for kind, verdicts in kinds.items()
        },
        "translations": [
            {"kind": c.kind, "source": c.source, "text": text, "right": verdict}
            for c, text, verdict in zip(challenges, texts, right, strict=True)
        ],
    }


def summary(measured: dict[str, Any]) -> dict[str, Any]:
    """The result of `measure` with only the first failure of each kind (kind, sentence, translation), not all texts."""
    failures: dict[str, list[str]] = {}
    for row in measured["translations"]:
        if not row["right"]:
            failures.setdefault(row["kind"], [row["kind"], row["source"], row["text"]])
    rest = {key: value for key, value in measured.items() if key != "translations"}
    return rest | {"failures": list(failures.values())}
