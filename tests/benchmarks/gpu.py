"""Training and decoding at three sizes on each available GPU, and whether its results agree with the CPU's.

    python -m tests.benchmarks.gpu [--updates 30]

For each size one row: target pieces a second in training (bf16, batches of `--batch-tokens` pieces), the share of the
device's peak that its operations make, the most memory, and pieces a second of greedy search and of beam 5 over a batch
of sentences. Before that, the loss of one batch is compared with the CPU's: relative differences of at most 1e-5 in
float32 and 1e-3 in bfloat16. The models have random weights and the sentences random words: speed does not know.
"""

import copy
import time
from dataclasses import dataclass
from typing import Any

import torch

from nmtcore.config import DecodingConfig, TransformerConfig
from nmtcore.decoding.search import beam_search
from nmtcore.models import checkpoint
from nmtcore.models.fast import accelerate
from nmtcore.models.padded import pad
from nmtcore.models.seq2seq import Seq2Seq
from nmtcore.runs.cost import device_peak
from nmtcore.runs.preparation import devices
from nmtcore.training.batches import Batch, Batches
from nmtcore.training.config import TrainingConfig
from nmtcore.training.loss import autocast, batch_loss
from nmtcore.training.state import TrainingState
from tests.benchmarks.machine import machine, options, row
from tests.benchmarks.training import SIZE, Generated, flops

NONE = "No GPU is here: nothing to measure. Run this where PyTorch finds one (CUDA, or MPS on a Mac)."
SIZES = {  # width, feed-forward, heads, layers of the encoder and of the decoder; the last is Vaswani's base
    "small": TransformerConfig(SIZE, 128, 512, 4, 3, 3),
    "medium": TransformerConfig(SIZE, 256, 1024, 4, 3, 3),
    "base": TransformerConfig(SIZE, 512, 2048, 8, 6, 6),
}
WARM_UP = 5  # updates that are not timed: kernels are chosen and memory is taken
SENTENCES, STEPS = 64, 30  # decoded at once, and steps of each
TOLERANCE = {"fp32": 1e-5, "bf16": 1e-3}  # relative, of a loss


@dataclass(frozen=True)
class Measured:
    """rates: pieces a second of training, greedy search and beam 5; memory: bytes, None where nobody counts them."""

    training: float
    greedy: float
    beam: float
    operations: float  # floating-point operations a second while training
    memory: int | None
    losses: dict[str, tuple[float, float]]  # of a precision: the CPU's, and the device's


def synchronize(device: torch.device) -> None:
    """Wait until the device has done all its work."""
    torch.get_device_module(device).synchronize()


def compare(model: Seq2Seq, batch: Batch, device: torch.device) -> dict[str, tuple[float, float]]:
    """The loss of a batch on the CPU in float32, and on the device in each precision."""
    here = float(batch_loss(model.eval(), batch, 0.1).detach())
    moved, sent = copy.deepcopy(model).to(device).eval(), batch.to(device)
    found = {}
    for precision in TOLERANCE:
        with autocast(device, precision):
            found[precision] = here, float(batch_loss(moved, sent, 0.1).detach())
    return found


def measure(config: TransformerConfig, device: torch.device, data: Any, updates: int, batch_tokens: int) -> Measured:
    """Train `updates` updates and decode on a device. data: gives the batches of an epoch."""
    torch.manual_seed(1)
    model = checkpoint.build(config)
    batches: Batches = data.epoch(0)
    losses = compare(model, batches[0], device)
    module = torch.get_device_module(device)
    if hasattr(module, "reset_peak_memory_stats"):
        module.reset_peak_memory_stats(device)
    state = TrainingState(model.to(device), data, TrainingConfig(epochs=10**5, batch_tokens=batch_tokens))
    for _ in range(WARM_UP):
        state.update()
    synchronize(device)
    done, began, tokens = list[int](), time.perf_counter(), 0
    for _ in range(updates):
        done.append(state.position)
        tokens += state.update()[1]
    synchronize(device)
    seconds = time.perf_counter() - began
    work = flops(config, Batches(batches.sources, batches.targets, [batches.rows[i] for i in done]))
    memory = module.max_memory_allocated(device) if hasattr(module, "max_memory_allocated") else None
    greedy, beam = (decoded(model, batches, device, width) for width in (1, 5))
    return Measured(tokens / seconds, greedy, beam, work / seconds, memory, losses)


def decoded(model: Seq2Seq, batches: Batches, device: torch.device, width: int) -> float:
    """Pieces a second of search over a batch of sentences, the second time."""
    fast = accelerate(model.eval())
    source = pad(batches.sources[:SENTENCES]).to(device)
    for _ in range(2):
        synchronize(device)
        began = time.perf_counter()
        found = beam_search(fast, source, DecodingConfig(width, max_length=STEPS))
        synchronize(device)
    return len(source.ids) * len(found.steps) / (time.perf_counter() - began)


def report(name: str, device: torch.device, updates: int, batch_tokens: int) -> None:
    """Print the table of one device."""
    peak = device_peak(device)
    print(f"{name}, PyTorch {torch.__version__}, bf16, batches of {batch_tokens:,} pieces")
    speeds = "trained pieces/s", "of the peak", "memory", "greedy pieces/s", "beam 5 pieces/s"
    row("size", *speeds, "loss against the CPU's", head=True)
    data = Generated(batch_tokens)
    for size, config in SIZES.items():
        found = measure(config, device, data, updates, batch_tokens)
        share = f"{100 * found.operations / peak:.1f}%" if peak else "unknown"
        memory = "unknown" if found.memory is None else f"{found.memory / 1e9:.2f} GB"
        agreed = ", ".join(agreement(precision, *losses) for precision, losses in found.losses.items())
        row(size, f"{found.training:,.0f}", share, memory, f"{found.greedy:,.0f}", f"{found.beam:,.0f}", agreed)


def agreement(precision: str, expected: float, found: float) -> str:
    """The distance of a loss from the CPU's, and whether it is too large."""
    difference = abs(found - expected) / abs(expected)
    return f"{precision} {difference:.0e}" + ("" if difference <= TOLERANCE[precision] else " TOO FAR")


def main(arguments: list[str] | None = None) -> None:
    chosen = options(__doc__, arguments, updates=30, batch_tokens=8000)
    there = [device for device in devices() if device.id != "cpu"]
    if not there:
        print(NONE)
        return
    print(machine())
    for device in there:
        report(device.name, torch.device(device.id), chosen.updates, chosen.batch_tokens)


if __name__ == "__main__":
    main()
