"""Residual stream and logit lens: follow each token's vector through the layers of a Transformer.

The stream begins as the embedding times sqrt(D) plus the position; every sub-layer adds its output. The logit lens
(nostalgebraist 2020) applies the model's final norm and output layer to the stream at any point, to show what the
model would predict there. The encoder has no output layer, so its lens shows the nearest embeddings by cosine.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import LAYER_PARTS, NO_CHANGE, Intervention, LayerPart, Stack
from nmtcore.models.attention import causal_bias, padding_bias
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.padded import Padded, pad
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.models.transformer import FeedForwardOutput, ResidualOutput, Transformer
from nmtcore.text.vocabulary import PAD, SOS, Vocab

LIKELIEST = 5  # pieces named by the logit lens


@dataclass(frozen=True)
class LensPiece:
    """A piece that the logit lens reads from the stream, with its probability, or in the encoder its cosine."""

    token: str
    id: int
    value: float


@dataclass(frozen=True, eq=False)
class SubLayerStage:
    """Effect of one sub-layer on the streams of T tokens; (T, D) each, except `inner` in a feed-forward network.

    With pre-norm `read` is the norm of the stream and `stream` is `total`; with post-norm `read` is the stream itself
    and `stream` is the norm of `total`.
    """

    layer: int
    part: LayerPart  # attention, cross or feedforward
    before: Array  # the stream before the sub-layer
    read: Array  # the input of the sub-layer
    inner: Array  # an intermediate value: Concat(heads) in attention, (T, feedforward) in a feed-forward network
    added: Array  # the output, Concat(heads) W^O in attention; zeros if it is switched off
    total: Array  # before + added; only `added` if the residual connection is switched off
    stream: Array  # the stream after the sub-layer
    says: tuple[tuple[LensPiece, ...], ...]  # by token
    active: Array | None = None  # number of units above zero in a feed-forward network, (T,)
    units: int | None = None  # the number of all its units

    @property
    def share(self) -> Array:
        """|added| / |before| of each token: the size of the contribution relative to the stream, (T,).

        Infinite if only the stream is zero.
        """
        added, before = np.linalg.norm(self.added, axis=1), np.linalg.norm(self.before, axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(added == 0, 0.0, added / before)


@dataclass(frozen=True, eq=False)
class ResidualStream:
    """The path of all T tokens of a sentence through the encoder or the decoder; (T, D) each."""

    stack: Stack
    tokens: tuple[str, ...]  # the tokens read: `<sos>`, y_1 .. y_{T-1} in the decoder
    predicts: tuple[str, ...] | None  # the next tokens, only in the decoder
    norm: str  # pre or post
    embedding: Array  # sqrt(D) e(token) or e(token); times its part of W if positions are concatenated
    place: Array  # PE(position), likewise times its part of W; zeros if the model or the run has no positions
    start: Array  # their sum
    start_says: tuple[tuple[LensPiece, ...], ...]  # by token
    stages: tuple[SubLayerStage, ...]

    def layer(self, index: int) -> tuple[SubLayerStage, ...]:
        """The sub-layers of one layer."""
        return tuple(stage for stage in self.stages if stage.layer == index)


class LayerRun(NamedTuple):
    """Teacher forcing through the encoder or the decoder: its input (B, T, D), and each layer's sub-layers."""

    start: Tensor
    layers: list[tuple[ResidualOutput[Any], ...]]


@torch.inference_mode()
def run_layers(
    model: Seq2Seq, source: Padded, inputs: Padded, intervention: Intervention = NO_CHANGE
) -> dict[Stack, LayerRun]:
    """Run a batch of sentences and of what the decoder reads through all layers at once.

    Raises InterventionError if the model is not a Transformer, or if the attention of single steps is replaced.
    """
    if not isinstance(model, Transformer):
        raise InterventionError("Only a Transformer has a residual stream through attention and feed-forward layers.")
    if intervention.attention:
        raise InterventionError("The attention of single steps was replaced: the layers are shown without that.")
    S, T = source.ids.size(1), inputs.ids.size(1)
    padding = padding_bias(source)  # (B, S)
    bias = None if padding is None else padding[:, None, None]  # (B, 1, 1, S)
    x = model.embed_positions(source.ids, model.embed, order=intervention.positions)  # (B, S, D)
    y = model.embed_positions(inputs.ids, model.embed_target, order=intervention.target_positions)  # (B, T, D)
    encoder, decoder = LayerRun(x, []), LayerRun(y, [])
    distances = model.distances(S, S, intervention.positions)  # (S, S)
    for i, layer in enumerate(model.encoder):
        heads, parts = intervention.off("encoder", i), intervention.off_in_layer("encoder", i)
        x, _, sublayers = layer(x, bias, heads, parts, distances)
        encoder.layers.append(sublayers)
    states, future = model.encoder_norm(x), causal_bias(T, model.device)
    distances = model.distances(T, T, intervention.target_positions)  # (T, T)
    for decoder_layer in model.decoder:
        memory = decoder_layer.cross_attention.keys_values(states)
        y, _, _, passed = decoder_layer(y, memory, future, bias, intervention, distances=distances)
        decoder.layers.append(passed)
    return {"encoder": encoder, "decoder": decoder}


