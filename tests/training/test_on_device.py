"""Every architecture resumes exactly, and trains on a device other than the CPU, which seldom waits for it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args
from unittest.mock import Mock

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from nmtcore.config import ARCHITECTURES, model_config
from nmtcore.models import checkpoint
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import Vocab
from nmtcore.training import meter
from nmtcore.training.batches import AHEAD, Prefetch, TrainingData, fixed_batches
from nmtcore.training.config import AugmentationConfig, Optimiser, TrainingConfig
from nmtcore.training.corpus import Pair
from nmtcore.training.events import Done, Event, Progress, Saved, Validation
from nmtcore.training.loop import fit
from nmtcore.training.optimiser import make_optimiser
from nmtcore.training.parallel import Gradient
from tests.accelerator import NAME, Accelerator
from tests.helpers import SIZES

WORDS = ("the", "cat", "dog", "sees", "red", "old", "house")
PAIRS = [Pair(f"{a} {b}", f"{b} {a}") for a in WORDS for b in WORDS if a != b]


def make(vocab: Vocab, architecture: str, dropout: float) -> Seq2Seq:
    torch.manual_seed(3)
    few = {name: 2 if architecture == "deep-lstm" else 1 for name in ("encoder_layers", "decoder_layers")}
    sizes = SIZES[architecture] | (few if "encoder_layers" in SIZES[architecture] else {}) | {"dropout": dropout}
    return checkpoint.build(model_config(architecture, len(vocab), **sizes))


def settings(**changes: Any) -> TrainingConfig:
    plain = {"max_steps": 4, "epochs": 99, "warmup": 3, "precision": "fp32", "batch_tokens": 30, "validate_every": 2}
    return TrainingConfig(**{**plain, "checkpoint_every": 2, **changes})


def run(vocab: Vocab, model: Seq2Seq, config: TrainingConfig, **given: Any) -> Iterator[Event]:
    data = TrainingData(
        PAIRS[:9],
        vocab,
        config.batch_tokens,
        augmentation=AugmentationConfig(concatenation=0.25),
        max_length=model.max_length,
    )
    return fit(model, data, fixed_batches(vocab, PAIRS[30:34], 60), config, **given)


def done(events: Iterator[Event]) -> Done:
    *_, last = events
    assert isinstance(last, Done)
    return last


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_training_there_takes_the_course_that_it_takes_on_the_cpu(
    device: Accelerator, vocab: Vocab, architecture: str
) -> None:
    course = [done(run(vocab, make(vocab, architecture, 0.0).to(where), settings())) for where in ("cpu", NAME)]
    assert course[0].best_loss == pytest.approx(course[1].best_loss, abs=1e-5)
    own = 0.5 if ARCHITECTURES[architecture].autoregressive else 0.0  # scheduled sampling
    half = settings(precision="bf16", max_steps=2, scheduled_sampling=own, average=2)
    found = done(run(vocab, make(vocab, architecture, 0.0).to(NAME), half))
    assert found.best_loss == pytest.approx(course[0].best_loss, abs=0.5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_bfloat16_there_is_mixed_precision(device: Accelerator, vocab: Vocab, architecture: str) -> None:
    """The loss changes only by rounding, and gradients are float32, like the weights."""
    model, batch = make(vocab, architecture, 0.0).to(NAME), fixed_batches(vocab, PAIRS[:5], 1000)[0]
    losses = []
    for precision in ("fp32", "bf16"):
        torch.manual_seed(1)  # which words are masked, in models that write all at once
        losses.append(Gradient(model, settings(precision=precision))(batch).item())
    assert losses[1] == pytest.approx(losses[0], rel=0.03) and losses[1] != losses[0]
    assert {p.grad.dtype for p in model.parameters()} == {torch.float32}


@pytest.mark.parametrize("where", ["cpu", NAME])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_stopped_and_resumed_training_ends_like_one_that_was_not(
    device: Accelerator, vocab: Vocab, tmp_path: Path, architecture: str, where: str
) -> None:
    """In its second epoch, with a mean of weights from before the stop and after it; with each optimiser in turn."""
    whole, cut, resumed = (make(vocab, architecture, 0.3).to(where) for _ in range(3))
    optimiser = get_args(Optimiser)[[*ARCHITECTURES].index(architecture) % len(get_args(Optimiser))]
    own = 0.4 if ARCHITECTURES[architecture].autoregressive else 0.0
    config = settings(max_steps=5, batch_tokens=60, average=2, optimiser=optimiser, scheduled_sampling=own)
    expected = done(run(vocab, whole, config))
    events = run(vocab, cut, config, state=tmp_path)
    next(event for event in events if isinstance(event, Saved) and event.step == 4)
    events.close()  # type: ignore[attr-defined]
    torch.manual_seed(99)  # another process would have neither the CPU's random state nor the device's
    found = done(run(vocab, resumed, config, state=tmp_path, resume=True))
    assert (found.step, found.best_step) == (expected.step, expected.best_step)
    assert found.best_loss == pytest.approx(expected.best_loss, abs=1e-6)
    saved = load_file(tmp_path / "state-5.safetensors")
    assert {name.split(".")[1] for name in saved if name.startswith("recent.")} == {"0", "1"}
    for name, tensor in whole.state_dict().items():
        torch.testing.assert_close(resumed.state_dict()[name].cpu(), tensor.cpu(), rtol=0, atol=1e-6, msg=name)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_training_seldom_reads_a_number_back(
    device: Accelerator, vocab: Vocab, architecture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a report does, after twenty updates at the earliest; here after two, for speed."""
    assert meter.REPORT_STEPS == 20
    monkeypatch.setattr(meter, "REPORT_STEPS", 2)
    monkeypatch.setattr(meter, "REPORT_SECONDS", 0.0)  # as if an update took long
    model = make(vocab, architecture, 0.3).to(NAME)
    config = settings(max_steps=4, validate_every=10**6, precision="bf16")
    waited = {}
    for event in run(vocab, model, config):
        if isinstance(event, Progress) and event.step < config.max_steps:
            waited[event.step] = device.waited
    assert waited == {1: 1, 3: 2}, device.waits


