"""Optimisers: torch's own, which turn gradients into changes of the weights."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.optim import SGD, Adagrad, Adam, AdamW, Optimizer, RMSprop

from nmtcore.training.config import TrainingConfig

PREPARED = ("add_param_group", "zero_grad", "state_dict", "load_state_dict")  # what torch wraps for torch.compile


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
