"""A parallel corpus: read sentence pairs from a file; split them into training, validation and test without leakage."""

import gzip
import hashlib
import math
import os
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, TypeVar

from nmtcore.config import check_range
from nmtcore.errors import DataError
from nmtcore.files import refuse_special
from nmtcore.limits import TRAINING_CHARACTERS
from nmtcore.text.normalization import normalized_length

MAX_LINE = 1_000_000  # bytes in a row, all columns included
UNPACKED, MOST_PACKED = 100_000_000, 100  # largest unpacked size in bytes; largest compression ratio beyond it
REASONS = {
    "columns": "without a tab between two sentences",
    "empty": "with an empty side",
    "long": f"with more than {TRAINING_CHARACTERS} characters on a side",
    "encoding": "not in UTF-8",
    "binary": "with a NUL byte, which no text has",
    "duplicate": "given earlier",
}

Row = TypeVar("Row")
Side = Literal[0, 1]  # side of a pair: source, target


class Pair(NamedTuple):
    """A sentence pair."""

    source: str
    target: str


@dataclass(frozen=True)
class ReadReport:
    """The result of `read_pairs`: rows seen, rows kept, and the line numbers (from 1) dropped for each of REASONS."""

    rows: int
    kept: int
    dropped: dict[str, tuple[int, ...]]

    def lines(self) -> list[str]:
        """One sentence per reason."""
        result = []
        for reason, numbers in self.dropped.items():
            shown = ", ".join(map(str, numbers[:10])) + (", ..." if len(numbers) > 10 else "")
            noun, where = ("row", "line") if len(numbers) == 1 else ("rows", "lines")
            result.append(f"Dropped {len(numbers):,} {noun} {REASONS[reason]} ({where} {shown}).")
        return result


def read_pairs(path: Path | str, swap: bool = False, most: float = math.inf) -> tuple[list[Pair], ReadReport]:
    """Read tab-separated sentence pairs, plain or gzip, in UTF-8; columns after the second are ignored.

    `swap` takes the second column as the source; nothing is read after `most` different pairs. Raises DataError if
    the file cannot be read, is not UTF-8, or has no usable row; single bad rows are dropped and reported.
    """
    pairs: dict[Pair, None] = {}
    dropped: dict[str, list[int]] = {reason: [] for reason in REASONS}
    number = 0
    try:
        with open_text(path) as file:
            for number, line in enumerate(rows(file), 1):
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                pair = _parse(line)
                if isinstance(pair, str):
                    dropped[pair].append(number)
                    continue
                if swap:
                    pair = Pair(pair.target, pair.source)
                if pair in pairs:
                    dropped["duplicate"].append(number)
                pairs[pair] = None
                if len(pairs) >= most:
                    break
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{path} is a damaged gzip file: it ends early or was changed.") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    report = ReadReport(number, len(pairs), {k: tuple(v) for k, v in dropped.items() if v})
    if 4 * len(dropped["encoding"]) > number:
        raise DataError(f"{path} is not in UTF-8: save it again with that encoding.")
    if 4 * len(dropped["binary"]) > number:
        raise DataError(f"{path} has NUL bytes: it is not text, or it is in UTF-16. Save it as text in UTF-8.")
    if not pairs:
        why = " ".join(report.lines()) or "It is empty."
        raise DataError(f"{path} has no usable row: each row is a sentence, a tab and its translation. {why}")
    return list(pairs), report


@contextmanager
def open_text(path: Path | str) -> Iterator[BinaryIO]:
    """Open a regular file, gzip or not, for reading bytes. A pipe might never be written, and a device never ends."""
    refuse_special(Path(path))
    with open(path, "rb") as file:
        zipped = file.peek(2)[:2] == b"\x1f\x8b"
        yield gzip.GzipFile(fileobj=file) if zipped else file  # type: ignore[misc]


def read_text(path: Path | str) -> str:
    """Read a UTF-8 file, gzip or not. Raises DataError."""
    try:
        with open_text(path) as file:
            return file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not in UTF-8: save it again with that encoding.") from error
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error


def read_rows(path: Path | str, parse: Callable[[str], Row | None], what: str) -> tuple[str, list[Row]]:
    """The languages in a comment such as `# languages: en-fr`, or "", and what `parse` makes of the other lines.

    Empty lines, comments after `#`, and lines of which `parse` makes None are skipped. Raises DataError if no line is
    left, none with `what`, and for a ValueError of `parse`, with the number of the line.
    """
    text, found = read_text(path), []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            try:
                row = parse(line.rstrip("\r"))
            except ValueError as error:
                raise DataError(f"{path}, line {number}: {error}") from error
            if row is not None:
                found.append(row)
    if not found:
        raise DataError(f"{path} has no line with {what}.")
    named = re.search(r"^#\s*languages:\s*([a-z]{2,3}-[a-z]{2,3})\s*$", text, re.MULTILINE)
    return named[1] if named else "", found


