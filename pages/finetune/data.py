"""Sentence pairs that people provide, checked row by row before a run starts."""

from collections.abc import Sequence
from dataclasses import dataclass

from nmtcore.limits import TRAINING_CHARACTERS
from nmtcore.runs.preparation import set_aside
from nmtcore.text.normalization import normalize, simplify
from nmtcore.training.corpus import Pair
from pages.common.i18n import _, ngettext
from pages.common.pairs_file import read_content

SHOWN = 50  # rows of the table of problems


@dataclass(frozen=True)
class Checked:
    """The usable pairs, what is wrong with the other rows (line number, sentence), and remarks about all of them.

    aside: how many pairs will be held out for validation; 0 if there are too few to train on. rows: how many were read,
    empty ones included; columns: the most that a row has; reasons: how many rows each reason excluded. unknown:
    characters that occur only in held-out pairs, which the vocabulary of the others lacks.
    """

    pairs: tuple[Pair, ...]
    aside: int = 0
    problems: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()
    rows: int = 0
    columns: int = 2
    reasons: tuple[tuple[str, int], ...] = ()
    unknown: tuple[str, ...] = ()


def check(content: bytes, source: str = "", target: str = "") -> Checked:
    """Read tab-separated pairs. source, target: codes of the model's languages, if it has any.

    Raises DataError with a sentence for the person if no row can be used.
    """
    pairs, report = read_content(content)
    reasons = {
        "columns": _("no tab between two sentences"),
        "empty": _("an empty side"),
        "long": _("more than {limit:,} characters on a side").format(limit=TRAINING_CHARACTERS),
        "encoding": _("not in UTF-8"),
        "binary": _("with a NUL byte, which no text has"),
        "duplicate": _("given earlier"),
    }
    problems = sorted((line, reasons[reason]) for reason, lines in report.dropped.items() for line in lines)
    read = list(dict.fromkeys(Pair(simplify(pair.source, source), pair.target) for pair in pairs))
    notes = _notes(pairs, source, target)
    if tuple(read) != pairs:
        notes.append(_("The models read simplified characters: traditional sources are converted."))
    columns = 1 + max(line.count(b"\t") for line in content.splitlines())
    counts = tuple((reasons[reason], len(lines)) for reason, lines in report.dropped.items())
    train, aside = set_aside(read)
    unknown = tuple(sorted(_characters(aside) - _characters(train)))
    return Checked(tuple(read), len(aside), tuple(problems), tuple(notes), report.rows, columns, counts, unknown)


def _characters(pairs: list[Pair]) -> set[str]:
    return {character for pair in pairs for side in pair for character in normalize(side)}


def _notes(pairs: Sequence[Pair], source: str, target: str) -> list[str]:
    notes = []
    first, second = (sum(map(_chinese, side)) / len(pairs) for side in zip(*pairs, strict=True))
    if (source == "zh" and first < 0.5 <= second) or (target == "zh" and second < 0.5 <= first):
        notes.append(_("Source and target look swapped: Mandarin is not in the column where the model expects it."))
    same = sum(pair.source == pair.target for pair in pairs)
    if same > len(pairs) / 10:
        notes.append(
            ngettext(
                "{count} row has the same sentence on both sides.",
                "{count} rows have the same sentence on both sides.",
                same,
            ).format(count=same)
        )
    return notes


def _chinese(text: str) -> bool:
    return any("\u4e00" <= c <= "\u9fff" for c in text)
