"""Fast Transformer: one decoder position at a time, `Transformer.step` on rows (B, D).

With B hypotheses a layer takes a few dozen operations, each so small that most of its time is the call. A step
therefore uses plain functions and tuples, no modules and no axes that it does not need. Names, order and results
match `Transformer.step` and `DecoderLayer.forward`; a test compares them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nmtcore.intervention import LAYER_PARTS, NO_CHANGE, Intervention, LayerPart
from nmtcore.models.attention import AttentionOutput
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.fast.packed import MakeProduct, Product, plain_product, product_of
from nmtcore.models.positions import RelativePositions
from nmtcore.models.seq2seq import Memory, State, StepOutput
from nmtcore.models.transformer import DecoderLayer, Transformer


class Buffer(NamedTuple):
    """Storage for the keys and values of all decoder layers, (room, L, 2, B, D), with one view per layer.

    Time is the first axis, so that the used part is contiguous.
    """

    data: Tensor
    write: tuple[Tensor, ...]  # (room, 2, B, D)
    keys: tuple[Tensor, ...]  # k^T, (B * H, K, room)
    values: tuple[Tensor, ...]  # v, (B * H, room, K)

    @classmethod
    def of(cls, data: Tensor, heads: int) -> Buffer:
        room, layers, _, rows, width = data.shape
        by_head = data.view(room, layers, 2, rows * heads, width // heads)
        keys, values = by_head.permute(2, 1, 3, 0, 4)  # (L, B * H, room, K) each
        return cls(data, data.unbind(1), keys.mT.unbind(), values.unbind())


class Cache:
    """The key-value cache, in one of two buffers; reordering rows copies them into the other one.

    A step writes in place and never copies what earlier steps wrote. So a cache has a single user: the search that
    continues from it.
    """

    def __init__(self, data: Tensor, heads: int) -> None:
        self.heads = heads
        self.buffer = Buffer.of(data, heads)
        self.spare: Buffer | None = None

    def append(self, layer: int, position: int, new: Tensor) -> tuple[Tensor, Tensor]:
        """Store a layer's k and v (2, B, D) at a position; return k^T (B * H, K, t) and v (B * H, t, K) up to it."""
        if position == self.buffer.data.size(0):
            data = torch.cat((self.buffer.data, torch.empty_like(self.buffer.data)))
            self.buffer, self.spare = Buffer.of(data, self.heads), None
        self.buffer.write[layer][position] = new
        return self.buffer.keys[layer][:, :, : position + 1], self.buffer.values[layer][:, : position + 1]

    def select(self, length: int, indices: Tensor) -> Cache:
        """Select rows, in this order, of the first `length` positions; in place if their number does not change."""
        written = self.buffer.data[:length]
        if len(indices) != written.size(3):
            size = (len(self.buffer.data), *written.shape[1:3], len(indices), written.size(4))
            data = written.new_empty(size)
            data[:length] = written.index_select(3, indices)
            return Cache(data, self.heads)
        if indices.device.type != "cpu" or indices.tolist() != list(
            range(len(indices))
        ):  # asking a GPU would wait for it
            spare = self.spare or Buffer.of(torch.empty_like(self.buffer.data), self.heads)
            torch.index_select(written, 3, indices, out=spare.data[:length])
            self.buffer, self.spare = spare, self.buffer
        return self


@dataclass(frozen=True)
class FastTransformerState:
    """The decoder's state: a key-value cache, filled up to `position`. The step that takes a state writes into it."""

    cache: Cache
    position: int = 0

    def select(self, indices: Tensor) -> FastTransformerState:
        return FastTransformerState(self.cache.select(self.position, indices), self.position)


class ResidualStep(NamedTuple):
    """`Residual.forward` without dropout, in two parts: before and after the sub-layer F."""

    norm: Callable[[Tensor], Tensor]
    pre: bool
    name: LayerPart

    def before(self, x: Tensor, off: tuple[LayerPart, ...]) -> Tensor:
        return self.norm(x) if self.pre and "norm" not in off else x

    def after(self, x: Tensor, y: Tensor, off: tuple[LayerPart, ...]) -> Tensor:
        added = torch.zeros_like(y) if self.name in off else y
        total = added if "residual" in off else x + added
        return total if self.pre or "norm" in off else self.norm(total)


