"""Corpus BLEU and chrF with bootstrap intervals, and sentence BLEU, by sacrebleu."""

from collections.abc import Sequence
from typing import Any

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from nmtcore.errors import DataError
from nmtcore.evaluation.references import Item
from nmtcore.text.languages import language


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
