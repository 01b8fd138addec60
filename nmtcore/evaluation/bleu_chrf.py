"""Corpus BLEU and chrF with bootstrap intervals, and sentence BLEU, by sacrebleu."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from nmtcore.errors import DataError
from nmtcore.evaluation.references import Item
from nmtcore.text.languages import language


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
        """The measured fields, rounded to their meaningful digits."""
        fields = dataclasses.asdict(self).items()
        return {k: round(v, 3) if isinstance(v, float) else v for k, v in fields if v is not None}


class Chrf(CHRF):
    """sacrebleu's CHRF, fixed: a resample in which nothing matches no longer ends the bootstrap in a TypeError."""

    def _compute_score_from_stats(self, stats: Any) -> Any:
        result = super()._compute_score_from_stats(stats)
        result.score = float(result.score)  # float32, or float if it is zero: statistics.mean refuses a mixture
        return result


def quality(hypotheses: Sequence[str], items: Sequence[Item], target: str = "", resamples: int = 0) -> Quality:
    """BLEU and chrF against all references of every item; `target` is the language, for BLEU's tokenizer.

    resamples: how many to draw for bootstrap intervals. Raises DataError without items.
    """
    if not items:
        raise DataError("There is nothing to evaluate.")
    most = max(len(item.references) for item in items)
    # sacrebleu takes one list per reference; None stands for a reference that an item lacks.
    lists: Any = [[(*item.references, *[None] * most)[i] for item in items] for i in range(most)]
    metrics = (BLEU(tokenize=language(target).bleu_tokenizer, force=True), Chrf())
    fields: dict[str, Any] = {}
    for name, metric in zip(("bleu", "chrf"), metrics, strict=True):
        score = metric.corpus_score(list(hypotheses), lists, n_bootstrap=resamples or 1)
        fields[name], fields[f"{name}_signature"] = float(score.score), str(metric.get_signature())
        if resamples:
            mean, half = float(score._mean), float(score._ci)
            fields[f"{name}_low"], fields[f"{name}_high"] = mean - half, mean + half
    return Quality(len(items), **fields)


def sentence_bleu(hypothesis: str, reference: str, target: str = "") -> float:
    """sacrebleu's sentence BLEU with effective order: a sentence of three words needs no matching 4-gram.

    target: the language, for BLEU's tokenizer.
    """
    metric = BLEU(tokenize=language(target).bleu_tokenizer, effective_order=True)
    return float(metric.sentence_score(hypothesis, [reference]).score)
