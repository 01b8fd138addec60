"""What a benchmark says about its machine: figures of two machines compare nothing without the speed of each."""

from __future__ import annotations

import contextlib
import os
import platform
import time
from collections.abc import Callable

import torch

from nmtcore.training.precision import has_bfloat16_units

LOOP, SIZE, TRIES = 200_000, 512, 7


def processor() -> str:
    """The processor's name, empty where the system does not tell."""
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "")
    return platform.processor()


def machine() -> str:
    """Processor, cores, how many programs wanted one of them in the last minute, on average, and the speed of one.

    The speed: a fixed loop of plain Python, and a fixed product of matrices on one thread, timed now.
    """
    cores = os.cpu_count() or 1
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    units = "with" if has_bfloat16_units(torch.device("cpu")) else "without"
    python, product = speed()
    return (
        f"{processor() or 'unknown processor'}, {cores} cores{busy}, {torch.backends.cpu.get_cpu_capability()} {units} "
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


def _loop() -> int:
    total = 0
    for i in range(LOOP):
        total += i % 7
    return total


def _quickest(run: Callable[[], object]) -> float:
    """The quickest of several tries: what others do on the machine only adds."""
    times = []
    for _ in range(TRIES):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return min(times)
