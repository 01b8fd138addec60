"""Optimisers: from a gradient to a change of the weights, all of them torch's own."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from nmtcore.training.config import TrainingConfig


def make_optimiser(parameters: Sequence[Tensor], config: TrainingConfig) -> torch.optim.Optimizer:
    """The optimiser that the settings name, over `parameters`."""
    rate, decay = config.learning_rate, config.weight_decay
    fused = parameters[0].device.type == "cuda"  # one kernel for all weights, where there is one
    if config.optimiser in ("sgd", "momentum"):
        momentum = config.momentum if config.optimiser == "momentum" else 0.0
        return torch.optim.SGD(parameters, lr=rate, momentum=momentum, weight_decay=decay, fused=fused or None)
    if config.optimiser == "adagrad":  # Duchi et al. 2011
        return torch.optim.Adagrad(parameters, lr=rate, weight_decay=decay)
    if config.optimiser == "rmsprop":  # Hinton 2012
        return torch.optim.RMSprop(parameters, lr=rate, weight_decay=decay)
    # Adam: Kingma and Ba 2015; AdamW: Loshchilov and Hutter 2019
    adam = torch.optim.AdamW if config.optimiser == "adamw" else torch.optim.Adam
    betas = config.adam_beta1, config.adam_beta2
    return adam(parameters, lr=rate, betas=betas, eps=config.adam_epsilon, weight_decay=decay, fused=True)
