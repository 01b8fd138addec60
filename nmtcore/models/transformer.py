"""The Transformer encoder-decoder (Vaswani et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nmtcore.config import TransformerConfig
from nmtcore.errors import InterventionError, TextError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.attention import AttentionOutput, MultiHead, causal_bias, padding_bias
from nmtcore.models.dropout import dropout
from nmtcore.models.fast.packed import Linear, MakeProduct, Product
from nmtcore.models.fast.transformer import Cache, DecoderLayerOutput, LayerStep, Residual, TransformerState, step
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Layers, Memory, Seq2Seq, State, StepOutput


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

    def around(self) -> Residual:
        """`enter` and `leave` as a step needs them: plain functions, without dropout."""
        norm = function_of(self.norm)
        return Residual(norm, torch.add) if self.pre else Residual(lambda x: x, lambda x, change: norm(x + change))


def function_of(norm: nn.Module) -> Callable[[Tensor], Tensor]:
    """The same normalisation as a plain function."""
    if not isinstance(norm, nn.LayerNorm):
        return lambda x: x
    shape, weight, bias, eps = list(norm.normalized_shape), norm.weight, norm.bias, norm.eps
    return lambda x: torch.layer_norm(x, shape, weight, bias, eps)


class FeedForward(nn.Module):
    """FFN(x) = max(0, x W1 + b1) W2 + b2 (Vaswani, eq. 2)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.inner = Linear(config.width, config.feedforward)
        self.outer = Linear(config.feedforward, config.width)
        self.dropout = config.dropout
        for linear in (self.inner, self.outer):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor) -> Tensor:
        inner = dropout(F.relu(self.inner(x)), self.dropout, self.training)
        outer: Tensor = self.outer(inner)
        return outer


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
    ) -> tuple[Tensor, AttentionOutput, tuple[Tensor, Tensor, Tensor]]:
        """x: (B, S, D). Returns the layer's output, what its attention saw, and q, k, v (B, H, S, K)."""
        first, second = self.sublayers
        q, k, v = self.attention.queries_keys_values(first.enter(x))
        seen = self.attention(q, k, v, bias, off)
        x = first.leave(x, seen.output)
        x = second.leave(x, self.feedforward(second.enter(x)))
        return x, seen, (q, k, v)


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
        intervention: Intervention = NO_CHANGE,
    ) -> DecoderLayerOutput:
        """x: (B, T, D) of all positions; cross: keys and values (B, H, S, K)."""
        first, second, third = self.sublayers
        q, k, v = self.self_attention.queries_keys_values(first.enter(x))
        self_seen = self.self_attention(q, k, v, bias, intervention.off("decoder", self.index))
        x = first.leave(x, self_seen.output)
        cross_q = self.cross_attention.queries(second.enter(x))
        cross_seen = self.cross_attention(cross_q, *cross, cross_bias, intervention.off("cross", self.index))
        x = second.leave(x, cross_seen.output)
        x = third.leave(x, self.feedforward(third.enter(x)))
        return DecoderLayerOutput(x, self_seen, cross_seen, q, k, v, cross_q)

    def steps(self, make: MakeProduct) -> LayerStep:
        """What `transformer_step.step` needs of this layer, its products made by `make`."""
        own, cross, network = self.self_attention, self.cross_attention, self.feedforward
        D = own.output.out_features
        first, second, third = self.sublayers
        return LayerStep(
            (first.around(), second.around(), third.around()),
            make(own.project.weight, own.project.bias),
            make(own.output.weight, own.output.bias),
            make(cross.project.weight[:D], cross.project.bias[:D]),
            make(cross.output.weight, cross.output.bias),
            make(network.inner.weight, network.inner.bias),
            make(network.outer.weight, network.outer.bias),
        )


