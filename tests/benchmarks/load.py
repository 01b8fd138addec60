"""A class at work on the Translate page, as many students as asked for, each with its own sentences for all models.

    python -m tests.benchmarks.load [--clients 30,100,200] [--every 8] [--seconds 40]
                                    [--storm 100] [--overload] [--address http://127.0.0.1:8501]

For each number of clients: the times from a sentence that nobody has sent before to all four figures, how many were
answered a second, and what a sentence cost of the processor: of the server, of its workers, of the clients themselves,
which run in a process of their own on the same machine; and what it cost in runs of the page, messages and bytes, which
a busy machine does not change. `--storm`: so many browsers open the page within 5 seconds, and
each must see the opening picture. `--overload`: twice as many clients as have been answered in time, then ten seconds
of rest, then one alone. Memory is the sum of the proportional shares (PSS) of the server and its workers, or of what
is theirs alone (USS) on systems that do not count shares.

`websockets` comes with Streamlit. Processor and memory are known only of a server that is started here.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from multiprocessing import get_context

import psutil

from tests.benchmarks.clients import Record, Scenario, classroom
from tests.benchmarks.machine import machine, options, row
from tests.browser.conftest import Server
from tests.paths import ROOT

STORM = 5.0  # s within which all open the page
REST = 10.0  # s between an overload and the question that must be answered in its usual time


@dataclass
class Usage:
    """Usage of the server and its workers: processor seconds so far, and MB of memory now."""

    server: float = 0.0
    workers: float = 0.0
    memory: float = 0.0

    @classmethod
    def of(cls, process: int | None) -> Usage:
        if process is None:
            return cls()
        server = psutil.Process(process)
        workers = server.children(recursive=True)  # forks of a child of the server
        used = sum(map(processor, workers))
        return cls(processor(server), used, sum(map(memory, [server, *workers])))


def processor(process: psutil.Process) -> float:
    """Processor seconds of all threads; 0 for a process that has just ended."""
    with suppress(psutil.NoSuchProcess):
        times = process.cpu_times()
        return times.user + times.system
    return 0.0


def memory(process: psutil.Process) -> float:
    """The proportional share of memory, MB: what several processes map is divided among them."""
    with suppress(psutil.NoSuchProcess):
        info = process.memory_full_info()
        return getattr(info, "pss", info.uss) / 1e6
    return 0.0


@dataclass
class Result:
    """A scenario, its clients' measurements, and its cost."""

    asked: Scenario
    record: Record
    server: float  # seconds of the processor
    workers: float
    memory: float  # MB, at the end

    @property
    def throughput(self) -> float:
        return len(self.record.whole) / self.record.lasted

    def print(self) -> None:
        """Its row below HEAD."""
        r, count = self.record, max(1, len(self.record.whole))
        times = (f"{percentile(r.whole, p):.2f}" for p in (50, 95, 100))
        cost = " + ".join(f"{1000 * s / count:.0f}" for s in (self.server, self.workers, r.processor))
        counts = f"{r.runs / count:.2f}", f"{r.messages / count:.1f}", f"{r.received / count / 1000:.1f}"
        of_all = f"{self.memory:.0f}", len(r.errors)
        row(self.asked.clients, len(r.whole), *times, f"{self.throughput:.1f}", cost, *counts, *of_all)


HEAD = (
    *("clients", "sentences", "p50, s", "p95, s", "max, s", "answered/s"),
    *("ms of processor a sentence: server + workers + clients", "runs of the page a sentence", "messages", "kB"),
    *("MB of memory", "errors"),
)


def run(asked: Scenario, process: int | None) -> Result:
    """Let a process of its own be the clients of a scenario."""
    before = Usage.of(process)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        record = pool.submit(classroom, asked).result()
    after = Usage.of(process)
    return Result(asked, record, after.server - before.server, after.workers - before.workers, after.memory)


def percentile(values: list[float], percent: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(percent / 100 * len(ordered)))] if ordered else float("nan")


def main() -> None:
    chosen = options(__doc__, clients="30", every=8.0, seconds=40.0, storm=0, overload=False, address="")
    counts = [int(count) for count in chosen.clients.split(",") if count]
    print(f"{machine()}; a sentence every {chosen.every:g} s")
    with ExitStack() as stack:
        process = None
        if not chosen.address:
            server = Server(ROOT / "app.py")
            chosen.address = stack.enter_context(server)
            process = server.process.pid

        def measure(clients: int, seconds: float, opening: float = STORM) -> Result:
            asked = Scenario(chosen.address, clients, opening, chosen.every, seconds, seed=time.time_ns())
            return run(asked, process)

        if chosen.storm:
            result = measure(chosen.storm, 0)
            opened, lost = result.record.opened, len(result.record.errors)
            times = ", ".join(f"{percent} of 100 within {percentile(opened, percent):.2f} s" for percent in (50, 95))
            print(f"{chosen.storm} open the page within {STORM:g} s: {times}, all but {lost} within {max(opened):.2f}")
        results = []
        row(*HEAD, head=True)
        for clients in counts:
            results.append(measure(clients, chosen.seconds))
            results[-1].print()
            for error in results[-1].record.errors[:5]:
                print(f"  {error}")
        if chosen.overload:
            most = max(result.throughput for result in results)
            result = measure(int(2 * most * chosen.every), chosen.seconds)
            result.print()
            whole = result.record.whole
            print(f"Overload: the slowest answer took {max(whole) / percentile(whole, 50):.1f} times the median.")
            time.sleep(REST)
            alone = measure(1, 2 * chosen.every, opening=0.1)
            print(f"{REST:g} s later a sentence takes {max(alone.record.whole):.2f} s.")
    print(f"At the end: {machine()}")


if __name__ == "__main__":
    main()
