"""The gates of every layer of a deep LSTM as plain data: the first numbers of each vector at each step.

The browser gets all layers and all steps once; stepping and choosing a layer never run a page.
"""

from collections.abc import Sequence
from typing import Any

from nmtcore.analysis.gates import GateRecord
from nmtcore.config import DeepRecurrentConfig
from nmtcore.decoding.trace import Trace
from nmtcore.figures.palette import HUES
from nmtcore.models.deep_recurrent import RESIDUAL_FROM
from nmtcore.text.words import word_of
from nmtcore.views.context_vector.data import gates_json
from nmtcore.views.gates_by_layer.messages import MESSAGES


def data(
    trace: Trace,
    config: DeepRecurrentConfig,
    gates: Sequence[GateRecord],
    *,
    model: str,
) -> dict[str, Any]:
    """The decode of a deep LSTM. gates: of all its decoder layers, from `analysis.gates.gates_by_layer`.

    model: its name in the title of saved pictures. adds: for each layer, the numbers of the lower layers whose states
    are summed into its input; empty for the first, which reads the word.
    """
    return {
        "model": model,
        "sentence": trace.source_text,
        "hue": HUES[trace.architecture],
        "size": config.units,
        "target": list(trace.target),
        "target_words": word_of(trace.target),
        "cell": "lstm",
        "layers": [gates_json(record) for record in gates],
        "adds": [_added(config, layer) for layer in range(len(gates))],
        "words": MESSAGES,
    }


def _added(config: DeepRecurrentConfig, layer: int) -> list[int]:
    """The layers, counted from 1, whose summed states this layer reads (`DeepRecurrent.add_residual`)."""
    if not layer:
        return []
    below = _added(config, layer - 1) if config.residual and layer - 1 >= RESIDUAL_FROM else []
    return [*below, layer]
