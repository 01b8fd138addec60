"""The walkthrough of attention on the additive and the dot page: one model's decode in six steps a word.

A page gives its sentences; everything else comes from the Trace and from `nmtcore.analysis.arithmetic`. Where the
address asks for it, the attention of one step is overridden.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from nmtcore.analysis import arithmetic
from nmtcore.config import RecurrentConfig, Score
from nmtcore.decoding.trace import Trace, rounded
from nmtcore.errors import InterventionError
from nmtcore.figures.palette import ARCHITECTURE
from nmtcore.models.checkpoint import Checkpoint
from pages.attention.override import AttentionOverride, checksum, read_override
from pages.common import models
from pages.common.controls import show_notes
from pages.common.i18n import _
from pages.common.open_page import ModelPage
from pages.common.text_diff import word_diff

COMPONENTS = 16  # of a state's D, the first ones: what a picture of a vector shows
TERMS = 2  # products of a score that are written out

FORMULAS: dict[Score, str] = {
    "additive": "v · tanh(W {s} + U h<sub>i</sub>)",
    "concat": "v · tanh(W [{s}; h<sub>i</sub>])",
    "dot": "{s} · h<sub>i</sub>",
    "scaled_dot": "{s} · h<sub>i</sub> / √d",
    "general": "{s} W h<sub>i</sub>",
    "cosine": "{s} · h<sub>i</sub> / (|{s}| |h<sub>i</sub>|)",
}


@dataclass(frozen=True, eq=False)
class Walkthrough:
    """A page's decode: as it is shown, and the override of attention that it was made with, if any."""

    page: ModelPage
    trace: Trace
    override: AttentionOverride | None = None

    @property
    def own(self) -> Trace:
        """As the model decodes by itself."""
        return self.page.trace

    @property
    def config(self) -> RecurrentConfig:
        assert isinstance(self.page.checkpoint.config, RecurrentConfig)
        return self.page.checkpoint.config

    @property
    def mark(self) -> str:
        """The check sum of this question to this model: what an old override must have."""
        question = self.page.question
        return checksum(self.page.checkpoint.name, question.pair, self.own.source_text, question.beam)


def decode_walkthrough(page: ModelPage) -> Walkthrough:
    """Decode again with the override of attention that the address asks for; say why where it cannot be."""
    plain = Walkthrough(page, page.trace)
    try:
        found = read_override(st.query_params.get("bend", ""), plain.mark, page.trace)
        if found:
            trace = models.translate(page.model, page.text, page.decoding, found.intervention(page.trace))
            return Walkthrough(page, trace, found)
    except InterventionError as error:
        show_notes(str(error))
    st.query_params.pop("bend", None)  # none, or one that this question cannot have
    return plain


def record(shown: Walkthrough, words: Mapping[str, Any]) -> dict[str, Any]:
    """All that the stepper draws and says of a decode. words: the page's own sentences for the six steps."""
    trace, config = shown.trace, shown.config
    inner = trace.inner
    cross = trace.attention_of("cross")
    assert cross is not None
    asks_before = config.context == "input"
    weights = arrays(shown.page.checkpoint)
    again = arithmetic.recompute(trace, config, weights)
    left, right, v = _products(trace, config, weights)
    first = slice(0, min(COMPONENTS, config.units))
    return {
        "id": checksum(shown.mark, shown.override),
        "sentence": shown.mark,
        "mark": shown.mark,
        "title": f"{trace.model}: {trace.source_text}",
        "hue": ARCHITECTURE[config.architecture],
        "size": config.units,
        "asksBefore": asks_before,
        "source": list(trace.source),
        "target": list(trace.target),
        "finished": trace.finished,
        "states": rounded(inner["states"][0][:, first]),
        "query": rounded(inner["query"][:, 0, first]),
        "scores": rounded(inner["scores"][:, 0]),
        "weights": rounded(cross.weights[0, 0]),
        "context": rounded(inner["context"][:, 0, first]),
        "after": rounded(inner["state" if asks_before else "output"][:, 0][:, first]),
        "probabilities": [step.probability for step in trace.steps],
        "taken": list(trace.ids),
        "candidates": [[[c.token, c.probability, c.id] for c in step.candidates] for step in trace.steps],
        "terms": {
            "left": rounded(left[:, :TERMS]),
            "right": rounded(right[:, :TERMS]),
            "v": None if v is None else rounded(v[:TERMS]),
            "divide": math.sqrt(config.units) if config.attention == "scaled_dot" else 1,
        },
        "formulas": formulas(config),
        "numpy": {
            "scores": rounded(again.scores),
            "weights": rounded(again.weights),
            "context": rounded(again.context[:, first]),
            "likelihoods": [rounded(step) for step in again.likelihoods],
            "differences": {name: rounded(values) for name, values in again.differences(trace).items()},
            "code": code(config.attention),
        },
        "bend": _override(shown),
        "lab": None,
        "words": words,
    }


