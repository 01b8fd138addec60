"""The Transformer encoder-decoder (Vaswani et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nmtcore.attention import Attended, MultiHead, causal_bias, padding_bias
from nmtcore.config import TransformerConfig
from nmtcore.data import Padded
from nmtcore.dropout import dropout
from nmtcore.errors import InterventionError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.packed import MakeProduct, Product
from nmtcore.seq2seq import Layers, Memory, Seq2Seq, State, StepOutput


def sinusoids(length: int, width: int) -> Tensor:
    """PE(pos, 2i) = sin(pos / 10000^(2i/D)), PE(pos, 2i+1) = cos(the same); (length, D), section 3.5."""
    rates = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)  # (D / 2,)
    angles = torch.arange(length, dtype=torch.float64)[:, None] * rates  # (length, D / 2)
    return torch.stack((angles.sin(), angles.cos()), -1).flatten(1).float()


M = TypeVar("M", bound=nn.Module)


def modules(layers: Iterable[M]) -> Sequence[M]:
    """A ModuleList that remembers, for readers and type checkers, what it holds."""
    return cast(Sequence[M], nn.ModuleList(layers))


class SubLayer(nn.Module):
    """The residual around F(x): x + F(LN(x)) with the norm before (pre), LN(x + F(x)) with it after (post)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.pre, self.dropout = config.norm == "pre", config.dropout
        self.norm = nn.LayerNorm(config.width)

    def enter(self, x: Tensor) -> Tensor:
        return self.norm(x) if self.pre else x

    def leave(self, x: Tensor, change: Tensor) -> Tensor:
        x = x + dropout(change, self.dropout, self.training)
        return x if self.pre else self.norm(x)


class FeedForward(nn.Module):
    """FFN(x) = max(0, x W1 + b1) W2 + b2 (Vaswani, eq. 2)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.inner = nn.Linear(config.width, config.feedforward)
        self.outer = nn.Linear(config.feedforward, config.width)
        self.dropout = config.dropout
        for linear in (self.inner, self.outer):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor) -> Tensor:
        inner = dropout(F.relu(self.inner(x)), self.dropout, self.training)
        outer: Tensor = self.outer(inner)
        return outer


class Cache:
    """The keys and values of all decoder layers up to now, in room made ahead: (room, L, 2, B, D).

    Time comes first, so that all that was written lies together. Written in place: a step never copies what
    earlier steps wrote, and a cache has one user, the search that goes on from it.
    """

    def __init__(self, data: Tensor, length: int = 0) -> None:
        self.data, self.length = data, length

    def append(self, layer: int, new: Tensor, heads: int) -> tuple[Tensor, Tensor]:
        """Store a layer's k and v of the current position, (2, B, D); return all so far, (B * H, t, K) each."""
        if self.length == len(self.data):
            self.data = torch.cat((self.data, torch.empty_like(self.data)))
        self.data[self.length, layer] = new
        seen = self.data[: self.length + 1, layer]  # (t, 2, B, D)
        k, v = seen.view(len(seen), 2, new.size(1) * heads, -1).permute(1, 2, 0, 3)
        return k, v

    def select(self, indices: Tensor) -> Cache:
        """The rows in this order. With as many rows as before, in place, and only if any changes."""
        written = self.data[: self.length]
        if len(indices) != self.data.size(3):
            shape = list(self.data.shape)
            shape[3] = len(indices)
            data = self.data.new_empty(shape)
            data[: self.length] = written.index_select(3, indices)
            return Cache(data, self.length)
        order = indices.tolist()
        if order != list(range(len(order))):
            written.copy_(written.index_select(3, indices))
        return self


@dataclass(frozen=True)
class TransformerState:
    """What the decoder has read: its cache. The step that takes a state writes into its cache."""

    cache: Cache

    @property
    def position(self) -> int:
        return self.cache.length

    def select(self, indices: Tensor) -> TransformerState:
        return TransformerState(self.cache.select(indices))


