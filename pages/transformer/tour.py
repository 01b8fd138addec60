"""The guided tour of the Transformer page: of the heads, of one layer, or of masks and batches, whichever is open."""

from nmtcore.analysis.head_statistics import entropy, lowest_head, mean_distance
from nmtcore.config import TransformerConfig
from nmtcore.decoding.trace import Trace
from nmtcore.text.words import name_at
from nmtcore.views.heads.head import Head
from nmtcore.views.heads.messages import MESSAGES
from pages.common.component import localized
from pages.common.i18n import _
from pages.common.piece_choice import longest_piece
from pages.common.state import link_texts
from pages.common.tour import Target, TourStep, attends_to, largest_weight, tour_step, your_sentence
from pages.transformer.layer import KEY as STREAM
from pages.transformer.state import TransformerState

# Keys of the two pictures, and of the tabs when the page draws a pane itself.
PICTURE, MASKS, TABS = "heads", "masks", "layer panes"
TAB = ".controls > .segment button"
ENLARGED = Target(PICTURE, ".panels section")  # the head beside them


def heads_tour(trace: Trace, opening: Head) -> list[TourStep]:
    """Tour of the panes that the picture draws: all heads, which ones matter, one cell."""
    masked = _("In decoder self-attention no row looks ahead: the hatched cells lie in the future and hold nothing.")
    behind = {
        3: _("This tab switches each head off once and says what the translation loses."),
        4: _("This tab shows how one cell is computed: q·k, a sum of products, divided by √dₖ, and the softmax."),
        5: _("This tab follows one piece through a layer, vector by vector."),
        6: _("This tab puts the sentence into a batch with two others; two masks say which word may look where."),
    }
    return [
        tour_step(your_sentence(trace.source_text), "text"),
        _all_heads(trace, opening),
        _opening_head(trace, opening),
        _narrowest(trace),
        _nearest(trace),
        tour_step(masked, ENLARGED, PICTURE, shows=_shown(Head("decoder", 0, 0))),
        *(tour_step(says, Target(PICTURE, f"{TAB}:nth-child({number})"), PICTURE) for number, says in behind.items()),
    ]


def layer_tour(trace: Trace, config: TransformerConfig) -> list[TourStep]:
    """Tour of the pane of one layer: the first one of the decoder, with the piece that the pane opens with."""
    piece = longest_piece(trace, "target")
    shows = link_texts(TransformerState, stream_piece=piece.code, stream_layer=None)
    followed = _("Any piece of either sentence can be followed from here, now “{piece}”.")
    one = _("The decoder of this model has {layers} layers, and the picture shows one of them.")
    rows = _("Every row is a vector: its first numbers are drawn, red below zero and blue above, with its length.")
    inner = _("The feed-forward part turns {width} numbers into {inner}, keeps those above zero, and goes back.")
    lens = _("Stage by stage, what the stream would say if it ended there; last is what the model says.")
    parts = {
        ".pieces": followed.format(piece=name_at(trace.target, piece.position)),
        ".controls": one.format(layers=config.decoder_layers),
        ".rows": rows,
        '[data-row="inner"] text, [data-row="inner"] + [data-row] text': inner.format(
            inner=f"{config.feedforward:,}", width=config.width
        ),
        ".lens": lens,
    }
    switches = _("Switch off parts of this layer here; the translation is made again without them.")
    return [
        tour_step(your_sentence(trace.source_text), "text"),
        *(tour_step(says, Target(STREAM, part), shows=shows) for part, says in parts.items()),
        tour_step(switches, Target(STREAM, ".switches")),
        _tabs(),
    ]


def batch_tour(trace: Trace, config: TransformerConfig) -> list[TourStep]:
    """Tour of the pane of masks and batches: a head of the decoder, in the sentence that it opens with."""
    shows = link_texts(TransformerState, head="decoder.1.1", batch_row=None)
    chosen = _("Your sentence is the first in a batch of three; any of them can be chosen here.")
    padded = _("Rows shorter than the longest end in padding, which is not a word.")
    head = _("These matrices belong to one of the {heads} heads of one layer, which is chosen here.")
    parts = {
        ".places": head.format(heads=config.heads),
        "figure.padding": _("The padding mask is 1 where a piece stands and 0 where padding does."),
        "figure.allowed": _("The product of both masks says what a row may look at; only there does a score count."),
        "figure.scores": _(
            "The scores are q·k divided by a root; those in grey cells are masked, and count for nothing."
        ),
        "figure.weights": _("After the masks the softmax shares all of the weight among what is allowed."),
    }
    return [
        tour_step(your_sentence(trace.source_text), "text"),
        tour_step(chosen, Target(MASKS, ".row")),
        tour_step(padded, Target(MASKS, ".batch")),
        *(tour_step(says, Target(MASKS, part), shows=shows) for part, says in parts.items()),
        _tabs(),
    ]


def _tabs() -> TourStep:
    return tour_step(_("These tabs lead back to the heads of the same translation."), TABS)


def _shown(head: Head, row: int | None = None) -> dict[str, str | None]:
    """A head enlarged beside all of its kind, with all heads on, as pieces; row: the target piece that is picked."""
    pick = None if row is None else f"0.t{row}"
    return link_texts(
        TransformerState,
        pane=None,
        head=head.code,
        attention_run="before",
        pick=pick,
        pick_view=None,
        pick_step=None,
    )


def _all_heads(trace: Trace, opening: Head) -> TourStep:
    attention = trace.known_attention(opening.kind)
    says = _("Each small picture is a head: there are {layers} layers of them, with {heads} heads each.")
    says = says.format(layers=attention.layers, heads=attention.heads)
    return tour_step(says, Target(PICTURE, ".thumbs"), PICTURE, shows=_shown(opening))


def _opening_head(trace: Trace, head: Head) -> TourStep:
    attention = trace.known_attention(head.kind)
    weights = attention.matrix(*("mean" if i is None else i for i in (head.layer, head.head)))
    largest = largest_weight(weights, trace.target)
    says = attends_to(_name(head), trace.target, trace.source, largest)
    return tour_step(says, ENLARGED, PICTURE, shows=_shown(head, largest.row))


def _narrowest(trace: Trace) -> TourStep:
    """The cross head with the smallest entropy."""
    values = entropy(trace.known_attention("cross"))
    head = Head("cross", *lowest_head(values))
    says = _("The cross head with the smallest entropy is {head}: {value} bits on average over its rows.")
    says = says.format(head=_name(head), value=f"{values.min():.1f}")
    return tour_step(says, ENLARGED, PICTURE, shows=_shown(head))


def _nearest(trace: Trace) -> TourStep:
    """The encoder head with the smallest mean distance."""
    values = mean_distance(trace.known_attention("encoder"))
    head = Head("encoder", *lowest_head(values))
    says = _("The encoder head that looks least far is {head}: {value} pieces away on average.")
    says = says.format(head=_name(head), value=f"{values.min():.1f}")
    return tour_step(says, ENLARGED, PICTURE, shows=_shown(head))


def _name(head: Head) -> str:
    return head.name(localized(MESSAGES))
