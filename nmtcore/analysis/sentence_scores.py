"""Sentence-level evaluation: for each pair in a file, how good its translation is and what the decode looked like.

A corpus score hides the sentences that go wrong. Each measure finds another kind of them: chrF, translations unlike the
reference; coverage, omitted source words (Tu et al. 2016); attention on `<eos>`, a decoder without anything to attend
to; repetition, loops; confidence, translations that the model doubts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from nmtcore.config import DecodingConfig, MaskPredictDecoding
from nmtcore.decoding import mask_predict
from nmtcore.decoding.decode import translate, translate_batch
from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.merging import merge
from nmtcore.decoding.trace import AttentionMap, Trace
from nmtcore.errors import NmtError, TextError
from nmtcore.evaluation.bleu_chrf import Chrf
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.mask_predict import MaskPredict
from nmtcore.text.segmentation import segment
from nmtcore.text.source import SourceText
from nmtcore.text.words import is_punctuation, is_wide, split_words
from nmtcore.training.corpus import Pair

TOGETHER = 16  # sentences in a batch, of similar length
SORTS = ("chrf", "coverage", "on_eos", "repetition", "confidence", "length", "difference")
WORST_FIRST = {"on_eos": -1, "repetition": -1, "length": -1}  # larger is worse; for all others smaller is worse


@dataclass(frozen=True)
class SentenceScore:
    """How one model translated one source. None if the model has no attention or refused the sentence.

    chrf: against the reference; coverage: mean over source words of min(1, sum_j alpha_ij); on_eos: target words' mean
    attention to `<eos>`; repetition: share of the translation's bigrams that occurred before; confidence: geometric
    mean of the pieces' probabilities; refused: why there is no translation.
    """

    translation: str = ""
    chrf: float | None = None
    coverage: float | None = None
    on_eos: float | None = None
    repetition: float | None = None
    confidence: float | None = None
    refused: str = ""


@dataclass(frozen=True)
class SentenceRow:
    """A pair, its line number (from one), the length of its source in words, and each model's score by name."""

    number: int
    source: str
    reference: str
    length: int
    scores: dict[str, SentenceScore]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> SentenceRow:
        scores = {name: SentenceScore(**score) for name, score in data["scores"].items()}
        return cls(**{**data, "scores": scores})

    def difference(self) -> float | None:
        """chrF of the first model minus that of the second; None without two."""
        values = [score.chrf for score in self.scores.values()]
        if len(values) < 2 or values[0] is None or values[1] is None:
            return None
        return values[0] - values[1]


def score_of(decoded: Trace | MaskPredictRecord, reference: str) -> SentenceScore:
    """The scores of one decode."""
    attention = decoded.attention_of("cross") if isinstance(decoded, Trace) else decoded.attention
    steps = decoded.steps if isinstance(decoded, Trace) else decoded.rounds[-1]
    logs = [step.log_probability for step in steps]
    score = SentenceScore(
        decoded.text,
        round(float(Chrf().sentence_score(decoded.text, [reference]).score), 2),
        repetition=round(repetition(decoded.text), 4),
        confidence=round(math.exp(sum(logs) / len(logs)), 4) if logs else None,
    )
    return score if attention is None else replace(score, **_attention_measures(attention))


def _attention_measures(attention: AttentionMap) -> dict[str, Any]:
    """Coverage and attention on `<eos>`, from the mean head of the last layer, like search's coverage penalty."""
    words = merge(attention)
    weights = np.asarray(words.weights[-1], np.float64).mean(0)  # (T, S) of words
    spoken = [j for j, word in enumerate(words.queries) if word != "<eos>" and not is_punctuation(word)]
    read = [i for i, word in enumerate(words.keys[:-1]) if not is_punctuation(word)]
    measures: dict[str, float] = {}
    if read:
        measures["coverage"] = round(float(np.minimum(weights.sum(0), 1)[read].mean()), 4)
    if spoken:
        measures["on_eos"] = round(float(weights[spoken, -1].mean()), 4)
    return measures


def repetition(text: str) -> float:
    """The share of a text's word bigrams that occurred before; 0 for a text of fewer than two words."""
    words = split_words(text.lower())
    bigrams = list(zip(words, words[1:], strict=False))
    return 1 - len(set(bigrams)) / len(bigrams) if bigrams else 0.0


def word_count(text: str) -> int:
    """The number of words in a text, without punctuation; a segmenter finds them in a script without spaces."""
    return sum(not is_punctuation(word) for word in (segment(text) if is_wide(text) else split_words(text)))


def sentence_rows(
    models: Sequence[Checkpoint],
    pairs: Sequence[Pair],
    decoding: DecodingConfig,
    progress: Callable[[int], object] = lambda done: None,
) -> Iterator[SentenceRow]:
    """Yield each pair with the scores of each model, shorter sources first. `progress` gets the number done."""
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i].source))
    for first in range(0, len(order), TOGETHER):
        rows = order[first : first + TOGETHER]
        some = [pairs[i] for i in rows]
        scores = [_scores(model, some, decoding) for model in models]
        for place, (i, pair) in enumerate(zip(rows, some, strict=True)):
            of_pair = {model.name: of_model[place] for model, of_model in zip(models, scores, strict=True)}
            yield SentenceRow(i + 1, pair.source, pair.target, word_count(pair.source), of_pair)
        progress(len(rows))


def _scores(model: Checkpoint, pairs: Sequence[Pair], decoding: DecodingConfig) -> list[SentenceScore]:
    """The scores of a batch, decoded one by one if any sentence is refused."""
    sources = [model.read(pair.source) for pair in pairs]
    try:
        if not isinstance(model.model, MaskPredict) and all(len(source.text) for source in sources):
            traces = translate_batch(model, sources, decoding)
            return [score_of(trace, pair.target) for trace, pair in zip(traces, pairs, strict=True)]
    except TextError:
        pass
    return [_score(model, source, pair.target, decoding) for source, pair in zip(sources, pairs, strict=True)]


def _score(model: Checkpoint, source: SourceText, target: str, decoding: DecodingConfig) -> SentenceScore:
    try:
        if isinstance(model.model, MaskPredict):
            return score_of(mask_predict.translate(model, source, MaskPredictDecoding()), target)
        return score_of(translate(model, source, decoding), target)
    except NmtError as error:
        return SentenceScore(refused=str(error))


def worst_first(rows: Sequence[SentenceRow], sort: str, model: str) -> list[SentenceRow]:
    """Sort by one of SORTS, the worst first, rows without the number last. model: the one whose scores count."""
    sign = WORST_FIRST.get(sort, 1)

    def key(row: SentenceRow) -> tuple[bool, float, int]:
        of_row = {"length": row.length, "difference": row.difference()}
        value = of_row[sort] if sort in of_row else getattr(row.scores.get(model), sort, None)
        return value is None, sign * (value or 0.0), row.number

    return sorted(rows, key=key)


def filtered(rows: Sequence[SentenceRow], word: str = "", least: int = 0, most: int = 0) -> list[SentenceRow]:
    """Rows with a word in source, reference or a translation, and with a source of `least` to `most` words; 0: any."""
    wanted = word.strip().casefold()

    def has(row: SentenceRow) -> bool:
        texts = (row.source, row.reference, *(score.translation for score in row.scores.values()))
        return not wanted or any(wanted in text.casefold() for text in texts)

    return [row for row in rows if has(row) and row.length >= least and (not most or row.length <= most)]
