"""An accelerated model gives the same numbers as the original, for every request."""

import copy
import dataclasses

import numpy as np
import pytest
import torch

from nmtcore.config import DecodingConfig, MaskPredictDecoding, TransformerConfig
from nmtcore.decoding import mask_predict
from nmtcore.decoding.search import beam_search
from nmtcore.intervention import LAYER_PARTS, NO_CHANGE, Intervention
from nmtcore.models.fast import accelerate, accelerated
from nmtcore.models.fast.accelerated import Accelerated
from nmtcore.models.fast.packed import plain_product
from nmtcore.models.padded import pad
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import SOS, Vocab
from nmtcore.training.state import restore, snapshot
from tests.helpers import random_model, rounding, small
from tests.models.configurations import CONFIGS, SENTENCES, TARGETS, stepped

LENGTH = len(SENTENCES[0])
LAYOUTS = ["float16", "float32", "of a GPU"]


@pytest.fixture(params=CONFIGS)
def model(request: pytest.FixtureRequest) -> Seq2Seq:
    return random_model(CONFIGS[request.param])


def in_half_precision(model: Seq2Seq) -> None:
    """Weights as saved models have them, which are laid out as float16."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.half())


def interventions(model: Seq2Seq) -> list[Intervention]:
    """Every kind of change that this model can make to one step."""
    if model.config.architecture == "none":
        return []
    found = [Intervention.attend_to(1, 2, LENGTH), Intervention(heads_off=(("cross", 0, 0),))]
    if isinstance(model.config, TransformerConfig):
        found += [
            Intervention(heads_off=(("decoder", 1, 0), ("cross", 2, 1), ("encoder", 0, 1)), positions="dropped"),
            Intervention(positions=(3, 0, 5, 1, 4, 2)),
            Intervention(target_positions="dropped"),
            *(Intervention(parts_off=(("decoder", 1, part),)) for part in LAYER_PARTS["decoder"]),
            Intervention(parts_off=(("encoder", 1, "residual"), ("decoder", 0, "residual"), ("decoder", 2, "norm"))),
            Intervention(parts_off=tuple(("decoder", 0, part) for part in LAYER_PARTS["decoder"])),
        ]
    return found


@pytest.mark.numerical
@pytest.mark.parametrize("layout", LAYOUTS)
@torch.no_grad()
def test_every_number_of_a_step_is_the_models_own(model: Seq2Seq, layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With each layout a third of the changes, another third with the next configuration.

    A layout makes the products, and a change what is done with their results: no code depends on both.
    """
    if layout == "float16":
        in_half_precision(model)
    if layout == "of a GPU":  # which has no packed weights
        monkeypatch.setattr(accelerated, "packed_product", plain_product)
    fast = accelerate(model)
    assert isinstance(fast, type(model)) and type(fast) is not type(model)
    source = pad([SENTENCES[0]] * 3)
    parents = [torch.tensor(rows) for rows in ([2, 0, 0], [0, 1, 2], [1, 2, 0])]
    exact = rounding(model)
    third = ([*CONFIGS.values()].index(model.config) + LAYOUTS.index(layout)) % 3
    for intervention in (NO_CHANGE, *interventions(model)[third::3]):
        memories = [m.encode(source, intervention) for m in (model, fast)]
        states = [m.start(memory) for m, memory in zip((model, fast), memories, strict=True)]
        for j in range(4):
            tokens = torch.tensor([SOS] * 3) if j == 0 else torch.tensor([5 + j, 9, 14 - j])
            outs = [
                m.step(tokens, state, memory, intervention)
                for m, state, memory in zip((model, fast), states, memories, strict=True)
            ]
            slow, quick = outs
            assert torch.allclose(slow.logits, quick.logits, rtol=0, atol=exact * slow.logits.abs().max().item())
            for own, other in ((slow.attention, quick.attention), (slow.inner, quick.inner)):
                assert list(own) == list(other)
                for name, layers in own.items():
                    for a, b in zip(layers, other[name], strict=True):
                        largest = max(1.0, a[a.isfinite()].abs().max().item())
                        assert a.shape == b.shape and torch.allclose(a, b, rtol=0, atol=exact * largest), name
            states = [out.state.select(parents[j % 3]) for out in outs]
            assert {state.position for state in states} == {j + 1}


