"""Head statistics: pure functions of an `AttentionMap`, one number for each layer and head, (L, H).

Each is a mean over the query tokens that have a choice: the first row of decoder self attention, in which the causal
mask leaves one key, is not counted unless it is the only row.
"""

import numpy as np

from nmtcore.analysis.occlusion import Occlusion
from nmtcore.decoding.trace import Array, AttentionMap
from nmtcore.errors import TraceError


def append_means(map: AttentionMap) -> AttentionMap:
    """Append the mean of the heads as another head and the mean of the layers as another layer.

    Shape (L + 1, H + 1, T, S); the last of both is the mean of everything.
    """
    heads = np.concatenate((map.weights, map.weights.mean(1, keepdims=True)), axis=1)
    layers = np.concatenate((heads, heads.mean(0, keepdims=True)), axis=0)
    return AttentionMap(map.kind, map.queries, map.keys, layers)


def entropy(map: AttentionMap) -> Array:
    """Entropy -sum_i alpha_i log2 alpha_i in bits: 0 for one key, log2 S for equal weights; 2^entropy counts keys.

    Ghader and Monz 2017; Clark et al. 2019, section 3.3.
    """
    alpha = _rows(map)
    logs = np.log2(alpha, where=alpha > 0, out=np.zeros_like(alpha))
    return _mean(-(alpha * logs).sum(-1))


def mean_distance(map: AttentionMap) -> Array:
    """sum_i alpha_i |i - j|: the mean distance, in tokens, between a query and its keys (Vig and Belinkov 2019).

    In cross attention j is the query's position projected onto the source, j (S - 1) / (T - 1), so a straight
    diagonal has distance 0.
    """
    T, S = len(map.queries), len(map.keys)
    places = np.arange(T) * ((S - 1) / max(1, T - 1) if map.kind == "cross" else 1.0)  # (T,)
    away = np.abs(np.arange(S)[None] - places[:, None])  # (T, S)
    return _mean((_rows(map) * away[-_counted(map) :]).sum(-1))


def agreement(map: AttentionMap, other: AttentionMap) -> Array:
    """sum_i min(alpha_i, beta_i): how much of the weight two heads have in common.

    One minus the total variation distance of the rows (Jain and Wallace 2019). `other` has one layer and one head, and
    the same tokens on both axes; otherwise raises TraceError.
    """
    if (other.queries, other.keys) != (map.queries, map.keys) or other.weights.shape[:2] != (1, 1):
        raise TraceError("Agreement compares attention with a single other head over the same tokens.")
    return _mean(np.minimum(_rows(map), _rows(other)).sum(-1))


def agreement_with_occlusion(map: AttentionMap, occlusion: Occlusion) -> Array:
    """sum_w min(alpha_w, d_w): how much of the weight agrees with leave-one-out importance (Jain and Wallace 2019).

    d_w is a word's share of the probability that a piece loses if words are left out one by one. The row that predicts
    `<eos>` and pieces that lose nothing are left out. Raises TraceError for the occlusion of another output.
    """
    places = sum(len(group) for group in occlusion.pieces)
    if occlusion.target != map.queries or places != len(map.keys) - 1:
        raise TraceError("Attention is compared with the occlusion of the same output.")
    words = [map.weights[..., list(group)].sum(-1) for group in occlusion.pieces]
    alpha = np.stack(words, -1).astype(np.float64)  # (L, H, T, W)
    counted = occlusion.shares.sum(1) > 0  # (T,)
    if len(map.queries) > 1 and map.queries[-1] == "<eos>":
        counted[-1] = False
    if not counted.any():
        return np.zeros(map.weights.shape[:2], dtype=np.float32)
    return _mean(np.minimum(alpha[:, :, counted], occlusion.shares[counted]).sum(-1))


def _counted(map: AttentionMap) -> int:
    """How many of the last rows count."""
    T = len(map.queries)
    return T - 1 if map.kind == "decoder" and T > 1 else T


def _rows(map: AttentionMap) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The rows that count, (L, H, T', S)."""
    return map.weights[:, :, -_counted(map) :].astype(np.float64)


def _mean(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Array:
    """The mean over queries of (L, H, T') values."""
    means: Array = values.mean(-1).astype(np.float32)
    return means


def lowest_head(figure: Array) -> tuple[int, int]:
    """Layer and head of the smallest of (L, H) numbers; the first one if several are equal."""
    layer, head = np.unravel_index(int(figure.argmin()), figure.shape)
    return int(layer), int(head)
