"""Optimisers: torch's own, which turn gradients into changes of the weights; and the learning rate of each update.

A learning rate schedule is a linear warm-up to the peak, then one of several decays, each a function of the step. Those
that torch also has give the same rates: MultiStepLR, ExponentialLR, CosineAnnealingLR, LinearLR.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.optim import SGD, Adagrad, Adam, AdamW, Optimizer, RMSprop

from nmtcore.config import ModelConfig
from nmtcore.training.config import TrainingConfig

PREPARED = ("add_param_group", "zero_grad", "state_dict", "load_state_dict")  # what torch wraps for torch.compile
LAST = 0.01  # share of the peak at which "exponential" ends
TENTHS, WHOLE = 10, 5  # "halving": Luong et al. 2015 train ten epochs and halve the rate after each from the fifth on


def make_optimiser(parameters: Sequence[Tensor], config: TrainingConfig) -> Optimizer:
    """The optimiser named in the settings, over `parameters`."""
    rate, decay = config.learning_rate, config.weight_decay
    fused = parameters[0].device.type == "cuda"  # a single kernel for all weights, if the optimiser has one
    if config.optimiser in ("sgd", "momentum"):
        momentum = config.momentum if config.optimiser == "momentum" else 0.0
        return uncompiled(SGD)(parameters, lr=rate, momentum=momentum, weight_decay=decay, fused=fused or None)
    if config.optimiser == "adagrad":  # Duchi et al. 2011
        return uncompiled(Adagrad)(parameters, lr=rate, weight_decay=decay)
    if config.optimiser == "rmsprop":  # Hinton 2012
        return uncompiled(RMSprop)(parameters, lr=rate, weight_decay=decay)
    # Adam: Kingma and Ba 2015; AdamW: Loshchilov and Hutter 2019
    adam = uncompiled(AdamW if config.optimiser == "adamw" else Adam)
    betas = config.adam_beta1, config.adam_beta2
    return adam(parameters, lr=rate, betas=betas, eps=config.adam_epsilon, weight_decay=decay, fused=True)


def uncompiled(optimiser: type[Optimizer]) -> Callable[..., Optimizer]:
    """A torch optimiser without its preparations for torch.compile, which is not used here.

    Torch would import its whole compiler for them with the first optimiser: 1.3 seconds and 100 MB in every run.
    """
    methods: dict[str, Any] = {name: without_wrapper(getattr(optimiser, name)) for name in PREPARED}
    methods["step"] = torch.no_grad()(without_wrapper(optimiser.step))
    return type(optimiser.__name__, (optimiser,), methods)


def without_wrapper(method: Any) -> Any:
    """The function inside a decorator, or the function itself if it is not decorated."""
    return getattr(method, "__wrapped__", method)


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
