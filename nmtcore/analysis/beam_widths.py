"""Compare beam widths by recorded searches for one sentence, one search per width."""

from collections.abc import Sequence
from typing import NamedTuple

from nmtcore.decoding.trace import Trace, coverage_penalty, length_penalty
from nmtcore.evaluation.bleu_chrf import sentence_bleu
from nmtcore.text.vocabulary import EOS, Vocab

WIDTHS = tuple(range(1, 11))


class WidthResult(NamedTuple):
    """The winner of one search with given penalties. bleu: None without a reference.

    lp, cp: the length and the coverage penalty in its score, log P / lp + cp.
    """

    width: int
    text: str
    log_probability: float
    lp: float
    cp: float
    score: float
    finished: bool
    milliseconds: float
    bleu: float | None


def compare_widths(
    traces: Sequence[Trace], vocab: Vocab, alpha: float, beta: float, reference: str = "", language: str = ""
) -> tuple[WidthResult, ...]:
    """One result per search, ranked with these penalties.

    reference: a correct translation, for BLEU; language: its code, for BLEU's tokenizer.
    """
    rows = []
    for trace in traces:
        end = trace.ranked(alpha, beta)[0]
        ids = [node.token_id for node in trace.path(end)]
        text = vocab.decode(ids)
        bleu = sentence_bleu(text, reference, language) if reference else None
        finished = end.token_id == EOS
        lp, cp = length_penalty(end.step, alpha), coverage_penalty(end.coverage, beta)
        score, milliseconds = end.score(alpha, beta), 1000 * trace.seconds
        rows.append(WidthResult(trace.decoding.beam, text, end.total, lp, cp, score, finished, milliseconds, bleu))
    return tuple(rows)
