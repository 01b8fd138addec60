"""Attention as a soft dictionary: from the expectation of the values to exact lookup, and the softmax's gradient."""

from dataclasses import dataclass

import numpy as np

from nmtcore.analysis.arithmetic import softmax
from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import InterventionError


@dataclass(frozen=True, eq=False)
class Lookup:
    """Attention of one step at a temperature. S source pieces, values of D numbers.

    temperature: divides the scores before the softmax; 0 is the limit, a dictionary's `get`: all weight on the best
    score, shared if several are best.
    """

    temperature: float
    scores: Array  # (S,)
    values: Array  # (S, D), the encoder's states

    @property
    def weights(self) -> Array:
        """(S,)"""
        if self.temperature:
            return softmax(self.scores / self.temperature)
        best = (self.scores == self.scores.max()).astype(float)
        hard: Array = best / best.sum()
        return hard

    @property
    def expectation(self) -> Array:
        """The context vector E[value] = sum_i alpha_i h_i, (D,)."""
        mean: Array = self.weights @ self.values
        return mean

    @property
    def exact(self) -> Array:
        """The value of the best key, (D,), as a dictionary would return it."""
        best: Array = self.values[int(self.scores.argmax())]
        return best

    @property
    def difference(self) -> float:
        """|E[value] - get| / |get|: how far the soft answer is from the exact one."""
        return float(np.linalg.norm(self.expectation - self.exact) / np.linalg.norm(self.exact))

    @property
    def gradient(self) -> Array:
        """(S, S) d alpha_i / d score_k = (diag(alpha) - alpha alpha^T)_ik / temperature; zero for exact lookup."""
        a = self.weights
        if not self.temperature:
            return np.zeros((len(a), len(a)), a.dtype)
        jacobian: Array = (np.diag(a) - np.outer(a, a)) / self.temperature
        return jacobian


def lookup_at(trace: Trace, step: int, temperature: float = 1.0) -> Lookup:
    """The attention of one step, counted from zero, in a recurrent model's decode.

    Raises InterventionError for a step that the translation lacks, a model without scores, or a negative temperature.
    """
    if "scores" not in trace.inner:
        raise InterventionError("Only a recurrent model with attention has one row of scores per step.")
    if not 0 <= step < len(trace.target):
        raise InterventionError(f"The translation has {len(trace.target)} steps; there is no step {step + 1}.")
    if not temperature >= 0:
        raise InterventionError(f"A temperature must be 0 or more; it is {temperature:g}.")
    return Lookup(temperature, trace.inner["scores"][step, 0].astype(float), trace.inner["states"][0].astype(float))
