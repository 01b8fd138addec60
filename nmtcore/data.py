"""Sentence pairs: read from a file, split without leaks, batched by length.

A source sequence ends with `<eos>`. The decoder reads `<sos>` y_1 .. y_{T-1} and is to predict y_1 .. y_T,
where y_T is `<eos>`.
"""

from __future__ import annotations

import gzip
import hashlib
import sys
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import torch
from torch import Tensor

from nmtcore.config import check_range
from nmtcore.errors import DataError
from nmtcore.variation import linked, varied
from nmtcore.vocab import EOS, PAD, SOS, Vocab

MAX_CHARACTERS = 1000  # of one side of a training pair
REASONS = {
    "columns": "without a tab between two sentences",
    "empty": "with an empty side",
    "long": f"with more than {MAX_CHARACTERS} characters on a side",
    "encoding": "not in UTF-8",
    "duplicate": "given before",
}


class Pair(NamedTuple):
    source: str
    target: str


@dataclass(frozen=True)
class ReadReport:
    """What `read_pairs` did: rows seen, rows kept, and the line numbers (from 1) dropped for each of REASONS."""

    rows: int
    kept: int
    dropped: dict[str, tuple[int, ...]]

    def lines(self) -> list[str]:
        """One sentence for each reason."""
        result = []
        for reason, numbers in self.dropped.items():
            shown = ", ".join(map(str, numbers[:10])) + (", ..." if len(numbers) > 10 else "")
            noun, where = ("row", "line") if len(numbers) == 1 else ("rows", "lines")
            result.append(f"Dropped {len(numbers):,} {noun} {REASONS[reason]} ({where} {shown}).")
        return result


def read_pairs(path: Path | str, swap: bool = False) -> tuple[list[Pair], ReadReport]:
    """Read tab-separated sentence pairs, plain or gzip, in UTF-8; columns after the second are ignored.

    `swap` takes the second column as the source. Raises DataError when the file cannot be read, is not
    UTF-8, or has no usable row; single bad rows are dropped and reported.
    """
    pairs: dict[Pair, None] = {}
    dropped: dict[str, list[int]] = {reason: [] for reason in REASONS}
    number = 0
    try:
        with _open(path) as file:
            for number, line in enumerate(file, 1):
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
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{path} is a damaged gzip file: it ends early or was changed.") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    report = ReadReport(number, len(pairs), {k: tuple(v) for k, v in dropped.items() if v})
    if 4 * len(dropped["encoding"]) > number:
        raise DataError(f"{path} is not in UTF-8: save it again with that encoding.")
    if not pairs:
        why = " ".join(report.lines()) or "It is empty."
        raise DataError(f"{path} has no usable row: each row is a sentence, a tab and its translation. {why}")
    return list(pairs), report


@contextmanager
def _open(path: Path | str) -> Iterator[BinaryIO]:
    with open(path, "rb") as file:  # once: a pipe cannot be read again
        zipped = file.peek(2)[:2] == b"\x1f\x8b"
        yield gzip.GzipFile(fileobj=file) if zipped else file  # type: ignore[misc]


