"""Soft and exact lookup: the model's context at temperature 1, a dictionary at 0, torch's gradient of the softmax."""

import numpy as np
import pytest
import torch

from nmtcore.analysis.lookup import Lookup, lookup_at
from nmtcore.config import Architecture, DecodingConfig
from nmtcore.errors import InterventionError
from nmtcore.text.vocabulary import Vocab
from tests.helpers import small, translate


@pytest.mark.parametrize("architecture", ["additive", "dot"])
def test_at_temperature_one_it_is_the_models_context(vocab: Vocab, architecture: Architecture) -> None:
    trace = translate(small(architecture, vocab), "a red cat", DecodingConfig(2))
    cross = trace.known_attention("cross")
    for step in range(len(trace.target)):
        found = lookup_at(trace, step)
        np.testing.assert_allclose(found.weights, cross.weights[0, 0, step], atol=1e-5)
        np.testing.assert_allclose(found.expectation, trace.inner["context"][step, 0], atol=1e-5)


@pytest.mark.parametrize("temperature", [2.0, 1.0, 0.3, 0.1])
def test_the_gradient_is_torchs(temperature: float) -> None:
    scores = torch.tensor([1.5, -0.3, 2.0, 0.1, 1.9], dtype=torch.float64)
    found = Lookup(temperature, scores.numpy(), np.random.default_rng(1).normal(size=(5, 7)))
    expected = torch.autograd.functional.jacobian(lambda a: (a / temperature).softmax(0), scores)
    np.testing.assert_allclose(found.gradient, expected, atol=1e-10)
    np.testing.assert_allclose(found.gradient.sum(0), 0, atol=1e-12)


def test_exact_lookup_is_the_limit_of_small_temperatures() -> None:
    values = np.random.default_rng(2).normal(size=(4, 3))
    scores = np.array([0.2, 1.1, -3.0, 1.0])
    exact = Lookup(0.0, scores, values)
    np.testing.assert_array_equal(exact.expectation, values[1])
    assert exact.difference == 0 and not exact.gradient.any()
    np.testing.assert_allclose(Lookup(1e-3, scores, values).expectation, values[1], atol=1e-12)
    shared = Lookup(0.0, np.array([1.0, 2.0, 2.0]), values[:3])
    np.testing.assert_array_equal(shared.weights, [0, 0.5, 0.5])


@pytest.mark.parametrize(
    ("architecture", "step", "temperature", "words"),
    [("dot", 99, 1.0, "no step 100"), ("dot", -1, 1.0, "no step 0"), ("dot", 0, -1.0, "0 or more"),
     ("dot", 0, float("nan"), "0 or more"), ("transformer", 0, 1.0, "recurrent"), ("none", 0, 1.0, "recurrent")],
)  # fmt: skip
def test_what_cannot_be_looked_up_is_said(
    vocab: Vocab, architecture: Architecture, step: int, temperature: float, words: str
) -> None:
    trace = translate(small(architecture, vocab), "a red cat")
    with pytest.raises(InterventionError, match=words):
        lookup_at(trace, step, temperature)
