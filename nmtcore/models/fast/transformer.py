"""One position of a Transformer decoder at a time: `DecoderLayer.forward` again, on rows.

With B hypotheses a layer works on x (B, D) and takes a few dozen operations, each of them so small that calling it
is what costs. So this file has plain functions and tuples: no modules, and no axis that is not needed. Names, order
and results are those of `DecoderLayer.forward`; a test holds both equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from nmtcore.intervention import Intervention
from nmtcore.models.attention import AttentionOutput, attend_one_query
from nmtcore.models.fast.packed import Product


class Room(NamedTuple):
    """Room for the keys and values of all decoder layers, (room, L, 2, B, D), and views of it, one a layer.

    Time comes first, so that all that was written lies together.
    """

    data: Tensor
    write: tuple[Tensor, ...]  # (room, 2, B, D)
    keys: tuple[Tensor, ...]  # k^T, (B * H, K, room)
    values: tuple[Tensor, ...]  # v, (B * H, room, K)

    @classmethod
    def of(cls, data: Tensor, heads: int) -> Room:
        room, layers, _, rows, width = data.shape
        by_head = data.view(room, layers, 2, rows * heads, width // heads)
        keys, values = by_head.permute(2, 1, 3, 0, 4)  # (L, B * H, room, K) each
        return cls(data, data.unbind(1), keys.mT.unbind(), values.unbind())


class Cache:
    """The keys and values up to now, in one of two rooms; the other one is for putting rows in another order.

    Written in place: a step never copies what earlier steps wrote, and a cache has one user, the search that
    goes on from it.
    """

    def __init__(self, data: Tensor, heads: int) -> None:
        self.heads = heads
        self.room = Room.of(data, heads)
        self.spare: Room | None = None

    def append(self, layer: int, position: int, new: Tensor) -> tuple[Tensor, Tensor]:
        """Store a layer's k and v (2, B, D) at a position; return k^T (B * H, K, t) and v (B * H, t, K) up to it."""
        if position == self.room.data.size(0):
            data = torch.cat((self.room.data, torch.empty_like(self.room.data)))
            self.room, self.spare = Room.of(data, self.heads), None
        self.room.write[layer][position] = new
        return self.room.keys[layer][:, :, : position + 1], self.room.values[layer][:, : position + 1]

    def select(self, length: int, indices: Tensor) -> Cache:
        """The first `length` positions of these rows; in place where there are as many as before."""
        written = self.room.data[:length]
        if len(indices) != written.size(3):
            size = (len(self.room.data), *written.shape[1:3], len(indices), written.size(4))
            data = written.new_empty(size)
            data[:length] = written.index_select(3, indices)
            return Cache(data, self.heads)
        if indices.tolist() != list(range(len(indices))):
            spare = self.spare or Room.of(torch.empty_like(self.room.data), self.heads)
            torch.index_select(written, 3, indices, out=spare.data[:length])
            self.room, self.spare = spare, self.room
        return self


@dataclass(frozen=True)
class TransformerState:
    """What the decoder has read: its cache, written up to `position`. The step that takes a state writes on in it."""

    cache: Cache
    position: int = 0

    def select(self, indices: Tensor) -> TransformerState:
        return TransformerState(self.cache.select(self.position, indices), self.position)


class Residual(NamedTuple):
    """What stands around a sub-layer F: leave(x, F(enter(x)))."""

    enter: Callable[[Tensor], Tensor]
    leave: Callable[[Tensor, Tensor], Tensor]


class LayerStep(NamedTuple):
    """All that a decoder layer needs for a step: three residuals and six matrix products on rows (B, D)."""

    residuals: tuple[Residual, Residual, Residual]
    self_project: Product  # W^Q, W^K and W^V in one
    self_output: Product
    cross_query: Product
    cross_output: Product
    inner: Product
    outer: Product


class DecoderLayerOutput(NamedTuple):
    """What one decoder layer returns: x (B, T, D), both attentions, and q, k, v of all positions.

    Of a step: of its newest position alone, rows (B, D) without an axis T.
    """

    x: Tensor
    self_seen: AttentionOutput
    cross_seen: AttentionOutput
    q: Tensor
    k: Tensor
    v: Tensor
    cross_q: Tensor


def step(
    x: Tensor,
    layer: int,
    by: LayerStep,
    state: TransformerState,
    cross: tuple[Tensor, Tensor],
    cross_bias: Tensor | None,
    intervention: Intervention,
    row: Tensor | None,
) -> DecoderLayerOutput:
    """Decoder layer number `layer` for the newest position, x (B, D).

    cross: k^T (B * H, K, S) and v (B * H, S, K) of the source; cross_bias: (B * H, 1, S); row: (S,), replaces
    the cross-attention weights.
    """
    cache = state.cache
    first, second, third = by.residuals
    qkv = by.self_project(first.enter(x)).view(x.size(0), 3, -1).transpose(0, 1).contiguous()  # (3, B, D)
    own = cache.append(layer, state.position, qkv[1:])
    self_seen = attend_one_query(qkv[0], *own, cache.heads, None, intervention.off("decoder", layer))
    x = first.leave(x, by.self_output(self_seen.output))
    cross_q = by.cross_query(second.enter(x))  # (B, D)
    cross_seen = attend_one_query(cross_q, *cross, cache.heads, cross_bias, intervention.off("cross", layer), row)
    x = second.leave(x, by.cross_output(cross_seen.output))
    x = third.leave(x, by.outer(by.inner(third.enter(x)).relu_()))
    q, k, v = qkv.unbind()
    return DecoderLayerOutput(x, self_seen, cross_seen, q, k, v, cross_q)
