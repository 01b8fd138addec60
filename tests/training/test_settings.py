"""Settings of a training: optimisers and schedules equal torch's, what each does to weights, batches and inputs."""

import math
from typing import Any

import pytest
import torch
from torch.optim import lr_scheduler

from nmtcore.config import RecurrentConfig, TransformerConfig
from nmtcore.errors import SettingError
from nmtcore.models import checkpoint
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.text.vocabulary import Vocab
from nmtcore.training.batches import TrainingData, fixed_batches
from nmtcore.training.config import TrainingConfig
from nmtcore.training.corpus import Pair
from nmtcore.training.events import Progress
from nmtcore.training.initialisation import initialise
from nmtcore.training.loop import fit
from nmtcore.training.loss import with_sampled_inputs
from nmtcore.training.optimiser import learning_rate, learning_rates, make_optimiser

MODEL = RecurrentConfig(10, units=64)
WORDS = ("un", "deux", "trois", "quatre", "cinq")
PAIRS = [Pair(f"{a} {b}", f"{b} {a}") for a in WORDS for b in (*WORDS, "six sept huit", "neuf dix")]


def settings(**changes: Any) -> TrainingConfig:
    plain = {"epochs": 2, "warmup": 3, "precision": "fp32", "batch_tokens": 30, "label_smoothing": 0.0}
    return TrainingConfig(**{**plain, **changes})


@pytest.fixture(scope="module")
def vocab() -> Vocab:
    return Vocab.train([s for pair in PAIRS for s in pair], 60)


def recurrent(vocab: Vocab, seed: int = 3) -> Seq2Seq:
    torch.manual_seed(seed)
    return checkpoint.build(RecurrentConfig(len(vocab), embedding=6, units=10, dropout=0.0))


# Schedules. torch's step k follows our update k + 1.


def torch_rates(scheduler: Any, count: int) -> list[float]:
    rates = []
    for _ in range(count):
        rates.append(scheduler.get_last_lr()[0])
        scheduler.optimizer.step()
        scheduler.step()
    return rates


@pytest.mark.parametrize("total", [37, 100])
def test_schedules_equal_torchs(total: int) -> None:
    optimiser = lambda: torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.4)  # noqa: E731
    ours = lambda schedule: [  # noqa: E731
        learning_rate(step, total, settings(learning_rate=0.4, schedule=schedule, warmup=1), MODEL)
        for step in range(1, total + 1)
    ]
    tenths = [math.ceil(total * tenth / 10) for tenth in range(5, 10)]
    halved = lr_scheduler.MultiStepLR(optimiser(), tenths, gamma=0.5)
    assert ours("halving") == pytest.approx(torch_rates(halved, total))
    falling = lr_scheduler.ExponentialLR(optimiser(), 0.01 ** (1 / (total - 1)))
    assert ours("exponential") == pytest.approx(torch_rates(falling, total))
    assert ours("exponential")[-1] == pytest.approx(0.004)
    cosine = lr_scheduler.CosineAnnealingLR(optimiser(), total)
    assert ours("cosine") == pytest.approx(torch_rates(cosine, total))
    linear = lr_scheduler.LinearLR(optimiser(), 1.0, 0.0, total)
    assert ours("linear") == pytest.approx(torch_rates(linear, total))
    assert ours("constant") == [0.4] * total


def test_every_schedule_warms_up_to_its_peak_and_the_inverse_root_is_the_papers() -> None:
    for schedule in ("linear", "constant", "exponential", "cosine", "inverse_root"):
        config = settings(learning_rate=0.5, schedule=schedule, warmup=20)
        assert learning_rate(5, 90, config, MODEL) == pytest.approx(0.125)
        assert learning_rate(20, 90, config, MODEL) == pytest.approx(0.5)
        assert (learning_rate(80, 90, config, MODEL) < 0.5) == (schedule != "constant")
    noam = settings(learning_rate=1.0, schedule="noam", warmup=20)
    peak = learning_rate(20, 90, noam, MODEL)
    assert peak == pytest.approx(64**-0.5 * 20**-0.5)
    ours = settings(learning_rate=peak, schedule="inverse_root", warmup=20)
    for step in (1, 13, 20, 21, 77):
        assert learning_rate(step, 90, ours, MODEL) == pytest.approx(learning_rate(step, 90, noam, MODEL))


def test_the_drawn_curve_has_both_ends_and_the_peak() -> None:
    curve = learning_rates(1000, settings(warmup=77, learning_rate=0.3), MODEL, points=20)
    assert curve[0][0] == 1 and curve[-1][0] == 1000 and (77, 0.3) in curve
    assert max(rate for _, rate in curve) == 0.3 and len(curve) <= 21
    assert learning_rates(1, settings(warmup=50), MODEL) == [(1, pytest.approx(1e-3 / 50))]


# Optimisers.


@pytest.mark.parametrize(
    ("name", "torchs"),
    [
        ("sgd", lambda p: torch.optim.SGD(p, 0.05, weight_decay=0.1)),
        ("momentum", lambda p: torch.optim.SGD(p, 0.05, momentum=0.8, weight_decay=0.1)),
        ("adagrad", lambda p: torch.optim.Adagrad(p, 0.05, weight_decay=0.1)),
        ("rmsprop", lambda p: torch.optim.RMSprop(p, 0.05, weight_decay=0.1)),
        ("adam", lambda p: torch.optim.Adam(p, 0.05, (0.7, 0.95), 1e-6, 0.1)),
        ("adamw", lambda p: torch.optim.AdamW(p, 0.05, (0.7, 0.95), 1e-6, 0.1)),
    ],
)
def test_optimisers_equal_torchs_on_a_quadratic(name: str, torchs: Any) -> None:
    adam = {"adam_beta1": 0.7, "adam_beta2": 0.95, "adam_epsilon": 1e-6}
    config = settings(optimiser=name, learning_rate=0.05, momentum=0.8, weight_decay=0.1, **adam)
    paths = []
    for make in (lambda p: make_optimiser(p, config), torchs):
        weight = torch.tensor([2.0, -1.0, 0.5], requires_grad=True)
        optimiser = make([weight])
        path = []
        for _ in range(7):
            optimiser.zero_grad()
            (weight**2 * torch.tensor([1.0, 10.0, 0.1])).sum().backward()
            optimiser.step()
            path.append(weight.detach().clone())
        paths.append(torch.stack(path))
    torch.testing.assert_close(*paths)
    assert paths[0][-1].norm() < paths[0][0].norm()


