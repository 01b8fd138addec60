"""A toy architecture, as somebody would add one: the mean of the source's embeddings and the last target token."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nmtcore.config import ModelConfig, check_range
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Memory, Seq2Seq, State, StepOutput


@dataclass(frozen=True)
class BagOfWordsConfig(ModelConfig):
    """The settings of a bag-of-words model."""

    architecture = "bag"

    bag: int = 16  # components of a piece's embedding

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range("bag", self.bag, 1, 512)

    @property
    def d_model(self) -> int:
        return self.bag


@dataclass(frozen=True)
class Position:
    position: int = 0

    def select(self, indices: Tensor) -> Position:
        return self


class BagOfWords(Seq2Seq):
    """h_j = tanh(W [e(y_{j-1}); mean of e(x_i)]); logits E h_j."""

    config: BagOfWordsConfig

    def __init__(self, config: BagOfWordsConfig) -> None:
        super().__init__()
        self.config = config
        self.embed = nn.Embedding(config.vocab_size, config.bag)
        self.combine = nn.Linear(2 * config.bag, config.bag)

    def encode(self, source: Padded, intervention: Intervention = NO_CHANGE) -> Memory:
        self.check(intervention, source.ids.size(1))
        states = self.embed(source.ids)  # (B, S, D)
        weights = source.mask / source.mask.sum(1, keepdim=True)  # (B, S)
        return Memory(states, source.mask, None, context=(weights[:, None] @ states)[:, 0])

    def start(self, memory: Memory) -> State:
        return Position()

    @torch.no_grad()
    def step(self, tokens: Tensor, state: State, memory: Memory, intervention: Intervention = NO_CHANGE) -> StepOutput:
        output = self._output(tokens[:, None], memory)[:, 0]  # (B, D)
        return StepOutput(self.project(output), Position(state.position + 1), {}, {"output": (output,)})

    def decoder_output(self, source: Padded, inputs: Padded) -> Tensor:
        return self._output(inputs.ids, self.encode(source))

    def _output(self, tokens: Tensor, memory: Memory) -> Tensor:
        assert memory.context is not None
        read = self.embed(tokens)  # (B, T, D)
        context = memory.context[:, None].expand_as(read)
        return torch.tanh(self.combine(torch.cat((read, context), -1)))

    @property
    def output_layer(self) -> tuple[Tensor, Tensor | None]:
        return self.embed.weight, None

    def check(self, intervention: Intervention, source_length: int) -> None:
        pass
