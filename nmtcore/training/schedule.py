"""Learning rate schedules: warm-up, then inverse square root (noam), linear decay or a constant rate."""

from __future__ import annotations

import math

from nmtcore.config import ModelConfig
from nmtcore.training.config import TrainingConfig


def learning_rate(step: int, total: int, config: TrainingConfig, model: ModelConfig) -> float:
    """The learning rate of update `step`, counted from 1, of `total`."""
    warmup = max(config.warmup, 1)
    if config.schedule == "noam":  # Vaswani et al. 2017, eq. 3
        return config.learning_rate / math.sqrt(model.d_model) * min(1 / math.sqrt(step), step / math.pow(warmup, 1.5))
    rate = config.learning_rate * min(1.0, step / warmup)
    if config.schedule == "linear" and step > warmup:
        rate *= max(total - step + 1, 1) / max(total - warmup + 1, 1)
    return rate
