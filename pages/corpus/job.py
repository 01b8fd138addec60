"""Translates a file of pairs in its own process, `nmtcore corpus`, shared by all visitors who ask for the same."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import NamedTuple

from nmtcore.analysis.sentence_scores import SentenceRow
from nmtcore.errors import BusyError
from nmtcore.training.corpus import Pair
from pages.common.i18n import _

COMMAND = (sys.executable, "-m", "nmtcore", "corpus")
ALONE = ("--threads", "1", "--device", "cpu", "--end-with", str(os.getpid()))
AT_ONCE = 2  # processes of all visitors: each has its models in memory
KEPT = 8  # results, least recently used out first
PROJECT = Path(__file__).parents[2]


class Order(NamedTuple):
    """What to translate with which models. stamps: the models', which may be retrained."""

    folders: tuple[str, ...]
    pairs: tuple[Pair, ...]
    beam: int
    stamps: tuple[Hashable, ...] = ()


class Job:
    """A process that translates pairs, and the rows that it has written so far."""

    def __init__(self, order: Order) -> None:
        self.total = len(order.pairs)
        self.began, self.characters = time.monotonic(), sum(len(pair.source) for pair in order.pairs)
        self.folder = tempfile.TemporaryDirectory(prefix="nmtcore-corpus-")
        place = Path(self.folder.name)
        source, self.out, self.said = place / "pairs.tsv", place / "rows.jsonl", place / "said.txt"
        source.write_text("".join(f"{pair.source}\t{pair.target}\n" for pair in order.pairs), encoding="utf-8")
        options = ["--pairs", str(source), "--out", str(self.out), "--beam", str(order.beam)]
        with open(self.said, "wb") as said:
            self.process = subprocess.Popen(
                [*COMMAND, "--model", *order.folders, *options, *ALONE],
                cwd=PROJECT,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
            )
        self._rows: list[SentenceRow] = []
        self._read = 0  # bytes
        self._lock = threading.Lock()

    @property
    def going_on(self) -> bool:
        return self.process.poll() is None

    @property
    def problem(self) -> str:
        """Why it ended before the end of the pairs, in its own sentence."""
        if self.process.poll() != 2:
            return ""
        return self.said.read_text(encoding="utf-8", errors="replace").strip().partition(": ")[2]

    def rows(self) -> list[SentenceRow]:
        """The rows so far, each read once; an incomplete line waits for its rest."""
        with self._lock:
            if self.out.exists():
                with open(self.out, "rb") as file:
                    file.seek(self._read)
                    whole, newline, _rest = file.read().rpartition(b"\n")
                self._read += len(whole) + len(newline)
                self._rows += [SentenceRow.from_json(json.loads(line)) for line in whole.split(b"\n") if line]
            return list(self._rows)

    def share(self, rows: Sequence[SentenceRow]) -> float:
        """The share of the work that these rows are, by characters, since shorter sources come first."""
        return sum(len(row.source) for row in rows) / self.characters

    def stop(self) -> None:
        """End the process; the rows that it has written stay."""
        self.process.terminate()
        self.process.wait()

    def forget(self) -> None:
        """End the process, and remove its files."""
        self.stop()
        self.folder.cleanup()


_jobs: OrderedDict[Order, Job] = OrderedDict()
_lock = threading.Lock()


def known(order: Order) -> Job | None:
    """The job that somebody has asked for, if any."""
    with _lock:
        return _jobs.get(order)


def start(order: Order) -> None:
    """Start a job anew. Raises BusyError if too many others run."""
    with _lock:
        if sum(job.going_on for job in _jobs.values()) >= AT_ONCE:
            raise BusyError(_("Other files are being translated: try again in a minute."))
        if old := _jobs.pop(order, None):
            old.forget()
        while len(_jobs) >= KEPT:
            _jobs.popitem(last=False)[1].forget()
        _jobs[order] = Job(order)
