"""Names for the heads of a Transformer: previous word, next word, itself, aligned word, end of sentence, and so on.

A head gets a name by a rule over the sentences of an alignment test. The name comes with its measure: the share of
attention on that word, or one minus the alignment error rate (Voita et al. 2019, section 5.1, name positional heads
this way; Clark et al. 2019, section 3, describe the others).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from nmtcore.decoding.merging import merge
from nmtcore.decoding.trace import Array, AttentionMap, Trace
from nmtcore.intervention import AttentionKind

Role = Literal["previous", "next", "itself", "marker", "aligned", "whole"]
LEAST: dict[Role, float] = {  # smallest share that gives a head the name
    "previous": 0.5,
    "next": 0.5,
    "itself": 0.5,
    "marker": 0.5,
    "aligned": 0.7,  # 1 - AER
    "whole": 0.8,  # share of the entropy of equal weights
}

Places = np.ndarray[Any, np.dtype[np.integer[Any]]]


class HeadName(NamedTuple):
    """What a head attends to, and its measured share, from `LEAST` to 1."""

    role: Role
    share: float


def role_shares(attention: AttentionMap) -> dict[Role, Array]:
    """The share of each role in one map, (L, H): the mean over words for which the role has a target.

    The row of `<eos>` is left out, and `<eos>` is neither a previous nor a next word. The map alone does not tell
    which word is aligned.
    """
    words = merge(attention)
    ends = attention.kind != "decoder" and words.queries[-1] == "<eos>"
    weights = words.weights[:, :, :-1] if ends else words.weights  # (L, H, T, S)
    T, S = weights.shape[2:]
    rows = np.arange(T)
    shares: dict[Role, Array] = {}
    if attention.kind == "encoder":
        shares["previous"] = _mean_at(weights, rows[1:], rows[:-1])
        shares["next"] = _mean_at(weights, rows[:-1], rows[1:])
        shares["itself"] = _mean_at(weights, rows, rows)
    elif attention.kind == "decoder":  # a row is the word read last; the first two rows see the marker anyway
        shares["previous"] = _mean_at(weights, rows[2:], rows[1:-1])
        shares["itself"] = _mean_at(weights, rows[1:], rows[1:])
    marker = 0 if attention.kind == "decoder" else S - 1
    seen = rows[2:] if attention.kind == "decoder" else rows
    shares["marker"] = _mean_at(weights, seen, np.full(len(seen), marker))
    shares["whole"] = _evenness(weights, attention.kind)
    return {role: share for role, share in shares.items() if np.isfinite(share).all()}


def mean_shares(traces: Iterable[Trace]) -> dict[AttentionKind, dict[Role, Array]]:
    """The mean of `role_shares` over traces, by kind of attention."""
    shares: dict[AttentionKind, dict[Role, list[Array]]] = {}
    for trace in traces:
        for attention in trace.attention:
            for role, share in role_shares(attention).items():
                shares.setdefault(attention.kind, {}).setdefault(role, []).append(share)
    return {kind: {role: np.mean(all, axis=0) for role, all in roles.items()} for kind, roles in shares.items()}


def to_json(traces: Sequence[Trace]) -> dict[str, Any]:
    """The mean shares as stored in config.json: one row per layer, one number per head; and the number of sentences."""
    kept: dict[str, Any] = {
        kind: {role: share.astype(float).round(3).tolist() for role, share in roles.items()}
        for kind, roles in mean_shares(traces).items()
    }
    return {"sentences": len(traces), **kept}


def head_names(meta: Mapping[str, Any]) -> dict[tuple[AttentionKind, int, int], HeadName]:
    """The heads of a model that have a name, by kind, layer and head, from the measurements in its card.

    If several roles qualify, the one that exceeds its threshold the most names the head.
    """
    measured = meta.get("heads")
    earned: dict[tuple[AttentionKind, int, int], list[HeadName]] = {}

    def offer(kind: AttentionKind, layer: object, head: object, role: Role, share: object) -> None:
        if not (isinstance(layer, int) and isinstance(head, int) and isinstance(share, float | int)):
            return
        if LEAST[role] <= share <= 1:
            earned.setdefault((kind, layer, head), []).append(HeadName(role, float(share)))

    if isinstance(measured, dict):
        for kind in get_args(AttentionKind):
            for role in get_args(Role):
                for layer, row in enumerate(_list(measured.get(kind), role)):
                    for head, share in enumerate(row if isinstance(row, list) else ()):
                        offer(kind, layer, head, role, share)
    alignments = meta.get("alignments")
    for reading in _list(alignments, "readings"):
        if isinstance(reading, dict) and reading.get("position") == "output":
            aer = reading.get("aer")
            share = 1 - aer if isinstance(aer, float | int) else None
            offer("cross", reading.get("layer"), reading.get("head"), "aligned", share)
    return {place: max(names, key=lambda name: name.share / LEAST[name.role]) for place, names in earned.items()}


def _list(holder: object, name: str) -> list[Any]:
    value = holder.get(name) if isinstance(holder, dict) else None
    return value if isinstance(value, list) else []


def _mean_at(weights: Array, rows: Places, keys: Places) -> Array:
    """The mean of the weights at (rows[i], keys[i]), (L, H); NaN if there are no such positions."""
    there = weights[:, :, rows, keys]
    return there.mean(2) if there.shape[2] else np.full(weights.shape[:2], np.nan)


def _evenness(weights: Array, kind: AttentionKind) -> Array:
    """Entropy relative to equal weights over the visible keys; mean over rows that see three or more."""
    T, S = weights.shape[2:]
    sees = np.arange(1, T + 1) if kind == "decoder" else np.full(T, S)
    logs = np.log(weights, where=weights > 0, out=np.zeros_like(weights))
    entropies = -(weights * logs).sum(-1)  # (L, H, T)
    rows = sees >= 3
    if not rows.any():
        return np.full(weights.shape[:2], np.nan)
    even: Array = (entropies[:, :, rows] / np.log(sees[rows])).mean(2)
    return even
