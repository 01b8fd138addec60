"""The Transformer encoder-decoder (Vaswani et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nmtcore.config import Activation, TransformerConfig
from nmtcore.intervention import NO_CHANGE, AttentionKind, Intervention, LayerPart, PositionOrder
from nmtcore.models.attention import AttentionOutput, MultiHead, causal_bias, padding_bias
from nmtcore.models.checks import check_change, check_length
from nmtcore.models.dropout import apply_dropout
from nmtcore.models.padded import Padded
from nmtcore.models.positions import sinusoids
from nmtcore.models.seq2seq import Layers, Memory, Seq2Seq, State, StepOutput, modules

KeysValues = tuple[Tensor, Tensor]  # (B, H, T, K) each
NEVER = -10_000.0  # output bias of a piece that is never written: float16 holds it, and its probability is zero


class SubLayerOutput(Protocol):
    """Output of a sub-layer F(x), optionally with the values it was computed from."""

    @property
    def output(self) -> Tensor: ...


Out = TypeVar("Out", bound=SubLayerOutput)


class ResidualOutput(NamedTuple, Generic[Out]):
    """One sub-layer F on the residual stream, with every intermediate value; (B, T, D) each."""

    x: Tensor  # the residual stream after F
    read: Tensor  # the input of F; with pre-norm LN(x)
    out: Out  # everything F returned
    added: Tensor  # its output, or zeros where it is switched off
    total: Tensor  # x + F(...), before a post-norm


class Residual(nn.Module):
    """The residual connection and the norm around a sub-layer F: pre-norm x + F(LN(x)), post-norm LN(x + F(x))."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.pre, self.dropout = config.norm == "pre", config.dropout
        self.norm = nn.LayerNorm(config.width)

    def forward(
        self, x: Tensor, name: LayerPart, sublayer: Callable[[Tensor], Out], off: tuple[LayerPart, ...] = ()
    ) -> ResidualOutput[Out]:
        """x: (B, T, D); name: the sub-layer's name; off: the parts of its layer that are switched off."""
        norm = nn.Identity() if "norm" in off else self.norm
        read = norm(x) if self.pre else x
        out = sublayer(read)
        added = torch.zeros_like(x) if name in off else apply_dropout(out.output, self.dropout, self.training)
        total = added if "residual" in off else x + added
        return ResidualOutput(total if self.pre else norm(total), read, out, added, total)


def self_attention_of(config: TransformerConfig) -> MultiHead:
    """Self attention for a layer, with relative positions if the model has them."""
    max_relative_position = config.max_relative_position if config.positions == "relative" else 0
    return MultiHead(config.width, config.heads, config.dropout, max_relative_position)


ACTIVATIONS: dict[Activation, Callable[[Tensor], Tensor]] = {"relu": F.relu, "swish": F.silu}


class FeedForwardOutput(NamedTuple):
    """Output of the feed-forward network, (B, T, D), and its hidden layer max(0, x W1 + b1), (B, T, feedforward)."""

    output: Tensor
    inner: Tensor


