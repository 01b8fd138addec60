"""Default settings of a run for the page and the command line, found by experiment."""

from typing import Any

from nmtcore.training.config import Optimiser, TrainingConfig
from nmtcore.training.exercises import Exercise

PAIRS = 8000  # in an exercise
EVALUATIONS = 20  # in a run, and so pictures of the pinned sentence
STEPS = {
    **{"reverse": 600, "copy": 500, "sort": 1000, "sum": 1500, "spell": 1000, "capitals": 500, "dates": 500},
    **{"numbers": 1000, "couplets-fr": 600, "couplets-zh": 500, "summary": 1000, "story": 1000},
    **{"language": 1200, "teach": 30},
}
COUNTS = {"spell": 4000, "teach": 200}
# Peak learning rates for a small model with random weights, found by experiments with `reverse`.
RATES: dict[Optimiser, float] = {
    **{"sgd": 1.0, "momentum": 0.3, "adagrad": 0.03, "rmsprop": 2e-3},
    **{"adam": 2e-3, "adamw": 2e-3},
}
# Factors of that rate for some tasks from scratch. French couplets: 0% correct after 400 steps without it, 100% after
# 500 with it. Final scores without and with it: 81 and 100% for dates, 96 and 100% for numbers.
TASK_FACTORS = {
    **dict.fromkeys(("capitals", "couplets-fr", "couplets-zh", "dates", "language", "numbers", "spell"), 3.0),
    **dict.fromkeys(("story", "summary"), 3.0),
    "sum": 2.5,
}
FINE_TUNE_FACTOR = 0.15  # factor of that rate for a model that translates already, to preserve what it knows


def count(task: Exercise) -> int:
    """The number of pairs that an exercise needs."""
    return COUNTS.get(task.name, PAIRS)


def rate(optimiser: Optimiser, goes_on: bool = False, task: Exercise | None = None) -> float:
    """The peak learning rate for an optimiser, and for a task from scratch."""
    if goes_on:
        return FINE_TUNE_FACTOR * RATES[optimiser]
    adam = optimiser in ("adam", "adamw")  # not tested with others
    return RATES[optimiser] * (TASK_FACTORS.get(task.name, 1) if task and adam else 1)


def from_scratch(task: Exercise | None, **changes: Any) -> TrainingConfig:
    """Training settings for a small model with random weights."""
    steps = STEPS[task.name] if task else 2000
    peak = rate(changes.get("optimiser", "adamw"), task=task)
    return training(steps, {"learning_rate": peak, "batch_tokens": 1000, "warmup": 100, **changes})


def fine_tune(task: Exercise | None, **changes: Any) -> TrainingConfig:
    """Fine-tuning settings for a model that translates already: a low rate, to preserve what it knows."""
    steps = STEPS[task.name] if task else 300
    peak = rate(changes.get("optimiser", "adamw"), goes_on=True)
    return training(steps, {"learning_rate": peak, "batch_tokens": 600, "warmup": 10, **changes})


def training(steps: int, values: dict[str, Any]) -> TrainingConfig:
    """Training settings for this many updates, evaluated EVALUATIONS times, with a state saved every few seconds."""
    steps = int(values.pop("max_steps", steps))
    plain: dict[str, Any] = {
        "epochs": 100_000,  # never reached: max_steps ends training
        "max_steps": steps,
        "label_smoothing": 0.0,
        "validate_every": max(1, steps // EVALUATIONS),
        "checkpoint_every": 100,
    }
    return TrainingConfig(**{**plain, **values})
