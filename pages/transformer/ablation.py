"""Head ablation: the translation without some heads, and the score of the same output without each."""

from collections.abc import Sequence
from functools import partial

from streamlit.delta_generator import DeltaGenerator

from nmtcore.analysis.head_ablation import without_each_head
from nmtcore.config import DecodingConfig
from nmtcore.decoding.trace import AttentionMap, Trace, length_penalty
from nmtcore.errors import NmtError
from nmtcore.figures.text import signed
from nmtcore.intervention import Intervention
from nmtcore.text.diff import word_diff
from nmtcore.text.source import SourceText
from nmtcore.views.heads.data import Effect
from nmtcore.views.heads.head import Head, in_order
from nmtcore.views.heads.messages import MESSAGES
from pages.common import models
from pages.common.component import localized
from pages.common.i18n import _, ngettext
from pages.common.late_progress import LateProgress
from pages.common.probes import analysed
from pages.common.question import Question

NAMED = 2  # heads off that a sentence names; beyond that it counts them


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
    off: Sequence[Head],
    decoding: DecodingConfig,
    intervention: Intervention,
) -> Effect:
    """The translation with heads off, `after`, beside the ordinary one, and the change in its log-probability."""
    text = [(trace.text or _("(nothing)"), False)]
    if after is None:
        return Effect(
            _("log P {value} with all heads on.").format(value=signed(trace.log_probability)),
            [(_("Translation:"), text)],
        )
    forced = Intervention(heads_off=intervention.heads_off, forced=tuple(enumerate(trace.ids)))
    limit = DecodingConfig(max_length=len(trace.ids))
    (same,) = models.ask([models.request(model, source, limit, forced)])
    names = {
        "heads": ", ".join(head.name(localized(MESSAGES)) for head in off) if len(off) <= NAMED else counted(len(off)),
        "before": signed(trace.log_probability),
        "after": signed(same.log_probability),
        "new": signed(after.log_probability),
    }
    if after.ids == trace.ids:
        says = _("Off: {heads}. The translation stays the same; its log P goes from {before} to {after}.")
        if names["before"] == names["after"]:
            says = _("Off: {heads}. Neither the translation nor its log P of {before} changes.")
        return Effect(says.format(**names), [(_("Before and after:"), text)])
    says = _(
        "Off: {heads}. The translation changes. The old one's log P goes from {before} to {after}; "
        "the new one has {new}."
    ).format(**names)
    return Effect(
        says,
        [(_("Before:"), text), (_("After:"), word_diff(trace.text, after.text)[1] or [(_("(nothing)"), True)])],
        less_likely(after, same, decoding),
    )


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
