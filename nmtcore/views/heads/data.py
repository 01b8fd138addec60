"""All heads of a Transformer as plain data: every map, the statistics of every head, vectors of the chosen one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from nmtcore.analysis.arithmetic import head_vectors
from nmtcore.analysis.head_parts import AttentionInputs, HeadParts
from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import TraceError
from nmtcore.figures.palette import HUES
from nmtcore.messages import Messages
from nmtcore.text.diff import Segments, word_diff
from nmtcore.text.words import word_of
from nmtcore.views.alignment.messages import MESSAGES as PANEL_MESSAGES
from nmtcore.views.binary import in_base64
from nmtcore.views.heads.head import NO_NAMES, Head, Names, in_order, names_json
from nmtcore.views.heads.messages import MESSAGES as OWN_MESSAGES
from nmtcore.views.heads.record import (
    EffectRecord,
    HeadMap,
    HeadPlace,
    HeadsPicture,
    HeadsRecord,
    HeadVectors,
    ScoredText,
)

MESSAGES: Messages = {**PANEL_MESSAGES, **OWN_MESSAGES}


@dataclass(frozen=True)
class Effect:
    """The effect of switching heads off. rescored: log P of the old translation without them; None while all are on.

    why: why search wrote the new translation although the old one is likelier.
    """

    rescored: float | None = None
    why: str = ""


NO_AGREEMENT: Mapping[str, Array] = {}


@dataclass(frozen=True, eq=False)
class CellParts:
    """Vectors around the chosen head: the inputs of its q, k and v, and its output."""

    inputs: AttentionInputs
    parts: HeadParts


def data(
    trace: Trace,
    *,
    chosen: Head,
    opening: Head | None = None,
    off: Sequence[Head] = (),
    pane: str = "grid",
    model: str,
    note: str = "",
    best: Head | None = None,
    agreement: Mapping[str, Array] = NO_AGREEMENT,
    names: Names = NO_NAMES,
    changes: Sequence[float] | None = None,
    effect: Effect | None = None,
    after: Trace | None = None,
    run: str = "after",
    cell_parts: CellParts | None = None,
    height: int = 260,
    neighbors: bool = False,
) -> dict[str, Any]:
    """All heads, next to the enlarged one.

    chosen: the enlarged head. opening: the head that the page opens with, if another; note: a sentence about it, which
    names the best head, `best`, as {head}.
    off: the heads that are switched off; effect: its effect, of which nothing is said if it is None.
    pane: the pane beside the enlarged head.
    after: the translation without them; run: which of the two the pictures show at first, "after" or "before".
    model: its name in saved figures. agreement: how much of the weight of each cross head, and of the averages, agrees
    with another measure, (L + 1, H + 1), by its name in the messages; names: what the heads attend to.
    changes: what the output's log-probability gains without each head, in order; None if not computed yet.
    cell_parts: the vectors before and after q, k and v of the chosen head in the shown run, to send them all.
    height: the most px for the rows of the figures.
    neighbors: whether the page has the words as vectors, so that a picked piece can ask for its nearest ones.
    """
    record: HeadsRecord = {
        "model": model,
        "maps": maps_json(trace),
        "after": None if after is None else maps_json(after),
        "run": run,
        "neighbors": "" if neighbors else None,
        "hue": HUES["transformer"],
        "chosen": place_json(chosen),
        "opening": (opening or chosen).code,
        "off": [head.code for head in off],
        "pane": pane,
        "note": note,
        "names": names_json(names),
        "agreement": {name: shares.astype(float).round(4).tolist() for name, shares in agreement.items()},
        "changes": None if changes is None else [round(float(change), 4) for change in changes],
        "best": None if best is None else place_json(best),
        "vectors": None,
        "effect": effect_json(trace, after, off, effect),
    }
    if cell_parts:
        shown = after if after is not None and run == "after" else trace
        whose = "before" if shown is trace else "after"
        record["vectors"] = cast(HeadVectors, {"run": whose, **vectors_json(shown, chosen, cell_parts)})
    picture: HeadsPicture = {
        "panels": [],
        "heads": record,
        "words": MESSAGES,
        "sentence": trace.source_text,
        "height": height,
        "compact": False,
        "play": True,
    }
    return dict(picture)


def place_json(head: Head) -> HeadPlace:
    """A head or an average as the browser gets it."""
    return {"kind": head.kind, "layer": head.layer, "head": head.head}


def effect_json(trace: Trace, after: Trace | None, off: Sequence[Head], effect: Effect | None) -> EffectRecord:
    """Both translations, what changed in the new one, and their scores."""

    def scored(trace: Trace, parts: Segments) -> ScoredText:
        return {"parts": parts, "log_probability": trace.log_probability}

    changed = after is not None and after.ids != trace.ids
    return {
        "off": [head.code for head in off],
        "old": scored(trace, [(trace.text, False)]) if effect else None,
        "rescored": effect.rescored if effect else None,
        "new": scored(after, word_diff(trace.text, after.text)[1]) if after and changed else None,
        "why": effect.why if effect else "",
    }


def maps_json(trace: Trace) -> dict[str, HeadMap]:
    """All kinds of attention in one translation: their tokens, and all weights in 16 bits."""
    return {
        attention.kind: {
            "layers": attention.layers,
            "heads": attention.heads,
            "queries": attention.queries,
            "keys": attention.keys,
            "query_words": word_of(attention.queries),
            "key_words": word_of(attention.keys),
            "weights": in_base64(np.round(attention.weights.clip(0, 1) * 65535).astype("<u2")),
        }
        for attention in in_order(trace)
    }


def vectors_json(trace: Trace, head: Head, cell: CellParts) -> dict[str, Any]:
    """q of every query, k and v of every key in one head, exactly as the model computed them.

    With their inputs, x_i and x_j, and what arrives, f(x_j), each with as many numbers as q; and, over all D numbers,
    the norms of f(x_j), (S,), and of the head's whole part of Concat(...) W^O, (T,). Raises TraceError for an average.
    """
    attention = trace.attention_of(head.kind)
    if attention is None or head.layer is None or head.head is None:
        raise TraceError("q, k and v belong to a single head: averages and traces without attention have none.")
    q, k, v = head_vectors(trace, head.kind, head.layer, head.head)
    K = q.shape[1]
    arrays = {"q": q, "k": k, "v": v, "f": cell.parts.arriving[:, :K]}
    arrays |= {"xi": cell.inputs.queries[head.layer, :, :K], "xj": cell.inputs.keys[head.layer, :, :K]}
    lengths = {"norms": cell.parts.arriving, "totals": cell.parts.output}
    return {
        "name": head.code,
        "width": K,
        **{name: np.linalg.norm(rows, axis=1).astype(float).round(5).tolist() for name, rows in lengths.items()},
        **{letter: in_base64(np.ascontiguousarray(array, "<f4")) for letter, array in arrays.items()},
    }
