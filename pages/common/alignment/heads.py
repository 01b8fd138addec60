"""All heads of a Transformer in the alignment component: a grid of thumbnails, a table, the arithmetic of one cell,
beside the enlarged head. What the browser gets is made here; `head.py` reads what it asks for."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nmtcore.analysis import head_statistics
from nmtcore.analysis.arithmetic import head_row
from nmtcore.decoding.trace import Array, AttentionMap, Trace
from nmtcore.figures.palette import ARCHITECTURE
from nmtcore.intervention import AttentionKind
from nmtcore.text.words import word_of
from pages.common.alignment.component import mount, words
from pages.common.alignment.head import Asked, Head, all_heads, in_order
from pages.common.alignment.head_words import head_words, kind_words, name, short_name, title
from pages.common.i18n import _


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
    values: Mapping[AttentionKind, Array]
    places: int = 2


def heads(
    trace: Trace,
    now: Asked,
    *,
    key: str,
    model: str,
    opening: Head,
    note: str,
    columns: Sequence[Column],
    changes: Sequence[float] | None,
    effect: Effect,
    height: int = 320,
) -> None:
    """Draw the grid of all heads beside the enlarged one.

    model: what saved figures call it. note: says which head the page opens with. columns: figures of every head.
    changes: what the output's log-probability gains without each of `all_heads`, None before it has been asked for.
    effect: of the heads off. height: px that the rows of the figures take at most.
    """
    found = {
        "maps": {attention.kind: map_json(attention, columns, model) for attention in in_order(trace)},
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
        "height": height,
        "url": "pick",
        "play": True,
    }
    mount(key, data)


def map_json(attention: AttentionMap, columns: Iterable[Column], model: str) -> dict[str, Any]:
    """One kind of attention: its tokens, all weights in 16 bits, titles and captions of every head and average.

    Saved figures, which stand alone, name the model and the kind too.
    """
    places = [[Head(attention.kind, *at) for at in line] for line in _places(attention)]
    name, hint = kind_words()[attention.kind]
    saved = _("{model} · {kind} · {head}")
    return {
        "name": name,
        "hint": hint,
        "layers": attention.layers,
        "heads": attention.heads,
        "queries": attention.queries,
        "keys": attention.keys,
        "query_words": word_of(attention.queries),
        "key_words": word_of(attention.keys),
        "weights": in_base64(np.round(attention.weights.clip(0, 1) * 65535).astype("<u2")),
        "titles": [[title(head) for head in line] for line in places],
        "saved": [[saved.format(model=model, kind=name, head=title(head)) for head in line] for line in places],
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
    maps = {attention.kind: head_statistics.append_means(attention) for attention in in_order(trace)}

    def by_kind(number: Callable[[AttentionMap], Array]) -> dict[AttentionKind, Array]:
        return {kind: number(attention) for kind, attention in maps.items()}

    columns = [
        Column(
            "entropy",
            _("entropy"),
            _("How widely the head looks, in nats: 0 is at one word, 1.6 is as if at five alike. Mean over the rows."),
            by_kind(head_statistics.entropy),
        ),
        Column(
            "marker",
            _("on <eos>, <sos>"),
            _(
                "Share of the weight on the closing <eos>, in cross-attention but for its own row; in decoder "
                "self-attention, which has no <eos>, on the opening <sos>."
            ),
            by_kind(head_statistics.share_on_marker),
        ),
        Column(
            "punctuation",
            _("on punct."),
            _("Share of the weight on punctuation."),
            by_kind(head_statistics.share_on_punctuation),
        ),
        Column(
            "distance",
            _("distance"),
            _("How many pieces away the head looks, on average; in cross attention, from the straight diagonal."),
            by_kind(head_statistics.mean_distance),
            places=1,
        ),
        Column(
            "diagonal",
            _("diagonal"),
            _("Correlation of the two positions: 1 along the diagonal, 0 without order, -1 backwards."),
            by_kind(head_statistics.diagonality),
        ),
    ]
    if other is not None and "cross" in maps:
        columns.append(
            Column(
                "agreement",
                _("agrees"),
                _("Share of the weight that lies where the additive model looks for the same words."),
                {"cross": head_statistics.agreement(maps["cross"], other)},
            )
        )
    return tuple(columns)


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
