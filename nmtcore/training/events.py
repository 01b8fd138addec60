"""Events that the training loop, `fit`, yields."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Progress:
    """Progress of training. loss: mean over target tokens since the last Progress, with label smoothing."""

    step: int
    total: int  # planned updates
    epoch: float  # epochs done
    loss: float
    learning_rate: float
    tokens_per_second: float  # target tokens, without padding
    seconds_left: float | None  # None until there are enough updates to extrapolate
    gradient_norm: float = 0.0  # mean since the last Progress, before clipping
    clipped: float = 0.0  # share of the updates since then whose gradient was clipped
    seconds: float = 0.0  # of training and validation so far, including the time before the run was resumed


@dataclass(frozen=True)
class Validation:
    """A validation. loss: mean negative log-probability of a target token, in nats, without label smoothing.

    The loss belongs to the weights that would be saved: the last ones, or the mean of several (checkpoint averaging).
    """

    step: int
    epoch: float
    loss: float
    better: bool  # than all earlier ones
    bleu: float | None = None
    samples: tuple[str, ...] = ()


@dataclass(frozen=True)
class Saved:
    """The best model, or the state that resuming needs, has been written."""

    step: int
    what: Literal["model", "state"]


@dataclass(frozen=True)
class Halved:
    """Gradient accumulation has begun: memory was too small for a batch, so each is processed in two halves.

    The gradients of both halves are added, which gives the same update as before.
    """

    step: int


@dataclass(frozen=True)
class Done:
    """The end of training; the model has its best weights. seconds: training time, including resumed runs."""

    step: int
    best_step: int
    best_loss: float
    seconds: float


Event = Progress | Validation | Saved | Halved | Done
