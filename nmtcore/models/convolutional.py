"""The convolutional encoder-decoder, ConvS2S (Gehring et al. 2017).

Unlike the paper, it has no weight normalisation, no factor sqrt(S) on the context, and no scaling of the encoder's
gradients.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nmtcore.config import ConvolutionalConfig
from nmtcore.intervention import NO_CHANGE, Intervention, PositionOrder
from nmtcore.models.attention import AttentionOutput, padding_bias
from nmtcore.models.checks import check_change, check_length
from nmtcore.models.dropout import apply_dropout
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Memory, Seq2Seq, State, StepOutput, modules


def half_sum(x: Tensor, y: Tensor) -> Tensor:
    """Residual connection scaled to keep the variance: (x + y) sqrt(0.5) (Gehring et al. 2017, section 3.4)."""
    return (x + y) * math.sqrt(0.5)


class GatedConvolution(nn.Module):
    """Gated linear unit after a convolution of width k: GLU([a b]) = a * sigmoid(b) (Dauphin et al. 2017)."""

    def __init__(self, width: int, kernel: int, rate: float) -> None:
        super().__init__()
        self.kernel = kernel
        self.convolve = nn.Linear(kernel * width, 2 * width)  # k inputs, concatenated
        # The gates pass a quarter of the variance; dropout increases it (section 3.5).
        nn.init.normal_(self.convolve.weight, std=math.sqrt(4 * (1 - rate) / (kernel * width)))
        nn.init.zeros_(self.convolve.bias)

    def forward(self, x: Tensor) -> Tensor:
        """x: (B, T + k - 1, D), including the k - 1 positions of context or padding. Returns (B, T, D)."""
        T = x.size(1) - self.kernel + 1
        neighbours = torch.cat([x[:, i : i + T] for i in range(self.kernel)], -1)  # (B, T, k D)
        return F.glu(self.convolve(neighbours), -1)


class EncoderLayer(nn.Module):
    """Encoder layer: a gated convolution over the words on both sides, with a residual connection."""

    def __init__(self, config: ConvolutionalConfig) -> None:
        super().__init__()
        self.sides, self.dropout = config.kernel // 2, config.dropout
        self.convolution = GatedConvolution(config.units, config.kernel, config.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """x: (B, S, D), zero at padding, just as it is beyond both ends of a sentence."""
        around = F.pad(apply_dropout(x, self.dropout, self.training), (0, 0, self.sides, self.sides))
        return half_sum(self.convolution(around), x)


class DecoderLayerOutput(NamedTuple):
    """Output of one decoder layer: x (B, T, D), its attention, and its last k - 1 inputs, (B, k - 1, D)."""

    x: Tensor
    attention: AttentionOutput
    before: Tensor


class DecoderLayer(nn.Module):
    """Decoder layer: a causal gated convolution, then attention to the source, with a residual connection."""

    def __init__(self, config: ConvolutionalConfig, index: int) -> None:
        super().__init__()
        self.index, self.dropout = index, config.dropout
        self.convolution = GatedConvolution(config.units, config.kernel, config.dropout)
        self.query = nn.Linear(config.units, config.embedding)
        self.context = nn.Linear(config.embedding, config.units)

    def forward(
        self,
        x: Tensor,
        embedded: Tensor,
        before: Tensor,
        memory: Memory,
        intervention: Intervention = NO_CHANGE,
        row: Tensor | None = None,
    ) -> DecoderLayerOutput:
        """x: (B, T, D); embedded: the inputs' embeddings, (B, T, E); before: the k - 1 inputs that precede x."""
        after = torch.cat((before, x), 1)  # (B, k - 1 + T, D)
        h = self.convolution(apply_dropout(after, self.dropout, self.training))
        attended = self.attend(half_sum(self.query(h), embedded), memory, row)
        context = torch.zeros_like(attended.output) if intervention.off("cross", self.index) else attended.output
        x = half_sum(half_sum(h, self.context(context)), x)
        return DecoderLayerOutput(x, attended, after[:, after.size(1) - before.size(1) :])

    def attend(self, query: Tensor, memory: Memory, row: Tensor | None) -> AttentionOutput:
        """Attention of queries W h + e(y), (B, T, E), to keys h_i with values h_i + e(x_i) (section 3.3)."""
        keys, values = memory.prepared[0]  # (B, S, E) each
        scores = query @ keys.mT  # (B, T, S)
        if memory.bias is not None:
            scores = scores + memory.bias[:, None].to(scores.dtype)
        weights = scores.softmax(-1) if row is None else row.to(scores).expand_as(scores)
        return AttentionOutput(weights @ values.to(weights.dtype), weights, scores, query, keys, values)


@dataclass(frozen=True)
class ConvolutionalState:
    """The decoder's state: the last k - 1 inputs of every layer, (B, k - 1, D) each; a convolution looks no further."""

    before: tuple[Tensor, ...]
    position: int = 0

    def select(self, indices: Tensor) -> ConvolutionalState:
        return ConvolutionalState(tuple(t.index_select(0, indices) for t in self.before), self.position)


