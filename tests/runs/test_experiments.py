"""Experiments: their arms differ only in what the question is about, and the page reads their record."""

import json
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest

from nmtcore.runs import queue
from nmtcore.runs.comparison import differing_settings
from nmtcore.runs.config import RunError
from nmtcore.runs.experiments import EXPERIMENTS, RECORD, Outcome, checked
from nmtcore.runs.run_folder import runs
from nmtcore.training.config import TrainingConfig
from tests.runs.helpers import REVERSE, config

ABOUT = {
    "rates": {"learning_rate"},
    "optimisers": {"optimiser", "learning_rate"},
    "clipping": {"clip"},
    "warm-up": {"warmup"},
    "residuals": {"residual"},
    "positions": {"positions"},
    "norms": {"norm"},
    "scaled-dot": {"attention"},
    "own-words": {"scheduled_sampling"},
}


@pytest.mark.parametrize("name", sorted(EXPERIMENTS))
def test_arms_differ_in_what_the_question_is_about_alone(name: str) -> None:
    made = EXPERIMENTS[name].runs(seed=3)
    assert 2 <= len(made) <= 3
    found = {setting for setting, _values in differing_settings([config for config, _pairs in made])}
    if name in ABOUT:
        assert found == ABOUT[name]
    else:
        assert "architecture" in found and not found & {field.name for field in fields(TrainingConfig)}
        lengths = Counter(len(source.split()) for source, _target in made[0][1])
        assert lengths == {10: 4000, 20: 2000, 40: 1000}  # the same number of digits at each length
    for run_config, pairs in made:
        assert run_config.training.seed == 3 and len(pairs) == EXPERIMENTS[name].count
        assert pairs == made[0][1]
        assert run_config.task is not None and run_config.pinned[1] == run_config.task.answer(run_config.pinned[0])


def test_the_rates_are_a_tenth_one_and_thirty_times() -> None:
    rates = [made.training.learning_rate for made, _pairs in EXPERIMENTS["rates"].runs()]
    assert rates == pytest.approx([0.0006, 0.006, 0.18])


def recorded(name: str) -> list[list[Outcome]]:
    """The outcomes of each arm, by seed, in the record that the page reads."""
    row = json.loads(RECORD.read_text(encoding="utf-8"))[name]
    none = [[0.0] * len(scores) for scores in row["scores"]]
    lengths = row.get("by_length") or [[{}] * len(scores) for scores in row["scores"]]
    by_seed = zip(row["scores"], row.get("longer") or none, lengths, strict=True)
    return [
        [Outcome("done", 400, score, longer, by_length) for score, longer, by_length in zip(*seed, strict=True)]
        for seed in by_seed
    ]


@pytest.mark.parametrize("name", sorted(EXPERIMENTS))
def test_the_recorded_outcomes_hold_and_not_with_the_arms_in_another_order(name: str) -> None:
    holds = EXPERIMENTS[name].holds
    seeds, found = recorded(name), checked()[name]
    assert sum(map(holds, seeds)) == found.held > found.seeds / 2
    assert found.scores == tuple(tuple(outcome.score for outcome in seed) for seed in seeds)
    assert not any(holds([*seed[1:], seed[0]]) for seed in seeds)
    assert not any(holds([arm] * len(seed)) for seed in seeds for arm in seed), "there is a difference"
    assert not holds([Outcome("failed", 3, 0.0)] * len(seeds[0]))


def scored(*scores: float) -> list[Outcome]:
    return [Outcome("done", 400, score) for score in scores]


def longer(score: float, *right: float) -> list[Outcome]:
    return [Outcome("done", 400, score, of_longer) for of_longer in right]


def by_length(*arms: tuple[float, ...]) -> list[Outcome]:
    return [Outcome("done", 400, 50, by_length=dict(zip((10, 20, 40), arm, strict=False))) for arm in arms]


@pytest.mark.parametrize(
    ("name", "outcomes"),
    [
        ("rates", scored(3, 80, 0)),
        ("rates", scored(60, 97, 0)),
        ("optimisers", scored(30, 91, 97)),
        ("optimisers", scored(0, 91, 60)),
        ("residuals", scored(99, 60)),
        ("norms", scored(97, 60)),
        ("norms", scored(60, 0)),
        ("scaled-dot", scored(97, 80)),
        ("own-words", scored(80, 54, 54)),
        ("own-words", scored(50, 34, 21)),
        ("positions", longer(80, 0, 20, 70)),
        ("positions", longer(97, 20, 20, 70)),
        ("positions", longer(97, 0, 60, 70)),
        ("positions", longer(97, 0, 20, 30)),
        ("attention", by_length((100, 100, 90), (60, 30, 15))),  # it fell with attention too
        ("attention", by_length((100, 100, 98), (60, 58, 15))),
        ("attention", by_length((100, 100, 98), (60, 30, 31))),
        ("attention", by_length((100, 100, 98), ())),
    ],
)
def test_what_is_only_nearly_so_does_not_hold(name: str, outcomes: list[Outcome]) -> None:
    assert not EXPERIMENTS[name].holds(outcomes)


def test_the_runs_of_an_experiment_wait_together_unless_another_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "_spawn", lambda *_: False)
    tasks = [(config(training={"seed": seed}), REVERSE.pairs(30, length=4)) for seed in (1, 2, 3)]
    made = queue.submit_together(tmp_path, tasks, "me")
    assert queue.waiting(tmp_path, "cpu") == made and [queue.before(run) for run in made] == [0, 1, 2]
    with pytest.raises(RunError, match="waiting or training"):
        queue.submit_together(tmp_path, tasks[:1], "me")
    assert len(runs(tmp_path)) == 3
    assert len(queue.submit_together(tmp_path, tasks[:1], "somebody else")) == 1
