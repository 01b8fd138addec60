"""Head statistics on hand-made maps, against slow and obvious references."""

import math

import numpy as np
import pytest

from nmtcore.analysis.head_statistics import (
    agreement,
    append_means,
    entropy,
    mean_distance,
)
from nmtcore.decoding.trace import AttentionMap
from nmtcore.errors import TraceError
from nmtcore.intervention import AttentionKind

SOURCE = ("▁the", "▁cat", "▁,", "<eos>", "▁sat", ".", "<eos>")  # a typed "<eos>" is not the closing one
TARGET = ("▁le", "▁chat", "▁est", "▁là", "<eos>")
INPUTS = ("<sos>", *TARGET[:-1])
AXES: dict[AttentionKind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "cross": (TARGET, SOURCE),
    "encoder": (SOURCE, SOURCE),
    "decoder": (INPUTS, INPUTS),
}


def random_map(kind: AttentionKind, seed: int = 1) -> AttentionMap:
    queries, keys = AXES[kind]
    weights = np.random.default_rng(seed).random((2, 3, len(queries), len(keys))) ** 3
    if kind == "decoder":
        weights = np.tril(weights)
    return AttentionMap(kind, queries, keys, (weights / weights.sum(-1, keepdims=True)).astype(np.float32))


def one(kind: AttentionKind, weights: np.ndarray) -> AttentionMap:
    queries, keys = AXES[kind]
    return AttentionMap(kind, queries, keys, weights[None, None].astype(np.float32))


def mean_of_rows(map: AttentionMap, number) -> np.ndarray:
    """number(row, t) averaged over the rows with a choice, head by head, in plain loops."""
    first = 1 if map.kind == "decoder" else 0

    def mean(head: np.ndarray) -> float:
        return float(np.mean([number(row, t) for t, row in enumerate(head) if t >= first]))

    return np.array([[mean(head) for head in layer] for layer in map.weights])


@pytest.mark.parametrize("kind", AXES)
def test_entropy_and_distance_are_their_definitions(kind: AttentionKind) -> None:
    map = random_map(kind)
    T, S = map.weights.shape[2:]
    stretch = (S - 1) / (T - 1) if kind == "cross" else 1
    expected = {
        entropy: lambda row, t: -sum(w * math.log2(w) for w in row if w > 0),
        mean_distance: lambda row, t: sum(w * abs(s - t * stretch) for s, w in enumerate(row)),
    }
    for figure, number in expected.items():
        found = figure(map)
        assert found.shape == (2, 3)
        np.testing.assert_allclose(found, mean_of_rows(map, number), atol=1e-6, err_msg=figure.__name__)


def test_agreement_is_the_overlap_of_rows() -> None:
    map, other = random_map("cross"), random_map("cross", seed=2)
    other = AttentionMap("cross", other.queries, other.keys, other.weights[:1, :1])
    rows = other.weights[0, 0]
    expected = mean_of_rows(map, lambda row, t: sum(min(a, b) for a, b in zip(row, rows[t], strict=True)))
    np.testing.assert_allclose(agreement(map, other), expected, atol=1e-6)
    assert agreement(other, other) == pytest.approx(1)


def test_agreement_refuses_other_tokens_and_several_heads() -> None:
    with pytest.raises(TraceError, match="same tokens"):
        agreement(random_map("cross"), random_map("encoder"))
    with pytest.raises(TraceError, match="single other head"):
        agreement(random_map("cross"), random_map("cross"))


def test_means_stand_last() -> None:
    map = random_map("cross")
    all_ = append_means(map)
    assert all_.weights.shape == (3, 4, 5, 7)
    np.testing.assert_array_equal(all_.weights[:2, :3], map.weights)
    np.testing.assert_allclose(all_.weights[1, 3], map.weights[1].mean(0), atol=1e-6)
    np.testing.assert_allclose(all_.weights[2, 0], map.weights[:, 0].mean(0), atol=1e-6)
    np.testing.assert_allclose(all_.weights[2, 3], map.weights.mean((0, 1)), atol=1e-6)
