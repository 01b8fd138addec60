"""What all benchmarks need: their options, a browser, rows of a table, and a note on the machine.

Figures from two machines cannot be compared without each one's speed.
"""

import argparse
import os
import timeit
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from playwright.sync_api import Browser, sync_playwright

from nmtcore.evaluation.cards import table
from nmtcore.system.processes import processor_name
from nmtcore.training.precision import has_bfloat16_units
from tests.browser.conftest import FLAGS, chromium

LOOP, SIZE, TRIES = 200_000, 512, 7


def options(about: str | None, arguments: Sequence[str] | None = None, /, **defaults: Any) -> argparse.Namespace:
    """Options by name, each of its default's type; False is a switch, a tuple takes several values. about: the help."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        several = isinstance(default, tuple)
        kind = type(default[0] if several else default)
        values = {"default": default, "type": kind, "nargs": "+" if several else None}
        parser.add_argument(f"--{name.replace('_', '-')}", **({"action": "store_true"} if default is False else values))
    return parser.parse_args(arguments)


@contextmanager
def headless() -> Iterator[Browser]:
    """Chromium without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()


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
    # the fastest of several tries: other load on the machine only adds time
    found = [min(timeit.repeat(run, number=1, repeat=TRIES)) for run in (_loop, lambda: a @ a)]
    torch.set_num_threads(threads)
    return found[0], found[1]


def row(*cells: object, head: bool = False) -> None:
    """Print a row of a table in Markdown as soon as it is known; head: with the line below it."""
    print(*table(list(map(str, cells)), ())[: 1 + head], sep="\n", flush=True)


def _loop() -> int:
    total = 0
    for i in range(LOOP):
        total += i % 7
    return total
