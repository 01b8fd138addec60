"""Receptive field of a convolutional encoder: which source words a state has seen, layer by layer.

A layer of width k sees (k - 1) / 2 states on each side of its own, so a state in layer l has seen l (k - 1) / 2 words
on each side: the field grows with every layer (Gehring et al. 2017, section 3.2).
"""

import numpy as np

from nmtcore.config import ConvolutionalConfig
from nmtcore.decoding.trace import Array


def find_receptive_field(config: ConvolutionalConfig, length: int, word: int) -> Array:
    """Which positions of each layer the top state of one of S words depends on, (L + 1, S) of bool.

    Row l stands for the outputs of layer l, row 0 for the words themselves; row L holds only the state itself.
    """
    sides, layers = config.kernel // 2, config.encoder_layers
    away = np.abs(np.arange(length) - word)  # (S,)
    return np.stack([away <= (layers - layer) * sides for layer in range(layers + 1)])
