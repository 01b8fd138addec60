"""Non-autoregressive translation: a conditional masked language model, mask-predict (Ghazvininejad et al. 2019).

A Transformer whose decoder has no causal mask: it reads the whole translation, some of whose words are masked, and
predicts all masked words at once. A special token in front of the source predicts the length (section 2.3).
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nmtcore.config import MaskPredictConfig
from nmtcore.errors import CheckpointError, InterventionError
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.attention import padding_bias
from nmtcore.models.checks import check_length
from nmtcore.models.dropout import apply_dropout
from nmtcore.models.padded import Padded
from nmtcore.models.positions import sinusoids
from nmtcore.models.seq2seq import Layers, Memory, Seq2Seq, State, StepOutput, modules
from nmtcore.models.transformer import DecoderLayer, EncoderLayer
from nmtcore.text.vocabulary import PAD

POSITIONS = 1024  # rows of the sinusoid table


class DecoderOutput(NamedTuple):
    """Decoder output for all positions at once: states (B, T, D), and the cross attention of each layer."""

    states: Tensor
    attention: Layers  # (B, H, T, S) each


class MaskPredict(Seq2Seq):
    """Conditional masked language model: encoder with a length token, decoder without a causal mask, logits.

    In a translation a masked word has the id V, one beyond the last of the vocabulary.
    """

    config: MaskPredictConfig
    positions: Tensor
    encoder: Sequence[EncoderLayer]
    decoder: Sequence[DecoderLayer]

    def __init__(self, config: MaskPredictConfig) -> None:
        super().__init__()
        self.config = config
        D, layers = config.width, config.layers()
        self.embed = nn.Embedding(config.vocab_size, D)  # shared by both languages and the output layer
        self.mask = nn.Parameter(torch.empty(D))  # the embedding of <mask>
        self.length_token = nn.Parameter(torch.empty(D))
        for weight in (self.embed.weight, self.mask, self.length_token):
            nn.init.normal_(weight, std=D**-0.5)
        self.register_buffer("positions", sinusoids(POSITIONS, D), persistent=False)
        self.encoder = modules(EncoderLayer(layers) for _ in range(config.encoder_layers))
        self.decoder = modules(DecoderLayer(layers, i) for i in range(config.decoder_layers))
        self.encoder_norm = nn.LayerNorm(D)
        self.decoder_norm = nn.LayerNorm(D)
        self.length = nn.Linear(D, config.longest)  # logits for the lengths 1 .. longest

    @property
    def max_length(self) -> int:
        return self.config.longest

    @property
    def mask_id(self) -> int:
        """The id of a masked word, V."""
        return self.config.vocab_size

    def embed_words(self, ids: Tensor) -> Tensor:
        """Embeddings with positions, sqrt(D) e(word) + PE(position): ids (B, T), masked or not, to (B, T, D)."""
        check_length(ids.size(1), len(self.positions))
        masked = ids == self.mask_id
        words = torch.where(masked[..., None], self.mask, self.embed(ids.masked_fill(masked, PAD)))  # (B, T, D)
        x = words * math.sqrt(self.config.width) + self.positions[: ids.size(1)]
        return apply_dropout(x, self.config.dropout, self.training)

    def encode(self, source: Padded, intervention: Intervention = NO_CHANGE) -> Memory:
        """Read the source and predict the length: `memory.inner["length"]` holds logits for 1 .. longest, (B, longest).

        The length token takes part in the encoder's self attention; the decoder does not see it.
        """
        self.check(intervention, source.ids.size(1))
        token = (self.length_token * math.sqrt(self.config.width)).expand(len(source.ids), 1, -1)
        x = torch.cat((token, self.embed_words(source.ids)), 1)  # (B, 1 + S, D)
        bias = padding_bias(source)  # (B, S)
        own = None if bias is None else F.pad(bias, (1, 0))[:, None, None]  # (B, 1, 1, 1 + S)
        for layer in self.encoder:
            x = layer(x, own).x
        x = self.encoder_norm(x)
        states = x[:, 1:]  # (B, S, D)
        return Memory(
            states=states,
            mask=source.mask,
            bias=bias,
            prepared=tuple(layer.cross_attention.keys_values(states) for layer in self.decoder),
            inner={"length": (self.length(x[:, 0]),)},
        )

    def decode(self, words: Padded, memory: Memory) -> DecoderOutput:
        """Read a translation in which words are masked, (B, T) ids; every position attends to every other."""
        own, cross = padding_bias(words), memory.bias  # (B, T) and (B, S)
        own = None if own is None else own[:, None, None]
        cross = None if cross is None else cross[:, None, None]
        x = self.embed_words(words.ids)  # (B, T, D)
        seen = []
        for layer, prepared in zip(self.decoder, memory.prepared, strict=True):
            x, _, attended, _ = layer(x, prepared, own, cross)
            seen.append(attended.weights)
        return DecoderOutput(self.decoder_norm(x), tuple(seen))

    def decoder_output(self, source: Padded, inputs: Padded) -> Tensor:
        """Decoder output (B, T, D), from which `project` computes the logits of y_1 .. y_T; some inputs are masked."""
        return self.decode(inputs, self.encode(source)).states

    @property
    def output_layer(self) -> tuple[Tensor, Tensor | None]:
        return self.embed.weight, None

    def start(self, memory: Memory) -> State:
        raise CheckpointError(WORD_BY_WORD)

    def step(self, tokens: Tensor, state: State, memory: Memory, intervention: Intervention = NO_CHANGE) -> StepOutput:
        raise CheckpointError(WORD_BY_WORD)

    def check(self, intervention: Intervention, source_length: int) -> None:
        if intervention != NO_CHANGE:
            raise InterventionError("A model that writes all words at once cannot be changed while it translates.")


WORD_BY_WORD = (
    "This model writes all words at once; a search writes one after another. Choose a model that writes word by word."
)