class EncoderLayer(nn.Module):
    """Self attention, then the feed-forward network."""

    sublayers: Sequence[SubLayer]

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.attention = MultiHead(config.width, config.heads, config.dropout)
        self.feedforward = FeedForward(config)
        self.sublayers = modules(SubLayer(config) for _ in range(2))

    def forward(
        self, x: Tensor, bias: Tensor | None, off: tuple[int, ...] = ()
    ) -> tuple[Tensor, Attended, tuple[Tensor, Tensor, Tensor]]:
        """x: (B, S, D). Returns the layer's output, what its attention saw, and q, k, v (B, H, S, K)."""
        first, second = self.sublayers
        q, k, v = self.attention.queries_keys_values(first.enter(x))
        seen = self.attention(q, k, v, bias, off)
        x = first.leave(x, seen.output)
        x = second.leave(x, self.feedforward(second.enter(x)))
        return x, seen, (q, k, v)


class DecoderLayerOutput(NamedTuple):
    """What one decoder layer returns: x (B, T, D), both attentions, and q, k, v of the new positions.

    Of a step, x is (B, D) and q, k, v are (B, H, 1, K).
    """

    x: Tensor
    self_seen: Attended
    cross_seen: Attended
    q: Tensor
    k: Tensor
    v: Tensor
    cross_q: Tensor


class LayerProducts(NamedTuple):
    """The six matrix products of a decoder layer's step, from rows (B, in) to rows (B, out)."""

    self_project: Product  # W^Q, W^K and W^V in one
    self_output: Product
    cross_query: Product
    cross_output: Product
    inner: Product
    outer: Product


class DecoderLayer(nn.Module):
    """Masked self attention, cross attention to the encoder's keys and values, then the feed-forward network."""

    sublayers: Sequence[SubLayer]

    def __init__(self, config: TransformerConfig, index: int) -> None:
        super().__init__()
        self.index = index
        self.self_attention = MultiHead(config.width, config.heads, config.dropout)
        self.cross_attention = MultiHead(config.width, config.heads, config.dropout)
        self.feedforward = FeedForward(config)
        self.sublayers = modules(SubLayer(config) for _ in range(3))

    def forward(
        self,
        x: Tensor,
        cross: Layers,
        bias: Tensor | None,
        cross_bias: Tensor | None,
        change: Intervention = NO_CHANGE,
    ) -> DecoderLayerOutput:
        """x: (B, T, D) of all positions; cross: keys and values (B, H, S, K)."""
        first, second, third = self.sublayers
        q, k, v = self.self_attention.queries_keys_values(first.enter(x))
        self_seen = self.self_attention(q, k, v, bias, change.off("decoder", self.index))
        x = first.leave(x, self_seen.output)
        cross_q = self.cross_attention.queries(second.enter(x))
        cross_seen = self.cross_attention(cross_q, *cross, cross_bias, change.off("cross", self.index))
        x = second.leave(x, cross_seen.output)
        x = third.leave(x, self.feedforward(third.enter(x)))
        return DecoderLayerOutput(x, self_seen, cross_seen, q, k, v, cross_q)

    def step(
        self,
        x: Tensor,
        cache: Cache,
        cross: tuple[Tensor, Tensor],
        cross_bias: Tensor | None,
        by: LayerProducts,
        change: Intervention = NO_CHANGE,
        row: Tensor | None = None,
    ) -> DecoderLayerOutput:
        """`forward` for the newest position, x (B, D), when a cache holds the others.

        cross: keys and values (B * H, S, K); cross_bias: (B * H, 1, S); row (S,) replaces all cross-attention weights.
        """
        first, second, third = self.sublayers
        heads = self.self_attention.heads
        qkv = by.self_project(first.enter(x)).view(len(x), 3, -1).transpose(0, 1).contiguous()  # (3, B, D)
        keys, values = cache.append(self.index, qkv[1:], heads)
        self_seen = self.self_attention.look(qkv[0], keys, values, None, change.off("decoder", self.index))
        x = first.leave(x, by.self_output(self_seen.output))
        cross_q = by.cross_query(second.enter(x))  # (B, D)
        cross_seen = self.cross_attention.look(cross_q, *cross, cross_bias, change.off("cross", self.index), row)
        x = second.leave(x, by.cross_output(cross_seen.output))
        x = third.leave(x, by.outer(by.inner(third.enter(x)).relu_()))
        q, k, v = qkv.view(3, len(x), heads, 1, -1)
        return DecoderLayerOutput(x, self_seen, cross_seen, q, k, v, cross_q.view(q.shape))

    def products(self, make: MakeProduct) -> LayerProducts:
        """What `step` multiplies by, made in one way or the other of `packed.py`."""
        project, cross, D = (
            self.self_attention.project,
            self.cross_attention.project,
            self.feedforward.inner.in_features,
        )
        return LayerProducts(
            make(project.weight, project.bias),
            make(self.self_attention.output.weight, self.self_attention.output.bias),
            make(cross.weight[:D], cross.bias[:D]),
            make(self.cross_attention.output.weight, self.cross_attention.output.bias),
            make(self.feedforward.inner.weight, self.feedforward.inner.bias),
            make(self.feedforward.outer.weight, self.feedforward.outer.bias),
        )


