"""Head ablation: the translation without some heads, and the score of the same output without each."""

from functools import partial

from streamlit.delta_generator import DeltaGenerator

from nmtcore.analysis.head_ablation import without_each_head
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import AttentionMap, Trace, length_penalty
from nmtcore.errors import NmtError
from nmtcore.figures.text import signed
from nmtcore.intervention import Intervention
from nmtcore.text.source import SourceText
from nmtcore.views.heads.data import Effect
from nmtcore.views.heads.head import in_order
from pages.common import models
from pages.common.i18n import _, ngettext
from pages.common.late_progress import LateProgress
from pages.common.probes import analysed
from pages.common.question import Question


def log_probability_changes(model: str, trace: Trace, spot: DeltaGenerator) -> list[float]:
    """The change of log P of the output without each head, kind by kind, layer by layer. Progress appears in `spot`."""
    layers = [(m.kind, layer) for m in in_order(trace) for layer in range(m.layers)]
    changes: list[float] = []
    progress = LateProgress(spot, len(layers))
    for kind, layer in layers:
        progress.next(_("Scoring the translation without each head…"))
        scores = analysed(partial(without_each_head, models.load(model), trace, kind, layer))
        changes += [float(score) - trace.log_probability for score in scores]
    progress.end()
    return changes


def effect(
    model: str,
    source: SourceText,
    trace: Trace,
    after: Trace | None,
    decoding: DecodingConfig,
    intervention: Intervention,
) -> Effect:
    """What heads that are off change: `after` is the translation without them, None while all are on."""
    if after is None:
        return Effect()
    forced = Intervention(heads_off=intervention.heads_off, forced=tuple(enumerate(trace.ids)))
    limit = DecodingConfig(max_length=len(trace.ids))
    (same,) = models.ask([models.request(model, source, limit, forced)])
    why = "" if after.ids == trace.ids else less_likely(after, same, decoding)
    return Effect(same.log_probability, why)


def less_likely(new: Trace, other: Trace, decoding: DecodingConfig) -> str:
    """Why search wrote `new` if the model, as it is now, gives `other` a higher log-probability; else empty."""
    if new.log_probability >= other.log_probability:
        return ""
    penalties = [length_penalty(len(trace.ids), decoding.alpha) for trace in (new, other)]
    scores = [trace.log_probability / penalty for trace, penalty in zip((new, other), penalties, strict=True)]
    if scores[0] < scores[1] - 1e-4:
        return ngettext(
            "The old one is still likelier, but greedy search did not find it: its prefix was not the likeliest.",
            "The old one is still likelier, but a beam of {count} did not find it: its prefix fell out of the beam.",
            decoding.beam,
        ).format(count=decoding.beam)
    return _(
        "The new one is less likely and won by its length: log P / lp is {new} / {new_lp} = {new_score} for it, "
        "{old} / {old_lp} = {old_score} for the old one."
    ).format(
        new=signed(new.log_probability),
        old=signed(other.log_probability),
        new_lp=f"{penalties[0]:.2f}",
        old_lp=f"{penalties[1]:.2f}",
        new_score=signed(scores[0]),
        old_score=signed(scores[1]),
    )


def counted(count: int) -> str:
    return ngettext("{count} head", "{count} heads", count).format(count=count)


def additive_attention(question: Question, trace: Trace) -> AttentionMap | None:
    """Attention of the additive model in forced decoding of the same output; None if it cannot write it."""
    limit = DecodingConfig(max_length=len(trace.ids))
    try:
        model, forced = question.model("additive"), Intervention.prefix(trace.ids)
        (other,) = models.ask([models.request(model, question.source, limit, forced)])
    except NmtError:
        return None
    attention = other.attention_of("cross")
    same = (other.source, other.target) == (trace.source, trace.target)  # not so with another vocabulary
    return attention if same else None
