"""BLEU and chrF by source length, in buckets filled by joining sentences, and by the rounds of mask-predict."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from nmtcore.config import Decoding, MaskPredictDecoding
from nmtcore.decoding.batched import translate_all
from nmtcore.evaluation.bleu_chrf import quality
from nmtcore.evaluation.references import Item, fits
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.words import join_texts, text_length

BUCKETS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, 50))  # source words, inclusive
BUCKET_ITEMS = 100  # smallest bucket; filled up with joined sentences
RESAMPLES = 1000  # for the bootstrap
ROUNDS = (1, 2, 4, 10)  # of mask-predict


def buckets(items: Sequence[Item], checkpoint: Checkpoint) -> dict[tuple[int, int], list[Item]]:
    """Group the items by source length, and fill each bucket up to BUCKET_ITEMS by joining items.

    A bucket has fewer items, or is left out, if too few sentences fit into it.
    """
    chance = random.Random(1)
    max_length = checkpoint.model.max_length
    lengths = [text_length(item.source, checkpoint.vocab) for item in items]
    filled = {}
    for low, high in BUCKETS:
        inside = [item for item, n in zip(items, lengths, strict=True) if low <= n <= high]
        known = {item.source for item in inside}
        for _ in range(20 * BUCKET_ITEMS):
            if len(inside) >= BUCKET_ITEMS:
                break
            item = _joined(items, lengths, chance.randint(low, high), chance)
            right = low <= text_length(item.source, checkpoint.vocab) <= high
            if right and item.source not in known and fits(item.source, checkpoint.vocab, max_length):
                known.add(item.source)
                inside.append(item)
        if inside:
            filled[low, high] = inside
    return filled


def _joined(items: Sequence[Item], lengths: Sequence[int], wanted: int, chance: random.Random) -> Item:
    """Join random items until they are about `wanted` long; reference k is made of their k-th references."""
    parts: list[Item] = []
    total = 0
    while total < wanted and len(parts) < wanted:
        i = chance.randrange(len(items))
        parts.append(items[i])
        total += lengths[i]
    most = max(len(part.references) for part in parts)
    references = [join_texts([part.references[k % len(part.references)] for part in parts]) for k in range(most)]
    return Item(join_texts([part.source for part in parts]), tuple(dict.fromkeys(references)))


def by_length(
    checkpoint: Checkpoint,
    items: Sequence[Item],
    decoding: Decoding,
    progress: Callable[[int], object] = lambda done: None,
) -> list[dict[str, Any]]:
    """Quality in every bucket of source lengths, with intervals: `low`, `high` and the scores."""
    result = []
    for (low, high), inside in buckets(items, checkpoint).items():
        texts = translate_all(checkpoint, [checkpoint.read(item.source) for item in inside], decoding, progress).texts
        measured = quality(texts, inside, checkpoint.meta.get("target", ""), RESAMPLES)
        result.append({"low": low, "high": high, **measured})
    return result


def by_rounds(
    checkpoint: Checkpoint, items: Sequence[Item], lengths: int, progress: Callable[[int], object] = lambda done: None
) -> list[dict[str, Any]]:
    """Quality and speed of a non-autoregressive model with 1, 2, 4 and 10 rounds of mask-predict."""
    result = []
    for rounds in ROUNDS:
        done = translate_all(
            checkpoint, [checkpoint.read(item.source) for item in items], MaskPredictDecoding(rounds, lengths), progress
        )
        measured = quality(done.texts, items, checkpoint.meta.get("target", ""))
        speed = round(len(items) / done.seconds, 2)
        result.append({"rounds": rounds, **measured, "sentences_per_second": speed})
    return result