class StepProducts(NamedTuple):
    """All matrix products of a step: of each decoder layer, then from its output to the logits."""

    layers: tuple[LayerProducts, ...]
    logits: Product


class Transformer(Seq2Seq):
    """Embedding times sqrt(D) plus position; encoder layers; decoder layers; logits."""

    config: TransformerConfig
    positions: Tensor
    encoder: Sequence[EncoderLayer]
    decoder: Sequence[DecoderLayer]

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        D = config.width
        self.embed = nn.Embedding(config.vocab_size, D)
        nn.init.normal_(self.embed.weight, std=D**-0.5)
        self.embed_target = self.embed if config.tied else nn.Embedding(config.vocab_size, D)
        self.unembed = self.embed if config.tied else nn.Embedding(config.vocab_size, D)
        for table in (self.embed_target, self.unembed):
            if table is not self.embed:
                nn.init.normal_(table.weight, std=D**-0.5)
        if config.positions == "learned":
            self.positions = nn.Parameter(torch.randn(config.max_positions, D) * D**-0.5)
        elif config.positions == "sinusoidal":
            self.register_buffer("positions", sinusoids(1024, D), persistent=False)
        self.encoder = modules(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.decoder = modules(DecoderLayer(config, i) for i in range(config.decoder_layers))
        final = config.norm == "pre"  # post-norm layers end in their own norm
        self.encoder_norm = nn.LayerNorm(D) if final else nn.Identity()
        self.decoder_norm = nn.LayerNorm(D) if final else nn.Identity()

    def enter(self, tokens: Tensor, table: nn.Embedding, start: int = 0, change: Intervention = NO_CHANGE) -> Tensor:
        """sqrt(D) e(token) + PE(position) for tokens (B, T) that begin at position `start`; (B, T, D)."""
        x = table(tokens) * math.sqrt(self.config.width)
        if self.config.positions != "none" and change.positions != "dropped":
            end = start + tokens.size(1)
            if end > len(self.positions):
                raise InterventionError(
                    f"This model knows {len(self.positions)} positions; shorten the sentence to fewer pieces."
                )
            where = self.positions[start:end]
            x = x + (where if change.positions == "kept" else where[list(change.positions)])
        return dropout(x, self.config.dropout, self.training)

    def encode(self, source: Padded, change: Intervention | None = None) -> Memory:
        change = change or NO_CHANGE
        self.check(change, source.ids.size(1))
        bias = padding_bias(source.mask)
        x = self.enter(source.ids, self.embed, change=change)  # (B, S, D)
        weights, scores, qs, ks, vs = [], [], [], [], []
        for i, layer in enumerate(self.encoder):
            x, seen, (q, k, v) = layer(x, None if bias is None else bias[:, None, None], change.off("encoder", i))
            weights.append(seen.weights)
            scores.append(seen.scores)
            qs.append(q)
            ks.append(k)
            vs.append(v)
        states = self.encoder_norm(x)
        cross = tuple(layer.cross_attention.keys_values(states) for layer in self.decoder)
        return Memory(
            states=states,
            mask=source.mask,
            bias=bias,
            prepared=cross,
            attention={"encoder": tuple(weights)},
            inner={
                "states": (states,),
                "encoder_scores": tuple(scores),
                "encoder_query": tuple(qs),
                "encoder_key": tuple(ks),
                "encoder_value": tuple(vs),
                "cross_key": tuple(k for k, _ in cross),
                "cross_value": tuple(v for _, v in cross),
            },
        )

    def start(self, memory: Memory) -> TransformerState:
        c = self.config
        return TransformerState(Cache(memory.states.new_empty(32, c.decoder_layers, 2, len(memory.states), c.width)))

    def step(self, tokens: Tensor, state: State, memory: Memory, change: Intervention | None = None) -> StepOutput:
        assert isinstance(state, TransformerState)
        change = change or NO_CHANGE
        cache = state.cache
        by: StepProducts = self.step_products()
        weights = change.row(cache.length)
        row = None if weights is None else torch.tensor(weights, device=tokens.device)
        bias = None
        if memory.bias is not None:
            bias = memory.bias.repeat_interleave(self.config.heads, 0)[:, None]  # (B * H, 1, S)
        x = self.enter(tokens[:, None], self.embed_target, cache.length)[:, 0]  # (B, D)
        outs = []
        for layer, (k, v), products in zip(self.decoder, memory.prepared, by.layers, strict=True):
            cross = (k.flatten(0, 1), v.flatten(0, 1))  # (B * H, S, K) each
            out: DecoderLayerOutput = layer.step(x, cache, cross, bias, products, change, row)
            x = out.x
            outs.append(out)
        top = self.decoder_norm(x)  # (B, D)
        return StepOutput(
            by.logits(top),
            TransformerState(Cache(cache.data, cache.length + 1)),
            {
                "decoder": tuple(o.self_seen.weights for o in outs),
                "cross": tuple(o.cross_seen.weights for o in outs),
            },
            {
                "output": (top,),
                "decoder_scores": tuple(o.self_seen.scores for o in outs),
                "decoder_query": tuple(o.q for o in outs),
                "decoder_key": tuple(o.k for o in outs),
                "decoder_value": tuple(o.v for o in outs),
                "cross_query": tuple(o.cross_q for o in outs),
                "cross_scores": tuple(o.cross_seen.scores for o in outs),
            },
        )

    def products(self, make: MakeProduct) -> StepProducts:
        return StepProducts(tuple(layer.products(make) for layer in self.decoder), make(self.unembed.weight))

    def hidden(self, source: Padded, inputs: Padded) -> Tensor:
        memory = self.encode(source)
        bias = None if memory.bias is None else memory.bias[:, None, None]
        # The inputs' padding stands at their end, where the future mask hides it from every real position.
        future = causal_bias(inputs.ids.size(1), inputs.ids.device)
        x = self.enter(inputs.ids, self.embed_target)
        for layer, cross in zip(self.decoder, memory.prepared, strict=True):
            x = layer(x, cross, future, bias).x
        top: Tensor = self.decoder_norm(x)  # (B, T, D)
        return top

    def project(self, hidden: Tensor) -> Tensor:
        return F.linear(hidden, self.unembed.weight)  # (..., V)

    def check(self, change: Intervention, source_length: int) -> None:
        c = self.config
        layers = {"encoder": c.encoder_layers, "decoder": c.decoder_layers, "cross": c.decoder_layers}
        for kind, layer, head in change.heads_off:
            if layer >= layers[kind] or head >= c.heads:
                raise InterventionError(
                    f"{kind} attention has layers 0 to {layers[kind] - 1} and heads 0 to {c.heads - 1}; "
                    f"there is no layer {layer} head {head}."
                )
        rows = [len(row) for _, row in change.attention]
        if isinstance(change.positions, tuple):
            rows.append(len(change.positions))
        for length in rows:
            if length != source_length:
                raise InterventionError(
                    f"The change names {length} source positions; this sentence has {source_length}."
                )