def _parse(line: bytes) -> Pair | str:
    """The pair of a row, or why it has none: a key of REASONS."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return "encoding"
    if "\0" in text:  # UTF-16 without a mark reads as UTF-8 with zeros
        return "encoding"
    columns = unicodedata.normalize("NFC", text).rstrip("\r\n").split("\t")
    if not text.strip():
        return "empty"
    if len(columns) < 2:
        return "columns"
    source, target = (" ".join(column.split()) for column in columns[:2])
    if not source or not target:
        return "empty"
    if max(len(source), len(target)) > MAX_CHARACTERS:
        return "long"
    return Pair(source, target)


@dataclass(frozen=True)
class SplitConfig:
    """How a corpus is split; stored with a model, so that its test split can be found again."""

    validation: int = 1500  # groups of sentences, at most a tenth of all
    test: int = 2000  # groups, at most a tenth of all
    seed: int = 1

    def __post_init__(self) -> None:
        check_range("validation groups", self.validation, 1, 1e9)
        check_range("test groups", self.test, 0, 1e9)
        check_range("split seed", self.seed, 0, 2**32 - 1)


class Split(NamedTuple):
    train: list[Pair]
    validation: list[Pair]
    test: list[Pair]

    def reversed(self) -> Split:
        """The same split for the other direction: what is set aside for one is for both."""
        return Split(*([Pair(target, source) for source, target in part] for part in self))


def split_pairs(pairs: Sequence[Pair], config: SplitConfig | None = None) -> Split:
    """Split by connected group: no source of one part is a source of another part, no target a target.

    Sentences are linked by any translation; case and spaces make no difference. Which groups are set
    aside depends on the seed and on each group's own sentences, not on the order of the rows.
    """
    config = config or SplitConfig()
    groups = connected_groups(pairs)
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
    """Equal for sentences that differ in case and spaces alone."""
    return "".join(unicodedata.normalize("NFKC", sentence).casefold().split())


def connected_groups(pairs: Sequence[Pair]) -> list[list[int]]:
    """Indices of pairs that share a sentence on either side, directly or through others (union-find)."""
    parents = list(range(len(pairs)))

    def root(i: int) -> int:
        while parents[i] != i:
            parents[i] = parents[parents[i]]
            i = parents[i]
        return i

    seen: dict[tuple[int, str], int] = {}
    for i, pair in enumerate(pairs):
        for side, sentence in enumerate(pair):
            first = seen.setdefault((side, sentence_key(sentence)), i)
            parents[root(i)] = root(first)
    groups: dict[int, list[int]] = {}
    for i in range(len(pairs)):
        groups.setdefault(root(i), []).append(i)
    return list(groups.values())


@dataclass(frozen=True)
class Padded:
    """Sequences of unequal length as one matrix. ids: (B, S) int64; mask: (B, S) bool, True on tokens."""

    ids: Tensor
    mask: Tensor

    def to(self, device: torch.device | str) -> Padded:
        return Padded(self.ids.to(device), self.mask.to(device))


def pad(sequences: Sequence[Sequence[int]]) -> Padded:
    """Put B sequences, none empty, into a (B, S) matrix filled up with `<pad>`."""
    lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
    if not len(lengths) or not lengths.all():
        raise ValueError("There must be at least one sequence, and none may be empty.")
    mask = np.arange(lengths.max()) < lengths[:, None]  # (B, S)
    ids = np.full(mask.shape, PAD, np.int64)
    ids[mask] = np.concatenate([np.asarray(s, np.int64) for s in sequences])
    return Padded(torch.from_numpy(ids), torch.from_numpy(mask))


@dataclass(frozen=True)
class Batch:
    """source: (B, S); inputs `<sos>` y_1 .. y_{T-1}: (B, T); labels y_1 .. y_T of the B*T real tokens, (N,)."""

    source: Padded
    inputs: Padded
    labels: Tensor

    @property
    def tokens(self) -> int:
        """N, target pieces without padding."""
        return len(self.labels)

    def to(self, device: torch.device | str) -> Batch:
        return Batch(self.source.to(device), self.inputs.to(device), self.labels.to(device))


@dataclass(frozen=True)
class Batches:
    """Encoded pairs, cut into batches that are padded when asked for."""

    sources: list[list[int]]  # each ends with <eos>
    targets: list[list[int]]  # y_1 .. y_T, each ends with <eos>
    rows: list[np.ndarray]  # of each batch

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> Batch:
        rows = self.rows[index]
        targets = [self.targets[i] for i in rows]
        labels = torch.tensor([token for target in targets for token in target])
        return Batch(pad([self.sources[i] for i in rows]), pad([[SOS, *t[:-1]] for t in targets]), labels)

    def __iter__(self) -> Iterator[Batch]:
        return (self[i] for i in range(len(self)))


def cut(
    sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]], tokens: int, order: np.ndarray
) -> list[np.ndarray]:
    """Rows of like lengths together, at most `tokens` padded pieces a side in a batch, but at least one row.

    `order` breaks ties between rows of equal lengths.
    """
    source_lengths = np.fromiter(map(len, sources), np.int64, len(sources))[order]
    target_lengths = np.fromiter(map(len, targets), np.int64, len(targets))[order]
    order = order[np.lexsort((source_lengths, target_lengths))]
    batches: list[np.ndarray] = []
    first = longest = 0
    for i, row in enumerate(order):
        longest = max(longest, len(sources[row]), len(targets[row]))
        if i > first and (i + 1 - first) * longest > tokens:
            batches.append(order[first:i])
            first, longest = i, max(len(sources[row]), len(targets[row]))
    batches.append(order[first:])
    return batches


@dataclass
class TrainingData:
    """What `fit` reads: each epoch's batches depend on the seed and the epoch's number alone.

    joined: rows added to each epoch, as a share of the pairs. Each is made of two to six pairs drawn at
    random, of fewer or of one where they would be longer than `joined_limit`, so that a model has seen long
    sentences though the corpus has few.
    links: with which half of the joined rows, where all are statements, become one long sentence.
    varied: rows added likewise, written as people type them (see variation.py).
    room: the most tokens that the model can hold on a side; added rows beyond it are left out.
    """

    pairs: Sequence[Pair]
    vocab: Vocab
    batch_tokens: int
    seed: int = 1
    joined: float = 0.1
    varied: float = 0.0
    links: tuple[tuple[str, str], ...] = ()
    joined_limit: int = 80  # pieces of a side of a joined row, before words that link
    room: int = sys.maxsize
    _encoded: tuple[list[list[int]], list[list[int]]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_range("joined", self.joined, 0.0, 10.0)
        check_range("varied", self.varied, 0.0, 10.0)
        if not self.pairs:
            raise DataError("There are no training pairs.")
        self._encoded = encode_pairs(self.vocab, self.pairs)

    def epoch(self, number: int) -> Batches:
        """The shuffled batches of epoch `number`, with its own joined and varied rows."""
        random = np.random.default_rng((self.seed, number))
        rewritten = varied(self.pairs, round(self.varied * len(self.pairs)), random)
        extra = [*self._join(random), *(Pair(*sides) for sides in rewritten)]
        encoded = zip(*encode_pairs(self.vocab, extra), strict=True)
        added = [sides for sides in encoded if max(map(len, sides)) <= self.room]
        sources = self._encoded[0] + [source for source, _ in added]
        targets = self._encoded[1] + [target for _, target in added]
        rows = cut(sources, targets, self.batch_tokens, random.permutation(len(sources)))
        return Batches(sources, targets, [rows[i] for i in random.permutation(len(rows))])

    def _join(self, random: np.random.Generator) -> list[Pair]:
        sources, targets = self._encoded
        result = []
        extra = round(self.joined * len(self.pairs))
        counts = random.choice([2, 3, 4, 5, 6], size=extra, p=[0.4, 0.3, 0.2, 0.06, 0.04])
        for count in counts:
            rows = random.integers(len(self.pairs), size=count)
            length = np.cumsum([max(len(sources[i]), len(targets[i])) for i in rows])
            rows = rows[: max(1, int(np.searchsorted(length, self.joined_limit, side="right")))]
            some = [self.pairs[i] for i in rows]
            one = linked(some, self.links, random) if self.links and random.random() < 0.5 else None
            result.append(Pair(*one) if one else Pair(join([p.source for p in some]), join([p.target for p in some])))
        return result

    def fingerprint(self) -> str:
        """Changes with the pairs and the vocabulary: a run is only resumed on the same data."""
        digest = hashlib.blake2b(digest_size=16)
        for side in self._encoded:
            for ids in side:
                digest.update(np.asarray(ids, np.int32).tobytes())
        return digest.hexdigest()


def encode_pairs(vocab: Vocab, pairs: Sequence[Pair]) -> tuple[list[list[int]], list[list[int]]]:
    """Source and target ids of every pair, each ending with `<eos>`."""
    sources = vocab.encode_all([pair.source for pair in pairs])
    targets = vocab.encode_all([pair.target for pair in pairs])
    return [[*ids, EOS] for ids in sources], [[*ids, EOS] for ids in targets]


def fixed_batches(vocab: Vocab, pairs: Sequence[Pair], batch_tokens: int) -> Batches:
    """Batches of `pairs` in an order that never changes, for validation."""
    sources, targets = encode_pairs(vocab, pairs)
    return Batches(sources, targets, cut(sources, targets, batch_tokens, np.arange(len(sources))))


def join(sentences: Sequence[str]) -> str:
    """Sentences one after another, with a space between them where their script has spaces."""
    text = sentences[0]
    for sentence in sentences[1:]:
        wide = unicodedata.east_asian_width(text[-1]) in "WF" or unicodedata.east_asian_width(sentence[0]) in "WF"
        text += sentence if wide else f" {sentence}"
    return text
