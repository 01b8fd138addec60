"""Training: it learns; early stopping, what a resumed run must share, and saved files."""

import math
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from nmtcore.config import DecodingConfig, model_config
from nmtcore.decoding.batched import translate_all
from nmtcore.errors import CheckpointError, DataError, DivergedError
from nmtcore.models import checkpoint
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import Vocab
from nmtcore.training import state
from nmtcore.training.batches import Batches, TrainingData, fixed_batches
from nmtcore.training.config import AugmentationConfig, TrainingConfig
from nmtcore.training.corpus import Pair
from nmtcore.training.events import Done, Event, Progress, Validation
from nmtcore.training.loop import fit
from nmtcore.training.loss import mean_loss
from nmtcore.training.meter import LEAST, Meter
from tests.helpers import SIZES

WORDS = {"red": "rouge", "big": "grand", "cat": "chat", "dog": "chien", "sees": "voit", "hears": "entend"}
PAIRS = [
    Pair(f"{a} {b} {c} {d}", f"{WORDS[a]} {WORDS[b]} {WORDS[c]} {WORDS[d]}")
    for a in ("red", "big")
    for b in ("cat", "dog")
    for c in ("sees", "hears")
    for d in ("cat", "dog")
]
LARGER = {
    **{name: {"embedding": 24, "units": 48} for name in ("none", "additive", "dot", "copying")},
    **{
        name: {"width": 32, "feedforward": 64, "heads": 2, "encoder_layers": 1, "decoder_layers": 1}
        for name in ("transformer", "relative")
    },
    "convolutional": {"embedding": 24, "units": 32, "encoder_layers": 2, "decoder_layers": 2},
    "deep-lstm": {"embedding": 24, "units": 48, "encoder_layers": 4, "decoder_layers": 4},
}


@pytest.fixture(scope="module")
def vocab() -> Vocab:
    return Vocab.train([s for pair in PAIRS for s in pair], 60)


def make(vocab: Vocab, architecture: str = "dot") -> Seq2Seq:
    torch.manual_seed(3)
    return checkpoint.build(model_config(architecture, len(vocab), dropout=0.3, **SIZES[architecture]))


def data_of(vocab: Vocab, rows: int = 8, noise: float = 0.0, **given: Any) -> TrainingData:
    augmentation = AugmentationConfig(concatenation=0.25, noise=noise)
    return TrainingData(PAIRS[:rows], vocab, batch_tokens=25, augmentation=augmentation, **given)


def parts(vocab: Vocab) -> tuple[TrainingData, Batches]:
    return data_of(vocab), fixed_batches(vocab, PAIRS[12:], 25)


def settings(**changes: object) -> TrainingConfig:
    plain = {"epochs": 2, "warmup": 5, "precision": "fp32", "checkpoint_every": 3, "batch_tokens": 25, "average": 2}
    return TrainingConfig(**{**plain, **changes})  # type: ignore[arg-type]


def last(events: Iterator[Event]) -> Done:
    *_, done = events
    assert isinstance(done, Done)
    return done


def test_what_ships_has_the_loss_that_was_announced(vocab: Vocab) -> None:
    data, validation = parts(vocab)
    saved: list[float] = []
    model = make(vocab)
    save = lambda best, found, seconds: saved.append(mean_loss(best, validation) - found.loss)  # noqa: E731
    events = list(fit(model, data, validation, settings(validate_every=3), save_model=save))
    found = [e for e in events if isinstance(e, Validation)]
    assert saved and len(saved) == sum(e.better for e in found)
    assert saved == pytest.approx([0] * len(saved), abs=1e-6)
    done = events[-1]
    assert isinstance(done, Done) and done.best_loss == min(e.loss for e in found)
    assert mean_loss(model, validation) == pytest.approx(done.best_loss, abs=1e-6)
    assert [e.step for e in found] == [*range(3, done.step, 3), done.step]


