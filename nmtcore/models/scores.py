"""Attention score functions a(s, h): how well a decoder state s matches an encoder state h. One class each.

A class holds everything about its function: the module that a model trains, NumPy code that recomputes the scores so
that readers can check them, the formula, the paper, and the texts for the pages. To add a function, write its class
here and add its name to `Score` (nmtcore/config/models.py).

B sentences, T target positions, S source positions, D units.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from nmtcore.config import Score
from nmtcore.messages import N_

Array = np.ndarray[Any, np.dtype[np.floating[Any]]]


class ScoreFunction(nn.Module):
    """Score function of attention. `units` is D for s and h alike.

    `prepare` computes once per sentence what depends only on h; `forward` scores queries against it:
    (B, T, D) and (B, S, D) give (B, T, S).

    title: its name in the literature; formula: HTML, with {s} for the decoder's state; short: the formula as one line
    of text; source: the paper; sentence: what it does, with {query} for the decoder's state; architecture: the one
    that it is a variant of; matrices: the names of its weights, in the order of `recompute`'s arguments.
    """

    title: ClassVar[str]
    formula: ClassVar[str]
    short: ClassVar[str]
    source: ClassVar[str]
    sentence: ClassVar[str]
    architecture: ClassVar[str] = "dot"
    matrices: ClassVar[tuple[str, ...]] = ()
    # Scores (S,) of one query s (D,) and all states h (S, D), in NumPy; the weights follow as arguments.
    recompute: ClassVar[Callable[..., Array]]

    def __init__(self, units: int) -> None:
        super().__init__()

    def prepare(self, states: Tensor) -> Tensor:
        return states  # (B, S, D)

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return query @ keys.mT  # (B, T, S)

    @classmethod
    def of_weights(cls, s: Array, h: Array, weights: Mapping[str, Array]) -> Array:
        """Call `recompute` with a model's weights, looked up by their names in its state dict."""
        return cls.recompute(s, h, *(weights[f"score.{name}.weight"] for name in cls.matrices))

    @classmethod
    def code(cls) -> str:
        """The source code of `recompute`, which a page shows beside its numbers."""
        lines = inspect.cleandoc(" \n" + inspect.getsource(cls.recompute)).splitlines()
        return "\n".join(line for line in lines if line.strip() != "@staticmethod")

    @classmethod
    def products(cls, query: Array, keys: Array, weights: Mapping[str, Array]) -> tuple[Array, Array, Array | None]:
        """The terms whose sum is a score: left (T, D) times right (S, D), or v (D,) times tanh(left + right).

        keys: the states after `prepare`. A constant divisor is left out (`divisor`).
        """
        return query, keys, None

    @classmethod
    def divisor(cls, units: int) -> float:
        """The constant by which the sum of products is divided."""
        return 1.0


class Dot(ScoreFunction):
    """Dot score: s . h (Luong et al. 2015, section 3.1)."""

    title = N_("dot")
    formula = "{s} · h<sub>i</sub>"
    short = "s·h"
    source = "Luong et al. 2015"
    sentence = N_(
        "{query} is multiplied by every state, component by component. The sum of the products is the score β."
    )

    @staticmethod
    def recompute(s: Array, h: Array) -> Array:
        scores: Array = h @ s
        return scores


class ScaledDot(ScoreFunction):
    """Scaled dot score: s . h / sqrt(D) (Vaswani et al. 2017, eq. 1)."""

    title = N_("scaled dot")
    formula = "{s} · h<sub>i</sub> / √d"
    short = "s·h/√D"
    source = "Vaswani et al. 2017"
    sentence = N_(
        "{query} is multiplied by every state, component by component. The sum of the products, divided by √d, is the "
        "score β."
    )

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return query @ keys.mT / math.sqrt(query.size(-1))  # (B, T, S)

    @staticmethod
    def recompute(s: Array, h: Array) -> Array:
        scores: Array = h @ s / np.sqrt(len(s))
        return scores

    @classmethod
    def divisor(cls, units: int) -> float:
        return math.sqrt(units)