class DecoderStep(NamedTuple):
    """What a step needs of the model: every decoder layer's part, the last norm, and the product to the logits."""

    layers: tuple[LayerStep, ...]
    norm: Callable[[Tensor], Tensor]
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

    @property
    def max_length(self) -> int:
        return super().max_length if self.config.positions == "none" else len(self.positions)

    def embed_positions(
        self, tokens: Tensor, table: nn.Embedding, start: int = 0, intervention: Intervention = NO_CHANGE
    ) -> Tensor:
        """sqrt(D) e(token) + PE(position) for tokens (B, T) that begin at position `start`; (B, T, D).

        Tokens (B,) are all at `start`: (B, D).
        """
        x = torch.embedding(table.weight, tokens) * math.sqrt(self.config.width)
        if self.config.positions != "none" and intervention.positions != "dropped":
            end = start + (tokens.size(1) if tokens.dim() > 1 else 1)
            if end > len(self.positions):
                raise TextError(
                    f"This model knows {len(self.positions)} positions; shorten the sentence to fewer pieces."
                )
            where = self.positions[start:end]
            x = x + (where if intervention.positions == "kept" else where[list(intervention.positions)])
        return dropout(x, self.config.dropout, self.training)

    def encode(self, source: Padded, intervention: Intervention | None = None) -> Memory:
        intervention = intervention or NO_CHANGE
        self.check(intervention, source.ids.size(1))
        self.drop_outdated()
        bias = padding_bias(source.mask)
        x = self.embed_positions(source.ids, self.embed, intervention=intervention)  # (B, S, D)
        weights, scores, qs, ks, vs = [], [], [], [], []
        for i, layer in enumerate(self.encoder):
            x, seen, (q, k, v) = layer(x, None if bias is None else bias[:, None, None], intervention.off("encoder", i))
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
        room = memory.states.new_empty(32, c.decoder_layers, 2, len(memory.states), c.width)
        return TransformerState(Cache(room, c.heads))

    @torch.no_grad()  # it writes into its cache
    def step(
        self, tokens: Tensor, state: State, memory: Memory, intervention: Intervention | None = None
    ) -> StepOutput:
        assert isinstance(state, TransformerState)
        intervention = intervention or NO_CHANGE
        by: DecoderStep = self.step_products()
        weights = intervention.row(state.position)
        row = None if weights is None else torch.tensor(weights, device=tokens.device)
        bias = None
        if memory.bias is not None:
            bias = memory.bias.repeat_interleave(self.config.heads, 0)[:, None]  # (B * H, 1, S)
        x = self.embed_positions(tokens, self.embed_target, state.position)  # (B, D)
        layers = []
        for i, (layer, (keys, values)) in enumerate(zip(by.layers, memory.prepared, strict=True)):
            cross = (keys.flatten(0, 1).mT, values.flatten(0, 1))  # (B * H, K, S) and (B * H, S, K)
            layers.append(step(x, i, layer, state, cross, bias, intervention, row))
            x = layers[-1].x
        top = by.norm(x)  # (B, D)
        _, own, cross_seen, *rows = zip(*layers, strict=True)
        by_head = (x.size(0), self.config.heads, 1, -1)
        q, k, v, cross_q = (tuple(t.view(by_head) for t in part) for part in rows)  # (B, H, 1, K) a layer
        return StepOutput(
            by.logits(top),
            TransformerState(state.cache, state.position + 1),
            {"decoder": tuple(s.weights for s in own), "cross": tuple(s.weights for s in cross_seen)},
            {
                "output": (top,),
                "decoder_scores": tuple(s.scores for s in own),
                "decoder_query": q,
                "decoder_key": k,
                "decoder_value": v,
                "cross_query": cross_q,
                "cross_scores": tuple(s.scores for s in cross_seen),
            },
        )

    def products(self, make: MakeProduct) -> DecoderStep:
        layers = tuple(layer.steps(make) for layer in self.decoder)
        return DecoderStep(layers, function_of(self.decoder_norm), make(self.unembed.weight))

    def hidden(self, source: Padded, inputs: Padded) -> Tensor:
        memory = self.encode(source)
        bias = None if memory.bias is None else memory.bias[:, None, None]
        # The inputs' padding stands at their end, where the future mask hides it from every real position.
        future = causal_bias(inputs.ids.size(1), inputs.ids.device)
        x = self.embed_positions(inputs.ids, self.embed_target)
        for layer, cross in zip(self.decoder, memory.prepared, strict=True):
            x = layer(x, cross, future, bias).x
        top: Tensor = self.decoder_norm(x)  # (B, T, D)
        return top

    def project(self, hidden: Tensor) -> Tensor:
        return F.linear(hidden, self.unembed.weight)  # (..., V)

    def check(self, intervention: Intervention, source_length: int) -> None:
        c = self.config
        layers = {"encoder": c.encoder_layers, "decoder": c.decoder_layers, "cross": c.decoder_layers}
        for kind, layer, head in intervention.heads_off:
            if layer >= layers[kind] or head >= c.heads:
                raise InterventionError(
                    f"{kind} attention has layers 0 to {layers[kind] - 1} and heads 0 to {c.heads - 1}; "
                    f"there is no layer {layer} head {head}."
                )
        rows = [len(row) for _, row in intervention.attention]
        if isinstance(intervention.positions, tuple):
            rows.append(len(intervention.positions))
        for length in rows:
            if length != source_length:
                raise InterventionError(
                    f"The change names {length} source positions; this sentence has {source_length}."
                )
