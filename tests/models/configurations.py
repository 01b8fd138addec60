"""Small models of every kind, and sentences for them, of odd and unequal sizes."""

from typing import Any

import torch

from nmtcore.config import (
    ConvolutionalConfig,
    DeepRecurrentConfig,
    MaskPredictConfig,
    ModelConfig,
    RecurrentConfig,
    TransformerConfig,
)
from nmtcore.models.padded import Padded
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import EOS, SOS

V = 23


def recurrent(**settings: Any) -> RecurrentConfig:
    return RecurrentConfig(V, embedding=10, units=14, **settings)


def transformer(**settings: Any) -> TransformerConfig:
    sizes = {"width": 12, "feedforward": 20, "heads": 3, "encoder_layers": 2, "decoder_layers": 3}
    return TransformerConfig(V, **(sizes | settings))


def deep_recurrent(**settings: Any) -> DeepRecurrentConfig:
    sizes = {"embedding": 10, "units": 14, "encoder_layers": 4, "decoder_layers": 3}
    return DeepRecurrentConfig(V, **(sizes | settings))


def convolutional(**settings: Any) -> ConvolutionalConfig:
    sizes = {"embedding": 10, "units": 14, "encoder_layers": 2, "decoder_layers": 3, "max_positions": 40}
    return ConvolutionalConfig(V, **(sizes | settings))


def mask_predict(**settings: Any) -> MaskPredictConfig:
    sizes = {"width": 12, "feedforward": 20, "heads": 3, "encoder_layers": 2, "decoder_layers": 3, "longest": 30}
    return MaskPredictConfig(V, **(sizes | settings))


CONFIGS: dict[str, ModelConfig] = {
    "none": recurrent(attention="none"),
    "cho": recurrent(attention="none", context="every_step"),
    **{
        f"{score}-{context}": recurrent(attention=score, context=context)
        for score in ("additive", "dot", "scaled_dot", "general", "concat", "cosine")
        for context in ("input", "output")
    },
    "rnn": recurrent(cell="rnn", bidirectional=False),
    "lstm-deep": recurrent(cell="lstm", encoder_layers=2, decoder_layers=3, attention="dot"),
    "lstm-none": recurrent(cell="lstm", encoder_layers=2, decoder_layers=2, attention="none"),
    "gru-deep": recurrent(encoder_layers=3, decoder_layers=2),
    "input-feeding": recurrent(attention="dot", input_feeding=True),
    "input-feeding-lstm": recurrent(
        cell="lstm", encoder_layers=2, decoder_layers=2, context="output", input_feeding=True
    ),
    "monotonic": recurrent(attention="dot", locality="monotonic", window=1),
    "monotonic-input": recurrent(locality="monotonic", window=2),
    "predictive": recurrent(attention="general", locality="predictive", window=2, input_feeding=True),
    "predictive-input": recurrent(cell="lstm", locality="predictive", window=1),
    "predictive-copying": recurrent(copying=True, locality="predictive", window=2),
    "sum": RecurrentConfig(V, embedding=10, units=13, merge="sum"),
    "mean": recurrent(cell="lstm", encoder_layers=2, attention="dot", merge="mean"),
    "none-mean": recurrent(attention="none", merge="mean"),
    "pre": transformer(),
    "post": transformer(norm="post"),
    "learned": transformer(positions="learned", max_positions=30),
    "unplaced": transformer(positions="none"),
    "unscaled": transformer(scale_embedding=False),
    "beside": transformer(concatenate_positions=True),
    "beside-learned": transformer(
        concatenate_positions=True, scale_embedding=False, positions="learned", max_positions=30, norm="post"
    ),
    "untied": transformer(tied=False, heads=2),
    "marian": transformer(
        norm="post", sinusoids="halves", activation="swish", output_bias=True, tied=False, tied_output=True
    ),
    "convolutional": convolutional(),
    "convolutional-wide": convolutional(kernel=5, encoder_layers=1, decoder_layers=2),
    "convolutional-none": convolutional(kernel=1),
    "copying": recurrent(copying=True),
    "copying-lstm": recurrent(
        cell="lstm", encoder_layers=2, decoder_layers=2, copying=True, attention="dot", context="input"
    ),
    "deep-lstm": deep_recurrent(),
    "deep-lstm-plain": deep_recurrent(residual=False, encoder_layers=1, decoder_layers=2),
    "relative": transformer(positions="relative", max_relative_position=2),
    "relative-post": transformer(positions="relative", max_relative_position=40, norm="post"),
}
SENTENCES = [[5, 9, 9, 4, 17, EOS], [6, EOS], [7, 8, 11, EOS]]
TARGETS = [[SOS, 12, 12, 5, 20, 6, 8], [SOS, 4], [SOS, 5, 6, 7]]


@torch.no_grad()
def stepped(model: Seq2Seq, source: Padded, inputs: Padded) -> torch.Tensor:
    memory = model.encode(source)
    state = model.start(memory)
    logits = []
    for j in range(inputs.ids.size(1)):
        assert state.position == j
        out = model.step(inputs.ids[:, j], state, memory)
        state = out.state
        logits.append(out.logits)
    return torch.stack(logits, 1)
