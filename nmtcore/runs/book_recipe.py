"""The recipe of the books' sequence-to-sequence chapters: 10,000 pairs, batches of 64, ten epochs, LSTM, RMSprop.

As in the example lstm_seq2seq of Keras (Chollet 2017) and the chapters that follow it: 256 units, one layer, RMSprop at
its usual rate of 0.001, without warm-up, schedule or smoothing. The encoder reads both ways, and attention is added, so
that there is an alignment to watch.
"""

from typing import Any

from nmtcore.config import Architecture
from nmtcore.runs.config import RunConfig
from nmtcore.training.config import TrainingConfig
from nmtcore.training.exercises import Example, Exercise

PAIRS, EPOCHS, ROWS = 10_000, 10, 64
ARCHITECTURE: Architecture = "additive"
MODEL: dict[str, Any] = {"cell": "lstm", "units": 256, "embedding": 256, "bidirectional": True, "dropout": 0.0}
TOO_FEW = frozenset(("numbers", "spell", "teach"))  # tasks that have fewer pairs, or need a model that translates


def make_book_run(task: Exercise, seed: int = 1) -> tuple[RunConfig, list[Example]]:
    """The settings of the run, and its pairs. Raises DataError if the task has fewer pairs."""
    training = TrainingConfig(
        epochs=EPOCHS,
        batch_rows=ROWS,
        batch_tokens=100_000,  # so that ROWS alone says how large a batch is
        sort_by_length=False,
        optimiser="rmsprop",
        learning_rate=1e-3,
        schedule="constant",
        warmup=0,
        label_smoothing=0.0,
        clip=0.0,
        validate_every=0,  # once an epoch
        checkpoint_every=100,
        seed=seed,
    )
    config = RunConfig(
        training,
        (task.pinned, task.answer(task.pinned)),
        task.name,
        architecture=ARCHITECTURE,
        settings=MODEL,
        vocab_size=task.pieces,
    )
    return config, task.pairs(PAIRS, seed)
