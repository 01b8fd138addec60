"""The context vector as plain data: the encoder's states, their summary C, the decoder's states and its output.

The browser gets all states of the decode once; stepping, playing, pointing and saving never run a page. The picture
writes the step into the address (`step=3`).
"""

from typing import Any

import numpy as np

from nmtcore.analysis.gates import GateRecord
from nmtcore.config import RecurrentConfig
from nmtcore.decoding.trace import Trace
from nmtcore.figures.palette import HUES
from nmtcore.text.words import word_of
from nmtcore.views.binary import in_base64
from nmtcore.views.context_vector.messages import MESSAGES

FULL = 32767  # the 16-bit number that represents 1
SHOWN = 16  # numbers of each vector in the strips of the gates


def data(
    trace: Trace,
    config: RecurrentConfig,
    *,
    model: str,
    gates: GateRecord | None = None,
) -> dict[str, Any]:
    """The decode of a model without attention. model: its name in the title of saved pictures.

    gates: for every decoder step, from `analysis.gates`; without them there are no strips below the picture.
    cells: h_1 .. h_S, C, s_1 .. s_T, each of D numbers, in 16 bits and base64. All come from a tanh or lie
    between two that do, so they are at most 1 in size, and rounding changes none by more than 1.6e-5.
    """
    inner = trace.inner
    cells = np.concatenate((inner["states"][0], inner["summary"][-1:], inner["state"][:, 0]))  # (S + 1 + T, D)
    return {
        "model": model,
        "sentence": trace.source_text,
        "hue": HUES["none"],
        "size": config.units,
        "cells": in_base64(np.round(cells.clip(-1, 1) * FULL).astype("<i2")),
        "source": list(trace.source),
        "target": list(trace.target),
        "source_words": word_of(trace.source),
        "target_words": word_of(trace.target),
        "finished": trace.finished,
        "bothWays": config.bidirectional,
        "everyStep": config.context == "every_step",
        "taken": list(trace.ids),
        "probabilities": [step.probability for step in trace.steps],
        "candidates": [[[c.token, c.probability, c.id] for c in step.candidates] for step in trace.steps],
        "cell": config.cell,
        "gates": None if gates is None else gates_json(gates),
        "words": MESSAGES,
    }


def gates_json(record: GateRecord) -> dict[str, Any]:
    """The strips below the states: first numbers and length of each vector, by letter, and the mean of each gate.

    The rows are in the order in which a step computes them.
    """
    if record.cell == "lstm":
        assert record.cell_before is not None and record.cell_after is not None
        i, f, o = (record.gates[letter] for letter in "ifo")
        rows = {"before": record.before, "cellBefore": record.cell_before, "f": f, "i": i, "proposal": record.proposal}
        rows |= {"cellAfter": record.cell_after, "o": o, "after": record.after}
    else:
        rows = {"before": record.before, **record.gates, "proposal": record.proposal, "after": record.after}
    means = record.means()
    return {
        "layers": record.layers,
        "means": {letter: np.round(mean.astype(float), 4).tolist() for letter, mean in means.items()},
        "rows": [
            {
                "name": name,
                "values": np.round(values[:, :SHOWN].astype(float), 4).tolist(),  # (T, SHOWN)
                "norms": None if name in means else np.round(np.linalg.norm(values, axis=1).astype(float), 3).tolist(),
            }
            for name, values in rows.items()
        ],
    }
