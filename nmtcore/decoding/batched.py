"""Batched decoding: many sentences, those of like lengths together, for what needs their texts alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from nmtcore.config import Decoding, DecodingConfig, MaskPredictDecoding
from nmtcore.decoding.decode import decoding_for, translate_many
from nmtcore.models.checkpoint import Checkpoint

ROWS = 12_000  # hypotheses times steps that a batch may take: half a gigabyte for the models that ship


@dataclass(frozen=True)
class Translations:
    """The texts, in the order of their sources, and which of them ended in `<eos>`; tokens: pieces with `<eos>`."""

    texts: list[str]
    finished: list[bool]
    tokens: int
    seconds: float


def translate_all(
    checkpoint: Checkpoint,
    sources: Sequence[str],
    decoding: Decoding,
    progress: Callable[[int], object] = lambda done: None,
) -> Translations:
    """Translate many sentences, those of like lengths together. `progress` gets the number done, a batch at a time."""
    decoding = decoding_for(checkpoint, decoding)
    began = time.perf_counter()
    texts, finished = [""] * len(sources), [False] * len(sources)
    for rows in _batches(checkpoint, sources, decoding):
        found = translate_many(checkpoint, [sources[i] for i in rows], decoding)
        for row, translation in zip(rows, found, strict=True):
            texts[row], finished[row] = translation
        progress(len(rows))
    seconds = time.perf_counter() - began
    return Translations(texts, finished, sum(map(len, checkpoint.vocab.encode_all(texts))) + len(texts), seconds)


def _batches(checkpoint: Checkpoint, sources: Sequence[str], decoding: Decoding) -> Iterator[list[int]]:
    """The sentences of each batch, shortest first. A search keeps what every step saw, so the longer, the fewer."""
    lengths = [len(ids) + 1 for ids in checkpoint.vocab.encode_all(sources)]
    batch: list[int] = []
    for row in sorted(range(len(sources)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * _most_words(decoding, lengths[row]) > ROWS:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _most_words(decoding: Decoding, length: int) -> int:
    """Hypotheses times steps of a sentence, or lengths times the words of a long translation."""
    if isinstance(decoding, MaskPredictDecoding):
        return decoding.lengths * DecodingConfig().limit(length)
    return decoding.beam * decoding.limit(length)
