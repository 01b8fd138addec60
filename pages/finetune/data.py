"""Pairs that people bring: checked row by row before a run begins."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from nmtcore.errors import DataError
from nmtcore.runs.preparation import set_aside
from nmtcore.text.normalization import normalize, simplify
from nmtcore.training.corpus import Pair, read_pairs
from pages.common.i18n import _, ngettext

MAX_BYTES = 5_000_000
MAX_ROWS = 100_000
SHOWN = 50  # rows of the table of problems


@dataclass(frozen=True)
class Checked:
    """The usable pairs, what is wrong with the other rows (line number, sentence), and remarks about all of them.

    aside: how many of the pairs will be set aside to measure with; 0 where there are too few to train on. rows: that
    were read, empty ones too; columns: of the row that has most; reasons: how many rows each of them left out.
    unknown: characters that only pairs set aside have, which a vocabulary of the others lacks.
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
    """Read tab-separated pairs. source, target: codes of the model's languages, where it has any.

    Raises DataError, with a sentence for the person, where nothing can be used.
    """
    if not content.strip():
        raise DataError(_("There is nothing in it yet: give rows of a sentence, a tab and its translation."))
    if len(content) > MAX_BYTES:
        raise DataError(_("This is more than 5 MB: give fewer rows."))
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise DataError(_("The file is in UTF-16: save it again as UTF-8."))
    if content[:2] in (b"\x1f\x8b", b"PK") or content[:3] in (b"BZh", b"\xfd7z"):
        raise DataError(_("The file is compressed: unpack it and give the text itself."))
    if b"\0" in content[:4096]:
        raise DataError(
            _("This has NUL bytes, as no text file has: give rows of a sentence, a tab and its translation, in UTF-8.")
        )
    if content.count(b"\n") > MAX_ROWS:
        raise DataError(_("There are more than 100,000 rows: give fewer."))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.tsv"
        path.write_bytes(content)
        try:
            pairs, report = read_pairs(path)
        except DataError as error:
            raise DataError(str(error).replace(f"{path} ", _("The data ")).replace(str(path), "")) from error
    reasons = {
        "columns": _("no tab between two sentences"),
        "empty": _("an empty side"),
        "long": _("more than 1,000 characters on a side"),
        "encoding": _("not in UTF-8"),
        "binary": _("with a NUL byte, which no text has"),
        "duplicate": _("given before"),
    }
    problems = sorted((line, reasons[reason]) for reason, lines in report.dropped.items() for line in lines)
    read = list(dict.fromkeys(Pair(simplify(pair.source, source), pair.target) for pair in pairs))
    notes = _notes(pairs, source, target)
    if read != pairs:
        notes.append(_("The models read simplified characters: the sources in traditional ones are read so too."))
    columns = 1 + max(line.count(b"\t") for line in content.splitlines())
    counts = tuple((reasons[reason], len(lines)) for reason, lines in report.dropped.items())
    train, aside = set_aside(read)
    unknown = tuple(sorted(_characters(aside) - _characters(train)))
    return Checked(tuple(read), len(aside), tuple(problems), tuple(notes), report.rows, columns, counts, unknown)


def _characters(pairs: list[Pair]) -> set[str]:
    return {character for pair in pairs for side in pair for character in normalize(side)}


def _notes(pairs: list[Pair], source: str, target: str) -> list[str]:
    notes = []
    first, second = (sum(map(_chinese, side)) / len(pairs) for side in zip(*pairs, strict=True))
    if (source == "zh" and first < 0.5 <= second) or (target == "zh" and second < 0.5 <= first):
        notes.append(_("Source and target look swapped: Mandarin stands in the other column than the model expects."))
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
