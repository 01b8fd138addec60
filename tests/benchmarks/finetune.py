"""The Fine-tune page's promises: how soon `reverse` is learned, and how much a run slows others on the server.

    python -m tests.benchmarks.finetune [--architecture dot] [--sentences 30] [--target 99]

First: seconds from the moment that Start asks for a run until its exact match on unseen strings is 99%, the process's
start included. Then: one student asks for a translation of a new sentence every second, without and with a training on
the same machine; the medians of both, and their ratio. Aims: 15 s, and at most 1.3 times.
"""

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from nmtcore.config import ARCHITECTURES
from nmtcore.runs import defaults, queue
from nmtcore.runs.config import OPEN, RunConfig
from nmtcore.runs.run_folder import Run
from nmtcore.training.exercises import EXERCISES
from tests.benchmarks.clients import Client, connection, sentences
from tests.benchmarks.machine import machine, options
from tests.browser.conftest import Server
from tests.paths import ROOT

REVERSE = EXERCISES["reverse"]
PINNED = ("4 0 9 2 7 1", "1 7 2 9 0 4")
PAUSE = 1.0  # s between two questions
AIMS = {"reverse": 15.0, "others": 1.3}


def start(root: Path, architecture: str, **changes: int) -> Run:
    """The effect of the page's Start button."""
    training = defaults.from_scratch(REVERSE, **changes)
    settings = ARCHITECTURES[architecture].small
    config = RunConfig(training, PINNED, REVERSE.name, architecture=architecture, settings=settings)
    return queue.submit(root, config, REVERSE.pairs(defaults.count(REVERSE)), "benchmark")[0]


def seconds_to_learn(root: Path, architecture: str, target: float) -> tuple[float, float]:
    """Seconds until the exact match is `target` percent, nan where it never is; and the best that was seen."""
    began = time.monotonic()
    run = start(root, architecture)
    best = 0.0
    while True:
        open_still = run.status().state in OPEN
        scores = [e["score"] for e in run.events() if e["event"] == "validation" and e["score"] is not None]
        best = max([best, *scores])
        if best >= target or not open_still:
            took = time.monotonic() - began if best >= target else float("nan")
            stop(run)
            return took, best
        time.sleep(0.05)


def stop(run: Run) -> None:
    run.stop()
    while run.alive():
        time.sleep(0.05)


async def ask(address: str, texts: Iterator[str], count: int) -> list[float]:
    """Seconds from a sentence to all four figures, `count` times; the first, which warms up, is not counted."""
    found = []
    async with connection(address) as socket:
        client = Client(socket)
        await client.open()
        for _ in range(count + 1):
            await asyncio.sleep(PAUSE)
            found.append(await client.ask(next(texts)))
    return found[1:]


def main() -> None:
    chosen = options(__doc__, architecture="dot", sentences=30, target=99.0)
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ALIGNMENT_LAB_RUNS"] = folder
        root = Path(folder)
        took, best = seconds_to_learn(root, chosen.architecture, chosen.target)
        aim = f"(aim {AIMS['reverse']:g}); the best was {best:.0f}%"
        print(f"reverse, {chosen.architecture}: {took:.0f} s to {chosen.target:g}% {aim}")
        with Server(ROOT / "app.py") as address:
            texts = sentences()
            alone = asyncio.run(ask(address, texts, chosen.sentences))
            run = start(root, chosen.architecture, max_steps=1_000_000)
            while run.status().step < 1:
                time.sleep(0.05)
            beside = asyncio.run(ask(address, texts, chosen.sentences))
            stop(run)
    medians = statistics.median(alone), statistics.median(beside)
    print(
        f"others: {1000 * medians[0]:.0f} ms without a training, {1000 * medians[1]:.0f} ms with one, "
        f"{medians[1] / medians[0]:.2f} times (aim {AIMS['others']:g})"
    )
    print(machine())


if __name__ == "__main__":
    main()
