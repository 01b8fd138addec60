"""Events of the training loop: `fit` yields these."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Progress:
    """Progress of a training. loss: mean over target tokens since the last Progress, label smoothing included."""

    step: int
    total: int  # updates planned
    epoch: float  # epochs done
    loss: float
    learning_rate: float
    tokens_per_second: float  # target tokens, padding left out
    seconds_left: float | None  # None until there are enough updates to extrapolate from
    gradient_norm: float = 0.0  # mean since the last Progress, before clipping
    clipped: float = 0.0  # share of the updates since then whose gradient was clipped
    seconds: float = 0.0  # of training with its validations so far, those of resumed runs added up


@dataclass(frozen=True)
class Validation:
    """A validation. loss: mean negative log-probability of a target token, in nats, without label smoothing.

    It is that of the weights that would be saved: the last ones, or the mean of several (checkpoint averaging).
    """

    step: int
    epoch: float
    loss: float
    better: bool  # than all before
    bleu: float | None = None
    samples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Saved:
    """Something was written: the best model, or the state that resuming needs."""

    step: int
    what: Literal["model", "state"]


@dataclass(frozen=True)
class Halved:
    """Gradient accumulation from now on: the memory was too small for a batch, so each is worked on in two halves.

    The gradients of both are added, so that an update is the same as before.
    """

    step: int


@dataclass(frozen=True)
class Done:
    """The end; the model now has its best weights. seconds: training time, that of resumed runs added up."""

    step: int
    best_step: int
    best_loss: float
    seconds: float


Event = Progress | Validation | Saved | Halved | Done
