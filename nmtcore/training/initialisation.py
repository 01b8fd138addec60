"""Initialisation: the random weights that a training begins with."""

import torch
from torch import nn

from nmtcore.config import ModelConfig
from nmtcore.models import checkpoint
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.training.config import TrainingConfig


def build_model(config: ModelConfig, training: TrainingConfig) -> Seq2Seq:
    """A model with random weights, which depend on the seed alone."""
    torch.manual_seed(training.seed)
    model = checkpoint.build(config)
    initialise(model, training)
    return model


@torch.no_grad()
def initialise(model: Seq2Seq, config: TrainingConfig) -> None:
    """Draw the weights anew where the settings ask for another distribution than the model's own.

    "xavier" is what every architecture draws itself. "normal" is one deviation for every matrix whatever its size,
    with biases and gains left as they are: too small, and no signal comes through; too large, and every tanh saturates.
    """
    if config.initialisation == "normal":
        for weight in model.parameters():
            if weight.dim() > 1:
                nn.init.normal_(weight, std=config.init_std)