def test_a_validation_reads_one_number_back_for_each_set_of_weights(device: Accelerator, vocab: Vocab) -> None:
    counts = []
    for event in run(vocab, make(vocab, "transformer", 0.3).to(NAME), settings(average=2)):
        if isinstance(event, Progress):
            before = device.waited
        elif isinstance(event, Validation):
            counts.append(device.waited - before)
    assert counts == [1, 2]  # the second time the mean of the last two as well


def test_batches_are_made_ahead_in_their_order(vocab: Vocab, device: Accelerator) -> None:
    batches = TrainingData(PAIRS, vocab, 40).epoch(0)
    prefetch = Prefetch(torch.device(NAME))
    for position in range(len(batches)):
        found = prefetch.take(batches, position)
        assert torch.equal(found.labels, batches[position].labels)
        assert list(prefetch.made) == list(range(position + 1, min(position + 1 + AHEAD, len(batches))))
    assert AHEAD > 0 and position > 5 and not prefetch.made
    other = TrainingData(PAIRS, vocab, 40).epoch(1)  # the next epoch; resumed in the middle of it
    assert torch.equal(prefetch.take(other, 4).labels, other[4].labels)


def test_batches_for_a_cuda_gpu_are_pinned_and_sent_without_waiting(
    vocab: Vocab, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned, sent = set[int](), list[tuple[bool, bool]]()

    def pin(tensor: Tensor) -> Tensor:
        copied = tensor.clone()
        pinned.add(copied.data_ptr())
        return copied

    def send(tensor: Tensor, device: Any, non_blocking: bool = False) -> Tensor:
        sent.append((tensor.data_ptr() in pinned, non_blocking))
        return tensor

    monkeypatch.setattr(Tensor, "pin_memory", pin)
    monkeypatch.setattr(Tensor, "is_pinned", lambda tensor: tensor.data_ptr() in pinned)
    monkeypatch.setattr(Tensor, "to", send)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    batches = TrainingData(PAIRS, vocab, 40).epoch(0)
    made = Prefetch(torch.device("cuda")).take(batches, 0)
    made.to("cuda")
    assert sent == [(True, True)] * 5  # ids and mask of the source and of the inputs, and the labels
    sent.clear()
    batches[0].to("cuda")
    assert sent == [(False, False)] * 5, "from other memory a copy that nobody waits for could be of later numbers"


@pytest.mark.parametrize("optimiser", ["sgd", "momentum", "adam", "adamw"])
def test_on_a_cuda_gpu_one_kernel_updates_all_weights(monkeypatch: pytest.MonkeyPatch, optimiser: str) -> None:
    made = Mock()
    monkeypatch.setattr("nmtcore.training.optimiser.uncompiled", lambda kind: made)
    make_optimiser([Mock(device=torch.device("cuda"))], settings(optimiser=optimiser))
    assert made.call_args.kwargs["fused"] is True
