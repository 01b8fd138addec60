"""The context vector as plain data: the encoder's states, C that they leave, the decoder's states and what they write.

The browser gets all states of the decode once; stepping, playing, pointing and saving never run a page. The step
stands in the address (`step=3`), written there by the picture.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nmtcore.config import RecurrentConfig
from nmtcore.decoding.trace import Trace
from nmtcore.figures.palette import ARCHITECTURE
from nmtcore.views.binary import in_base64
from nmtcore.views.context_vector.messages import MESSAGES
from nmtcore.views.messages import Messages

FULL = 32767  # the 16-bit number that stands for 1


def data(trace: Trace, config: RecurrentConfig, *, model: str, messages: Messages = MESSAGES) -> dict[str, Any]:
    """The decode of a model without attention. model: its name in the title of what is saved.

    cells: h_1 .. h_S, C, s_1 .. s_T, each of D numbers, in 16 bits and base64. All of them come from a tanh or lie
    between two that do, so they are at most 1 in size, and rounding changes none by more than 1.6e-5.
    """
    inner = trace.inner
    cells = np.concatenate((inner["states"][0], inner["summary"][-1:], inner["state"][:, 0]))  # (S + 1 + T, D)
    return {
        "model": model,
        "sentence": trace.source_text,
        "hue": ARCHITECTURE["none"],
        "size": config.units,
        "cells": in_base64(np.round(cells.clip(-1, 1) * FULL).astype("<i2")),
        "source": list(trace.source),
        "target": list(trace.target),
        "finished": trace.finished,
        "bothWays": config.bidirectional,
        "everyStep": config.context == "every_step",
        "taken": list(trace.ids),
        "probabilities": [step.probability for step in trace.steps],
        "candidates": [[[c.token, c.probability, c.id] for c in step.candidates] for step in trace.steps],
        "words": messages,
    }
