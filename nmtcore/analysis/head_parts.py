"""Norm-based analysis of attention (Kobayashi et al. 2020): the norm |alpha f(x)| of what a head passes on.

f(x) = (x W^V + b^V) W^O is what a token would pass on with all the weight.
A weight alone does not tell how much of a token is passed on: a large weight on a short vector moves little. Each head
has K rows of W^O, so Concat(head_1 .. head_H) W^O is the sum over heads of what they pass on; b^O is added to it.
"""

from dataclasses import dataclass

import numpy as np
import torch

from nmtcore.analysis.arithmetic import head_vectors
from nmtcore.analysis.residual_stream import run_trace
from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import InterventionError
from nmtcore.intervention import AttentionKind
from nmtcore.models.attention import MultiHead
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.transformer import Transformer


@dataclass(frozen=True, eq=False)
class AttentionInputs:
    """Inputs of all attention layers of one kind: x_i, from which W^Q makes q, and x_j, from which k and v are made.

    queries: (L, T, D); keys: (L, S, D). With pre-norm both are norms of the stream; in cross attention x_j is the
    encoder's output.
    """

    queries: Array
    keys: Array


@dataclass(frozen=True, eq=False)
class HeadParts:
    """Contribution of one head to the output of its layer. T queries, S keys.

    arriving: (S, D), f(x_j) of each key; output: (T, D), the sum of alpha_ij f(x_j), which is the head's part of
    Concat(...) W^O, without b^O.
    """

    arriving: Array
    output: Array


@torch.inference_mode()
def attention_inputs(checkpoint: Checkpoint, trace: Trace, kind: AttentionKind) -> AttentionInputs:
    """Recompute the inputs of the attention layers of one kind by forced decoding.

    Raises InterventionError if the model is not a Transformer or if the attention of single steps was replaced.
    """
    layers = run_trace(checkpoint, trace)["encoder" if kind == "encoder" else "decoder"].layers
    sublayers = [layer[1 if kind == "cross" else 0] for layer in layers]
    queries = torch.stack([sublayer.read[0] for sublayer in sublayers]).float().cpu().numpy()  # (L, T, D)
    if kind != "cross":
        return AttentionInputs(queries, queries)
    keys = np.repeat(trace.inner["states"], len(queries), 0)  # (L, S, D): the same for all layers
    return AttentionInputs(queries, keys)


@torch.inference_mode()
def recompute_head(checkpoint: Checkpoint, trace: Trace, kind: AttentionKind, layer: int, head: int) -> HeadParts:
    """Compute the contribution of one head of `trace`. Raises InterventionError for a head that does not exist."""
    attention = trace.attention_of(kind)
    output = attention_layer(checkpoint, trace, kind, layer, head).output
    assert attention is not None
    _, _, values = head_vectors(trace, kind, layer, head)  # (S, K)
    if head in trace.intervention.off(kind, layer):
        values = np.zeros_like(values)
    W = output.weight.float().cpu().numpy()  # (D, D): from Concat(...) to the output
    K = values.shape[1]
    arriving: Array = values @ W[:, head * K : (head + 1) * K].T  # (S, D)
    weights = attention.weights[layer, head]  # (T, S)
    return HeadParts(arriving, weights @ arriving)


def attention_layer(checkpoint: Checkpoint, trace: Trace, kind: AttentionKind, layer: int, head: int) -> MultiHead:
    """The attention of one kind in one layer. Raises InterventionError for a head that does not exist."""
    model, attention = checkpoint.model, trace.attention_of(kind)
    if not isinstance(model, Transformer) or attention is None:
        raise InterventionError("Only a Transformer has heads whose parts are joined by a matrix.")
    if not (0 <= layer < attention.layers and 0 <= head < attention.heads):
        raise InterventionError(f"There is no {kind} layer {layer} head {head} in this model.")
    if kind == "encoder":
        return model.encoder[layer].attention
    return model.decoder[layer].self_attention if kind == "decoder" else model.decoder[layer].cross_attention