def test_the_last_weights_can_be_kept_though_their_loss_is_worse(vocab: Vocab, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[float] = []

    def worse_each_time(*asked: Any) -> float:
        measured.append(mean_loss(*asked))
        return measured[-1] + len(measured)

    monkeypatch.setattr(state, "mean_loss", worse_each_time)
    data, validation = parts(vocab)
    model = make(vocab)
    events = list(fit(model, data, validation, settings(epochs=4, average=1, keep="last")))
    found, done = [e for e in events if isinstance(e, Validation)], events[-1]
    assert len(found) == 4 and all(e.better for e in found)
    assert isinstance(done, Done) and (done.best_step, done.best_loss) == (done.step, found[-1].loss)
    assert done.best_loss > found[0].loss == min(e.loss for e in found)
    assert mean_loss(model, validation) == pytest.approx(measured[-1], abs=1e-6)


def test_max_steps_and_progress(vocab: Vocab) -> None:
    data, validation = parts(vocab)
    events = list(fit(make(vocab), data, validation, settings(max_steps=2)))
    progress = [e for e in events if isinstance(e, Progress)]
    assert progress[-1].step == progress[-1].total == 2
    assert progress[-1].seconds_left == 0 and math.isfinite(progress[-1].loss)


@pytest.mark.parametrize("architecture", sorted(LARGER))
def test_ten_pairs_are_learnt_by_heart_and_translated_back(architecture: str) -> None:
    ten = [Pair(f"{a} {b}", f"{WORDS[b]} {WORDS[a]}") for a in ("red", "big") for b in WORDS if b != a]
    vocab = Vocab.train([side for pair in ten for side in pair] * 9, 100)
    torch.manual_seed(1)
    model = checkpoint.build(model_config(architecture, len(vocab), dropout=0.0, **LARGER[architecture]))
    data = TrainingData(ten, vocab, batch_tokens=1000)
    steps = 200 if architecture == "none" else 60  # one vector for the whole sentence is harder to fill
    config = settings(
        max_steps=steps, epochs=1000, validate_every=20, learning_rate=0.02, warmup=10, label_smoothing=0.0, average=1
    )
    last(fit(model, data, fixed_batches(vocab, ten, 1000), config))
    trained = Checkpoint(model.eval(), vocab, "", {})
    for beam in (1, 4):
        done = translate_all(trained, [trained.read(pair.source) for pair in ten], DecodingConfig(beam=beam))
        assert list(zip(done.texts, done.finished, strict=True)) == [(pair.target, True) for pair in ten]


def test_resuming_something_else_is_refused(vocab: Vocab, tmp_path: Path) -> None:
    data, validation = parts(vocab)

    def is_refused(message: str, model: str = "dot", data: TrainingData = data, **changes: object) -> None:
        with pytest.raises(CheckpointError, match=message):
            next(fit(make(vocab, model), data, validation, settings(**changes), state=tmp_path, resume=True))

    is_refused("no state.json")
    last(fit(make(vocab), data, validation, settings(max_steps=3), state=tmp_path))
    is_refused("another learning_rate: 0.001 there, 0.5 here", learning_rate=0.5)
    is_refused("another model class", "transformer")
    is_refused("another pairs and vocabulary", data=data_of(vocab, 7))
    is_refused("another noise", data=data_of(vocab, noise=0.5))
    is_refused("another links between", data=data_of(vocab, links=((" and ", " et "),)))
    (weights,) = tmp_path.glob("state-*.safetensors")
    weights.write_bytes(weights.read_bytes()[:-100])
    is_refused(f"{weights.name} is missing or damaged")
    (tmp_path / "state.json").write_text("{")
    is_refused("state.json is damaged")


def test_bad_beginnings_and_bad_ends(vocab: Vocab) -> None:
    data, _ = parts(vocab)
    with pytest.raises(DataError, match="no validation pairs"):
        next(fit(make(vocab), data, Batches([], [], []), settings()))
    small = {**SIZES["transformer"], "positions": "learned", "max_positions": 4}
    learned = checkpoint.build(model_config("transformer", len(vocab), **small))
    with pytest.raises(DataError, match="longer than the 4 positions .* the longest has"):
        next(fit(learned, *parts(vocab), settings()))
    model = make(vocab)
    with torch.no_grad():
        next(model.parameters()).fill_(math.nan)
    with pytest.raises(DivergedError, match="no longer a number at step 1"):
        list(fit(model, *parts(vocab), settings()))


def test_the_time_left_counts_evaluations_and_the_rate_does_not() -> None:
    """The first estimate must hold to the end: the slow first update must not count."""
    now, step = [100.0], 3
    state: Any = SimpleNamespace(
        step=step,
        total=103,
        epochs_done=0.0,
        seconds=0.0,
        gradient_norm=torch.tensor(1.0),
        config=SimpleNamespace(clip=0.0, validate_every=2),
        model=SimpleNamespace(device=torch.device("cpu")),
        optimiser=SimpleNamespace(param_groups=[{"lr": 0.1}]),
        finished=lambda: False,
        validation_due=lambda: False,
    )
    meter = Meter(state, lambda: now[0])

    def updates(*seconds: float) -> list[Progress]:
        found = []
        for one in seconds:
            now[0] += one
            state.step += 1
            progress = meter.add(torch.tensor(1.5), 30)
            assert progress is not None
            found.append(progress)
            if state.step % 2:
                now[0] += 5.0  # of an evaluation
            meter.restart()
        return found

    first = updates(60.0, *[2.0] * LEAST)
    assert [one.seconds_left for one in first[:-1]] == [None] * LEAST
    assert first[-1].seconds_left == pytest.approx((2 * LEAST + 5 * 2) / LEAST * (103 - state.step))
    assert first[-1].tokens_per_second == pytest.approx(15)
    *_, quick = updates(*[2.0] * 20)
    assert quick.seconds_left == pytest.approx((2 + 2 + 5) / 2 * (103 - state.step))
    *_, slow = updates(*[7.0] * 20)  # something else runs now
    assert slow.seconds_left == pytest.approx((7 + 7 + 5) / 2 * (103 - state.step))
