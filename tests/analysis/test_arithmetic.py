"""NumPy's arithmetic is the model's: every score function, every step, every cell of a Transformer."""

from typing import Any

import numpy as np
import pytest

from nmtcore.analysis import arithmetic
from nmtcore.analysis.arithmetic import head_vectors, recompute, softmax, weights_of
from nmtcore.config import DecodingConfig, TransformerConfig, model_config
from nmtcore.decoding.trace import Trace
from nmtcore.intervention import NO_CHANGE, Intervention
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.scores import SCORES
from nmtcore.text.vocabulary import EOS, Vocab
from tests.helpers import translate, untrained

pytestmark = pytest.mark.numerical

TEXT = "the old dog sees a red house ."
DECODING = DecodingConfig(beam=3, max_length=7)


def recurrent(vocab: Vocab, attention: str, context: str = "default", **settings: Any) -> Checkpoint:
    family = "copying" if settings.get("copying") else "additive" if attention in ("additive", "concat") else "dot"
    config = model_config(family, len(vocab), attention=attention, context=context, embedding=10, units=14, **settings)
    return untrained(config, vocab, spread=2, noise=0.1)


def again(model: Checkpoint, change: Intervention = NO_CHANGE, text: str = TEXT) -> tuple[Trace, arithmetic.Recomputed]:
    trace = translate(model, text, DECODING, change)
    return trace, recompute(trace, model.config, weights_of(model))


def furthest(trace: Trace, numpy: arithmetic.Recomputed) -> float:
    """The largest difference of any number at any step."""
    return max(values.max() for values in numpy.differences(trace).values())


@pytest.mark.parametrize("context", ["input", "output", "fed"])
@pytest.mark.parametrize("attention", SCORES)
def test_every_step_is_the_same_in_numpy(vocab: Vocab, attention: str, context: str) -> None:
    fed = context == "fed"
    forced = Intervention(forced=tuple(enumerate((7, 5, 9))) if fed else ())
    trace, numpy = again(recurrent(vocab, attention, "output" if fed else context, input_feeding=fed), forced)
    assert len(trace.target) > 1
    assert furthest(trace, numpy) < 1e-5


def test_a_wrong_number_shows_in_its_step_alone(vocab: Vocab) -> None:
    trace, numpy = again(recurrent(vocab, "additive"))
    for step, numbers in enumerate((numpy.scores[0], numpy.weights[1], numpy.context[2], numpy.likelihoods[3])):
        numbers[-1] -= 0.25 * (step + 1)
    found = numpy.differences(trace)
    for step, name in enumerate(("scores", "weights", "context", "likelihoods")):
        wrong = [0.25 * (step + 1) * (j == step) for j in range(len(trace.target))]
        np.testing.assert_allclose(found[name], wrong, atol=1e-4)


@pytest.mark.parametrize("attention", ["additive", "dot"])
def test_what_was_bent_is_bent_in_numpy_too(vocab: Vocab, attention: str) -> None:
    model = recurrent(vocab, attention)
    length = len(model.vocab.encode(TEXT)) + 1
    trace, numpy = again(model, Intervention.attend_to(1, 4, length))
    assert numpy.weights[1].tolist() == [float(i == 4) for i in range(length)]
    np.testing.assert_allclose(numpy.context[1], trace.inner["states"][0, 4], atol=1e-6)
    assert furthest(trace, numpy) < 1e-5
    trace, numpy = again(model, Intervention(heads_off=(("cross", 0, 0),)))
    assert not numpy.context.any()
    assert furthest(trace, numpy) < 1e-5


REPEATED = "the dog sees the dog and the red dog ."


def test_a_copied_words_probability_is_that_of_all_its_positions(vocab: Vocab) -> None:
    model = recurrent(vocab, "additive", copying=True)
    ids = [*vocab.encode(REPEATED), EOS]
    dog = next(piece for piece in ids if ids.count(piece) == 3)
    trace, numpy = again(model, Intervention.prefix((dog, *vocab.encode("a cat"))), REPEATED)
    assert 0.01 < float(trace.inner["generate"][0, 0, 0]) < 0.99
    assert set(ids) & {c.id for step in trace.steps for c in step.candidates} > {dog}
    assert furthest(trace, numpy) < 1e-5
    assert furthest(*again(model, Intervention.attend_to(1, 4, len(ids)), REPEATED)) < 1e-5


def test_local_attention_is_refused(vocab: Vocab) -> None:
    model = recurrent(vocab, "dot", locality="monotonic", window=1)
    with pytest.raises(ValueError, match="Local attention is not recomputed"):
        again(model)


def test_scores_by_hand() -> None:
    s, h = np.array([1.0, 2.0]), np.array([[3.0, 4.0], [0.0, -2.0], [5.0, 0.0]])
    assert SCORES["dot"].recompute(s, h).tolist() == [11, -4, 5]
    np.testing.assert_allclose(SCORES["scaled_dot"].recompute(s, h), np.array([11, -4, 5]) / 2**0.5)
    np.testing.assert_allclose(SCORES["cosine"].recompute(s, h), [11 / 5 / 5**0.5, -2 / 5**0.5, 1 / 5**0.5])
    assert SCORES["general"].recompute(s, h, np.array([[0.0, 1.0], [0.0, 0.0]])).tolist() == [4, -2, 0]
    W, U, v = np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([[0.0, 0.0], [0.0, 1.0]]), np.array([[2.0, 3.0]])
    expected = 2 * np.tanh(1) + 3 * np.tanh(h[:, 1])
    np.testing.assert_allclose(SCORES["additive"].recompute(s, h, W, U, v), expected)


def test_softmax_of_large_scores_is_finite() -> None:
    np.testing.assert_allclose(softmax(np.array([1000.0, 1000.0, -1000.0])), [0.5, 0.5, 0])
    np.testing.assert_allclose(softmax(np.log([[1.0, 3.0], [2.0, 2.0]])), [[0.25, 0.75], [0.5, 0.5]])


@pytest.fixture(scope="module")
def heads(vocab: Vocab) -> Trace:
    sizes = {"width": 12, "feedforward": 10, "heads": 3, "encoder_layers": 2, "decoder_layers": 2}
    model = untrained(TransformerConfig(len(vocab), **sizes), vocab)
    everywhere = Intervention.attend_uniformly(2, len(vocab.encode(TEXT)) + 1)
    return translate(model, TEXT, DecodingConfig(max_length=6), everywhere)


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
@pytest.mark.parametrize(("layer", "head"), [(0, 0), (1, 2)])
def test_every_cell_of_a_transformer_is_the_same_in_numpy(heads: Trace, kind: str, layer: int, head: int) -> None:
    attention = heads.known_attention(kind)
    recorded = heads.inner[f"{kind}_scores"]
    recorded = recorded[layer, head] if kind == "encoder" else recorded[:, layer, head]  # (T, S)
    q, k, v = head_vectors(heads, kind, layer, head)
    scores = q @ k.T / 4**0.5  # (T, S)
    if kind == "decoder":
        scores[np.triu_indices(len(q), 1)] = -np.inf
    weights = softmax(scores)
    if kind == "cross":
        weights[2] = 1 / len(heads.source)  # the step that was bent
    np.testing.assert_allclose(weights, attention.weights[layer, head], atol=1e-5)
    for t in range(len(q)):
        seen = slice(t + 1 if kind == "decoder" else None)
        np.testing.assert_allclose(scores[t, seen], recorded[t][seen], atol=1e-5)
    assert v.shape == k.shape