def run_trace(checkpoint: Checkpoint, trace: Trace, intervention: Intervention | None = None) -> dict[Stack, LayerRun]:
    """Forced decoding: run the tokens of `trace` through all layers, with its own or another Intervention."""
    model = checkpoint.model
    source, inputs = (pad([ids]).to(model.device) for ids in (trace.source_ids, (SOS, *trace.ids[:-1])))
    return run_layers(model, source, inputs, intervention or trace.intervention)


@torch.inference_mode()
def recompute_stream(checkpoint: Checkpoint, trace: Trace, stack: Stack) -> ResidualStream:
    """Recompute the streams of the tokens of `trace` by forced decoding, with its Intervention.

    Raises InterventionError like `run_layers`.
    """
    start, layers = run_trace(checkpoint, trace)[stack]
    model = checkpoint.model
    assert isinstance(model, Transformer)
    table, ids = model.embed, trace.source_ids
    if stack == "decoder":
        table, ids = model.embed_target, (SOS, *trace.ids[:-1])
    names = [part for part in LAYER_PARTS[stack] if part not in ("residual", "norm")]
    passed = [
        (i, part, sublayer) for i, layer in enumerate(layers) for part, sublayer in zip(names, layer, strict=True)
    ]
    befores = [start, *(sublayer.x for *_, sublayer in passed)]
    T = len(ids)
    said = logit_lens(model, checkpoint.vocab, torch.cat([x[0] for x in befores]), stack)
    says = [tuple(said[n * T : (n + 1) * T]) for n in range(len(befores))]
    embedding = model.add_positions(table(torch.tensor([ids], device=model.device)) * model.scale, None)
    stages = []
    for n, (i, part, sublayer) in enumerate(passed):
        fed = isinstance(sublayer.out, FeedForwardOutput)
        inner = _array(sublayer.out.inner if fed else sublayer.out.joined)
        stages.append(
            SubLayerStage(
                layer=i,
                part=part,
                before=_array(befores[n]),
                read=_array(sublayer.read),
                inner=inner,
                added=_array(sublayer.added),
                total=_array(sublayer.total),
                stream=_array(sublayer.x),
                says=says[n + 1],
                active=(inner > 0).sum(1) if fed else None,
                units=inner.shape[1] if fed else None,
            )
        )
    return ResidualStream(
        stack,
        tuple(trace.source if stack == "encoder" else trace.inputs),
        tuple(trace.target) if stack == "decoder" else None,
        model.config.norm,
        _array(embedding),
        _array(start) - _array(embedding),
        _array(start),
        says[0],
        tuple(stages),
    )


def _array(x: Tensor) -> Array:
    """Remove the batch axis of a single sentence."""
    return x[0].float().cpu().numpy()


def logit_lens(model: Transformer, vocab: Vocab, streams: Tensor, stack: Stack) -> list[tuple[LensPiece, ...]]:
    """Logit lens: the pieces that each of N streams (N, D) would predict if it ended here, likeliest first.

    In the encoder, which has no output layer: the embeddings nearest by cosine.
    """
    if stack == "decoder":
        values = model.project(model.decoder_norm(streams)).softmax(-1)  # (N, V)
    else:
        values = F.normalize(streams, dim=-1) @ F.normalize(model.embed.weight, dim=-1).T  # (N, V)
    values[:, [PAD, SOS]] = -math.inf  # never in a source, never chosen by search
    top = values.topk(min(LIKELIEST, values.size(1)), dim=-1)
    return [
        tuple(LensPiece(vocab.token(i), i, v) for i, v in zip(indices, row, strict=True))
        for indices, row in zip(top.indices.tolist(), top.values.tolist(), strict=True)
    ]
