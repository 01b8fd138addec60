"""Training settings: frozen dataclasses with one line per field, checked when created."""

import math
from dataclasses import dataclass
from typing import Literal

from nmtcore.config import check_choices, check_range, check_ranges
from nmtcore.errors import SettingError

Optimiser = Literal["sgd", "momentum", "adagrad", "rmsprop", "adam", "adamw"]
Schedule = Literal["noam", "linear", "constant", "halving", "exponential", "cosine", "inverse_root"]
Initialisation = Literal["xavier", "normal"]
Precision = Literal["auto", "fp32", "bf16"]
Keep = Literal["best", "last"]
RANGES = {  # allowed values of TrainingConfig's settings
    **{"epochs": (1, 100_000), "max_steps": (0, 1e9), "batch_tokens": (1, 10_000_000), "batch_rows": (0, 1_000_000)},
    **{"warmup": (0, 1e7), "label_smoothing": (0.0, 0.9), "momentum": (0.0, 0.9999), "init_std": (1e-6, 10.0)},
    **{"scheduled_sampling": (0.0, 1.0), "adam_beta1": (0.0, 0.999999), "adam_beta2": (0.0, 0.999999)},
    **{"adam_epsilon": (1e-30, 1.0), "weight_decay": (0.0, 10.0), "validate_every": (0, 1e9)},
    **{"checkpoint_every": (1, 1e9), "average": (1, 50), "seed": (0, 2**32 - 1)},
}


@dataclass(frozen=True)
class TrainingConfig:
    """How to train. Defaults suit the small models of this project on two CPU cores."""

    epochs: int = 10  # largest number of passes over the training data
    max_steps: int = 0  # stop after this many updates; 0: by epochs only
    batch_tokens: int = 2000  # pieces in a batch, counting the longer side of every row, with padding
    batch_rows: int = 0  # largest number of pairs in a batch; 0: as many as batch_tokens allows
    sort_by_length: bool = True  # bucketing: a batch holds rows of similar length, which need little padding
    optimiser: Optimiser = "adamw"  # torch's own; "momentum" is SGD with momentum
    learning_rate: float = 1e-3  # its peak, except for "noam", where it multiplies the paper's formula
    schedule: Schedule = "linear"  # learning rate after the warm-up, see optimiser.py; noam: Vaswani et al. 2017, eq. 3
    warmup: int = 400  # updates during which the learning rate rises
    label_smoothing: float = 0.1  # share of the probability that is spread evenly over the vocabulary
    clip: float = 1.0  # gradient clipping at this norm of all gradients, gamma in w * gamma / max(gamma, |w|); 0: none
    momentum: float = 0.9  # share of the last update that is kept in the next, only for the optimiser "momentum"
    initialisation: Initialisation = "xavier"  # xavier: Glorot and Bengio 2010; normal: the same for every matrix
    init_std: float = 0.01  # standard deviation of the weights, only for the initialisation "normal"
    scheduled_sampling: float = 0.0  # final share of the model's own words in its input (Bengio et al. 2015)
    adam_beta1: float = 0.9  # decay of the mean of the gradients, for adam and adamw
    adam_beta2: float = 0.98  # decay of the mean of the squared gradients, for adam and adamw
    adam_epsilon: float = 1e-9  # added to the root of that mean, for adam and adamw
    weight_decay: float = 0.0  # decoupled for adamw (Loshchilov and Hutter 2019), added to the gradient for all others
    precision: Precision = "auto"  # bf16: matrix products in bfloat16; auto: whichever is faster on the device
    validate_every: int = 0  # updates between validations; 0: once per epoch
    checkpoint_every: int = 500  # updates between saved states, from which a stopped run can be resumed
    average: int = 1  # checkpoint averaging: the model is the mean of the weights at this many last validations
    keep: Keep = "best"  # which weights to save: best validation loss, or last (a student's loss may rise)
    seed: int = 1  # seed of all random numbers

    def __post_init__(self) -> None:
        check_choices(self)
        check_ranges(self, RANGES)
        if not (math.isfinite(self.learning_rate) and 0 < self.learning_rate <= 5):
            raise SettingError(f"learning_rate must be above 0 and at most 5; it is {self.learning_rate:g}.")
        if self.schedule == "noam" and self.learning_rate < 0.01:
            raise SettingError(
                f"With the schedule noam, learning_rate multiplies the paper's formula: 1 is the paper's, and "
                f"{self.learning_rate:g} would hardly train. Give --learning-rate 1."
            )
        if self.clip:
            check_range("clip", self.clip, 1e-6, 1e6)


@dataclass(frozen=True)
class AugmentationConfig:
    """Data augmentation: rows that every epoch adds or changes, as a share of the pairs."""

    concatenation: float = 0.0  # rows of two to six pairs, one after another or, for half of them, as one long sentence
    entity_replacement: float = 0.0  # rows with another name or another number on both sides
    noise: float = 0.0  # rows whose source is written as people type: slips, lower case, abbreviations, other spellings
    subword_regularisation: float = 0.0  # share of the pairs that each epoch segments at random (Kudo 2018)

    def __post_init__(self) -> None:
        check_ranges(self, dict.fromkeys(("concatenation", "entity_replacement", "noise"), (0.0, 10.0)))
        check_range("subword_regularisation", self.subword_regularisation, 0.0, 1.0)
