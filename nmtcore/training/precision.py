"""Mixed precision: choose the arithmetic of a training run by the abilities of its device.

Matrix products in bfloat16 (Kalamkar et al. 2019) are fast on devices with units for them: CUDA GPUs from compute
capability 8.0, and x86 processors with AVX512-BF16 or AMX. Elsewhere they are emulated, up to a hundred times slower
than in float32, and LSTMs do not support them.
"""

import dataclasses
import time
from pathlib import Path

import torch
from torch import nn

from nmtcore.errors import SettingError
from nmtcore.models.checkpoint import parameters
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.training.config import Precision, TrainingConfig
from nmtcore.training.parallel import ALONE, Group
from nmtcore.training.resume import saved_precision

# With fewer weights, bfloat16 speeds up no training on a CPU. Updates per second relative to float32: 0.2 to 0.8 with
# the 40,000 to 150,000 weights of an exercise's model, 1.0 with 1.4 million, 1.5 to 2.2 with 4 to 6 million.
SMALL = 2_000_000
NAMES: dict[Precision, str] = {
    "fp32": "float32",
    "bf16": "matrix products in bfloat16",
}
TRIED, SECONDS = 256, 0.05  # rows and columns of the product that is timed; seconds of timing for each type


def has_bfloat16_units(device: torch.device) -> bool:
    """Whether the hardware computes bfloat16 without emulation, as PyTorch and oneDNN would use it here.

    Both can be restricted to an older instruction set (ATEN_CPU_CAPABILITY, ONEDNN_MAX_CPU_ISA), which has none.
    """
    if device.type == "cuda":
        return torch.cuda.get_device_capability(device) >= (8, 0)
    if device.type != "cpu":
        return False
    cpu = torch.cpu.get_capabilities()
    used = torch.backends.cpu.get_cpu_capability().startswith("AVX512") and torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return used and bool(cpu.get("avx512_bf16") or cpu.get("amx_bf16"))


def with_precision(
    config: TrainingConfig, model: Seq2Seq, state: Path | None = None, group: Group = ALONE
) -> TrainingConfig:
    """Replace the precision "auto" by the one that suits model and device; a named precision stays.

    state: the folder of a resumed run, which keeps its first precision. group: uses bfloat16 only if every one of its
    processes has units for it. Raises SettingError for an LSTM in bfloat16 without such units.
    """
    cpu = model.device.type == "cpu"
    units = group.all(has_bfloat16_units(model.device))
    begun = saved_precision(state) if state else None
    chosen = begun if begun and config.precision == "auto" else config.precision
    if chosen == "auto":
        chosen = "bf16" if units and not (cpu and parameters(model) < SMALL) else "fp32"
    if chosen == "bf16" and cpu and not units and any(isinstance(module, nn.LSTM) for module in model.modules()):
        why = "This processor has no units for bfloat16, without which an LSTM cannot be trained in it"
        if begun:
            raise SettingError(f"{why}: resume this run where it began, or begin a new one with --precision auto.")
        raise SettingError(f"{why}: give --precision auto.")
    return dataclasses.replace(config, precision=chosen)


def slowness(precision: Precision, device: torch.device) -> str:
    """A warning about a precision without units in this CPU, with the measured slowdown; empty for any other."""
    if precision != "bf16" or device.type != "cpu" or has_bfloat16_units(device):
        return ""
    times = _product_seconds(torch.bfloat16) / _product_seconds(torch.float32)
    return (
        f"This processor has no units for bfloat16: a product of matrices takes {times:,.0f} times as long as in "
        "float32. A training that begins with --precision auto avoids that."
    )


def _product_seconds(dtype: torch.dtype) -> float:
    """The shortest time of a small matrix product, measured for about SECONDS."""
    a, best = torch.ones(TRIED, TRIED, dtype=dtype), float("inf")
    until = time.perf_counter() + SECONDS
    while (begun := time.perf_counter()) < until or best == float("inf"):
        a @ a
        best = min(best, time.perf_counter() - begun)
    return best
