"""Attention step by step as plain data: one decode of a recurrent model, in six steps per word.

The browser gets all numbers of the decode once; stepping, playing, pointing and saving never run a page. The picture
writes the position into the address (`step=3.2`: word 3, step 2).
"""

import inspect
from collections.abc import Mapping
from typing import Any

from nmtcore.analysis import arithmetic
from nmtcore.config import RecurrentConfig, Score
from nmtcore.decoding.trace import Trace
from nmtcore.decoding.trace_json import rounded
from nmtcore.errors import TraceError
from nmtcore.figures.palette import HUES
from nmtcore.models.scores import SCORES
from nmtcore.text.words import word_of
from nmtcore.views.walkthrough.messages import MESSAGES, step_messages

COMPONENTS = 16  # the first of a state's D numbers, which a picture of a vector shows
TERMS = 2  # products of a score that are written out


def data(
    trace: Trace,
    config: RecurrentConfig,
    weights: arithmetic.Weights,
    *,
    id: str,
    question: str,
    override: Mapping[str, Any] | None = None,
    lab: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The data of a decode's walkthrough, by any model with this attention except a pointer-generator.

    weights: the model's, by the names of its state dict. id: identifies this decode; question: identifies the sentence
    and the model, whatever attention was overridden.
    override: the step whose attention was replaced (`code`, `step`, `at`), with the translation `before` and `after`.
    lab: the other scores that the dot page compares. Raises
    TraceError for a model without such attention.
    """
    inner = trace.inner
    cross = trace.attention_of("cross")
    if cross is None or "query" not in trace.inner:
        raise TraceError("The walkthrough shows a recurrent model with attention: give it the trace of such a model.")
    asks_before = config.context == "input"
    again = arithmetic.recompute(trace, config, weights)
    score = SCORES[config.attention]
    left, right, v = score.products(inner["query"][:, 0], inner["keys"][0], weights)
    first = slice(0, min(COMPONENTS, config.units))
    return {
        "id": id,
        "sentence": trace.source_text,
        "mark": question,
        "title": f"{trace.model}: {trace.source_text}",
        "hue": HUES[config.architecture],
        "size": config.units,
        "asksBefore": asks_before,
        "source": list(trace.source),
        "target": list(trace.target),
        "source_words": word_of(trace.source),
        "target_words": word_of(trace.target),
        "finished": trace.finished,
        "states": rounded(inner["states"][0][:, first]),
        "query": rounded(inner["query"][:, 0, first]),
        "scores": rounded(inner["scores"][:, 0]),
        "weights": rounded(cross.weights[0, 0]),
        "context": rounded(inner["context"][:, 0, first]),
        "state": rounded(inner["state"][:, 0, first]),
        "output": rounded(inner["output"][:, 0, :COMPONENTS]),
        "normalizers": rounded(again.normalizers),
        "probabilities": [step.probability for step in trace.steps],
        "taken": list(trace.ids),
        "candidates": [[[c.token, c.probability, c.id] for c in step.candidates] for step in trace.steps],
        "terms": {
            "left": rounded(left[:, :TERMS]),
            "right": rounded(right[:, :TERMS]),
            "v": None if v is None else rounded(v[:TERMS]),
            "divide": score.divisor(config.units),
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
        "override": override,
        "lab": lab,
        "words": {**MESSAGES, "says": step_messages(config)},
    }


def formulas(config: RecurrentConfig) -> list[str]:
    """The formula of each of the six steps, in the notation of Bahdanau et al. or of Luong et al."""
    asks_before = config.context == "input"
    s = "s<sub>j−1</sub>" if asks_before else "s<sub>j</sub>"
    joined = (
        "s<sub>j</sub> = f(s<sub>j−1</sub>, [e(y<sub>j−1</sub>); C<sub>j</sub>]),   "
        "h̃<sub>j</sub> = tanh(W<sub>c</sub> [s<sub>j</sub>; C<sub>j</sub>; e(y<sub>j−1</sub>)])"
        if asks_before
        else "h̃<sub>j</sub> = tanh(W<sub>c</sub> [C<sub>j</sub>; s<sub>j</sub>])"
    )
    logit = "exp(e({y}) · h̃<sub>j</sub> + b)"
    softmax = f"P(y<sub>j</sub>) = {logit.format(y='y<sub>j</sub>')} / Σ<sub>y</sub> {logit.format(y='y')}"
    if config.input_feeding:
        joined = f"s<sub>j</sub> = f(s<sub>j−1</sub>, [e(y<sub>j−1</sub>); h̃<sub>j−1</sub>]),   {joined}"
    forward, backward = "h\u20d7<sub>i</sub>", "h\u20d6<sub>i</sub>"
    merged = {
        "concat": f"[{forward}; {backward}]",
        "sum": f"{forward} + {backward}",
        "mean": f"({forward} + {backward}) / 2",
    }
    return [
        f"h<sub>i</sub> = {merged[config.merge]}" if config.bidirectional else "h<sub>1</sub> … h<sub>S</sub>",
        f"β<sub>ij</sub> = {SCORES[config.attention].formula.format(s=s)}",
        "α<sub>ij</sub> = exp(β<sub>ij</sub>) / Σ<sub>k</sub> exp(β<sub>kj</sub>)",
        "α<sub>ij</sub> h<sub>i</sub>",
        "C<sub>j</sub> = Σ<sub>i</sub> α<sub>ij</sub> h<sub>i</sub>",
        f"{joined},   {softmax}",
    ]


def code(score: Score) -> str:
    """The source code of the NumPy functions that a step uses."""
    others = (inspect.getsource(function).strip() for function in (arithmetic.softmax, arithmetic.expectation))
    return "\n\n".join((SCORES[score].code(), *others))
