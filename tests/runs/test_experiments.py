"""Experiments: their arms differ only in what the question is about, and the page reads their record."""

import json
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest

from nmtcore.errors import SettingError
from nmtcore.runs import experiments, queue
from nmtcore.runs.config import RunError
from nmtcore.runs.differences import differing_settings
from nmtcore.runs.experiments import EXPERIMENTS, Outcome, checked, experiment
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


def test_an_outcome_holds_only_where_one_run_is_far_ahead() -> None:
    done = lambda *scores: [Outcome("done", 300, score) for score in scores]  # noqa: E731
    holds = EXPERIMENTS["rates"].holds
    assert holds(done(3, 97, 0)) and not holds(done(3, 80, 0)) and not holds(done(60, 97, 0))
    holds = EXPERIMENTS["optimisers"].holds
    assert holds(done(0, 91, 97)) and not holds(done(30, 91, 97)) and not holds(done(0, 91, 60))
    holds = EXPERIMENTS["residuals"].holds
    assert holds(done(99, 7)) and not holds(done(7, 99)) and not holds(done(99, 60))
    holds = EXPERIMENTS["norms"].holds
    assert holds(done(97, 0)) and not holds(done(97, 60)) and not holds(done(60, 0))
    holds = EXPERIMENTS["scaled-dot"].holds
    assert holds(done(97, 59)) and not holds(done(97, 80)) and not holds(done(24, 99))
    holds = EXPERIMENTS["own-words"].holds
    assert holds(done(80, 54, 41)) and not holds(done(80, 54, 54)) and not holds(done(80, 82, 41))
    assert not holds(done(50, 34, 21))


def test_attention_is_judged_by_how_accuracy_falls_with_length() -> None:
    holds = EXPERIMENTS["attention"].holds

    def ended(*additive: float, none: tuple[float, ...]) -> list[Outcome]:
        rows = (additive, none)
        return [Outcome("done", 9, 50, by_length=dict(zip((10, 20, 40), row, strict=False))) for row in rows]

    assert holds(ended(100, 100, 98, none=(60, 30, 15)))
    assert not holds(ended(100, 100, 90, none=(60, 30, 15))), "it fell with attention too"
    assert not holds(ended(100, 100, 98, none=(60, 58, 15))) and not holds(ended(100, 100, 98, none=(60, 30, 31)))
    assert not holds(ended(100, 100, 98, none=(90, 80, 70))), "nothing fell"
    assert not holds(ended(100, 100, 98, none=())) and not holds(ended(none=(60, 30, 15)))


def test_positions_are_judged_on_strings_longer_than_any_in_training() -> None:
    holds = EXPERIMENTS["positions"].holds
    copied = lambda score, *longer: [Outcome("done", 500, score, found) for found in longer]  # noqa: E731
    assert holds(copied(97, 0, 20, 70))
    assert not holds(copied(80, 0, 20, 70)) and not holds(copied(97, 20, 20, 70))
    assert not holds(copied(97, 0, 60, 70)) and not holds(copied(97, 0, 20, 30))


def test_the_record_is_read_whatever_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "RECORD", tmp_path / "experiments.json")
    assert checked() == {}
    experiments.RECORD.write_text(json.dumps({"rates": {"held": 4, "seeds": 5, "scores": [[1, 2, 3]]}}))
    found = checked()["rates"]
    assert (found.held, found.seeds, found.scores) == (4, 5, ((1, 2, 3),))
    for damaged in ("{", "[]", '{"rates": 3}', '{"rates": {"held": "x"}}'):
        experiments.RECORD.write_text(damaged)
        assert checked() == {}


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


def test_a_name_that_is_not_there_is_refused() -> None:
    with pytest.raises(SettingError, match="experiment must be one of"):
        experiment("everything")
