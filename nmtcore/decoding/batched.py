"""Batched decoding: translate many sentences, grouped by similar length, and return only their texts."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from nmtcore.config import Decoding, DecodingConfig, MaskPredictDecoding
from nmtcore.decoding import mask_predict
from nmtcore.decoding.recorder import best_hypothesis, search_record
from nmtcore.decoding.search import beam_search
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.mask_predict import MaskPredict
from nmtcore.models.padded import pad
from nmtcore.text.source import SourceText
from nmtcore.text.vocabulary import EOS

ROWS = 12_000  # hypotheses times steps in a batch: half a gigabyte with the models that ship


@dataclass(frozen=True)
class Translations:
    """Translations in the order of their sources, and whether each ended with `<eos>`; tokens: pieces with `<eos>`."""

    texts: list[str]
    finished: list[bool]
    tokens: int
    seconds: float


def decoding_for(checkpoint: Checkpoint, decoding: Decoding) -> Decoding:
    """The decoding settings for a model: the given ones, or mask-predict's defaults for a model that needs them.

    Raises CheckpointError if mask-predict is requested for an autoregressive model.
    """
    if isinstance(decoding, MaskPredictDecoding):
        mask_predict.model_of(checkpoint)
        return decoding
    return MaskPredictDecoding() if isinstance(checkpoint.model, MaskPredict) else decoding


def _translate_ids(
    checkpoint: Checkpoint, sources: Sequence[Sequence[int]], decoding: Decoding
) -> list[tuple[str, bool]]:
    """Translate one batch, split into subwords already, with the same results as one at a time.

    Returns each translation, and whether it ended with `<eos>` before the length limit.
    """
    if isinstance(decoding, MaskPredictDecoding):
        return [(text, True) for text in mask_predict.translate_ids(checkpoint, sources, decoding)]
    vocab = checkpoint.vocab
    sources = [[*ids, EOS] for ids in sources]
    search = beam_search(checkpoint.model, pad(sources).to(checkpoint.model.device), decoding)
    records = (search_record(search, b, decoding.limit(len(ids))) for b, ids in enumerate(sources))
    winners = [best_hypothesis(record, decoding) for record in records]
    return [(vocab.decode(winner.tokens), winner.finished) for winner in winners]


def translate_all(
    checkpoint: Checkpoint,
    sources: Sequence[SourceText],
    decoding: Decoding,
    progress: Callable[[int], object] = lambda done: None,
) -> Translations:
    """Translate many sentences of any length in batches of similar length, emoji put back.

    progress: called after each batch with its number of sentences.
    """
    decoding = decoding_for(checkpoint, decoding)
    began = time.perf_counter()
    texts, finished = [""] * len(sources), [False] * len(sources)
    encoded = checkpoint.vocab.encode_all([source.text for source in sources])
    for rows in _batches([len(ids) + 1 for ids in encoded], decoding):
        translations = _translate_ids(checkpoint, [encoded[i] for i in rows], decoding)
        for row, (text, finished[row]) in zip(rows, translations, strict=True):
            texts[row] = sources[row].with_emoji(text)
        progress(len(rows))
    seconds = time.perf_counter() - began
    return Translations(texts, finished, sum(map(len, checkpoint.vocab.target.encode_all(texts))) + len(texts), seconds)


def _batches(lengths: Sequence[int], decoding: Decoding) -> Iterator[list[int]]:
    """Split sentences into batches, shortest first. Search keeps every step: longer sentences need smaller batches."""
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * _most_words(decoding, lengths[row]) > ROWS:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch


def _most_words(decoding: Decoding, length: int) -> int:
    """The memory cost of a sentence: hypotheses times steps, or lengths times the words of a long translation."""
    if isinstance(decoding, MaskPredictDecoding):
        return decoding.lengths * DecodingConfig().limit(length)
    return decoding.beam * decoding.limit(length)