class FeedForward(nn.Module):
    """Position-wise feed-forward network: FFN(x) = max(0, x W1 + b1) W2 + b2 (Vaswani et al. 2017, eq. 2).

    The activation can also be x sigmoid(x), called swish or SiLU, in place of max(0, x).
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.inner = nn.Linear(config.width, config.feedforward)
        self.outer = nn.Linear(config.feedforward, config.width)
        self.dropout = config.dropout
        self.activation = ACTIVATIONS[config.activation]
        for linear in (self.inner, self.outer):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor) -> FeedForwardOutput:
        inner = self.activation(self.inner(x))
        return FeedForwardOutput(self.outer(apply_dropout(inner, self.dropout, self.training)), inner)


class EncoderLayerOutput(NamedTuple):
    """Output of one encoder layer: x (B, S, D), its attention, and the values of each sub-layer."""

    x: Tensor
    attention: AttentionOutput
    sublayers: tuple[ResidualOutput[AttentionOutput], ResidualOutput[FeedForwardOutput]]


class EncoderLayer(nn.Module):
    """Transformer encoder layer: self attention, then the feed-forward network."""

    sublayers: Sequence[Residual]

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.attention = self_attention_of(config)
        self.feedforward = FeedForward(config)
        self.sublayers = modules(Residual(config) for _ in range(2))

    def forward(
        self,
        x: Tensor,
        bias: Tensor | None,
        off: tuple[int, ...] = (),
        parts_off: tuple[LayerPart, ...] = (),
        distances: Tensor | None = None,
    ) -> EncoderLayerOutput:
        """x: (B, S, D); off: heads, and parts_off: parts of the layer, that are switched off; distances: (S, S)."""

        def self_attention(x: Tensor) -> AttentionOutput:
            q, k, v = self.attention.queries_keys_values(x)  # (B, H, S, K) each
            attended: AttentionOutput = self.attention(q, k, v, bias, off, distances=distances)
            return attended

        first, second = self.sublayers
        attended = first(x, "attention", self_attention, parts_off)
        fed = second(attended.x, "feedforward", self.feedforward, parts_off)
        return EncoderLayerOutput(fed.x, attended.out, (attended, fed))


class DecoderLayerOutput(NamedTuple):
    """Output of one decoder layer: x (B, T, D), both attentions, and the values of each sub-layer."""

    x: Tensor
    self_attention: AttentionOutput
    cross_attention: AttentionOutput
    sublayers: tuple[
        ResidualOutput[AttentionOutput], ResidualOutput[AttentionOutput], ResidualOutput[FeedForwardOutput]
    ]


class DecoderLayer(nn.Module):
    """Transformer decoder layer: masked self attention, cross attention to the source, the feed-forward network."""

    sublayers: Sequence[Residual]

    def __init__(self, config: TransformerConfig, index: int) -> None:
        super().__init__()
        self.index = index
        self.self_attention = self_attention_of(config)
        self.cross_attention = MultiHead(config.width, config.heads, config.dropout)
        self.feedforward = FeedForward(config)
        self.sublayers = modules(Residual(config) for _ in range(3))

    def forward(
        self,
        x: Tensor,
        memory: KeysValues,
        bias: Tensor | None,
        memory_bias: Tensor | None,
        intervention: Intervention = NO_CHANGE,
        cache: KeysValues | None = None,
        distances: Tensor | None = None,
    ) -> DecoderLayerOutput:
        """x: (B, T, D), all positions; memory: keys and values of the source, (B, H, S, K); distances: (T, T).

        With a key-value cache of t earlier positions, (B, H, t, K), x is the next position alone, (B, 1, D); the keys
        and values in the returned self attention are the cache for the step after it.
        """
        row: Tensor | None = None
        if cache is not None and (weights := intervention.row(cache[0].size(2))):
            row = torch.tensor(weights, device=x.device)  # (S,)

        def self_attention(x: Tensor) -> AttentionOutput:
            q, k, v = self.self_attention.queries_keys_values(x)  # (B, H, T, K) each
            if cache is not None:
                k, v = torch.cat((cache[0], k), 2), torch.cat((cache[1], v), 2)  # (B, H, t + 1, K)
            off = intervention.off("decoder", self.index)
            attended: AttentionOutput = self.self_attention(q, k, v, bias, off, distances=distances)
            return attended

        def cross_attention(x: Tensor) -> AttentionOutput:
            q = self.cross_attention.queries(x)  # (B, H, T, K)
            off = intervention.off("cross", self.index)
            attended: AttentionOutput = self.cross_attention(q, *memory, memory_bias, off, row)
            return attended

        off = intervention.off_in_layer("decoder", self.index)
        first, second, third = self.sublayers
        own = first(x, "attention", self_attention, off)
        cross = second(own.x, "cross", cross_attention, off)
        fed = third(cross.x, "feedforward", self.feedforward, off)
        return DecoderLayerOutput(fed.x, own.out, cross.out, (own, cross, fed))


def of_layers(kind: AttentionKind, attended: Sequence[AttentionOutput], *names: str) -> dict[str, Layers]:
    """What was computed in the attention of every layer, under names such as `cross_query`."""
    return {f"{kind}_{name}": tuple(getattr(a, name) for a in attended) for name in names}


@dataclass(frozen=True)
class TransformerState:
    """The decoder's state: a key-value cache for every layer, (B, H, t, K) each, after t = `position` tokens."""

    cache: tuple[KeysValues, ...]
    position: int = 0

    def select(self, indices: Tensor) -> TransformerState:
        return TransformerState(tuple((k[indices], v[indices]) for k, v in self.cache), self.position)