def rows(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file. A line above MAX_LINE is cut short, and is still too long to be a sentence.

    Raises DataError for a gzip bomb, a small file that unpacks to more than fits in memory.
    """
    packed = os.fstat(file.fileno()).st_size if isinstance(file, gzip.GzipFile) else 0  # 0 for a pipe
    most = max(UNPACKED, MOST_PACKED * packed) if packed else math.inf
    size, goes_on = 0, False
    while part := file.readline(MAX_LINE):
        size += len(part)
        if size > most:
            raise DataError(f"{file.name} unpacks to more than {most // packed:,} times its size: it is not text.")
        if not goes_on:
            yield part
        goes_on = len(part) == MAX_LINE and not part.endswith(b"\n")


def _parse(line: bytes) -> Pair | str:
    """The pair in a row, or why there is none: a key of REASONS."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return "encoding"
    if "\0" in text:  # UTF-16 without a byte order mark reads as UTF-8 with NUL bytes
        return "binary"
    columns = unicodedata.normalize("NFC", text).rstrip("\r\n").split("\t")
    if not text.strip():
        return "empty"
    if len(columns) < 2:
        return "columns"
    source, target = (" ".join(column.split()) for column in columns[:2])
    if not source or not target:
        return "empty"
    if max(map(normalized_length, (source, target))) > TRAINING_CHARACTERS:
        return "long"
    return Pair(source, target)


@dataclass(frozen=True)
class SplitConfig:
    """How to split a corpus. A model stores it, so that its test split can be made again."""

    validation: int = 1500  # groups of linked sentences for validation, at most a tenth of all
    test: int = 2000  # groups of linked sentences for the test, at most a tenth of all
    seed: int = 1  # determines which groups are set aside

    def __post_init__(self) -> None:
        check_range("validation groups", self.validation, 1, 1e9)
        check_range("test groups", self.test, 0, 1e9)
        check_range("split seed", self.seed, 0, 2**32 - 1)


class Split(NamedTuple):
    """The parts of a corpus."""

    train: list[Pair]
    validation: list[Pair]
    test: list[Pair]


def split_pairs(pairs: Sequence[Pair], config: SplitConfig | None = None, sides: Sequence[Side] = (0, 1)) -> Split:
    """Split a corpus without leakage: no sentence of one part occurs in another part on the same side.

    Pairs that share a sentence form a group, which stays together; case and spaces make no difference. Which groups
    are set aside depends on the seed and on each group's own sentences, not on the order of the rows.
    sides: the sides on which pairs that share a sentence are linked.
    """
    config = config or SplitConfig()
    groups = connected_groups(pairs, sides)
    seed = str(config.seed).encode()

    def rank(group: list[int]) -> bytes:
        first = min(sentence_key(pairs[i].source) for i in group)
        return hashlib.blake2b(first.encode(), key=seed).digest()

    order = sorted(groups, key=rank)
    groups_tenth, rows_tenth = len(groups) // 10, len(pairs) // 10
    parts: list[list[Pair]] = []
    for wanted in (config.test, config.validation):
        taken: list[list[int]] = []
        rows = 0
        rest = []
        for group in order:
            if len(taken) < min(wanted, groups_tenth) and rows + len(group) <= rows_tenth:
                taken.append(group)
                rows += len(group)
            else:
                rest.append(group)
        parts.append([pairs[i] for i in sorted(i for group in taken for i in group)])
        order = rest
    test, validation = parts
    train = [pairs[i] for i in sorted(i for group in order for i in group)]
    return Split(train, validation, test)


def sentence_key(sentence: str) -> str:
    """A key that is equal for sentences that differ only in case and spaces."""
    return "".join(unicodedata.normalize("NFKC", sentence).casefold().split())


def connected_groups(pairs: Sequence[Pair], sides: Sequence[Side] = (0, 1)) -> list[list[int]]:
    """Group the indices of pairs that share a sentence on one of the sides, directly or through others (union-find)."""
    parents = list(range(len(pairs)))

    def root(i: int) -> int:
        while parents[i] != i:
            parents[i] = parents[parents[i]]
            i = parents[i]
        return i

    seen: dict[tuple[Side, str], int] = {}
    for i, pair in enumerate(pairs):
        for side in sides:
            first = seen.setdefault((side, sentence_key(pair[side])), i)
            parents[root(i)] = root(first)
    groups: dict[int, list[int]] = {}
    for i in range(len(pairs)):
        groups.setdefault(root(i), []).append(i)
    return list(groups.values())
