"""The words of the page with many heads: names of kinds and heads, and what the grid, table and arithmetic say."""

from __future__ import annotations

from nmtcore.intervention import AttentionKind
from pages.common.alignment.head import Head
from pages.common.i18n import _


def kind_words() -> dict[AttentionKind, tuple[str, str]]:
    """The name of each kind of attention and what it is."""
    return {
        "cross": (
            _("Cross attention"),
            _("Queries from the decoder, keys and values from the encoder: the alignment of the two sentences."),
        ),
        "encoder": (
            _("Encoder self"),
            _("Every source word looks at every source word."),
        ),
        "decoder": (
            _("Decoder self"),
            _("Every word of the translation looks back; the future is masked, and hatched here."),
        ),
    }


def name(head: Head) -> str:
    """A head in a sentence."""
    names = {
        "cross": _("cross layer {layer} head {head}"),
        "encoder": _("encoder layer {layer} head {head}"),
        "decoder": _("decoder layer {layer} head {head}"),
    }
    return _numbered(names, head)


def short_name(head: Head) -> str:
    """A head in a table of all kinds."""
    names = {
        "cross": _("Cross L{layer} H{head}"),
        "encoder": _("Encoder L{layer} H{head}"),
        "decoder": _("Decoder L{layer} H{head}"),
    }
    return _numbered(names, head)


def _numbered(names: dict[AttentionKind, str], head: Head) -> str:
    """The words for the head's kind, with layer and head counted from 1."""
    return names[head.kind].format(layer=(head.layer or 0) + 1, head=(head.head or 0) + 1)


def title(head: Head) -> str:
    """The heading of an enlarged head or average."""
    if head.layer is None and head.head is None:
        return _("Mean of all layers and heads")
    if head.layer is None:
        return _("Head {head}, mean of the layers").format(head=(head.head or 0) + 1)
    if head.head is None:
        return _("Layer {layer}, mean of the heads").format(layer=head.layer + 1)
    return _("Layer {layer}, head {head}").format(layer=head.layer + 1, head=head.head + 1)


def head_words(note: str) -> dict[str, str]:
    """The words of the grid, the table and the arithmetic."""
    return {
        "idle": _("Point at a word to see where this head looks. Click to keep it."),
        "panes": _("What stands beside the enlarged head"),
        "pane_grid": _("All heads"),
        "pane_compare": _("Which heads matter?"),
        "pane_cell": _("One cell"),
        "hint_grid": _(
            "Click a head to enlarge it, double-click to keep only it, shift-click to switch it off. {note}"
        ).format(note=note),
        "hint_compare": _(
            "How the log P of this translation changes when one head is off: the most needed head comes first. "
            "Click a heading to sort by it, a head to enlarge it."
        ),
        "hint_cell": _(
            "Red is below zero, blue above. The numbers of q∘k add up to q·k; each v times its weight α adds up to the "
            "output of the head. Point at another cell to see its numbers."
        ),
        "layer": _("layer {layer}"),
        "head": _("head {head}"),
        "mean": _("mean"),
        "switch": _("Use {head}"),
        "switch_hint": _("Switch this head off or on"),
        "all_on": _("switch all on"),
        "waiting": _("Translating again…"),
        "waiting_vectors": _("Fetching the vectors of this head…"),
        "cell_mean": _("An average has no q and k of its own: choose a single head."),
        "cell_title": _("q of {query}, k and v of {key}"),
        "cell_product": _("q·k = {product}"),
        "cell_output": _("the output"),
        "cell_line": _(
            "q of {query} · k of {key} = {product}, divided by √{width} = {scaled}, plus mask {mask}, "
            "softmax = {weight}."
        ),
        "col_head": _("head"),
        "col_change": _("Δ log P"),
        "col_change_hint": _("log P of this translation with the head off, less log P with all heads on."),
    }
