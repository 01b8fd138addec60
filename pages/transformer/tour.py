"""The guided tour of the Transformer page: of the heads, of one layer, or of masks and batches, whichever is open."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nmtcore.analysis.head_statistics import lowest_head
from nmtcore.config import TransformerConfig
from nmtcore.decoding.trace import Trace
from nmtcore.text.words import name_at
from nmtcore.views.heads.head import Head, in_order
from nmtcore.views.heads.messages import MESSAGES
from nmtcore.views.heads.statistics import Column
from pages.common.component import localized
from pages.common.i18n import _, ngettext
from pages.common.tour import Target, TourStep, tour_step
from pages.common.tour_sentences import largest_weight, quoted, reads_pieces
from pages.transformer.layer import KEY as STREAM

# Keys of the two pictures, and of the tabs where the page draws a pane itself.
PICTURE, MASKS, TABS = "heads", "masks", "layer panes"


def heads_tour(trace: Trace, config: TransformerConfig, opening: Head, columns: Sequence[Column]) -> list[TourStep]:
    """Tour of the panes that the picture draws: all heads, which of them matter, one cell."""
    return [
        tour_step(reads_pieces(trace.source_text, trace), "text"),
        _all_heads(trace),
        _opening_head(trace, opening),
        _narrowest(columns),
        _nearest(columns),
        _masked(trace),
        _without_each(trace),
        _one_cell(config),
        *_other_panes(config),
    ]


def layer_tour(trace: Trace, config: TransformerConfig) -> list[TourStep]:
    """Tour of the pane of one layer."""
    return [
        tour_step(reads_pieces(trace.source_text, trace), "text"),
        tour_step(
            ngettext(
                "The translation has {count} piece, and any piece of either sentence can be followed from here.",
                "The translation has {count} pieces, and any piece of either sentence can be followed from here.",
                len(trace.target),
            ).format(count=len(trace.target)),
            Target(STREAM, '.pieces[data-side="t"]'),
        ),
        tour_step(
            _(
                "This model has {encoder} encoder and {decoder} decoder layers, and the picture shows one of them."
            ).format(encoder=config.encoder_layers, decoder=config.decoder_layers),
            Target(STREAM, ".controls"),
        ),
        tour_step(
            _(
                "Every row is a vector of {width} numbers: the first are drawn, red below zero and blue above, with "
                "its length beside them."
            ).format(width=config.width),
            Target(STREAM, ".rows"),
        ),
        tour_step(
            _("The feed-forward part makes {inner} numbers of {width}, keeps those above zero, and goes back.").format(
                inner=config.feedforward, width=config.width
            ),
            Target(STREAM, ".rows"),
        ),
        tour_step(
            _(
                "Stage by stage these pieces are nearest to the stream; with all parts on the model wrote “{text}”."
            ).format(text=quoted(trace.text)),
            Target(STREAM, ".lens"),
        ),
        tour_step(
            _("Here parts of this layer go off, and the translation is made again without them."),
            Target(STREAM, ".switches"),
        ),
        tour_step(_("These tabs lead back to the heads of the same translation."), TABS),
    ]


def batch_tour(trace: Trace, config: TransformerConfig) -> list[TourStep]:
    """Tour of the pane of masks and batches."""
    return [
        tour_step(reads_pieces(trace.source_text, trace), "text"),
        tour_step(
            _("It stands first in a batch of three sentences, and any of them can be chosen here."),
            Target(MASKS, ".row"),
        ),
        tour_step(
            _("Rows that are shorter than the longest end in padding, which is no word."),
            Target(MASKS, ".batch"),
        ),
        tour_step(
            _("These matrices belong to one of the {heads} heads of one layer, which is chosen here.").format(
                heads=config.heads
            ),
            Target(MASKS, ".places"),
        ),
        tour_step(
            _("The padding mask is 1 where a piece stands and 0 where padding does."),
            Target(MASKS, "figure.padding"),
        ),
        tour_step(
            _("Both masks multiplied say what a row may look at, and only there a score counts."),
            Target(MASKS, "figure.allowed"),
        ),
        tour_step(
            _("The scores are q·k divided by √{width}, which is {root}, for each head has {width} numbers.").format(
                width=_head_width(config), root=f"{math.sqrt(_head_width(config)):.2f}"
            ),
            Target(MASKS, "figure.scores"),
        ),
        tour_step(
            _("After the masks the softmax shares all of the weight among what is allowed."),
            Target(MASKS, "figure.weights"),
        ),
        tour_step(_("These tabs lead back to the heads of the same translation."), TABS),
    ]


def _head_width(config: TransformerConfig) -> int:
    return config.width // config.heads


def _tab(number: int) -> Target:
    return Target(PICTURE, f".heads > .segment button:nth-child({number})")


def _all_heads(trace: Trace) -> TourStep:
    parts = {f"{m.kind}": m.layers * m.heads for m in in_order(trace)}
    says = _(
        "This model has {count} heads, {encoder} in the encoder, {decoder} in the decoder, {cross} from the one to the "
        "other; each small picture is a head."
    ).format(count=sum(parts.values()), **{kind: parts.get(kind, 0) for kind in ("encoder", "decoder", "cross")})
    return tour_step(says, Target(PICTURE, ".thumbs"), PICTURE)


def _opening_head(trace: Trace, head: Head) -> TourStep:
    attention = trace.attention_of(head.kind)
    assert attention is not None
    weights = attention.matrix(*("mean" if i is None else i for i in (head.layer, head.head)))
    largest = largest_weight(weights, trace.target)
    values = {
        "step": largest.row + 1,
        "word": name_at(trace.target, largest.row),
        "head": _name(head),
        "weight": f"{largest.weight:.2f}",
        "source": name_at(trace.source, largest.column),
    }
    says = (
        _("For “{word}” at step {step}, most of the attention of {head}, {weight}, lies on “{source}”.")
        if largest.weight > 0.5
        else _(
            "For “{word}” at step {step}, the largest part of the attention of {head}, {weight}, lies on “{source}”."
        )
    )
    return tour_step(says.format(**values), *_thumb(head))


def _narrowest(columns: Sequence[Column]) -> TourStep:
    """The cross head with the smallest entropy."""
    values = next(column for column in columns if column.id == "entropy").values["cross"][:-1, :-1]
    head = Head("cross", *lowest_head(values))
    says = _("No cross head has a smaller entropy than {head}: {value} bits on average over its rows.")
    return tour_step(says.format(head=_name(head), value=f"{values.min():.2f}"), *_thumb(head))


def _nearest(columns: Sequence[Column]) -> TourStep:
    """The encoder head that looks least far."""
    values = next(column for column in columns if column.id == "distance").values["encoder"][:-1, :-1]
    head = Head("encoder", *lowest_head(values))
    says = _("In the encoder no head looks less far than {head}: {value} pieces away on average.")
    kinds = Target(PICTURE, ".controls > .segment:first-child")
    return tour_step(says.format(head=_name(head), value=f"{values.min():.1f}"), _thumb(head)[0], kinds, PICTURE)


def _masked(trace: Trace) -> TourStep:
    T = len(trace.inputs)
    says = _(
        "In decoder self-attention no row looks ahead: of {all} cells, {future} lie in the future and hold nothing."
    )
    kinds = Target(PICTURE, ".controls > .segment:first-child")
    return tour_step(says.format(all=T * T, future=T * (T - 1) // 2), kinds, PICTURE)


def _without_each(trace: Trace) -> TourStep:
    count = sum(m.layers * m.heads for m in in_order(trace))
    says = _("Behind this tab each of the {count} heads goes off once, and the page says what the translation loses.")
    return tour_step(says.format(count=count), _tab(3), PICTURE)


def _one_cell(config: TransformerConfig) -> TourStep:
    width = _head_width(config)
    says = _(
        "Behind this tab q·k of one cell, a sum of {width} products, is divided by √{width} = {root} for its softmax."
    )
    return tour_step(says.format(width=width, root=f"{math.sqrt(width):.2f}"), _tab(4), PICTURE)


def _other_panes(config: TransformerConfig) -> list[TourStep]:
    says = _("Behind this tab one piece goes through a layer: {width} numbers, {inner} within the feed-forward part.")
    batch = _("Behind this tab the sentence stands in a batch with two others, and two masks say who may look where.")
    return [
        tour_step(says.format(width=config.width, inner=config.feedforward), _tab(5), PICTURE),
        tour_step(batch, _tab(6), PICTURE),
    ]


def _name(head: Head) -> str:
    return head.name(localized(MESSAGES))


def _thumb(head: Head) -> tuple[Target, ...]:
    """Its small picture, where those of its kind are shown; else all that there is."""
    kind = str(localized(MESSAGES)["kinds"][head.kind][0])
    where = (('.controls > .segment:first-child [aria-pressed="true"]', kind),)
    place = f"{'mean' if head.layer is None else head.layer}.{'mean' if head.head is None else head.head}"
    return Target(PICTURE, f'.thumb[data-head="{place}"]', where), Target(PICTURE, ".thumbs"), Target(PICTURE)