def legend(shown: Walkthrough) -> str:
    """What the small coloured vectors are."""
    count = min(COMPONENTS, shown.config.units)
    sentence = _("Vectors: their first {count} of {D} components, red \u22121, blue 1")
    return sentence.format(count=count, D=shown.config.units)


def arrays(loaded: Checkpoint) -> dict[str, arithmetic.Array]:
    """The model's weights as NumPy arrays, by the names of its state dict."""
    return {name: tensor.cpu().numpy() for name, tensor in loaded.model.state_dict().items()}


def formulas(config: RecurrentConfig) -> list[str]:
    """The formula of each of the six steps, in the notation of Bahdanau et al. or of Luong et al."""
    asks_before = config.context == "input"
    s = "s<sub>j−1</sub>" if asks_before else "s<sub>j</sub>"
    last = (
        "s<sub>j</sub> = f(s<sub>j−1</sub>, [e(y<sub>j−1</sub>); C<sub>j</sub>]),   "
        "h̃<sub>j</sub> = tanh(W<sub>c</sub> [s<sub>j</sub>; C<sub>j</sub>; e(y<sub>j−1</sub>)])"
        if asks_before
        else "h̃<sub>j</sub> = tanh(W<sub>c</sub> [C<sub>j</sub>; s<sub>j</sub>])"
    )
    both_ways = "h<sub>i</sub> = [h\u20d7<sub>i</sub>; h\u20d6<sub>i</sub>]"
    return [
        both_ways if config.bidirectional else "h<sub>1</sub> … h<sub>S</sub>",
        f"β<sub>ij</sub> = {FORMULAS[config.attention].format(s=s)}",
        "α<sub>ij</sub> = exp(β<sub>ij</sub>) / Σ<sub>k</sub> exp(β<sub>kj</sub>)",
        "α<sub>ij</sub> h<sub>i</sub>",
        "C<sub>j</sub> = Σ<sub>i</sub> α<sub>ij</sub> h<sub>i</sub>",
        last,
    ]


def code(score: Score) -> str:
    """The source of the NumPy functions that a step runs through."""
    functions = [getattr(arithmetic, "additive" if score == "concat" else score), arithmetic.softmax]
    if score in ("scaled_dot", "cosine", "general"):
        functions.insert(0, arithmetic.dot)
    return "\n\n".join(inspect.getsource(f).strip() for f in (*functions, arithmetic.expectation))


def _products(
    trace: Trace, config: RecurrentConfig, weights: arithmetic.Weights
) -> tuple[arithmetic.Array, arithmetic.Array, arithmetic.Array | None]:
    """A score is a sum over components of left (T, D) times right (S, D), or of v times tanh(left + right)."""
    query, right = trace.inner["query"][:, 0], trace.inner["keys"][0]
    if config.architecture == "additive":
        return query @ weights["score.W.weight"].T, right, weights["score.v.weight"][0]
    if config.attention == "cosine":
        query = query / np.linalg.norm(query, axis=1, keepdims=True)
    return query, right, None


def _override(shown: Walkthrough) -> dict[str, Any] | None:
    asked = shown.override
    if asked is None:
        return None
    before, after = word_diff(shown.own.text, shown.trace.text)
    return {"code": asked.code, "step": asked.step, "at": asked.at, "before": before, "after": after}
