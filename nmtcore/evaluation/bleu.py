"""BLEU and chrF (sacrebleu), by length and by rounds too; the references' log-probability; speed."""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from nmtcore.config import Decoding, DecodingConfig, MaskPredictDecoding
from nmtcore.decoding.decode import decoding_for, translate_many
from nmtcore.errors import DataError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.text.normalization import normalized_length
from nmtcore.text.source import MAX_CHARACTERS, MAX_PIECES
from nmtcore.text.vocabulary import Vocab
from nmtcore.text.words import join_texts, text_length
from nmtcore.training.batches import fixed_batches
from nmtcore.training.corpus import Pair
from nmtcore.training.loss import mean_loss

BUCKETS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, 50))  # source words, both ends included
BUCKET_ITEMS = 100  # at least; made up by joining sentences
RESAMPLES = 1000  # of the bootstrap
ROUNDS = (1, 2, 4, 10)  # of mask-predict
ROWS = 12_000  # hypotheses times steps that a batch may take: half a gigabyte for the models that ship
SCORE_TOKENS = 4000  # padded pieces scored at a time


@dataclass(frozen=True)
class Item:
    """A sentence and all its translations."""

    source: str
    references: tuple[str, ...]


@dataclass(frozen=True)
class Quality:
    """Corpus scores with sacrebleu's signatures; low and high are the ends of 95% bootstrap intervals."""

    items: int
    bleu: float
    chrf: float
    bleu_signature: str
    chrf_signature: str
    bleu_low: float | None = None
    bleu_high: float | None = None
    chrf_low: float | None = None
    chrf_high: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The fields that were measured, rounded to what means something."""
        fields = dataclasses.asdict(self).items()
        return {k: round(v, 3) if isinstance(v, float) else v for k, v in fields if v is not None}


@dataclass(frozen=True)
class Translations:
    """The texts, in the order of their sources, and which of them ended in `<eos>`; tokens: pieces with `<eos>`."""

    texts: list[str]
    finished: list[bool]
    tokens: int
    seconds: float


class Chrf(CHRF):
    """sacrebleu's, but a resample in which nothing matches does not end its bootstrap in a TypeError."""

    def _compute_score_from_stats(self, stats: Any) -> Any:
        found = super()._compute_score_from_stats(stats)
        found.score = float(found.score)  # a float32, but a float where it is zero: statistics.mean refuses both
        return found


def group_references(pairs: Iterable[Pair]) -> list[Item]:
    """Multiple references: one item for each source, in the order of their first rows."""
    found: dict[str, list[str]] = {}
    for pair in pairs:
        found.setdefault(pair.source, []).append(pair.target)
    return [Item(source, tuple(references)) for source, references in found.items()]


def within_limits(items: Sequence[Item], vocab: Vocab, max_length: int = MAX_PIECES + 1) -> list[Item]:
    """The items of which no side is too long for a model. Raises DataError when none is left.

    max_length: the most tokens that the model can hold, of which `<eos>` takes one.
    """
    kept = [item for item in items if all(fits(text, vocab, max_length) for text in (item.source, *item.references))]
    if not kept:
        raise DataError(
            f"There is nothing to evaluate: no sentence has at most {min(MAX_PIECES, max_length - 1)} pieces."
        )
    return kept


def fits(text: str, vocab: Vocab, max_length: int) -> bool:
    """Whether a text is within the limits and, with `<eos>`, has at most `max_length` tokens."""
    return normalized_length(text) <= MAX_CHARACTERS and len(vocab.encode(text)) <= min(MAX_PIECES, max_length - 1)


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


def quality(hypotheses: Sequence[str], items: Sequence[Item], target: str = "", resamples: int = 0) -> Quality:
    """BLEU and chrF against all references of every item; `target` is the language, for BLEU's tokenizer.

    `resamples` asks for bootstrap intervals. Raises DataError without items.
    """
    if not items:
        raise DataError("There is nothing to evaluate.")
    most = max(len(item.references) for item in items)
    # sacrebleu takes one list a reference; None stands for a reference that an item does not have.
    lists: Any = [[(*item.references, *[None] * most)[i] for item in items] for i in range(most)]
    metrics = (BLEU(tokenize="zh" if target == "zh" else "13a", force=True), Chrf())
    found: dict[str, Any] = {}
    for name, metric in zip(("bleu", "chrf"), metrics, strict=True):
        score = metric.corpus_score(list(hypotheses), lists, n_bootstrap=resamples or 1)
        found[name], found[f"{name}_signature"] = float(score.score), str(metric.get_signature())
        if resamples:
            mean, half = float(score._mean), float(score._ci)
            found[f"{name}_low"], found[f"{name}_high"] = mean - half, mean + half
    return Quality(len(items), **found)


def sentence_bleu(hypothesis: str, reference: str, target: str = "") -> float:
    """sacrebleu's sentence BLEU with effective order: a sentence of three words needs no four in a row.

    target: the language, for BLEU's tokenizer.
    """
    metric = BLEU(tokenize="zh" if target == "zh" else "13a", effective_order=True)
    return float(metric.sentence_score(hypothesis, [reference]).score)


def reference_log_probability(checkpoint: Checkpoint, items: Sequence[Item]) -> tuple[float, float]:
    """Mean log P(reference | source), natural logarithm: of a reference, and of one of its pieces with `<eos>`."""
    pairs = [Pair(item.source, reference) for item in items for reference in item.references]
    batches = fixed_batches(checkpoint.vocab, pairs, SCORE_TOKENS)
    a_piece = -mean_loss(checkpoint.model, batches)
    return a_piece * sum(map(len, batches.targets)) / len(pairs), a_piece


def buckets(items: Sequence[Item], checkpoint: Checkpoint, seed: int = 1) -> dict[tuple[int, int], list[Item]]:
    """The items by the length of their sources, each bucket filled up to BUCKET_ITEMS by joining items.

    A bucket that cannot be filled, since too few sentences fit into it, has fewer items or is left out.
    """
    chance = random.Random(seed)
    max_length = checkpoint.model.max_length
    lengths = [text_length(item.source, checkpoint.vocab) for item in items]
    found = {}
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
            found[low, high] = inside
    return found


def _joined(items: Sequence[Item], lengths: Sequence[int], wanted: int, chance: random.Random) -> Item:
    """Items drawn at random and joined until they are about `wanted` long; reference k is made of their k-th ones."""
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
    """Quality in every bucket of source lengths, with intervals: `low`, `high` and the fields of Quality."""
    result = []
    for (low, high), inside in buckets(items, checkpoint).items():
        texts = translate_all(checkpoint, [item.source for item in inside], decoding, progress).texts
        measured = quality(texts, inside, checkpoint.meta.get("target", ""), RESAMPLES)
        result.append({"low": low, "high": high, **measured.to_json()})
    return result


def by_rounds(
    checkpoint: Checkpoint, items: Sequence[Item], lengths: int, progress: Callable[[int], object] = lambda done: None
) -> list[dict[str, Any]]:
    """Quality and speed of a model that writes all words at once with 1, 2, 4 and 10 rounds of mask-predict."""
    result = []
    for rounds in ROUNDS:
        done = translate_all(
            checkpoint, [item.source for item in items], MaskPredictDecoding(rounds, lengths), progress
        )
        measured = quality(done.texts, items, checkpoint.meta.get("target", ""))
        speed = round(len(items) / done.seconds, 2)
        result.append({"rounds": rounds, **measured.to_json(), "sentences_per_second": speed})
    return result
