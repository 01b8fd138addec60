"""Corpus BLEU and chrF with bootstrap intervals, by source length and by rounds of mask-predict; sentence BLEU.

sacrebleu computes them. For scores by length, buckets of a test set are filled by joining sentences.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from nmtcore.config import Decoding, MaskPredictDecoding
from nmtcore.decoding.batched import translate_all
from nmtcore.errors import DataError
from nmtcore.evaluation.references import Item, fits
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.languages import language
from nmtcore.text.words import join_texts, text_length

BUCKETS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, 50))  # source words, inclusive
BUCKET_ITEMS = 100  # smallest bucket; filled up with joined sentences
RESAMPLES = 1000  # for the bootstrap
ROUNDS = (1, 2, 4, 10)  # of mask-predict


class Chrf(CHRF):
    """sacrebleu's CHRF, fixed: a resample in which nothing matches no longer ends the bootstrap in a TypeError."""

    def _compute_score_from_stats(self, stats: Any) -> Any:
        result = super()._compute_score_from_stats(stats)
        result.score = float(result.score)  # float32, or float if it is zero: statistics.mean refuses a mixture
        return result


def quality(hypotheses: Sequence[str], items: Sequence[Item], target: str = "", resamples: int = 0) -> dict[str, Any]:
    """BLEU and chrF against all references of every item: `items`, `bleu`, `chrf`, and sacrebleu's signatures.

    target: the language, for BLEU's tokenizer. resamples: how many to draw for 95% bootstrap intervals, which end at
    `bleu_low`, `bleu_high` and so on. Raises DataError without items.
    """
    if not items:
        raise DataError("There is nothing to evaluate.")
    most = max(len(item.references) for item in items)
    # sacrebleu takes one list per reference; None stands for a reference that an item lacks.
    lists: Any = [[(*item.references, *[None] * most)[i] for item in items] for i in range(most)]
    metrics = (BLEU(tokenize=language(target).bleu_tokenizer, force=True), Chrf())
    fields: dict[str, Any] = {"items": len(items)}
    for name, metric in zip(("bleu", "chrf"), metrics, strict=True):
        score = metric.corpus_score(list(hypotheses), lists, n_bootstrap=resamples or 1)
        fields |= {name: round(score.score, 3), f"{name}_signature": str(metric.get_signature())}
        if resamples:
            low, high = float(score._mean - score._ci), float(score._mean + score._ci)
            fields |= {f"{name}_low": round(low, 3), f"{name}_high": round(high, 3)}
    return fields


def sentence_bleu(hypothesis: str, reference: str, target: str = "") -> float:
    """sacrebleu's sentence BLEU with effective order: a sentence of three words needs no matching 4-gram.

    target: the language, for BLEU's tokenizer.
    """
    metric = BLEU(tokenize=language(target).bleu_tokenizer, effective_order=True)
    return float(metric.sentence_score(hypothesis, [reference]).score)


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
