"""Initialisation: the random weights at the start of training."""

import torch
from torch import nn

from nmtcore.config import ModelConfig
from nmtcore.models import checkpoint
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.training.config import TrainingConfig


def build_model(config: ModelConfig, training: TrainingConfig) -> Seq2Seq:
    """A model with random weights, determined by the seed."""
    torch.manual_seed(training.seed)
    model = checkpoint.build(config)
    initialise(model, training)
    return model


@torch.no_grad()
def initialise(model: Seq2Seq, config: TrainingConfig) -> None:
    """Draw the weights again if the settings ask for a distribution other than the architecture's own.

    "xavier" is what every architecture uses by itself. "normal" has one standard deviation for every matrix, whatever
    its size, and leaves biases and gains alone: if it is too small, no signal passes; if too large, tanh saturates.
    """
    if config.initialisation == "normal":
        for weight in model.parameters():
            if weight.dim() > 1:
                nn.init.normal_(weight, std=config.init_std)
