"""Sequence-to-sequence interface of every model: encode a source once, start a decoder, take one step.

Search, training and pages use every architecture only through `Seq2Seq`; only non-autoregressive models have their
own way to decode (`mask_predict.py`). Attention is returned, never stored: `attention` maps a kind (encoder, decoder,
cross) to one tensor (B, H, T, S) per layer. `inner` maps names to intermediate tensors, one per layer.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, Self, TypeVar, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nmtcore.config import ModelConfig
from nmtcore.intervention import NO_CHANGE, AttentionKind, Intervention
from nmtcore.models.padded import Padded

Layers = tuple[Tensor, ...]  # one tensor per layer
M = TypeVar("M", bound=nn.Module)


@dataclass(frozen=True)
class Memory:
    """The encoder's output: everything the decoder knows about the source.

    states: the outputs h_1 .. h_S, (B, S, D), or (B, S, E) in a convolutional model; mask: (B, S), True on tokens;
    bias: (B, S), -inf on padding, None if nothing is padded; prepared: tensors with B rows that every step needs,
    computed once (keys and values, the pieces that can be copied); context: (B, D), the vector C = q(h_1 .. h_S)
    of a recurrent encoder.
    """

    states: Tensor
    mask: Tensor
    bias: Tensor | None
    prepared: tuple[Layers, ...] = ()
    context: Tensor | None = None
    attention: Mapping[AttentionKind, Layers] = field(default_factory=dict)
    inner: Mapping[str, Layers] = field(default_factory=dict)

    def select(self, indices: Tensor) -> Memory:
        """Select batch rows of the memory, for search over several hypotheses of one sentence.

        `attention` and `inner` describe the sentence, not a hypothesis, so they do not change.
        """
        return replace(
            self,
            states=self.states[indices],
            mask=self.mask[indices],
            bias=None if self.bias is None else self.bias[indices],
            prepared=tuple(tuple(t[indices] for t in layers) for layers in self.prepared),
            context=None if self.context is None else self.context[indices],
        )


class State(Protocol):
    """The decoder's state. The step or selection that takes a state may overwrite it: do not use it again."""

    @property
    def position(self) -> int:
        """The number of tokens read so far."""

    def select(self, indices: Tensor) -> Self:
        """Select batch rows of the state, in this order: this is how beam search reorders its hypotheses."""


@dataclass(frozen=True)
class StepOutput:
    """One decoder step: logits (B, V) of the next token, the next state, attention, and intermediate tensors."""

    logits: Tensor
    state: State
    attention: Mapping[AttentionKind, Layers]
    inner: Mapping[str, Layers]


class Seq2Seq(nn.Module):
    """An encoder-decoder. `step` and `forward` are the same function of the weights.

    A non-autoregressive model has neither `start` nor `step`: both raise CheckpointError.
    """

    config: ModelConfig

    @property
    def max_length(self) -> int:
        """The largest number of tokens in a source or a target."""
        return sys.maxsize

    @property
    def unwritten(self) -> Tensor | None:
        """(V,) whether a piece is never written, whatever the source; None if every piece can be."""
        return None

    def encode(self, source: Padded, intervention: Intervention = NO_CHANGE) -> Memory:
        """Encode the source, (B, S) ids that end with `<eos>`."""
        raise NotImplementedError

    def start(self, memory: Memory) -> State:
        """The decoder's state before its first step."""
        raise NotImplementedError

    def step(self, tokens: Tensor, state: State, memory: Memory, intervention: Intervention = NO_CHANGE) -> StepOutput:
        """Read one token per row, (B,) ids, and predict the next. Computes no gradients: training uses `forward`."""
        raise NotImplementedError

    def decoder_output(self, source: Padded, inputs: Padded) -> Tensor:
        """Teacher forcing: the decoder's output for each y_j, from inputs `<sos>`, y_1 .. y_{T-1}.

        (B, T, D) for Transformers; (B, T, E) for recurrent and convolutional models, whose output layer is as wide as
        their embeddings.
        """
        raise NotImplementedError

    @property
    def output_layer(self) -> tuple[Tensor, Tensor | None]:
        """The weight, (V, D), and the bias, (V,), of the output layer."""
        raise NotImplementedError

    def project(self, output: Tensor) -> Tensor:
        """The output layer: from the decoder's output to logits over the vocabulary, (..., V)."""
        return F.linear(output, *self.output_layer)

    def logits(self, source: Padded, inputs: Padded) -> Tensor:
        """Logits of the target tokens without padding, (N, V), for training."""
        return self.project(inputs.tokens(self.decoder_output(source, inputs)))

    def forward(self, source: Padded, inputs: Padded) -> Tensor:
        """Logits (B, T, V) of every y_j given the true y_1 .. y_{j-1}."""
        return self.project(self.decoder_output(source, inputs))

    def check(self, intervention: Intervention, source_length: int) -> None:
        """Raise InterventionError, naming the allowed range, for a change that this model cannot make."""
        raise NotImplementedError

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device


def modules(layers: Iterable[M]) -> Sequence[M]:
    """A ModuleList with a type parameter for its modules, for readers and for the type checker."""
    return cast(Sequence[M], nn.ModuleList(layers))
