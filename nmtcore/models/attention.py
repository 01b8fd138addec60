"""Attention: local windows for recurrent decoders and multi-head attention for Transformers."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nmtcore.models.dropout import apply_dropout
from nmtcore.models.padded import Padded
from nmtcore.models.positions import RelativePositions


class AttentionOutput(NamedTuple):
    """The output of an attention layer: the weighted sums of the values, and everything they were computed from.

    weights: output of the softmax, before dropout; scores: input of the softmax, `-inf` where masked; both are empty
    in training with `fused_attention`. Multi-head attention has an axis for its heads; a recurrent decoder has one
    head and no such axis.
    """

    output: Tensor  # (B, T, D)
    weights: Tensor  # (B, H, T, S)
    scores: Tensor  # (B, H, T, S)
    query: Tensor  # (B, H, T, K)
    key: Tensor  # (B, H, S, K)
    value: Tensor  # (B, H, S, K)
    joined: Tensor | None = None  # Concat(head_1 .. head_H), (B, T, D), in multi-head attention


class LocalWindow(nn.Module):
    """Local attention: a step attends only to the source positions near p_j, |i - p_j| <= D (Luong et al. 2015, 3.2).

    Here D is the half-width of the window, as in the paper; the argument is called `reach`.

    Monotonic: p_j = j. Predictive: p_j = S sigmoid(v . tanh(W s_j)) (eq. 9), and a Gaussian centred there with standard
    deviation D / 2 favours positions close to it (eq. 10). The paper multiplies the weights by the Gaussian; here its
    logarithm is added to the scores, so that the weights still sum to one. Where a translation is longer than its
    source, p_j stays at the last position. Positions count from 1.
    """

    def __init__(self, units: int, reach: int, predictive: bool) -> None:
        super().__init__()
        self.reach, self.predictive = reach, predictive
        if predictive:
            self.W = nn.Linear(units, units, bias=False)
            self.v = nn.Linear(units, 1, bias=False)

    def centers(self, query: Tensor, lengths: Tensor, step: int) -> Tensor:
        """The window centres p_j, (B, T), for queries (B, T, D); step: index of the first query; lengths: (B,)."""
        if self.predictive:
            share = torch.sigmoid(self.v(torch.tanh(self.W(query)))[..., 0])  # (B, T)
            return lengths[:, None] * share.float()
        steps = torch.arange(step + 1, step + query.size(1) + 1, device=query.device)
        return torch.minimum(steps, lengths[:, None])

    def forward(self, centers: Tensor, S: int) -> Tensor:
        """Bias added to the scores, (B, T, S), for p_j (B, T): the log of the Gaussian, and -inf outside the window."""
        distance = torch.arange(1, S + 1, device=centers.device) - centers[..., None]  # (B, T, S)
        bias = -2 * (distance / self.reach) ** 2 if self.predictive else torch.zeros_like(distance, dtype=torch.float)
        return bias.masked_fill(distance.abs() > self.reach, -math.inf)


def padding_bias(source: Padded) -> Tensor | None:
    """The padding mask as a bias added to the scores, so that padding gets no weight; None if nothing is padded.

    Returns (B, S) with 0 on tokens and -inf on padding.
    """
    if not source.padding:
        return None
    return torch.zeros(source.mask.shape, device=source.mask.device).masked_fill(~source.mask, -math.inf)


def causal_bias(length: int, device: torch.device) -> Tensor:
    """The causal mask (future mask) of a decoder as a bias: 0 up to the diagonal, -inf above it, (T, T)."""
    return torch.full((length, length), -math.inf, device=device).triu(1)


def scaled_dot_product_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    bias: Tensor | None,
    rate: float = 0.0,
    row: Tensor | None = None,
    relative: tuple[Tensor, Tensor] | None = None,
) -> AttentionOutput:
    """Scaled dot-product attention: softmax(Q K^T / sqrt(d_k) + Mask) V (Vaswani et al. 2017, eq. 1); d_k is K here.

    q: (B, H, T, K); k, v: (B, H, S, K); bias: broadcast to (B, H, T, S). Output: (B, H, T, K).
    rate: dropout rate of the weights; row: (S,), replaces the weights of every query.
    relative: a^K and a^V of every pair, (T, S, K), for softmax(q_i . (k_j + a^K_ij) / sqrt(d_k)) and
    sum_j alpha_ij (v_j + a^V_ij) (Shaw et al. 2018, eq. 3 and 4).
    """
    scores = q @ k.mT  # (B, H, T, S)
    if relative is not None:
        scores = scores + product_by_query(q, relative[0].mT)
    scores = scores / math.sqrt(q.size(-1))
    if bias is not None:
        scores = scores + bias.to(scores.dtype)
    weights = scores.softmax(-1) if row is None else row.to(scores).expand_as(scores)  # (B, H, T, S)
    kept = apply_dropout(weights, rate, training=rate > 0)
    output = kept @ v  # (B, H, T, K)
    if relative is not None:
        output = output + product_by_query(kept, relative[1])
    return AttentionOutput(output, weights, scores, q, k, v)


def fused_attention(q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, rate: float) -> AttentionOutput:
    """`scaled_dot_product_attention` in a single PyTorch kernel (Dao et al. 2022), which keeps no weights.

    The weights and scores that it returns are empty.
    """
    output = F.scaled_dot_product_attention(q, k, v, None if bias is None else bias.to(q.dtype), rate)  # (B, H, T, K)
    return AttentionOutput(output, q.new_empty(0), q.new_empty(0), q, k, v)


def product_by_query(x: Tensor, matrices: Tensor) -> Tensor:
    """Batched products x_i A_i, with one matrix for each query i: (B, H, T, M) and (T, M, N) give (B, H, T, N)."""
    B, H, T, _ = x.shape
    rows = x.permute(2, 0, 1, 3).reshape(T, B * H, -1)  # (T, B * H, M)
    return (rows @ matrices).view(T, B, H, -1).permute(1, 2, 0, 3)


def gains_from_fusing(device: torch.device) -> bool:
    """Whether fused attention trains faster than the explicit formula on a device.

    On a CPU it does not: PyTorch's kernel there handles each head of each sentence separately, which made an update
    25 to 50% slower with sentences of 5 to 30 pieces, and it has no dropout.
    """
    return device.type != "cpu"


class MultiHead(nn.Module):
    """Multi-head attention: Concat(head_1 .. head_H) W^O, head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V).

    (Vaswani et al. 2017, section 3.2.2.)
    One matrix stacks W^Q, W^K and W^V of all heads, in this order, so that self attention needs a single product.
    max_relative_position: the distance k at which relative positions are clipped; 0 turns them off.
    """

    def __init__(self, width: int, heads: int, dropout: float, max_relative_position: int = 0) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.relative = RelativePositions(max_relative_position, width // heads) if max_relative_position else None
        self.project = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        for block in (*self.project.weight.chunk(3), self.output.weight):
            nn.init.xavier_uniform_(block)
        nn.init.zeros_(self.project.bias)
        nn.init.zeros_(self.output.bias)

    def queries_keys_values(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values for self attention, all from x (B, T, D); each (B, H, T, K)."""
        qkv = self.project(x).view(*x.shape[:2], 3, self.heads, -1)  # (B, T, 3, H, K)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # (B, H, T, K) each
        return q, k, v

    def queries(self, x: Tensor) -> Tensor:
        """Queries, (B, H, T, K), for attention to another sequence."""
        width = x.size(-1)
        q = F.linear(x, self.project.weight[:width], self.project.bias[:width])  # (B, T, D)
        return q.view(*x.shape[:2], self.heads, -1).transpose(1, 2)

    def keys_values(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of the attended sequence (B, S, D), each (B, H, S, K)."""
        width = x.size(-1)
        kv = F.linear(x, self.project.weight[width:], self.project.bias[width:])  # (B, S, 2 D)
        k, v = kv.view(*x.shape[:2], 2, self.heads, -1).permute(2, 0, 3, 1, 4)
        return k.contiguous(), v.contiguous()

    def forward(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        bias: Tensor | None = None,
        off: Sequence[int] = (),
        row: Tensor | None = None,
        distances: Tensor | None = None,
    ) -> AttentionOutput:
        """Attend with every head and concatenate: output (B, T, D), weights and scores (B, H, T, S).

        In training on an accelerator attention is fused, and weights and scores are empty: nothing there reads them.
        off: heads whose output becomes zero; row: (S,), replaces the weights of every head; distances: (T, S), from
        each query to each key, to look up relative positions, or None.
        """
        relative = None if self.relative is None or distances is None else self.relative(distances)
        rate = self.dropout if self.training else 0.0
        if self.training and gains_from_fusing(q.device) and row is None and relative is None:
            attended = fused_attention(q, k, v, bias, rate)
        else:
            attended = scaled_dot_product_attention(q, k, v, bias, rate, row, relative)
        heads = attended.output  # (B, H, T, K)
        if off:
            keep = torch.ones(self.heads, 1, 1, device=heads.device, dtype=heads.dtype)
            keep[list(off)] = 0
            heads = heads * keep
        joined = heads.transpose(1, 2).flatten(2)  # (B, T, D)
        return attended._replace(output=self.output(joined), joined=joined)
