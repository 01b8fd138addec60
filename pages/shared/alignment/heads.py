"""All heads of a Transformer in the alignment component: what the browser gets, and what it asks for.

The address holds the enlarged head (`head=cross.2.3`, counted from one, `mean` for an average), the heads that are
off (`off=cross.2.3_encoder.1.1`) and the view beside the head (`pane=cell`). The browser changes them alone and runs
the page, or the fragment around it, only for what needs a model or the vectors of a head: it then reports the same
three in one line. The address is read on a first run only, for Streamlit sends along an older copy of it later.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from nmtcore import head_figures
from nmtcore.arithmetic import head_row
from nmtcore.figures.palette import ARCHITECTURE
from nmtcore.intervention import Intervention, Kind
from nmtcore.trace import Array, AttentionMap, Trace
from pages.shared.alignment import PICK
from pages.shared.alignment.component import mount, reported, words
from pages.shared.words import _

KINDS: tuple[Kind, ...] = ("cross", "encoder", "decoder")  # in the order of the switch
PANES = ("grid", "compare", "cell")
HEAD = re.compile(r"(cross|encoder|decoder)\.(\d{1,3}|mean)\.(\d{1,3}|mean)", re.ASCII)


@dataclass(frozen=True)
class Head:
    """A head, or an average over heads (head None) or layers (layer None). Both count from zero."""

    kind: Kind
    layer: int | None
    head: int | None

    @property
    def code(self) -> str:
        """As in the address."""
        layer, head = ("mean" if index is None else index + 1 for index in (self.layer, self.head))
        return f"{self.kind}.{layer}.{head}"

    @property
    def single(self) -> bool:
        return self.layer is not None and self.head is not None

    @classmethod
    def read(cls, code: str, trace: Trace) -> Head | None:
        """The head that `code` names, or None where the model has none such."""
        match = HEAD.fullmatch(code)
        if not match:
            return None
        kind, *parts = match.groups()
        layer, head = (None if part == "mean" else int(part) - 1 for part in parts)
        attention = trace.attention_of(kind)
        inside = attention and (layer or 0) in range(attention.layers) and (head or 0) in range(attention.heads)
        return cls(kind, layer, head) if inside else None


@dataclass(frozen=True)
class Asked:
    """What the browser asks for, and a sentence about each part of its address that means nothing here."""

    head: Head
    off: tuple[Head, ...]
    pane: str
    cell: bool  # whether the vectors of the head are wanted
    ignored: tuple[str, ...]

    @property
    def heads_off(self) -> tuple[tuple[Kind, int, int], ...]:
        return tuple((h.kind, h.layer, h.head) for h in self.off if h.layer is not None and h.head is not None)

    @property
    def change(self) -> Intervention:
        """The what-if that switches the heads off."""
        return Intervention(heads_off=self.heads_off)


@dataclass(frozen=True)
class Effect:
    """What switching heads off did. texts: (label, [(part of a text, whether it changed)]); one sentence about it."""

    sentence: str
    texts: Sequence[tuple[str, Sequence[tuple[str, bool]]]] = ()


@dataclass(frozen=True)
class Column:
    """A figure of every head: its name, what it means, its decimals, and by kind the (L + 1, H + 1) numbers.

    The last row and column belong to the averages. A kind that has no such figure is not in `values`.
    """

    id: str
    name: str
    hint: str
    values: Mapping[Kind, Array]
    places: int = 2


def asked(trace: Trace, opening: Head, key: str) -> Asked:
    """What the component with this key asks for, or the address; `opening` is the head where none is named."""
    parts = str(reported(key, "ask") or "").split(" ")
    if len(parts) != 4:
        return read_address(trace, opening)
    pane, named, off, cell = parts
    heads_off = {head for code in off.split("_") if (head := Head.read(code, trace)) and head.single}
    return Asked(
        Head.read(named, trace) or opening,
        tuple(sorted(heads_off, key=lambda head: head.code)),
        pane if pane in PANES else PANES[0],
        cell == "cell",
        (),
    )


def read_address(trace: Trace, opening: Head) -> Asked:
    """What the address asks for."""
    ignored = []
    named = st.query_params.get("head", "")
    head = Head.read(named, trace) if named else opening
    if head is None:
        head = opening
        sentence = _("The link names the head {name}, which this model does not have: it was ignored.")
        ignored.append(sentence.format(name=named[:40]))
    off = []
    for code in filter(None, st.query_params.get("off", "").split("_")):
        found = Head.read(code, trace)
        if found and found.single:
            off.append(found)
        else:
            sentence = _("The link switches off {name}, which is no head of this model: it was ignored.")
            ignored.append(sentence.format(name=code[:40]))
    pane = st.query_params.get("pane", PANES[0])
    attention = trace.attention_of(head.kind)
    assert attention is not None
    picked = st.query_params.get("pick", "")
    target, source = picked_cell(picked, attention)
    if picked and target is None and source is None:
        ignored.append(_("The link picks a word that is not in this figure: it was ignored."))
    step = st.query_params.get("pick-step", "")
    if step and not (step.isdecimal() and 0 < int(step[:6]) < len(trace.target)):
        ignored.append(
            _("The link names step {step}; this translation has {count}: all of them are shown.").format(
                step=step[:10], count=len(trace.target)
            )
        )
    pane = pane if pane in PANES else PANES[0]
    wanted = pane == "cell" or (target is not None and source is not None)
    return Asked(head, tuple(sorted(set(off), key=lambda h: h.code)), pane, wanted, tuple(ignored[:3]))


def picked_cell(code: str, attention: AttentionMap) -> tuple[int | None, int | None]:
    """Target and source piece of a pick in the address; both None where it names nothing in this figure."""
    match = PICK.fullmatch(code)
    if not match or match[1] not in ("0", "1"):
        return None, None
    target, source = (None if part is None else int(part) for part in match.groups()[1:])
    inside = (target or 0) < len(attention.queries) and (source or 0) < len(attention.keys)
    return (target, source) if inside else (None, None)


def heads(
    trace: Trace,
    now: Asked,
    *,
    key: str,
    opening: Head,
    note: str,
    columns: Sequence[Column],
    changes: Sequence[float] | None,
    effect: Effect,
    height: int = 320,
) -> None:
    """Draw the grid of all heads beside the enlarged one.

    note: says which head the page opens with. columns: figures of every head. changes: what the output's
    log-probability gains without each of `all_heads`, None before it has been asked for. effect: of the heads off.
    height: px that the rows of the figures take at most.
    """
    found = {
        "maps": {attention.kind: map_json(attention, columns) for attention in in_order(trace)},
        "hue": ARCHITECTURE["transformer"],
        "chosen": {"kind": now.head.kind, "layer": now.head.layer, "head": now.head.head},
        "opening": opening.code,
        "off": [head.code for head in now.off],
        "pane": now.pane,
        "height": height,
        "columns": [{"id": c.id, "name": c.name, "hint": c.hint, "places": c.places} for c in columns],
        "rows": [row_json(head, columns) for head in all_heads(trace)],
        "changes": None if changes is None else [round(float(change), 4) for change in changes],
        "vectors": vectors_json(trace, now.head) if now.cell and now.head.single else None,
        "effect": {
            "off": "_".join(head.code for head in now.off),
            "sentence": effect.sentence,
            "texts": [{"label": label, "parts": parts} for label, parts in effect.texts],
        },
    }
    data = {
        "panels": [],
        "heads": found,
        "words": {**words(), **head_words(note)},
        "sentence": trace.source_text,
        "picked": None,
        "height": height,
        "url": "pick",
        "report": False,
        "play": True,
    }
    mount(key, data)


def all_heads(trace: Trace) -> tuple[Head, ...]:
    """Every single head, kind by kind, layer by layer."""
    maps = in_order(trace)
    return tuple(Head(m.kind, layer, head) for m in maps for layer in range(m.layers) for head in range(m.heads))


def in_order(trace: Trace) -> list[AttentionMap]:
    """The maps of a trace in the order of the page."""
    return sorted(trace.attention, key=lambda attention: KINDS.index(attention.kind))


def map_json(attention: AttentionMap, columns: Iterable[Column]) -> dict[str, Any]:
    """One kind of attention: its tokens, all weights in 16 bits, titles and captions of every head and average."""
    places = [[Head(attention.kind, *at) for at in line] for line in _places(attention)]
    name, hint = kind_words()[attention.kind]
    return {
        "name": name,
        "hint": hint,
        "layers": attention.layers,
        "heads": attention.heads,
        "queries": attention.queries,
        "keys": attention.keys,
        "weights": in_base64(np.round(attention.weights.clip(0, 1) * 65535).astype("<u2")),
        "titles": [[title(head) for head in line] for line in places],
        "captions": [[caption(head, columns) for head in line] for line in places],
    }


def _places(attention: AttentionMap) -> list[list[tuple[int | None, int | None]]]:
    """All layers and heads, the means last."""
    layers, heads = [*range(attention.layers), None], [*range(attention.heads), None]
    return [[(layer, head) for head in heads] for layer in layers]


def row_json(head: Head, columns: Sequence[Column]) -> dict[str, Any]:
    """One head as a row of the table."""
    numbers = [figure(head, column) for column in columns]
    return {
        "kind": head.kind,
        "layer": head.layer,
        "head": head.head,
        "name": head.code,
        "title": short_name(head),
        "switch": _("Use {head}").format(head=name(head)),
        "figures": [None if n is None else round(n, 4) for n in numbers],
    }


def figure(head: Head, column: Column) -> float | None:
    """The figure of a head or an average; None where its kind has none."""
    if head.kind not in column.values:
        return None
    layer, index = (-1 if i is None else i for i in (head.layer, head.head))
    return float(column.values[head.kind][layer, index])


def vectors_json(trace: Trace, head: Head) -> dict[str, Any]:
    """q of every query, k and v of every key of one head, exactly as the model computed them."""
    assert head.layer is not None and head.head is not None
    attention = trace.attention_of(head.kind)
    assert attention is not None
    rows = [head_row(trace, head.kind, head.layer, head.head, t) for t in range(len(attention.queries))]
    q = np.stack([row.query for row in rows])  # (T, K)
    arrays = {"q": q, "k": rows[0].keys, "v": rows[0].values}
    coded = {letter: in_base64(array.astype("<f4")) for letter, array in arrays.items()}
    return {"name": head.code, "width": q.shape[1], **coded}


def in_base64(array: np.ndarray[Any, Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")


def figures(trace: Trace, other: AttentionMap | None) -> tuple[Column, ...]:
    """The figures of every head and average; `other` is the additive model's attention for the same output."""
    maps = {attention.kind: head_figures.with_means(attention) for attention in in_order(trace)}

    def by_kind(number: Callable[[AttentionMap], Array]) -> dict[Kind, Array]:
        return {kind: number(attention) for kind, attention in maps.items()}

    columns = [
        Column(
            "entropy",
            _("entropy"),
            _("How widely the head looks, in nats: 0 is at one word, 1.6 is as if at five alike. Mean over the rows."),
            by_kind(head_figures.entropy),
        ),
        Column(
            "marker",
            _("on <eos>"),
            _("Share of the weight on the closing <eos>; in decoder self-attention on the opening <sos>."),
            by_kind(head_figures.on_marker),
        ),
        Column(
            "punctuation",
            _("on punct."),
            _("Share of the weight on punctuation."),
            by_kind(head_figures.on_punctuation),
        ),
        Column(
            "distance",
            _("distance"),
            _("How many pieces away the head looks, on average; in cross attention, from the straight diagonal."),
            by_kind(head_figures.distance),
            places=1,
        ),
        Column(
            "diagonal",
            _("diagonal"),
            _("Correlation of the two positions: 1 along the diagonal, 0 without order, -1 backwards."),
            by_kind(head_figures.diagonality),
        ),
    ]
    if other is not None and "cross" in maps:
        columns.append(
            Column(
                "agreement",
                _("agrees"),
                _("Share of the weight that lies where the additive model looks for the same words."),
                {"cross": head_figures.agreement(maps["cross"], other)},
            )
        )
    return tuple(columns)


