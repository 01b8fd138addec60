"""The general score s W h (Luong et al. 2015, 3.1): one matrix between queries and keys, taken from a trained model.

In a recurrent model with this score, W is one of the weights. In a head of a Transformer it is a product: the score
(x_i W^Q + b^Q) . (x_j W^K + b^K) / sqrt(d_k) equals s W h with W = W^Q (W^K)^T / sqrt(d_k), of rank d_k at most, if a 1
is appended to s and h for the biases. T queries, S keys, D components.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch

from nmtcore.analysis.head_parts import attention_inputs, attention_layer
from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import InterventionError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.scores import General


@dataclass(frozen=True, eq=False)
class GeneralScore:
    """A trained W with the queries and keys that it compares. queries: (T, D), s; keys: (S, D), h; W: (D, D)."""

    queries: Array
    keys: Array
    W: Array

    @property
    def scores(self) -> Array:
        """(T, S), s W h for every pair."""
        return np.stack([General.recompute(s, self.keys, self.W) for s in self.queries])

    @property
    def rank(self) -> int:
        """The rank of W: the number of its nonzero singular values, the directions in which it compares."""
        return int(np.linalg.matrix_rank(self.W))

    @property
    def diagonal(self) -> float:
        """The share of W's squares on its diagonal: 1 for the identity, which is the dot score."""
        return float((np.diag(self.W) ** 2).sum() / (self.W**2).sum())


def own_score(checkpoint: Checkpoint, trace: Trace) -> GeneralScore:
    """W of a recurrent model with the general score. Raises InterventionError for every other model."""
    weight = checkpoint.model.state_dict().get("score.W.weight")
    if getattr(checkpoint.config, "attention", "") != "general" or weight is None:
        raise InterventionError("This model's score has no matrix W.")
    return GeneralScore(trace.inner["query"][:, 0], trace.inner["states"][0], weight.float().cpu().numpy())


@torch.inference_mode()
def head_score(checkpoint: Checkpoint, trace: Trace, layer: int, head: int) -> GeneralScore:
    """W of a Transformer's cross-attention head, with the head's inputs while the model wrote `trace`.

    D is the model width plus one, for the biases. Raises InterventionError for a head that does not exist.
    """
    projection = attention_layer(checkpoint, trace, "cross", layer, head).project
    read = attention_inputs(checkpoint, trace, "cross")
    joined = torch.cat((projection.weight, projection.bias[:, None]), 1).float().cpu().numpy()  # (3 D, D + 1)
    K = trace.inner["cross_query"].shape[-1]
    width = projection.in_features
    of_queries, of_keys = (joined[part * width + head * K :][:K] for part in (0, 1))  # (K, D + 1) each
    return GeneralScore(
        _with_one(read.queries[layer]), _with_one(read.keys[layer]), of_queries.T @ of_keys / math.sqrt(K)
    )


def _with_one(x: Array) -> Array:
    longer: Array = np.concatenate((x, np.ones((len(x), 1), x.dtype)), 1)
    return longer