class Transformer(Seq2Seq):
    """The Transformer: embeddings times sqrt(D) plus positions, encoder layers, decoder layers, logits."""

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
        if config.tied or config.tied_output:
            self.unembed = self.embed_target
        else:
            self.unembed = nn.Embedding(config.vocab_size, D)
        for table in dict.fromkeys((self.embed_target, self.unembed)):
            if table is not self.embed:
                nn.init.normal_(table.weight, std=D**-0.5)
        self.output_bias = nn.Parameter(torch.zeros(config.vocab_size)) if config.output_bias else None
        if config.positions == "learned":
            self.positions = nn.Parameter(torch.randn(config.max_positions, D) * D**-0.5)
        elif config.positions == "sinusoidal":
            self.register_buffer("positions", sinusoids(1024, D, config.sinusoids), persistent=False)
        self.scale = math.sqrt(D) if config.scale_embedding else 1.0
        self.join_positions: nn.Linear | None = None
        if config.concatenate_positions:  # W = [W_e W_PE]; two identity matrices would give the sum
            self.join_positions = nn.Linear(2 * D, D, bias=False)
            nn.init.xavier_uniform_(self.join_positions.weight)
        self.encoder = modules(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.decoder = modules(DecoderLayer(config, i) for i in range(config.decoder_layers))
        final = config.norm == "pre"  # post-norm layers end in their own norm
        self.encoder_norm = nn.LayerNorm(D) if final else nn.Identity()
        self.decoder_norm = nn.LayerNorm(D) if final else nn.Identity()

    @property
    def max_length(self) -> int:
        return len(self.positions) if self.config.absolute else super().max_length

    @property
    def unwritten(self) -> Tensor | None:
        return None if self.output_bias is None else self.output_bias.detach() < NEVER / 2

    def embed_positions(
        self, tokens: Tensor, table: nn.Embedding, start: int = 0, order: PositionOrder = "kept"
    ) -> Tensor:
        """Embeddings with positions, sqrt(D) e(token) + PE(position): (B, T) ids to (B, T, D).

        start: the position of the first token. The configuration can leave out sqrt(D), or replace the sum by
        [sqrt(D) e(token); PE(position)] W. Raises TextError for a position beyond the end of the table.
        """
        where: Tensor | None = None
        if self.config.absolute and order != "dropped":
            end = start + tokens.size(1)
            check_length(end, len(self.positions))
            where = self.positions[start:end]  # (T, D)
            where = where if order == "kept" else where[list(order)]
        x = self.add_positions(table(tokens) * self.scale, where)
        return apply_dropout(x, self.config.dropout, self.training)

    def add_positions(self, x: Tensor, where: Tensor | None) -> Tensor:
        """Combine embeddings x (..., T, D) with encodings `where` (T, D), by sum or by W; None adds no position."""
        if self.join_positions is None:
            return x if where is None else x + where
        where = torch.zeros_like(x) if where is None else where.to(x.dtype).expand_as(x)
        joined: Tensor = self.join_positions(torch.cat((x, where), -1))
        return joined

    def distances(self, queries: int, keys: int, order: PositionOrder = "kept") -> Tensor | None:
        """Relative distances j - i from the last T of S positions to all S, (T, S); None without relative positions."""
        if self.config.positions != "relative" or order == "dropped":
            return None
        where = torch.arange(keys, device=self.device) if order == "kept" else torch.tensor(order, device=self.device)
        return where[None] - where[keys - queries :, None]

    def encode(self, source: Padded, intervention: Intervention = NO_CHANGE) -> Memory:
        length = source.ids.size(1)
        self.check(intervention, length)
        bias = padding_bias(source)  # (B, S)
        distances = self.distances(length, length, intervention.positions)  # (S, S)
        x = self.embed_positions(source.ids, self.embed, order=intervention.positions)  # (B, S, D)
        seen = []
        for i, layer in enumerate(self.encoder):
            heads, parts = intervention.off("encoder", i), intervention.off_in_layer("encoder", i)
            x, attended, _ = layer(x, None if bias is None else bias[:, None, None], heads, parts, distances)
            seen.append(attended)
        states = self.encoder_norm(x)
        prepared = tuple(layer.cross_attention.keys_values(states) for layer in self.decoder)
        return Memory(
            states=states,
            mask=source.mask,
            bias=bias,
            prepared=prepared,
            attention={"encoder": tuple(a.weights for a in seen)},
            inner={
                "states": (states,),
                **of_layers("encoder", seen, "scores", "query", "key", "value"),
                "cross_key": tuple(k for k, _ in prepared),
                "cross_value": tuple(v for _, v in prepared),
            },
        )

    def start(self, memory: Memory) -> State:
        c = self.config
        nothing = memory.states.new_empty(len(memory.states), c.heads, 0, c.width // c.heads)  # (B, H, 0, K)
        return TransformerState(((nothing, nothing),) * c.decoder_layers)

    @torch.no_grad()
    def step(self, tokens: Tensor, state: State, memory: Memory, intervention: Intervention = NO_CHANGE) -> StepOutput:
        assert isinstance(state, TransformerState)
        bias = None if memory.bias is None else memory.bias[:, None, None]  # (B, 1, 1, S)
        order = intervention.target_positions
        x = self.embed_positions(tokens[:, None], self.embed_target, state.position, order)  # (B, 1, D)
        distances = self.distances(1, state.position + 1, order)  # (1, t + 1)
        own, cross = [], []
        for layer, prepared, cache in zip(self.decoder, memory.prepared, state.cache, strict=True):
            x, self_attention, cross_attention, _ = layer(x, prepared, None, bias, intervention, cache, distances)
            own.append(self_attention)
            cross.append(cross_attention)
        following = TransformerState(tuple((a.key, a.value) for a in own), state.position + 1)
        newest = [a._replace(key=a.key[:, :, -1:], value=a.value[:, :, -1:]) for a in own]
        return self.step_output(self.decoder_norm(x)[:, 0], following, newest, cross)

    def step_output(
        self, top: Tensor, state: State, own: Sequence[AttentionOutput], cross: Sequence[AttentionOutput]
    ) -> StepOutput:
        """The output of a step: from `top`, (B, D), the last layer's, and both attentions of every layer."""
        attention: dict[AttentionKind, Layers] = {
            "decoder": tuple(a.weights for a in own),
            "cross": tuple(a.weights for a in cross),
        }
        inner = of_layers("decoder", own, "scores", "query", "key", "value") | of_layers(
            "cross", cross, "query", "scores"
        )
        return StepOutput(self.project(top), state, attention, {"output": (top,), **inner})

    def decoder_output(self, source: Padded, inputs: Padded) -> Tensor:
        memory, T = self.encode(source), inputs.ids.size(1)
        bias = None if memory.bias is None else memory.bias[:, None, None]  # (B, 1, 1, S)
        # Padding is at the end of the inputs, where the causal mask hides it from every real position.
        future = causal_bias(T, inputs.ids.device)  # (T, T)
        x = self.embed_positions(inputs.ids, self.embed_target)  # (B, T, D)
        distances = self.distances(T, T)
        for layer, prepared in zip(self.decoder, memory.prepared, strict=True):
            x = layer(x, prepared, future, bias, distances=distances).x
        top: Tensor = self.decoder_norm(x)  # (B, T, D)
        return top

    @property
    def output_layer(self) -> tuple[Tensor, Tensor | None]:
        return self.unembed.weight, self.output_bias

    def check(self, intervention: Intervention, source_length: int) -> None:
        c = self.config
        layers: dict[AttentionKind, int] = {
            "encoder": c.encoder_layers,
            "decoder": c.decoder_layers,
            "cross": c.decoder_layers,
        }
        check_change(intervention, source_length, layers, c.heads, parts=True)