def kind_words() -> dict[Kind, tuple[str, str]]:
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
    return names[head.kind].format(layer=(head.layer or 0) + 1, head=(head.head or 0) + 1)


def short_name(head: Head) -> str:
    """A head in a table of all kinds."""
    names = {
        "cross": _("Cross L{layer} H{head}"),
        "encoder": _("Encoder L{layer} H{head}"),
        "decoder": _("Decoder L{layer} H{head}"),
    }
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


def caption(head: Head, columns: Iterable[Column]) -> list[str]:
    """The figures of a head in a quiet line."""
    by_id = {column.id: figure(head, column) for column in columns}
    marker = _("{share} on <sos>") if head.kind == "decoder" else _("{share} on <eos>")
    items = [
        _("entropy {value}").format(value=f"{by_id['entropy']:.1f}"),
        marker.format(share=f"{by_id['marker'] or 0:.0%}"),
    ]
    if head.kind != "cross":
        items.append(_("{count} pieces away").format(count=f"{by_id['distance']:.1f}"))
    elif by_id.get("agreement") is not None:
        items.append(_("agrees {value} with additive").format(value=f"{by_id['agreement']:.2f}"))
    return items


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
        "cell_line": _("q·k = {product}, divided by √{width} = {scaled}, plus mask {mask}, softmax = {weight}."),
        "col_head": _("head"),
        "col_change": _("log P without it"),
        "col_change_hint": _("log P of this translation with the head off, less log P with all heads on."),
    }
