"""Experiments: two or three short runs that demonstrate one point, and how reliably they do.

The arms of an experiment differ only in the setting that its question is about, and share the seed. The command
`python -m nmtcore experiments --write` runs all arms for several seeds and writes the results into experiments.json.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from nmtcore.config import ARCHITECTURES
from nmtcore.runs import defaults
from nmtcore.runs.config import RunConfig
from nmtcore.runs.records import scores_by_length
from nmtcore.runs.run_folder import Run
from nmtcore.training.exercises import EXERCISES, Example

RECORD = Path(__file__).with_suffix(".json")
EVALUATIONS = 10  # in a run, and so frames of its film


@dataclass(frozen=True)
class Arm:
    """One run of an experiment: the settings in which it differs from the others."""

    architecture: str = "additive"
    model: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """The result of one run, in percent of exact match; 0 if it was not measured.

    score: at its last evaluation; longer: on strings longer than any in training; by_length: words in the right place
    for a few string lengths.
    """

    state: str
    step: int
    score: float
    longer: float = 0.0
    by_length: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Experiment:
    """The runs for one question.

    holds: whether the outcomes of the arms, in order, agree with the answer on the page. length: of the longest string.
    exact: train on strings of these lengths only, instead of all up to `length`, with as many words for each.
    """

    name: str
    arms: tuple[Arm, ...]
    holds: Callable[[Sequence[Outcome]], bool]
    exercise: str = "reverse"
    length: int = 8
    exact: tuple[int, ...] = ()
    count: int = 3000
    training: Mapping[str, Any] = field(default_factory=dict)

    def runs(self, seed: int = 1) -> list[tuple[RunConfig, list[Example]]]:
        """The settings and the pairs of each arm."""
        pairs = self._pairs(seed)
        return [(self._config(arm, seed), pairs) for arm in self.arms]

    def _pairs(self, seed: int) -> list[Example]:
        task = EXERCISES[self.exercise]
        if not self.exact:
            return task.pairs(self.count, seed, self.length)
        words = self.count / sum(1 / length for length in self.exact)  # in total, for each length
        return [pair for length in self.exact for pair in task.pairs_of_length(length, round(words / length), seed)]

    def _config(self, arm: Arm, seed: int) -> RunConfig:
        task = EXERCISES[self.exercise]
        changes = {"max_steps": 400, "batch_tokens": 800, **self.training, **arm.training, "seed": seed}
        changes.setdefault("validate_every", max(1, changes["max_steps"] // EVALUATIONS))
        source = " ".join(task.pinned.split()[: self.length])
        return RunConfig(
            defaults.from_scratch(task, **changes),
            (source, task.answer(source)),
            task.name,
            architecture=arm.architecture,
            settings={**ARCHITECTURES[arm.architecture].small, **arm.model},
        )


def _best(outcomes: Sequence[Outcome], winner: int, reaches: float, others: float) -> bool:
    """Whether one run reached a score and all others stayed at or below another one."""
    return outcomes[winner].score >= reaches and all(
        outcome.score <= others for i, outcome in enumerate(outcomes) if i != winner
    )


def _longer_strings(outcomes: Sequence[Outcome]) -> bool:
    """Learned, sinusoidal and relative positions: all learn, and get none, few and most longer strings right."""
    learned, sinusoidal, relative = (outcome.longer for outcome in outcomes)
    all_learnt = all(outcome.score >= 90 for outcome in outcomes)
    return all_learnt and learned <= 5 and sinusoidal <= 40 and relative >= 50


def _by_length(outcomes: Sequence[Outcome]) -> bool:
    """Additive attention and none: with it nearly all is right at lengths 10, 20 and 40; without it, ever less."""
    additive, none = (list(outcome.by_length.values()) for outcome in outcomes)
    if len(additive) != len(none) or len(none) != 3:
        return False
    return min(additive) >= 95 and none[0] >= none[1] + 10 and none[1] > none[2] and none[2] <= 30


_EXPERIMENTS = (
    Experiment(
        "rates",
        # About the largest rate at which this model learns to reverse with every seed; thirty times that is too large.
        tuple(Arm(training={"learning_rate": times * 6e-3}) for times in (0.1, 1, 30)),
        lambda outcomes: _best(outcomes, 1, 90, 50),
    ),
    Experiment(
        "optimisers",
        (
            Arm(training={"optimiser": "sgd", "learning_rate": defaults.rate("adam")}),
            Arm(training={"optimiser": "sgd", "learning_rate": defaults.rate("sgd")}),
            Arm(training={"optimiser": "adam", "learning_rate": defaults.rate("adam")}),
        ),
        lambda outcomes: outcomes[0].score <= 10 and outcomes[1].score >= 50 and outcomes[2].score >= 90,
    ),
    Experiment(
        "clipping",
        tuple(Arm(training={"optimiser": "momentum", "learning_rate": 1.0, "clip": clip}) for clip in (0.0, 1.0)),
        lambda outcomes: _best(outcomes, 1, 90, 50),
    ),
    Experiment(
        "attention",
        # A context that only enters the decoder's output lets all steps run at once: a third of the time at length 40.
        (Arm("additive", {"context": "output"}), Arm("none")),
        _by_length,
        exact=(10, 20, 40),
        count=7000,
        training={"max_steps": 1300, "learning_rate": 5e-3},
    ),
    Experiment(
        "warm-up",
        tuple(
            Arm(
                "transformer",
                {"norm": "post", "encoder_layers": 3, "decoder_layers": 3},
                {"warmup": warmup, "learning_rate": 8e-3},
            )
            for warmup in (0, 100)
        ),
        lambda outcomes: _best(outcomes, 1, 50, 25),
    ),
    Experiment(
        "residuals",
        tuple(
            Arm("deep-lstm", {"encoder_layers": 4, "decoder_layers": 4, "residual": residual})
            for residual in (True, False)
        ),
        lambda outcomes: _best(outcomes, 0, 90, 30),
        length=6,
        training={"max_steps": 350, "learning_rate": 4e-3},
    ),
    Experiment(
        "positions",
        tuple(
            Arm("transformer", {"positions": kind, "max_relative_position": 3})
            for kind in ("learned", "sinusoidal", "relative")
        ),
        _longer_strings,
        exercise="copy",
        training={"max_steps": 500, "learning_rate": 4e-3},
    ),
    Experiment(
        "norms",
        tuple(Arm("transformer", {"norm": norm, "encoder_layers": 6, "decoder_layers": 6}) for norm in ("pre", "post")),
        lambda outcomes: _best(outcomes, 0, 80, 25),
        length=6,
        training={"max_steps": 200, "warmup": 0},
    ),
    Experiment(
        "scaled-dot",
        tuple(Arm("dot", {"attention": score, "units": 256}) for score in ("dot", "scaled_dot")),
        lambda outcomes: _best(outcomes, 0, 90, 65),
        training={"max_steps": 200},
    ),
    Experiment(
        "own-words",
        tuple(Arm("none", training={"scheduled_sampling": share}) for share in (0.0, 0.5, 1.0)),
        lambda outcomes: outcomes[0].score >= 60 and all(a.score >= b.score + 5 for a, b in pairwise(outcomes)),
        length=6,
        training={"max_steps": 600},
    ),
)
EXPERIMENTS: dict[str, Experiment] = {experiment.name: experiment for experiment in _EXPERIMENTS}


def outcome(run: Run) -> Outcome:
    """The outcome of a run so far."""
    status = run.status()
    by_length = scores_by_length(run.events())
    return Outcome(status.state, status.step, status.score or 0.0, status.longer or 0.0, by_length)


@dataclass(frozen=True)
class Checked:
    """How many seeds gave the outcome that an experiment's answer claims. scores: by seed, then by arm."""

    held: int
    seeds: int
    scores: tuple[tuple[float, ...], ...] = ()


def checked() -> dict[str, Checked]:
    """The recorded results by experiment."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    return {name: Checked(row["held"], row["seeds"], tuple(map(tuple, row["scores"]))) for name, row in record.items()}