IN_PLACE: dict[Callable[[Tensor], Tensor], Callable[[Tensor], Tensor]] = {
    F.relu: torch.relu_,
    F.silu: partial(F.silu, inplace=True),
}


class LayerStep(NamedTuple):
    """The functions that a decoder layer needs for a step: three residuals and six matrix products on rows (B, D)."""

    residuals: tuple[ResidualStep, ResidualStep, ResidualStep]
    self_project: Product  # W^Q, W^K and W^V in one
    self_output: Product
    cross_query: Product
    cross_output: Product
    inner: Product
    outer: Product
    activation: Callable[[Tensor], Tensor]
    relative: RelativePositions | None


class DecoderStep(NamedTuple):
    """The functions that a step of the model needs: those of every decoder layer, the last norm, the output layer."""

    layers: tuple[LayerStep, ...]
    norm: Callable[[Tensor], Tensor]
    logits: Product


def norm_step(norm: nn.Module) -> Callable[[Tensor], Tensor]:
    """A norm as a plain function."""
    if not isinstance(norm, nn.LayerNorm):
        return lambda x: x
    shape, weight, bias, eps = list(norm.normalized_shape), norm.weight, norm.bias, norm.eps
    return lambda x: torch.layer_norm(x, shape, weight, bias, eps)


def layer_step(layer: DecoderLayer, make: MakeProduct) -> LayerStep:
    """The step functions of a layer, with products made by `make`."""
    own, cross, network = layer.self_attention, layer.cross_attention, layer.feedforward
    D = own.output.out_features
    first, second, third = (
        ResidualStep(norm_step(residual.norm), residual.pre, name)
        for residual, name in zip(layer.sublayers, LAYER_PARTS["decoder"][:3], strict=True)
    )
    return LayerStep(
        (first, second, third),
        product_of(own.project, make),
        product_of(own.output, make),
        make(cross.project.weight[:D], cross.project.bias[:D]),
        product_of(cross.output, make),
        product_of(network.inner, make),
        product_of(network.outer, make),
        IN_PLACE[network.activation],
        own.relative,
    )


