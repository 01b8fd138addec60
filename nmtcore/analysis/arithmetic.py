"""Recompute attention in plain NumPy, so that a page can show that its numbers are the model's own.

Everything is computed from the states in `Trace.inner` and from the model's weights, as arrays under the names in its
state dict; nothing uses torch. S source positions, T target positions, D units, K width of a head, C candidates,
V vocabulary.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nmtcore.config import RecurrentConfig
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import AttentionKind
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.scores import SCORES
from nmtcore.text.vocabulary import SOS

Array = np.ndarray[Any, np.dtype[np.floating[Any]]]
Weights = Mapping[str, Array]


def weights_of(checkpoint: Checkpoint) -> Weights:
    """A model's weights as NumPy arrays, under the names in its state dict."""
    return {name: tensor.float().cpu().numpy() for name, tensor in checkpoint.model.state_dict().items()}


def softmax(scores: Array) -> Array:
    """exp(x_i) / sum_k exp(x_k) over the last axis. The largest x is subtracted first, to avoid overflow."""
    raised: Array = np.exp(scores - scores.max(-1, keepdims=True))
    weights: Array = raised / raised.sum(-1, keepdims=True)
    return weights


def expectation(weights: Array, h: Array) -> Array:
    """C_j = sum_i alpha_ij h_i for all steps j: weights (T, S) and states (S, D) give (T, D)."""
    context: Array = weights @ h
    return context


@dataclass(frozen=True, eq=False)
class Recomputed:
    """Every step of a recurrent decode, recomputed.

    scores, weights: (T, S); context: (T, D); likelihoods: for each step the log-probabilities (C,) of its candidates;
    normalizers: (T,), the logarithm of the denominator of the softmax over the vocabulary, from which P_vocab follows
    in a model that copies.
    """

    scores: Array
    weights: Array
    context: Array
    likelihoods: tuple[Array, ...]
    normalizers: Array

    def differences(self, trace: Trace) -> dict[str, Array]:
        """The largest difference between recomputed and model values at each step, (T,), for each quantity compared."""
        attention = trace.known_attention("cross")
        pairs = {
            "scores": (self.scores, trace.inner["scores"][:, 0]),
            "weights": (self.weights, attention.weights[0, 0]),
            "context": (self.context, trace.inner["context"][:, 0]),
        }
        differences: dict[str, Array] = {name: np.abs(a - b).max(1) for name, (a, b) in pairs.items()}
        differences["likelihoods"] = np.array(
            [
                np.abs(again - [c.log_probability for c in step.candidates]).max()
                for again, step in zip(self.likelihoods, trace.steps, strict=True)
            ]
        )
        return differences


def recompute(trace: Trace, config: RecurrentConfig, weights: Weights) -> Recomputed:
    """Recompute attention: scores, softmax, context and the predictions made from it.

    The states h_i and s_j are the model's own. If the trace's Intervention replaced the weights of a step, they are
    replaced here too. Raises ValueError for local attention.
    """
    if config.locality != "global":
        raise ValueError("Local attention is not recomputed here: choose a model with global attention.")
    h = trace.inner["states"][0]  # (S, D)
    score = SCORES[config.attention]
    scores = np.stack([score.of_weights(s, h, weights) for s in trace.inner["query"][:, 0]])  # (T, S)
    alphas = softmax(scores)
    for step, row in trace.intervention.attention:
        if step < len(alphas):
            alphas[step] = row
    context = expectation(alphas, h)  # (T, D)
    if trace.intervention.off("cross", 0):
        context = np.zeros_like(context)
    likelihoods, normalizers = _predicted(trace, config, weights, context)
    if config.copying:
        likelihoods = _mixture(likelihoods, _generation(trace, weights, context), alphas, trace.source_ids)
    chosen = tuple(row[[c.id for c in step.candidates]] for row, step in zip(likelihoods, trace.steps, strict=True))
    return Recomputed(scores, alphas, context, chosen, normalizers[:, 0])


def _predicted(trace: Trace, config: RecurrentConfig, weights: Weights, context: Array) -> tuple[Array, Array]:
    """log P_vocab = log softmax(E h~_j + b), (T, V), and log sum exp(E h~_j + b), (T, 1); h~_j = tanh(W_c [...])."""
    s = trace.inner["state"][:, 0]  # (T, D)
    if config.context == "output":
        seen = np.concatenate((context, s), 1)  # Luong: [C_j; s_j]
    else:
        seen = np.concatenate((s, context, _inputs(trace, weights)), 1)  # Bahdanau: [s_j; C_j; e(y_{j-1})]
    joined = np.tanh(seen @ weights["combine.weight"].T + weights["combine.bias"])  # (T, E)
    logits = joined @ weights["embed.weight"].T + weights["bias"]  # (T, V)
    top = logits.max(1, keepdims=True)
    normalizers = top + np.log(np.exp(logits - top).sum(1, keepdims=True))  # (T, 1)
    return logits - normalizers, normalizers


def _inputs(trace: Trace, weights: Weights) -> Array:
    """Embeddings of the decoder's inputs, e(y_{j-1}): (T, E)."""
    embedded: Array = weights["embed.weight"][[SOS, *trace.ids[:-1]]]
    return embedded


def _generation(trace: Trace, weights: Weights, context: Array) -> Array:
    """u_j = w . [s_j; C_j; e(y_{j-1})] + b, (T, 1), where g_j = sigmoid(u_j) (See et al. 2017, eq. 8)."""
    seen = np.concatenate((trace.inner["state"][:, 0], context, _inputs(trace, weights)), 1)
    u: Array = seen @ weights["generate.weight"].T + weights["generate.bias"]
    return u


def _mixture(likelihoods: Array, u: Array, alphas: Array, source_ids: Sequence[int]) -> Array:
    """log P, (T, V), with P(y_j) = g_j P_vocab(y_j) + (1 - g_j) sum of alpha_ij over the positions i of y_j (eq. 9).

    likelihoods: log P_vocab, (T, V); u: (T, 1); alphas: (T, S).
    """
    mixed = likelihoods - np.logaddexp(0, -u)  # log g = -log(1 + exp(-u))
    for piece in set(source_ids):
        pointed = alphas[:, np.array(source_ids) == piece].sum(1)  # (T,)
        with np.errstate(divide="ignore"):  # log 0 if nothing attends to this piece
            copied = np.log(pointed) - np.logaddexp(0, u[:, 0])
        mixed[:, piece] = np.logaddexp(mixed[:, piece], copied)
    return mixed


def head_vectors(trace: Trace, kind: AttentionKind, layer: int, head: int) -> tuple[Array, Array, Array]:
    """q of every query (T, K), and k and v of every key (S, K), in one head of a Transformer."""
    inner = trace.inner
    if kind == "encoder":
        q, k, v = (inner[f"encoder_{name}"][layer, head] for name in ("query", "key", "value"))
    elif kind == "decoder":
        q, k, v = (inner[f"decoder_{name}"][:, layer, head] for name in ("query", "key", "value"))
    else:
        q = inner["cross_query"][:, layer, head]
        k, v = inner["cross_key"][layer, head], inner["cross_value"][layer, head]
    return q, k, v
