"""A benchmark's note on its machine: figures from two machines cannot be compared without each one's speed."""

import os
import time
from collections.abc import Callable

import torch

from nmtcore.evaluation.cards import table
from nmtcore.system.processes import processor_name
from nmtcore.training.precision import has_bfloat16_units

LOOP, SIZE, TRIES = 200_000, 512, 7


def machine() -> str:
    """Processor, cores, how many programs wanted one of them in the last minute, on average, and the speed of one.

    The speed: a fixed loop of plain Python, and a fixed product of matrices on one thread, timed now.
    """
    cores = os.cpu_count() or 1
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    units = "with" if has_bfloat16_units(torch.device("cpu")) else "without"
    python, product = speed()
    return (
        f"{processor_name()}, {cores} cores{busy}, {torch.backends.cpu.get_cpu_capability()} {units} "
        f"bfloat16 units; {LOOP:,} turns of a Python loop {1000 * python:.1f} ms, a float32 product of "
        f"{SIZE} x {SIZE} matrices {1000 * product:.2f} ms"
    )


def speed() -> tuple[float, float]:
    """Seconds of the loop, and of the product."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    a = torch.linspace(-1, 1, SIZE * SIZE).view(SIZE, SIZE)
    found = _quickest(_loop), _quickest(lambda: a @ a)
    torch.set_num_threads(threads)
    return found


def row(*cells: object, head: bool = False) -> None:
    """Print a row of a table in Markdown as soon as it is known; head: with the line below it."""
    print(*table(list(map(str, cells)), ())[: 1 + head], sep="\n", flush=True)


def _loop() -> int:
    total = 0
    for i in range(LOOP):
        total += i % 7
    return total


def _quickest(run: Callable[[], object]) -> float:
    """The fastest of several tries: other load on the machine only adds time."""
    times = []
    for _ in range(TRIES):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return min(times)
