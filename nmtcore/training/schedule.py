"""Learning rate schedules: a linear warm-up to the peak, then one of several decays, each a function of the step.

Schedules that torch also has give the same rates: MultiStepLR, ExponentialLR, CosineAnnealingLR, LinearLR.
"""

import math

from nmtcore.config import ModelConfig
from nmtcore.training.config import TrainingConfig

LAST = 0.01  # share of the peak at which "exponential" ends
TENTHS, WHOLE = 10, 5  # "halving": Luong et al. 2015 train ten epochs and halve the rate after each from the fifth on


def learning_rate(step: int, total: int, config: TrainingConfig, model: ModelConfig) -> float:
    """The learning rate of update `step`, counted from 1, of `total`."""
    warmup = max(config.warmup, 1)
    if config.schedule == "noam":  # Vaswani et al. 2017, eq. 3
        return config.learning_rate / math.sqrt(model.d_model) * min(1 / math.sqrt(step), step / math.pow(warmup, 1.5))
    return config.learning_rate * min(1.0, step / warmup) * _decay(step, total, config, warmup)


def _decay(step: int, total: int, config: TrainingConfig, warmup: int) -> float:
    """Decay factor of the peak after the warm-up; 1 during it, except for halving, which counts the whole run."""
    if config.schedule == "halving":
        return 0.5 ** max(0, (step - 1) * TENTHS // max(total, 1) - WHOLE + 1)
    if step <= warmup:
        return 1.0
    left = max(total - warmup, 0)  # updates after the warm-up
    if config.schedule == "linear":
        return max(total - step + 1, 1) / max(left + 1, 1)
    if config.schedule == "exponential":
        return math.pow(LAST, (step - warmup) / max(left, 1))
    if config.schedule == "cosine":  # Loshchilov and Hutter 2017; it would reach 0 one update after the last
        return (1 + math.cos(math.pi * min((step - warmup) / (left + 1), 1.0))) / 2
    if config.schedule == "inverse_root":  # Vaswani et al. 2017, specified by its peak rather than its factor
        return math.sqrt(warmup / step)
    return 1.0


def learning_rates(
    total: int, config: TrainingConfig, model: ModelConfig, points: int = 200
) -> list[tuple[int, float]]:
    """(step, learning rate) at about `points` steps of the run, including the first, the last and the warm-up's end."""
    steps = {1 + round(i * (total - 1) / max(points - 1, 1)) for i in range(points)}
    steps.add(min(max(config.warmup, 1), total))
    return [(step, learning_rate(step, total, config, model)) for step in sorted(steps)]
