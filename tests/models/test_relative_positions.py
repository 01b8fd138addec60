"""Relative positions: the sum over explicit pairs, clipping, and word order."""

import math

import pytest
import torch

from nmtcore.models.attention import MultiHead, scaled_dot_product_attention
from nmtcore.models.padded import pad
from nmtcore.models.positions import RelativePositions
from tests.helpers import random_model
from tests.models.configurations import transformer

K_MAX = 2


@pytest.mark.parametrize(("T", "S"), [(5, 5), (1, 7), (3, 7)])
@torch.no_grad()
def test_it_is_the_sum_over_explicit_pairs(T: int, S: int) -> None:
    """score_ij = q_i . (k_j + a^K_clip(j-i)) / sqrt(d), z_i = sum_j alpha_ij (v_j + a^V_clip(j-i))."""
    torch.manual_seed(1)
    B, H, K = 2, 3, 4
    table = RelativePositions(K_MAX, K)
    q, k, v = torch.randn(B, H, T, K), torch.randn(B, H, S, K), torch.randn(B, H, S, K)
    distances = torch.arange(S)[None] - torch.arange(S - T, S)[:, None]
    found = scaled_dot_product_attention(q, k, v, None, relative=table(distances))
    for b in range(B):
        for h in range(H):
            for i in range(T):
                rows = [max(-K_MAX, min(K_MAX, j - (S - T + i))) + K_MAX for j in range(S)]
                scores = [float(q[b, h, i] @ (k[b, h, j] + table.key[rows[j]])) / math.sqrt(K) for j in range(S)]
                total = sum(map(math.exp, scores))
                weights = [math.exp(score) / total for score in scores]
                values = [v[b, h, j] + table.value[rows[j]] for j in range(S)]
                expected = sum(weight * value for weight, value in zip(weights, values, strict=True))
                torch.testing.assert_close(found.scores[b, h, i], torch.tensor(scores), atol=1e-5, rtol=0)
                torch.testing.assert_close(found.weights[b, h, i], torch.tensor(weights), atol=1e-5, rtol=0)
                torch.testing.assert_close(found.output[b, h, i], expected, atol=1e-5, rtol=0)


@torch.no_grad()
def test_all_that_is_farther_than_k_is_alike() -> None:
    head = MultiHead(8, 2, 0.0, K_MAX)
    assert head.relative is not None
    keys, values = head.relative(torch.tensor([[-9, -2, -1, 0, 1, 2, 3]]))
    for found, table in ((keys, head.relative.key), (values, head.relative.value)):
        assert torch.equal(found[0], table[[0, 0, 1, 2, 3, 4, 4]])


@torch.no_grad()
def test_a_sentence_that_begins_later_is_the_same() -> None:
    """Only distances count: the same words after a long padding have the same states (a table's would not)."""
    model = random_model(transformer(positions="relative", max_relative_position=K_MAX))
    x = model.embed_positions(torch.tensor([[5, 9, 4, 8, 4]]), model.embed)
    near = model.encoder[0](x, None, distances=model.distances(5, 5)).x
    where = torch.arange(7, 12)
    assert torch.equal(near, model.encoder[0](x, None, distances=where[None] - where[:, None]).x)


def test_there_is_no_longest_sentence() -> None:
    model = random_model(transformer(positions="relative"))
    assert model.max_length > 1_000_000
    with torch.no_grad():
        assert model.encode(pad([[4] * 1100])).states.isfinite().all()
