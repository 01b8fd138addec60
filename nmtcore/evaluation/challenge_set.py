"""Challenge sets: the share of difficult sentences that a model translates acceptably, as files of two forms judge.

A file is TSV in UTF-8, one sentence per line: the kind of difficulty, the sentence, and columns that judge its
translation; case, punctuation and spaces make no difference. Lines that begin with `#` are comments; one of them,
`# languages: en-fr`, names the languages.

- Sentences as people type them (`read_challenges`): one column for each acceptable translation, in which `{big|large}`
  stands for either word, `{very|}` for an optional word, and `*` for any words. The translation must equal one of them.
- Names, numbers, dates, clock times and prices (`read_copying`): one column for each thing that must occur in the
  translation. `|` separates ways to write it, and `{7|seven}` stands for either word. What follows the digits of an
  ordinal number (`14th`, `1er`) makes no difference either.
"""

import itertools
import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nmtcore.config import Decoding
from nmtcore.decoding.batched import translate_all
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.training.corpus import read_rows

MAX_FORMS = 10_000  # most translations that one column may stand for
NAMES = ("name", "pinyin")  # names in Latin letters; names in Chinese characters, which must become Latin letters
NUMBERS = ("number", "date", "time", "price")
KINDS = NAMES + NUMBERS  # of things that must occur
_TOKEN = re.compile(r"\d+|[^\W\d_]+|[$€£¥%°]")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th|er|re|e|ème)\b")
_BETWEEN_FORMS = re.compile(r"\|(?![^{}]*\})")


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


Judged = Challenge | Copied


def normalise(text: str) -> list[str]:
    """The words of a text in lower case; punctuation, apostrophes and hyphens separate words."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return "".join(" " if unicodedata.category(c).startswith("P") else c for c in text).split()


def tokens(text: str) -> str:
    """Words, digits and currency signs in lower case, with a space around each, so that `in` finds whole ones."""
    text = _ORDINAL.sub("", unicodedata.normalize("NFKC", text).casefold())
    return f" {' '.join(_TOKEN.findall(text))} "


def read_challenges(path: Path | str) -> tuple[str, list[Challenge]]:
    """Read the languages, such as "en-fr" ("" if the file names none), and the sentences. Raises DataError."""

    def parse(line: str) -> Challenge:
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) < 3 or not all(columns[:3]):
            raise ValueError("there must be a kind, a sentence and a translation, with tabs.")
        forms = [form for column in columns[2:] if column for form in written_out(column)]
        texts = frozenset(_joined(form) for form in forms if "*" not in form)
        return Challenge(columns[0], columns[1], texts, tuple(_pattern(form) for form in forms if "*" in form))

    return read_rows(path, parse, "a kind, a sentence and a translation, separated by tabs")


def read_copying(path: Path | str) -> tuple[str, list[Copied]]:
    """Read the languages, and the sentences with what must occur in their translations. Raises DataError."""
    wanted = "a kind, a sentence and what must occur in its translation, separated by tabs"

    def parse(line: str) -> Copied:
        kind, *columns = (column.strip() for column in line.split("\t"))
        if len(columns) < 2 or not all(columns):
            raise ValueError(f"there must be {wanted}.")
        if kind not in KINDS:
            raise ValueError(f"unknown kind {kind!r}; kinds are {', '.join(KINDS)}.")
        return Copied(kind, columns[0], tuple(frozenset(_forms(column)) for column in columns[1:]))

    return read_rows(path, parse, wanted)


def written_out(column: str) -> list[str]:
    """Expand the braces in every possible way. Raises ValueError."""
    pieces = re.split(r"\{([^{}]*)\}", column)
    if any(brace in piece for piece in pieces[::2] for brace in "{}"):
        raise ValueError(f"the braces do not match in {column!r}.")
    choices = [piece.split("|") if i % 2 else [piece] for i, piece in enumerate(pieces)]
    total = math.prod(map(len, choices))
    if total > MAX_FORMS:
        raise ValueError(f"the choices make {total:,} translations; the limit is {MAX_FORMS:,}.")
    return ["".join(parts) for parts in itertools.product(*choices)]


def _joined(text: str) -> str:
    """The normalised words of a text, with a space after each."""
    return "".join(f"{word} " for word in normalise(text))


def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(r"(?:\S+ )*".join(re.escape(_joined(part)) for part in form.split("*")))


def _forms(column: str) -> list[str]:
    """Expand every way to write something. Raises ValueError."""
    forms = [tokens(form) for part in _BETWEEN_FORMS.split(column) for form in written_out(part)]
    if any(not form.strip() for form in forms):
        raise ValueError(f"there is nothing between the bars in {column!r}.")
    return forms


def measure(
    checkpoint: Checkpoint,
    sentences: Sequence[Judged],
    decoding: Decoding,
    progress: Callable[[int], object] = lambda done: None,
) -> dict[str, Any]:
    """Accuracy overall and by kind, and every translation with its verdict.

    Also the shares for `names` and `numbers` in a file of what must occur, if there are sentences of their kinds.
    """
    texts = translate_all(checkpoint, [checkpoint.read(s.source) for s in sentences], decoding, progress).texts
    right = [s.accepts(text) for s, text in zip(sentences, texts, strict=True)]

    def among(*kinds: str) -> dict[str, Any]:
        verdicts = [verdict for s, verdict in zip(sentences, right, strict=True) if s.kind in kinds]
        return {"sentences": len(verdicts), "right": round(sum(verdicts) / len(verdicts), 4)} if verdicts else {}

    kinds = dict.fromkeys(s.kind for s in sentences)
    groups = {"names": NAMES, "numbers": NUMBERS} if isinstance(sentences[0], Copied) else {}
    shares = {name: found["right"] for name, parts in groups.items() if (found := among(*parts))}
    return {
        **among(*kinds),
        "kinds": {kind: among(kind) for kind in kinds},
        "translations": [
            {"kind": s.kind, "source": s.source, "text": text, "right": verdict}
            for s, text, verdict in zip(sentences, texts, right, strict=True)
        ],
        **shares,
    }


def summary(measured: dict[str, Any]) -> dict[str, Any]:
    """The result of `measure` with only the first failure of each kind (kind, sentence, translation), not all texts."""
    failures: dict[str, list[str]] = {}
    for row in measured["translations"]:
        if not row["right"]:
            failures.setdefault(row["kind"], [row["kind"], row["source"], row["text"]])
    rest = {key: value for key, value in measured.items() if key != "translations"}
    return rest | {"failures": list(failures.values())}
