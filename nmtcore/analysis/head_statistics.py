"""Head statistics: pure functions of an `AttentionMap`, one number for each layer and head, (L, H).

Each is a mean over the query tokens that have a choice: the first row of decoder self attention, where the future
mask leaves one key, is not counted unless it is the only one.
"""

import dataclasses

import numpy as np

from nmtcore.analysis.occlusion import Occlusion
from nmtcore.decoding.trace import Array, AttentionMap
from nmtcore.errors import TraceError
from nmtcore.text.words import bare, is_punctuation


def append_means(map: AttentionMap) -> AttentionMap:
    """The map with the mean of the heads as one more head and the mean of the layers as one more layer.

    Shape (L + 1, H + 1, T, S); the last of both is the mean of everything.
    """
    heads = np.concatenate((map.weights, map.weights.mean(1, keepdims=True)), axis=1)
    layers = np.concatenate((heads, heads.mean(0, keepdims=True)), axis=0)
    return AttentionMap(map.kind, map.queries, map.keys, layers)


def entropy(map: AttentionMap) -> Array:
    """-sum_i alpha_i log2 alpha_i in bits: 0 for one key, log2 S for all alike; 2 to its power counts keys in sight.

    Ghader and Monz 2017; Clark et al. 2019, section 3.3.
    """
    alpha = _rows(map)
    logs = np.log2(alpha, where=alpha > 0, out=np.zeros_like(alpha))
    return _mean(-(alpha * logs).sum(-1))


def share_on_marker(map: AttentionMap) -> Array:
    """The share on the token that means no word: the closing `<eos>`; in decoder self attention the opening `<sos>`.

    A head without work rests there: Clark et al. 2019, section 3.2 ([SEP]); Vig and Belinkov 2019
    (the first token). 0 where the keys have no such token. In cross attention the row that writes `<eos>` is not
    counted: there it is the very place to look.
    """
    if map.kind == "cross" and len(map.queries) > 1 and map.queries[-1] == "<eos>":
        map = dataclasses.replace(map, queries=map.queries[:-1], weights=map.weights[:, :, :-1])
    at = 0 if map.kind == "decoder" else len(map.keys) - 1
    there = map.keys[at] == ("<sos>" if map.kind == "decoder" else "<eos>")
    return share(map, np.arange(len(map.keys)) == at) if there else share(map, np.zeros(len(map.keys), dtype=bool))


def share_on_punctuation(map: AttentionMap) -> Array:
    """The share on keys that are punctuation alone (Clark et al. 2019, section 3.2)."""
    return share(map, np.array([is_punctuation(bare(key)) for key in map.keys]))


def share(map: AttentionMap, keys: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Array:
    """The weight on the keys that are True in `keys`, (S,)."""
    return _mean(_rows(map)[..., keys].sum(-1))


def mean_distance(map: AttentionMap) -> Array:
    """sum_i alpha_i |i - j|: how many tokens away a query looks (Vig and Belinkov 2019).

    For cross attention j is the query's place carried over to the source, j (S - 1) / (T - 1), so that a straight
    diagonal has distance 0.
    """
    T, S = len(map.queries), len(map.keys)
    places = np.arange(T) * ((S - 1) / max(1, T - 1) if map.kind == "cross" else 1.0)  # (T,)
    away = np.abs(np.arange(S)[None] - places[:, None])  # (T, S)
    return _mean((_rows(map) * away[-_counted(map) :]).sum(-1))


def diagonality(map: AttentionMap) -> Array:
    """The correlation of query and key positions, weighted by attention: 1 on the diagonal, -1 on the anti-diagonal.

    Pearson's correlation under the joint distribution alpha_ij / T; 0 where all weight is on one key, since no
    position then tells anything about the other.
    """
    alpha = _rows(map)
    T, S = alpha.shape[-2:]
    joint = alpha / alpha.sum((-2, -1), keepdims=True)
    j, i = np.arange(T)[:, None], np.arange(S)[None]
    mean_j, mean_i = (joint * j).sum((-2, -1), keepdims=True), (joint * i).sum((-2, -1), keepdims=True)
    covariance = (joint * (j - mean_j) * (i - mean_i)).sum((-2, -1))
    spread = np.sqrt((joint * (j - mean_j) ** 2).sum((-2, -1)) * (joint * (i - mean_i) ** 2).sum((-2, -1)))
    none = np.zeros_like(covariance)
    correlation: Array = np.divide(covariance, spread, where=spread > 1e-6, out=none).astype(np.float32)
    return correlation


def agreement(map: AttentionMap, other: AttentionMap) -> Array:
    """sum_i min(alpha_i, beta_i): the share of the weight that lies where another model's lies.

    1 less the total variation distance of the two rows (Jain and Wallace 2019). `other` has one layer and
    one head and the same tokens on both axes; raises TraceError where it has not.
    """
    if (other.queries, other.keys) != (map.queries, map.keys) or other.weights.shape[:2] != (1, 1):
        raise TraceError("Agreement compares attention over the same tokens with one other head.")
    return _mean(np.minimum(_rows(map), _rows(other)).sum(-1))


def agreement_with_occlusion(map: AttentionMap, occlusion: Occlusion) -> Array:
    """sum_w min(alpha_w, d_w): the share of the weight on the words whose absence makes the piece less likely.

    The leave-one-out measure of Jain and Wallace 2019, with d_w a word's share of what leaving a word out costs.
    The row that writes `<eos>` is not counted, nor a piece that loses nothing. Raises TraceError for another output.
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
    """How many of the last rows are counted."""
    T = len(map.queries)
    return T - 1 if map.kind == "decoder" and T > 1 else T


def _rows(map: AttentionMap) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The rows that are counted, (L, H, T', S)."""
    return map.weights[:, :, -_counted(map) :].astype(np.float64)


def _mean(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Array:
    """The mean over queries of (L, H, T') values."""
    means: Array = values.mean(-1).astype(np.float32)
    return means


def lowest_head(figure: Array) -> tuple[int, int]:
    """Layer and head of the smallest of (L, H) numbers; the first of several."""
    layer, head = np.unravel_index(int(figure.argmin()), figure.shape)
    return int(layer), int(head)