@pytest.mark.numerical
@pytest.mark.parametrize(  # what is forced or forbidden the search alone sees
    ("width", "change"), [(1, Intervention(forced=((1, 11),), forbidden=((None, 6), (0, 12)))), (3, NO_CHANGE)]
)
def test_a_search_finds_the_same(model: Seq2Seq, width: int, change: Intervention) -> None:
    in_half_precision(model)
    decoding = DecodingConfig(beam=width, beta=0.2, max_length=8)
    slow, quick = (beam_search(m, pad(SENTENCES), decoding, change) for m in (model, accelerate(model)))
    assert len(slow.steps) == len(quick.steps)
    for a, b in zip(slow.steps, quick.steps, strict=True):
        assert np.array_equal(a.chosen, b.chosen) and np.array_equal(a.tokens[..., :3], b.tokens[..., :3])
        assert np.allclose(a.totals, b.totals, atol=1e-4)
    assert np.allclose(slow.coverage, quick.coverage, atol=1e-4)


@torch.no_grad()
def test_its_weights_are_the_models_but_a_copy_of_it_has_its_own(model: Seq2Seq) -> None:
    source, inputs = pad(SENTENCES), pad(TARGETS)
    fast = accelerate(model)
    pairs = zip(model.named_parameters(), fast.named_parameters(), strict=True)
    assert all(a[0] == b[0] and a[1] is b[1] for a, b in pairs)
    assert list(model.state_dict()) == list(fast.state_dict())
    assert accelerate(fast) is fast
    plain = model(source, inputs)[inputs.mask]
    assert torch.allclose(plain, fast(source, inputs)[inputs.mask], atol=1e-5)

    fast.encode(source)
    assert isinstance(fast, Accelerated) and fast.product is not None
    other = copy.deepcopy(fast)
    assert isinstance(other, Accelerated) and other.product is None
    for parameter in other.parameters():
        parameter.mul_(1.5)
    assert torch.allclose(stepped(other, source, inputs)[inputs.mask], other(source, inputs)[inputs.mask], atol=1e-5)
    before = stepped(fast, source, inputs)
    assert torch.allclose(before[inputs.mask], plain, atol=1e-5)

    # Weights that are written to count.
    restore(model, {name: 1.5 * weight for name, weight in snapshot(model).items()})
    changed = model(source, inputs)
    assert not torch.allclose(before[inputs.mask], changed[inputs.mask], atol=1e-2)
    exact = rounding(model, changed.abs().max().item())
    assert torch.allclose(stepped(fast, source, inputs)[inputs.mask], changed[inputs.mask], rtol=0, atol=exact)


def test_a_model_that_has_a_fast_copy_trains_as_before(model: Seq2Seq) -> None:
    source, inputs = pad(SENTENCES), pad(TARGETS)
    alone = copy.deepcopy(model)
    accelerate(model).encode(source)
    for trained in (alone, model):
        loss = trained(source, inputs)[inputs.mask].logsumexp(-1).sum()
        loss.backward()
    for a, b in zip(alone.parameters(), model.parameters(), strict=True):
        assert a.grad is not None and b.grad is not None and torch.equal(a.grad, b.grad)


@torch.inference_mode()
def test_a_model_made_in_inference_mode_decodes() -> None:
    made = accelerate(random_model(CONFIGS["lstm-deep"]))
    memory = made.encode(pad(SENTENCES))
    assert made.step(torch.tensor([SOS] * 3), made.start(memory), memory).logits.isfinite().all()


@pytest.mark.numerical
@pytest.mark.parametrize("halved", [True, False])
def test_every_round_of_mask_predict_is_that_of_the_readable_model(vocab: Vocab, halved: bool) -> None:
    slow = small("mask-predict", vocab)
    if halved:
        in_half_precision(slow.model)
    fast = dataclasses.replace(slow, model=accelerate(slow.model))
    assert isinstance(fast.model, Accelerated)
    for text in ("a", "the small cat sees a red house ."):
        one, other = (mask_predict.translate(m, m.read(text), MaskPredictDecoding(5, 3)) for m in (slow, fast))
        assert (one.text, one.lengths[0].length) == (other.text, other.lengths[0].length)
        for before, after in zip(one.rounds, other.rounds, strict=True):
            assert [(p.token, p.written) for p in before] == [(p.token, p.written) for p in after]
            assert [p.log_probability for p in before] == pytest.approx(
                [p.log_probability for p in after], abs=rounding(slow.model, 10)
            )
        weights = [torch.tensor(found.attention.weights) for found in (one, other)]
        assert torch.allclose(*weights, rtol=0, atol=rounding(slow.model))
