"""The recipe of textbooks' sequence-to-sequence chapters: 10,000 pairs, batches of 64, ten epochs, LSTM, RMSprop.

It follows the Keras example lstm_seq2seq (Chollet 2017) and the chapters based on it: 256 units, one layer, RMSprop at
its default rate of 0.001, without warm-up, schedule or smoothing. Here the encoder is bidirectional, and attention is
added so that there is an alignment to watch.
"""

from typing import Any

from nmtcore.config import Architecture
from nmtcore.runs.config import RunConfig
from nmtcore.training.config import TrainingConfig
from nmtcore.training.exercises import Example, Exercise

PAIRS, EPOCHS, ROWS = 10_000, 10, 64
ARCHITECTURE: Architecture = "additive"
MODEL: dict[str, Any] = {"cell": "lstm", "units": 256, "embedding": 256, "bidirectional": True, "dropout": 0.0}
TOO_FEW = frozenset(("numbers", "spell", "teach"))  # exercises with fewer pairs, or for a model that translates


def make_book_run(task: Exercise, seed: int = 1) -> tuple[RunConfig, list[Example]]:
    """The settings of the run, and its pairs. Raises DataError if the exercise has too few pairs."""
    training = TrainingConfig(
        epochs=EPOCHS,
        batch_rows=ROWS,
        batch_tokens=100_000,  # so that only ROWS limits a batch
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
        architecture=ARCHITECTURE,
        settings=MODEL,
        vocab_size=task.pieces,
    )
    return config, task.pairs(PAIRS, seed)
