"""Batches: encoded sentence pairs grouped by length, padded on demand.

A source sequence ends with `<eos>`. Teacher forcing: the decoder reads `<sos>` y_1 .. y_{T-1} and predicts
y_1 .. y_T, where y_T is `<eos>`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from nmtcore.errors import DataError
from nmtcore.models.padded import Padded, pad
from nmtcore.text.vocabulary import EOS, SOS, Vocab
from nmtcore.text.words import join_texts
from nmtcore.training.augmentation import add_noise_rows, join_statements, replace_entities
from nmtcore.training.config import AugmentationConfig
from nmtcore.training.corpus import Pair

AHEAD = 3  # batches made in advance for a GPU


@dataclass(frozen=True)
class Batch:
    """A padded batch.

    source: (B, S); inputs `<sos>` y_1 .. y_{T-1}: (B, T); labels y_1 .. y_T of the real tokens, (N,).
    """

    source: Padded
    inputs: Padded
    labels: Tensor

    @property
    def tokens(self) -> int:
        """N, the number of target pieces without padding."""
        return len(self.labels)

    def to(self, device: torch.device | str) -> Batch:
        """This batch on another device; pinned memory is copied without waiting."""
        labels = self.labels.to(device, non_blocking=self.labels.is_pinned())
        return Batch(self.source.to(device), self.inputs.to(device), labels)

    def pin_memory(self) -> Batch:
        """This batch in pinned (page-locked) memory, from which a GPU reads while the CPU goes on working."""
        return Batch(self.source.pin_memory(), self.inputs.pin_memory(), self.labels.pin_memory())


@dataclass(frozen=True)
class Batches:
    """Encoded pairs divided into batches; a batch is padded when it is indexed."""

    sources: list[list[int]]  # each ends with <eos>
    targets: list[list[int]]  # y_1 .. y_T, each ends with <eos>
    rows: list[np.ndarray]  # the rows of each batch

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
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    tokens: int,
    order: np.ndarray,
    most: int = sys.maxsize,
    by_length: bool = True,
) -> list[np.ndarray]:
    """Divide rows into batches of at most `tokens` padded pieces per side, but at least one row.

    by_length: bucketing, rows of similar length together, where `order` only breaks ties; otherwise rows in `order`.
    most: the largest number of rows in a batch.
    """
    if by_length:
        source_lengths, target_lengths = (np.array([*map(len, side)])[order] for side in (sources, targets))
        order = order[np.lexsort((source_lengths, target_lengths))]
    batches: list[np.ndarray] = []
    first = longest = 0
    for i, row in enumerate(order):
        longest = max(longest, len(sources[row]), len(targets[row]))
        if i > first and ((i + 1 - first) * longest > tokens or i - first == most):
            batches.append(order[first:i])
            first, longest = i, max(len(sources[row]), len(targets[row]))
    batches.append(order[first:])
    return batches


@dataclass
class TrainingData:
    """Training data: the batches of each epoch, determined by the seed and the number of the epoch.

    augmentation: how many rows each epoch adds or segments anew. A concatenated row joins two to six random pairs,
    fewer if they would exceed `longest_concatenated`.
    links: words that join statements into one long sentence, in half of the concatenated rows made of statements.
    by_length: whether a batch holds rows of similar length (bucketing), or rows in random order.
    max_length: the most tokens per side that the model can hold; longer added rows are left out.
    batch_rows: the most rows in a batch; 0 for as many as `batch_tokens` allows.
    """

    pairs: Sequence[Pair]
    vocab: Vocab
    batch_tokens: int
    seed: int = 1
    augmentation: AugmentationConfig = AugmentationConfig()
    links: tuple[tuple[str, str], ...] = ()
    longest_concatenated: int = 80  # pieces per side of a concatenated row, without the links
    max_length: int = sys.maxsize
    by_length: bool = True
    batch_rows: int = 0
    _encoded: tuple[list[list[int]], list[list[int]]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.pairs:
            raise DataError("There are no training pairs.")
        self._encoded = encode_pairs(self.vocab, self.pairs)

    def epoch(self, number: int) -> Batches:
        """The shuffled batches of epoch `number`, with its own rows of data augmentation."""
        random = np.random.default_rng((self.seed, number))
        share = self.augmentation
        replaced = replace_entities(self.pairs, round(share.entity_replacement * len(self.pairs)), random)
        noisy = add_noise_rows(self.pairs, round(share.noise * len(self.pairs)), random)
        extra = [*self._concatenated(random), *(Pair(*sides) for sides in (*replaced, *noisy))]
        encoded = zip(*encode_pairs(self.vocab, extra), strict=True)
        added = [sides for sides in encoded if max(map(len, sides)) <= self.max_length]
        sources, targets = self._encoded_anew(random) if share.subword_regularisation else self._encoded
        sources = sources + [source for source, _ in added]
        targets = targets + [target for _, target in added]
        order, most = random.permutation(len(sources)), self.batch_rows or sys.maxsize
        rows = cut(sources, targets, self.batch_tokens, order, most, self.by_length)
        return Batches(sources, targets, [rows[i] for i in random.permutation(len(rows))])

    def _encoded_anew(self, random: np.random.Generator) -> tuple[list[list[int]], list[list[int]]]:
        """The ids of all pairs; subword regularisation segments a share of them anew, at random."""
        share = self.augmentation.subword_regularisation
        chosen = np.flatnonzero(random.random(len(self.pairs)) < share).tolist()
        result = []
        for side, whole in enumerate(self._encoded):
            ids = list(whole)
            texts = [self.pairs[i][side] for i in chosen]
            vocab = self.vocab.target if side else self.vocab
            for i, cut_anew in zip(chosen, vocab.sample_all(texts, int(random.integers(2**31))), strict=True):
                if len(cut_anew) < self.max_length:
                    ids[i] = [*cut_anew, EOS]
            result.append(ids)
        return result[0], result[1]

    def _concatenated(self, random: np.random.Generator) -> list[Pair]:
        """The concatenated rows of an epoch: random pairs, one after another or joined into one long sentence."""
        sources, targets = self._encoded
        result = []
        extra = round(self.augmentation.concatenation * len(self.pairs))
        counts = random.choice([2, 3, 4, 5, 6], size=extra, p=[0.4, 0.3, 0.2, 0.06, 0.04])
        for count in counts:
            rows = random.integers(len(self.pairs), size=count)
            length = np.cumsum([max(len(sources[i]), len(targets[i])) for i in rows])
            rows = rows[: max(1, int(np.searchsorted(length, self.longest_concatenated, side="right")))]
            some = [self.pairs[i] for i in rows]
            one = join_statements(some, self.links, random) if self.links and random.random() < 0.5 else None
            result.append(Pair(*(one or [join_texts(side) for side in zip(*some, strict=True)])))
        return result

    def fingerprint(self) -> str:
        """Hash the pairs and the vocabulary, so that a run is resumed only on the same data."""
        digest = hashlib.blake2b(digest_size=16)
        for side in self._encoded:
            for ids in side:
                digest.update(np.asarray(ids, np.int32).tobytes())
        return digest.hexdigest()


def encode_pairs(vocab: Vocab, pairs: Sequence[Pair]) -> tuple[list[list[int]], list[list[int]]]:
    """Source and target ids of every pair, each ending with `<eos>`."""
    sources = vocab.encode_all([pair.source for pair in pairs])
    targets = vocab.target.encode_all([pair.target for pair in pairs])
    return [[*ids, EOS] for ids in sources], [[*ids, EOS] for ids in targets]


def fixed_batches(vocab: Vocab, pairs: Sequence[Pair], batch_tokens: int) -> Batches:
    """Batches for validation, always in the same order."""
    sources, targets = encode_pairs(vocab, pairs)
    return Batches(sources, targets, cut(sources, targets, batch_tokens, np.arange(len(sources))))


class Prefetch:
    """Prefetching: takes the batches of an epoch in order; for a GPU, a thread makes and pins the next ones in advance.

    A CPU that trains has no time to spare, so it makes each batch when it is needed.
    """

    def __init__(self, device: torch.device) -> None:
        self.thread = None if device.type == "cpu" else ThreadPoolExecutor(1, "prefetch")
        self.pins = device.type == "cuda" and torch.cuda.is_available()
        self.batches: Batches | None = None
        self.made: dict[int, Future[Batch]] = {}  # by number in the epoch

    def take(self, batches: Batches, position: int) -> Batch:
        """Take one batch of an epoch. Raises any error from making it."""
        if self.thread is None:
            return batches[position]
        if batches is not self.batches:
            self.batches, self.made = batches, {}
        for i in range(position, min(position + 1 + AHEAD, len(batches))):
            if i not in self.made:
                self.made[i] = self.thread.submit(self._make, batches, i)
        return self.made.pop(position).result()

    def _make(self, batches: Batches, position: int) -> Batch:
        batch = batches[position]
        return batch.pin_memory() if self.pins else batch
