"""Cost of a training run: operations, throughput, share of the device's peak, energy.

PyTorch's flop counter (analysis/costs.py) counts the multiply-adds of a forward pass. A multiply-add is two
floating-point operations, and the backward pass takes two products for each one of the forward pass, so an update takes
six operations per multiply-add. Padding is not counted, since it is waste, not work. For a mask-predict model, the
average number of masked words is counted.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from nmtcore.analysis.costs import training_multiply_adds
from nmtcore.config import ModelConfig
from nmtcore.evaluation.cards import WATTS
from nmtcore.training.batches import Batches

PER_MULTIPLY_ADD = 6  # operations in an update: two, once forward and twice backward
GPUS = {  # bf16 operations per second without sparsity, and watts at full load, from the makers' data sheets
    "H200": (989e12, 700),
    "H100": (989e12, 700),
    "A100": (312e12, 400),
    "L40S": (362e12, 350),
    "L4": (121e12, 72),
    "RTX 4090": (165e12, 450),
    "RTX 3090": (71e12, 350),
}
SIZE, TURNS = 512, 4  # size of the matrices whose product measures a CPU's peak, and number of measurements


@dataclass(frozen=True)
class Cost:
    """The cost of a run so far.

    seconds: of training and validation; operations: of all updates; pieces: target pieces per second. share: of the
    device's peak, None if unknown. watt_hours: an estimate, None if the watts of the device are unknown; watts: the
    assumption behind it.
    """

    seconds: float
    operations: float
    pieces: float
    share: float | None
    watt_hours: float | None
    watts: float | None

    @property
    def rate(self) -> float:
        """Operations per second."""
        return self.operations / self.seconds


def epoch_operations(config: ModelConfig, batches: Batches) -> int:
    """Floating-point operations in the updates of one epoch, counted for a pair of the mean lengths."""
    rows = len(batches.sources)
    source, target = (round(sum(map(len, side)) / rows) for side in (batches.sources, batches.targets))
    return PER_MULTIPLY_ADD * rows * training_multiply_adds(config, source, target)


def device_peak(device: torch.device) -> float | None:
    """Peak operations per second: of a GPU from its data sheet; of a CPU as measured with a large matrix product."""
    if device.type == "cpu":
        one, other = torch.rand(2, SIZE, SIZE)
        return max(2 * SIZE**3 / _seconds_of_product(one, other) for _ in range(TURNS))
    sheet = _data_sheet(device)
    return sheet[0] if sheet else None


def device_watts(device: torch.device) -> float | None:
    """Estimated watts in training: WATTS per busy core of a CPU; full load of a GPU, from its data sheet."""
    if device.type == "cpu":
        return float(WATTS * torch.get_num_threads())
    sheet = _data_sheet(device)
    return sheet[1] if sheet else None


def _seconds_of_product(one: torch.Tensor, other: torch.Tensor) -> float:
    began = time.perf_counter()
    one @ other
    return time.perf_counter() - began


def _data_sheet(device: torch.device) -> tuple[float, float] | None:
    if device.type != "cuda":
        return None
    name = torch.cuda.get_device_name(device)
    return next((sheet for known, sheet in GPUS.items() if known in name), None)


def measured(config: ModelConfig, batches: Batches, device: torch.device) -> dict[str, Any]:
    """The fields of the event `cost`: operations and target pieces in one epoch; peak and watts of the device."""
    peak, watts = device_peak(device), device_watts(device)
    return {
        "operations": epoch_operations(config, batches),
        "pieces": sum(map(len, batches.targets)),
        **({} if peak is None else {"peak": round(peak)}),
        **({} if watts is None else {"watts": watts}),
    }


def run_cost(events: Iterable[Mapping[str, Any]]) -> Cost | None:
    """The cost of a run from its events; None before its first evaluation, or if it was not counted."""
    last: Mapping[str, Any] = {}
    epochs = seconds = 0.0
    for event in events:
        if event["event"] == "cost":
            last = event
        elif event["event"] == "progress":
            epochs, seconds = float(event.get("epoch") or 0), float(event.get("seconds") or 0)
    if not last.get("operations") or epochs <= 0 or seconds <= 0:
        return None
    done = epochs * float(last["operations"])
    peak, watts = last.get("peak"), last.get("watts")
    return Cost(
        seconds,
        done,
        epochs * float(last.get("pieces") or 0) / seconds,
        done / seconds / float(peak) if peak else None,
        float(watts) * seconds / 3600 if watts else None,
        float(watts) if watts else None,
    )