class General(ScoreFunction):
    """General score, bilinear: s W h (Luong et al. 2015, section 3.1)."""

    title = N_("general")
    formula = "{s} W h<sub>i</sub>"
    short = "sWh"
    source = "Luong et al. 2015"
    sentence = N_(
        "{query} goes through the matrix W and is multiplied by every state, component by component. The sum of the "
        "products is the score β."
    )
    matrices = ("W",)

    def __init__(self, units: int) -> None:
        super().__init__(units)
        self.W = nn.Linear(units, units, bias=False)

    def prepare(self, states: Tensor) -> Tensor:
        keys: Tensor = self.W(states)  # (B, S, D)
        return keys

    @staticmethod
    def recompute(s: Array, h: Array, W: Array) -> Array:
        scores: Array = h @ W.T @ s
        return scores


class Additive(ScoreFunction):
    """Additive score: v . tanh(W s + U h) (Bahdanau et al. 2015, appendix A.1.2)."""

    title = N_("additive")
    formula = "v · tanh(W {s} + U h<sub>i</sub>)"
    short = "v·tanh(Ws + Uh)"
    source = "Bahdanau et al. 2015"
    sentence = N_("A small network compares {query} with every state. The higher the score β, the better the two fit.")
    architecture = "additive"
    matrices = ("W", "U", "v")

    def __init__(self, units: int) -> None:
        super().__init__(units)
        self.W = nn.Linear(units, units, bias=False)
        self.U = nn.Linear(units, units, bias=False)
        self.v = nn.Linear(units, 1, bias=False)

    def prepare(self, states: Tensor) -> Tensor:
        keys: Tensor = self.U(states)  # (B, S, D)
        return keys

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        fit = torch.tanh(self.W(query)[:, :, None] + keys[:, None])  # (B, T, S, D)
        scores: Tensor = self.v(fit)[..., 0]  # (B, T, S)
        return scores

    @staticmethod
    def recompute(s: Array, h: Array, W: Array, U: Array, v: Array) -> Array:
        scores: Array = np.tanh(W @ s + h @ U.T) @ v[0]
        return scores

    @classmethod
    def products(cls, query: Array, keys: Array, weights: Mapping[str, Array]) -> tuple[Array, Array, Array | None]:
        return query @ weights["score.W.weight"].T, keys, weights["score.v.weight"][0]


class Concat(Additive):
    """Concat score: v . tanh(W' [s; h]) (Luong et al. 2015, section 3.1): the additive score with W' = [W U]."""

    title = N_("concat")
    formula = "v · tanh(W [{s}; h<sub>i</sub>])"
    short = "v·tanh(W[s; h])"
    source = "Luong et al. 2015"


class Cosine(ScoreFunction):
    """Cosine score: s . h / (|s| |h|) (Graves et al. 2014, without their key strength)."""

    title = N_("cosine")
    formula = "{s} · h<sub>i</sub> / (|{s}| |h<sub>i</sub>|)"
    short = "cos(s, h)"
    source = "Graves et al. 2014"
    sentence = N_("The cosine of the angle between {query} and every state is the score β.")

    def prepare(self, states: Tensor) -> Tensor:
        return F.normalize(states, dim=-1)  # (B, S, D)

    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        return F.normalize(query, dim=-1) @ keys.mT  # (B, T, S)

    @staticmethod
    def recompute(s: Array, h: Array) -> Array:
        scores: Array = h @ s / (np.linalg.norm(h, axis=1) * np.linalg.norm(s))
        return scores

    @classmethod
    def products(cls, query: Array, keys: Array, weights: Mapping[str, Array]) -> tuple[Array, Array, Array | None]:
        return query / np.linalg.norm(query, axis=1, keepdims=True), keys, None


SCORES: dict[Score, type[ScoreFunction]] = {
    "dot": Dot,
    "scaled_dot": ScaledDot,
    "general": General,
    "cosine": Cosine,
    "additive": Additive,
    "concat": Concat,
}