class Convolutional(Seq2Seq):
    """ConvS2S: embeddings plus learned positions, gated convolutions, attention in every decoder layer, logits.

    Multi-step attention (section 3.3): every layer attends, and reads the context of the layer below.
    """

    config: ConvolutionalConfig
    encoder: Sequence[EncoderLayer]
    decoder: Sequence[DecoderLayer]

    def __init__(self, config: ConvolutionalConfig) -> None:
        super().__init__()
        self.config = config
        E, D = config.embedding, config.units
        self.embed = nn.Embedding(config.vocab_size, E)
        self.source_positions = nn.Parameter(torch.empty(config.max_positions, E))
        self.target_positions = nn.Parameter(torch.empty(config.max_positions, E))
        self.read, self.write = nn.Linear(E, D), nn.Linear(E, D)  # from embeddings to the layers
        self.encoder = modules(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.decoder = modules(DecoderLayer(config, i) for i in range(config.decoder_layers))
        self.states, self.output = nn.Linear(D, E), nn.Linear(D, E)  # and back
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        for table in (self.embed.weight, self.source_positions, self.target_positions):
            nn.init.normal_(table, std=E**-0.25)  # so that the first scores have about unit variance

    @property
    def max_length(self) -> int:
        return self.config.max_positions

    def embed_positions(self, tokens: Tensor, table: Tensor, start: int = 0, order: PositionOrder = "kept") -> Tensor:
        """Embeddings with positions, e(token) + p(position): (B, T) ids to (B, T, E); start: position of the first.

        Raises TextError if a position is beyond the last row of `table`.
        """
        end = start + tokens.size(1)
        check_length(end, len(table))
        x: Tensor = self.embed(tokens)
        if order != "dropped":
            where = table[start:end]  # (T, E)
            x = x + (where if order == "kept" else where[list(order)])
        return apply_dropout(x, self.config.dropout, self.training)

    def encode(self, source: Padded, intervention: Intervention = NO_CHANGE) -> Memory:
        self.check(intervention, source.ids.size(1))
        bias = padding_bias(source)  # (B, S)
        real = None if bias is None else source.mask[..., None]  # (B, S, 1)
        embedded = self.embed_positions(source.ids, self.source_positions, order=intervention.positions)  # (B, S, E)
        x = self.read(embedded)  # (B, S, D)
        for layer in self.encoder:
            x = layer(x if real is None else x * real)
        states = self.states(x)  # (B, S, E): h_1 .. h_S
        values = half_sum(states, embedded)
        return Memory(
            states=states,
            mask=source.mask,
            bias=bias,
            prepared=((states, values),),
            inner={
                "states": (states,),
                "cross_key": (states[:, None],) * len(self.decoder),
                "cross_value": (values[:, None],) * len(self.decoder),
            },
        )

    def start(self, memory: Memory) -> ConvolutionalState:
        nothing = memory.states.new_zeros(len(memory.states), self.config.kernel - 1, self.config.units)
        return ConvolutionalState((nothing,) * len(self.decoder))

    def decode(
        self, tokens: Tensor, state: ConvolutionalState, memory: Memory, intervention: Intervention = NO_CHANGE
    ) -> tuple[Tensor, ConvolutionalState, list[AttentionOutput]]:
        """Read T tokens (B, T): decoder output (B, T, E), the state after them, and each layer's attention."""
        row: Tensor | None = None
        if weights := intervention.row(state.position):
            row = torch.tensor(weights, device=tokens.device)  # (S,)
        order = intervention.target_positions
        embedded = self.embed_positions(tokens, self.target_positions, state.position, order)  # (B, T, E)
        x = self.write(embedded)  # (B, T, D)
        before, seen = [], []
        for layer, cache in zip(self.decoder, state.before, strict=True):
            x, attended, last = layer(x, embedded, cache.to(x.dtype), memory, intervention, row)
            before.append(last)
            seen.append(attended)
        top = apply_dropout(self.output(x), self.config.dropout, self.training)  # (B, T, E)
        return top, ConvolutionalState(tuple(before), state.position + tokens.size(1)), seen

    @torch.no_grad()
    def step(self, tokens: Tensor, state: State, memory: Memory, intervention: Intervention = NO_CHANGE) -> StepOutput:
        assert isinstance(state, ConvolutionalState)
        top, following, seen = self.decode(tokens[:, None], state, memory, intervention)
        return StepOutput(
            self.project(top[:, 0]),
            following,
            {"cross": tuple(a.weights[:, None] for a in seen)},
            {
                "output": (top[:, 0],),
                "cross_query": tuple(a.query[:, None] for a in seen),
                "cross_scores": tuple(a.scores[:, None] for a in seen),
            },
        )

    def decoder_output(self, source: Padded, inputs: Padded) -> Tensor:
        memory = self.encode(source)
        return self.decode(inputs.ids, self.start(memory), memory)[0]

    @property
    def output_layer(self) -> tuple[Tensor, Tensor | None]:
        return self.embed.weight, self.bias

    def check(self, intervention: Intervention, source_length: int) -> None:
        check_change(intervention, source_length, {"cross": self.config.decoder_layers})
