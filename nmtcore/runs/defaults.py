"""Default settings of a run for the page and the command line, found by experiment; and the recipe of textbooks.

The recipe is that of their sequence-to-sequence chapters, after the Keras example lstm_seq2seq (Chollet 2017): 10,000
pairs, batches of 64, ten epochs, an LSTM of 256 units, RMSprop at its default rate of 0.001, without warm-up, schedule
or smoothing. Here the encoder is bidirectional, and attention is added so that there is an alignment to watch.
"""

from typing import Any

from nmtcore.runs.config import RunConfig
from nmtcore.training.config import Optimiser, TrainingConfig
from nmtcore.training.exercises import Example, Exercise

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
BOOK_PAIRS, BOOK_EPOCHS, BOOK_ROWS = 10_000, 10, 64
BOOK_MODEL: dict[str, Any] = {"cell": "lstm", "units": 256, "embedding": 256, "bidirectional": True, "dropout": 0.0}
TOO_FEW = frozenset(("numbers", "spell", "teach"))  # exercises with fewer pairs, or for a model that translates


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


def make_book_run(task: Exercise, seed: int = 1) -> tuple[RunConfig, list[Example]]:
    """The settings of a run by the recipe of textbooks, and its pairs. Raises DataError if there are too few."""
    training = TrainingConfig(
        epochs=BOOK_EPOCHS,
        batch_rows=BOOK_ROWS,
        batch_tokens=100_000,  # so that only the rows limit a batch
        sort_by_length=False,
        optimiser="rmsprop",
        learning_rate=1e-3,
        schedule="constant",
        warmup=0,
        label_smoothing=0.0,
        clip=0.0,
        validate_every=0,  # once per epoch
        checkpoint_every=100,
        seed=seed,
    )
    config = RunConfig(
        training,
        (task.pinned, task.answer(task.pinned)),
        task.name,
        architecture="additive",
        settings=BOOK_MODEL,
        vocab_size=task.pieces,
    )
    return config, task.pairs(BOOK_PAIRS, seed)
