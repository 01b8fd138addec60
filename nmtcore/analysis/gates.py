"""Gates of a recurrent decoder: how much each step keeps of the old state and admits of the new one.

A Trace does not contain them, so they are recomputed from the model's weights, the generated tokens and the context
vectors of the trace. The equations are PyTorch's, and so the models'. Books differ in two places: in Cho et al. 2014, r
multiplies s before the product with W_h, and many books write (1 - z) where this GRU has z.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import InterventionError
from nmtcore.models.checkpoint import Checkpoint
from nmtcore.models.deep_recurrent import DeepRecurrent
from nmtcore.models.recurrent import GATES, Recurrent
from nmtcore.models.seq2seq import Memory
from nmtcore.text.vocabulary import SOS


@dataclass(frozen=True, eq=False)
class GateRecord:
    """The gates in one layer of the decoder at every step of one decode; (T, D) each.

    gates: numbers between 0 and 1 by letter: r (reset) and z (update) in a GRU; i (input), f (forget) and o (output) in
    an LSTM. proposal: n = tanh(W_i x + b + r (W_h s + b)) in a GRU, g = tanh(W_i x + W_h s + b) in an LSTM.
    GRU: s_j = (1 - z) n + z s_{j-1}. LSTM: c_j = f c_{j-1} + i g and s_j = o tanh(c_j).
    """

    cell: str  # gru or lstm
    layers: int  # number of decoder layers
    before: Array  # s_{j-1}
    gates: Mapping[str, Array]
    proposal: Array
    after: Array  # s_j
    cell_before: Array | None = None  # c_{j-1}, only in an LSTM
    cell_after: Array | None = None  # c_j

    def means(self) -> dict[str, Array]:
        """The mean of each gate over the D units at every step, (T,)."""
        return {letter: gate.mean(1) for letter, gate in self.gates.items()}


def recompute_gates(checkpoint: Checkpoint, trace: Trace) -> GateRecord:
    """Recompute the gates of the decoder's last layer at every step of `trace`; raises like `gates_by_layer`."""
    return gates_by_layer(checkpoint, trace)[-1]


@torch.inference_mode()
def gates_by_layer(checkpoint: Checkpoint, trace: Trace) -> list[GateRecord]:
    """Recompute the gates of every decoder layer, from the first to the last, at every step of `trace`.

    Raises InterventionError for a model without gates: a Transformer, or a plain recurrent network.
    """
    model = checkpoint.model
    context: Tensor | None = None  # what every layer of a deep LSTM reads beside its input
    if isinstance(model, DeepRecurrent):
        kind, weights = "lstm", [cast(nn.LSTM, network).all_weights[0] for network in model.decoder]
        x = model.embed(torch.tensor([SOS, *trace.ids[:-1]], device=model.device)).float()  # (T, E)
        context = torch.tensor(trace.inner["context"][:, 0], device=x.device).float()  # (T, D), C_j
    elif isinstance(model, Recurrent) and model.config.cell != "rnn":
        kind, weights = model.config.cell, model.decoder.all_weights
        x = inputs_of(model, trace)  # (T, I)
    else:
        raise InterventionError("This model's decoder has no gates: only a GRU or an LSTM has them.")
    hidden, cell = start_of(model, trace)
    records = []
    for layer, own in enumerate(weights):
        read = x if context is None else torch.cat((x, context), -1)
        states, record = _run_layer(read, hidden[layer], None if cell is None else cell[layer], *own)
        gates = {letter: record.pop(letter) for letter in {"gru": "rz", "lstm": "ifo"}[kind]}
        records.append(GateRecord(cell=kind, layers=len(hidden), gates=gates, **record))
        x = model.add_residual(layer, x, states) if isinstance(model, DeepRecurrent) else states
    return records


def inputs_of(model: Recurrent, trace: Trace) -> Tensor:
    """Inputs of the decoder's first layer at each step, (T, I): e(y_{j-1}), joined with C_j or h~_{j-1} if used."""
    x: Tensor = model.embed(torch.tensor([SOS, *trace.ids[:-1]], device=model.device))  # (T, E)
    if model.config.context == "every_step":
        context = torch.tensor(trace.inner["summary"], device=x.device).expand(len(x), -1)  # (T, D)
    elif model.config.context == "input":
        context = torch.tensor(trace.inner["context"][:, 0], device=x.device)
    elif model.config.input_feeding:
        outputs = torch.tensor(trace.inner["output"][:, 0], device=x.device)  # h~_1 .. h~_T, (T, E)
        context = torch.cat((torch.zeros_like(outputs[:1]), outputs[:-1]))
    else:
        return x.float()
    return torch.cat((x, context.to(x.dtype)), -1).float()


def start_of(model: Recurrent | DeepRecurrent, trace: Trace) -> tuple[Tensor, Tensor | None]:
    """s_0 and, in an LSTM, c_0 of every layer, (L, D), which the bridge computes from C."""
    states = torch.tensor(trace.inner["states"], device=model.device)  # (1, S, D)
    context = torch.tensor(trace.inner["summary"], device=model.device)  # (1, D)
    state = model.start(Memory(states, torch.ones(states.shape[:2], dtype=torch.bool), None, context=context))
    return state.hidden[:, 0], None if state.cell is None else state.cell[:, 0]


def _run_layer(
    x: Tensor, s: Tensor, c: Tensor | None, W_i: Tensor, W_h: Tensor, b_i: Tensor, b_h: Tensor
) -> tuple[Tensor, dict[str, Array]]:
    """Run one layer over T inputs (T, I) from s (D,) and c (D,): its states (T, D) and their intermediate values."""
    steps: list[dict[str, Tensor]] = []
    for given in x @ W_i.T + b_i:  # (gates * D,)
        recurrent = W_h @ s + b_h
        if c is None:
            step = gru(given, recurrent, s)
        else:
            step = lstm(given, recurrent, c) | {"before": s, "cell_before": c}
            c = step["cell_after"]
        s = step["after"]
        steps.append(step)
    record = {key: torch.stack([step[key] for step in steps]) for key in steps[0]}
    return record["after"], {key: value.float().cpu().numpy() for key, value in record.items()}


def gru(given: Tensor, recurrent: Tensor, s: Tensor) -> dict[str, Tensor]:
    """One step of a GRU from W_i x + b_i and W_h s + b_h, (3 D,) each: s_j = (1 - z) n + z s_{j-1}."""
    (given_r, given_z, given_n), (own_r, own_z, own_n) = given.chunk(GATES["gru"]), recurrent.chunk(GATES["gru"])
    r, z = torch.sigmoid(given_r + own_r), torch.sigmoid(given_z + own_z)
    n = torch.tanh(given_n + r * own_n)
    return {"before": s, "r": r, "z": z, "proposal": n, "after": (1 - z) * n + z * s}


def lstm(given: Tensor, recurrent: Tensor, c: Tensor) -> dict[str, Tensor]:
    """One step of an LSTM from W_i x + b_i and W_h s + b_h, (4 D,) each: c_j = f c_{j-1} + i g, s_j = o tanh(c_j)."""
    i, f, g, o = (given + recurrent).chunk(GATES["lstm"])
    i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
    after = f * c + i * g
    return {"i": i, "f": f, "o": o, "proposal": g, "cell_after": after, "after": o * torch.tanh(after)}