def attend_one_query(
    q: Tensor,
    k_t: Tensor,
    v: Tensor,
    heads: int,
    bias: Tensor | None = None,
    off: Sequence[int] = (),
    row: Tensor | None = None,
    relative: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """`scaled_dot_product_attention` of all heads for one query per row, in as few operations as possible.

    q: (B, D); k_t, k^T: (B * H, K, S); v: (B * H, S, K), the heads of a row next to each other; bias: (B * H, 1, S).
    off: heads whose output becomes zero; row: (S,), replaces the weights of all heads; relative: a^K and a^V for the
    distances to the keys, (S, K) each. Returns the concatenated heads (B, D), and weights and scores (B, H, 1, S).
    """
    B, width = q.size(0), v.size(2)
    scores = torch.bmm(q.view(-1, 1, width), k_t)  # (B * H, 1, S)
    if relative is not None:
        scores += (q.view(-1, width) @ relative[0].mT)[:, None]
    scores.div_(math.sqrt(width))
    if bias is not None:
        scores += bias
    weights = torch.softmax(scores, -1) if row is None else row.to(v).expand(scores.shape).contiguous()
    output = torch.bmm(weights, v)  # (B * H, 1, K)
    if relative is not None:
        output += weights @ relative[1]
    if off:
        output.view(B, heads, width)[:, list(off)] = 0
    shape = (B, heads, 1, -1)
    return output.view(q.shape), weights.view(shape), scores.view(shape)


def decoder_layer_step(
    x: Tensor,
    index: int,
    layer: LayerStep,
    state: FastTransformerState,
    memory: tuple[Tensor, Tensor],
    memory_bias: Tensor | None,
    intervention: Intervention,
    row: Tensor | None,
    distances: Tensor | None,
) -> tuple[Tensor, AttentionOutput, AttentionOutput]:
    """`DecoderLayer.forward` of layer number `index` for the newest position, x (B, D).

    memory: k^T (B * H, K, S) and v (B * H, S, K) of the source; memory_bias: (B * H, 1, S); row: (S,), replaces
    the cross-attention weights; distances: (t + 1,), of relative positions. Returns x, self-attention and cross
    attention; the keys and values in them are those of the newest position alone.
    """
    cache = state.cache
    heads = cache.heads
    by_head = (x.size(0), heads, 1, -1)
    first, second, third = layer.residuals
    parts_off = intervention.off_in_layer("decoder", index)
    qkv = (
        layer.self_project(first.before(x, parts_off)).view(x.size(0), 3, -1).transpose(0, 1).contiguous()
    )  # (3, B, D)
    q, k, v = qkv.unbind()
    before = cache.append(index, state.position, qkv[1:])
    off = intervention.off("decoder", index)
    relative = layer.relative(distances) if layer.relative is not None and distances is not None else None
    joined, weights, scores = attend_one_query(q, *before, heads, None, off, None, relative)
    output = layer.self_output(joined)
    own = AttentionOutput(output, weights, scores, q.view(by_head), k.view(by_head), v.view(by_head))
    x = first.after(x, output, parts_off)
    cross_q = layer.cross_query(second.before(x, parts_off))  # (B, D)
    off = intervention.off("cross", index)
    joined, weights, scores = attend_one_query(cross_q, *memory, heads, memory_bias, off, row)
    output = layer.cross_output(joined)
    cross = AttentionOutput(output, weights, scores, cross_q.view(by_head), *memory)
    x = second.after(x, output, parts_off)
    output = layer.outer(layer.activation(layer.inner(third.before(x, parts_off))))
    return third.after(x, output, parts_off), own, cross


class FastTransformer(Accelerated, Transformer):
    """`Transformer` whose steps work on rows (B, D), with one cache for all layers that is written in place."""

    def products(self, make: MakeProduct) -> DecoderStep:
        layers = tuple(layer_step(layer, make) for layer in self.decoder)
        return DecoderStep(layers, norm_step(self.decoder_norm), make(*self.output_layer))

    def start(self, memory: Memory) -> State:
        c = self.config
        room = memory.states.new_empty(32, c.decoder_layers, 2, len(memory.states), c.width)
        return FastTransformerState(Cache(room, c.heads))

    @torch.no_grad()  # it writes into its cache
    def step(self, tokens: Tensor, state: State, memory: Memory, intervention: Intervention = NO_CHANGE) -> StepOutput:
        assert isinstance(state, FastTransformerState)
        decoder: DecoderStep = self.product or self.products(plain_product)
        weights = intervention.row(state.position)
        row = None if weights is None else torch.tensor(weights, device=tokens.device)
        bias = None
        if memory.bias is not None:
            bias = memory.bias.repeat_interleave(self.config.heads, 0)[:, None]  # (B * H, 1, S)
        order = intervention.target_positions
        x = self.embed_positions(tokens[:, None], self.embed_target, state.position, order)[:, 0]  # (B, D)
        distances = self.distances(1, state.position + 1, order)  # (1, t + 1)
        of_keys = None if distances is None else distances[0]
        own, cross = [], []
        for i, (layer, (keys, values)) in enumerate(zip(decoder.layers, memory.prepared, strict=True)):
            prepared = (keys.flatten(0, 1).mT, values.flatten(0, 1))  # (B * H, K, S) and (B * H, S, K)
            x, self_attention, cross_attention = decoder_layer_step(
                x, i, layer, state, prepared, bias, intervention, row, of_keys
            )
            own.append(self_attention)
            cross.append(cross_attention)
        following = FastTransformerState(state.cache, state.position + 1)
        return self.step_output(decoder.norm(x), following, own, cross)