# The effects of the other settings.


def test_initialisation_draws_every_matrix_alike_and_leaves_the_rest(vocab: Vocab) -> None:
    torch.manual_seed(1)
    model = checkpoint.build(TransformerConfig(300, width=32, feedforward=70, heads=2))
    before = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    initialise(model, settings())
    assert all(torch.equal(weight, before[name]) for name, weight in model.named_parameters())
    initialise(model, settings(initialisation="normal", init_std=0.3))
    for name, weight in model.named_parameters():
        if weight.dim() > 1:
            assert float(weight.detach().std()) == pytest.approx(0.3, rel=0.1), name
        else:
            assert torch.equal(weight, before[name]), name


def test_scheduled_sampling_puts_the_models_own_words_where_the_truth_stood(vocab: Vocab) -> None:
    model = recurrent(vocab).eval()
    batch = fixed_batches(vocab, PAIRS, 60)[1]
    same = with_sampled_inputs(model, batch, 0.0)
    assert torch.equal(same.inputs.ids, batch.inputs.ids)
    own = with_sampled_inputs(model, batch, 1.0)
    predicted = model(batch.source, batch.inputs).argmax(-1)
    rows, columns = own.inputs.ids.shape
    replaced = 0
    for row in range(rows):
        for j in range(columns):
            real = j > 0 and bool(batch.inputs.mask[row, j])
            expected = predicted[row, j - 1] if real else batch.inputs.ids[row, j]
            assert own.inputs.ids[row, j] == expected
            replaced += int(real and expected != batch.inputs.ids[row, j])
    assert replaced and torch.equal(own.labels, batch.labels) and torch.equal(own.inputs.mask, batch.inputs.mask)


def test_batches_in_random_order_have_all_rows_and_more_padding(vocab: Vocab) -> None:
    many = [Pair(" ".join(WORDS[: 1 + i % 5]) + f" {i}", "deux") for i in range(120)]
    padding = {}
    for by_length in (True, False):
        epoch = TrainingData(many, vocab, 60, by_length=by_length).epoch(0)
        assert sorted(row for rows in epoch.rows for row in rows.tolist()) == list(range(120))
        for rows, batch in zip(epoch.rows, epoch, strict=True):
            assert max(batch.source.ids.numel(), batch.inputs.ids.numel()) <= 60 or len(rows) == 1
        padding[by_length] = sum(int((~batch.source.mask).sum()) for batch in epoch)
    assert padding[False] > 1.5 * padding[True]


@pytest.mark.parametrize(("clip", "share"), [(1e-3, 1.0), (1e3, 0.0), (0.0, 0.0)])
def test_progress_has_the_gradients_norm_before_clipping(vocab: Vocab, clip: float, share: float) -> None:
    data, validation = TrainingData(PAIRS[:30], vocab, 30), fixed_batches(vocab, PAIRS[30:], 30)
    model, twin = recurrent(vocab), recurrent(vocab)
    first = next(e for e in fit(model, data, validation, settings(clip=clip)) if isinstance(e, Progress))
    batch = data.epoch(0)[0]
    logits = twin(batch.source, batch.inputs)[batch.inputs.mask]
    torch.nn.functional.cross_entropy(logits, batch.labels).backward()  # type: ignore[no-untyped-call]
    norm = math.sqrt(sum(float((p.grad**2).sum()) for p in twin.parameters() if p.grad is not None))
    assert first.step == 1 and first.gradient_norm == pytest.approx(norm, rel=1e-4)
    assert first.clipped == share


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"optimiser": "lion"}, "optimiser must be one of sgd, momentum"),
        ({"learning_rate": 10}, "learning_rate must be above 0 and at most 5; it is 10"),
        ({"learning_rate": math.nan}, "learning_rate"),
        ({"schedule": "stairs"}, "schedule must be one of"),
        ({"schedule": "noam"}, "multiplies the paper's formula"),
        ({"clip": -1}, "clip must be between"),
        ({"momentum": 1.0}, "momentum must be between 0 and 0.9999"),
        ({"initialisation": "zeros"}, "initialisation must be one of xavier, normal"),
        ({"init_std": 0.0}, "init_std"),
        ({"init_std": 11}, "init_std must be between 1e-06 and 10"),
        ({"scheduled_sampling": 1.5}, "scheduled_sampling must be between 0 and 1"),
        ({"label_smoothing": 1.0}, "label_smoothing"),
        ({"warmup": -1}, "warmup"),
        ({"batch_tokens": 0}, "batch_tokens"),
        *(({name: value}, f"{name} must be between")
          for name, value in (("adam_beta1", 1.0), ("adam_beta2", 1.5), ("adam_epsilon", 0.0), ("weight_decay", -1.0),
                              ("seed", -1))),
    ],
)  # fmt: skip
def test_bad_settings_are_said(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        settings(**changes)
