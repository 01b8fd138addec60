"""A pool of worker processes with one queue: first in, first out, batching requests that can be decoded together.

Heavy requests, long texts with a wide beam, get only a share of each worker (weighted fair queueing): after a heavy one
a worker prefers ordinary ones for ORDINARY times as long, if there are any. Otherwise thirty visitors with the heaviest
requests allowed would make everybody else wait for minutes.

The server's interpreter has one lock, which decoding for a class would never release. So each worker has a thread in
the server that hands it the oldest request with those that can join it (dynamic batching) and waits for the records.
"""

import os
import pickle
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

from nmtcore.errors import BusyError, CheckpointError
from nmtcore.limits import BATCH_PIECES, estimated_pieces
from nmtcore.serving.fork_server import PROJECT, ForkedWorker, ForkServer, can_fork
from nmtcore.serving.framing import receive, send
from nmtcore.serving.request import Answer, DecodeRequest, ModelKey

# Hypotheses that a search step computes at once, over all sentences of a batch. With 40, a sentence takes a ninth more
# processor time; with 120, little less than with 80, but the next request waits longer.
ROWS = 80
WORKER = (sys.executable, "-m", "nmtcore.serving.worker")
MOST = 4000  # waiting requests: about 40 s of work for two cores, or a thousand visitors with all four models
ORDINARY = 3  # how much more of a worker's time ordinary requests get than heavy ones, while both wait
Worker = ForkedWorker | subprocess.Popen[bytes]  # with a program of its own where no process can fork
COUNTED = 0.5  # s for which positions in the queue are cached: hundreds of waiting pages keep asking for theirs


@dataclass(eq=False)
class Job:
    """A request in the queue. again: whether a worker has already died while decoding it."""

    request: DecodeRequest
    future: Future[Any] = field(default_factory=Future)  # of an Answer of the requested kind
    again: bool = False


class Pool:
    """`submit` a request to get a future of its Answer; cancel the future while it waits and it is never decoded.

    The queue is bounded: if MOST requests are waiting already, the future of a further one raises BusyError.
    opening: requests that each worker answers first, so that it has loaded their models.
    command: the program of every worker, which gets the id of this process; without one, workers are forks wherever a
    process with PyTorch may fork.
    """

    def __init__(self, workers: int, opening: Sequence[DecodeRequest] = (), command: Sequence[str] = ()) -> None:
        self.opening, self.command = opening, command or WORKER
        self.fork_server = None if command or not can_fork() else ForkServer(opening)
        self.waiting: deque[Job] = deque()
        self.changed = threading.Condition()
        self.closed = False
        self.places: dict[Future[Any], int] = {}
        self.counted = 0.0  # when the places were counted
        self.processes: dict[int, Worker] = {}
        self.threads = [
            threading.Thread(target=self._serve, args=(number,), name=f"worker {number}", daemon=True)
            for number in range(workers)
        ]
        for thread in self.threads:
            thread.start()

    def submit(self, request: DecodeRequest) -> Future[Any]:
        """Queue a request and return the future of its answer."""
        job = Job(request)
        with self.changed:
            if len(self.waiting) >= MOST:
                self.waiting = deque(other for other in self.waiting if not other.future.cancelled())
            if len(self.waiting) >= MOST:
                job.future.set_exception(
                    BusyError("This server has more sentences to translate than it can handle: try again in a minute.")
                )
            else:
                self.waiting.append(job)
                self.changed.notify()
        return job.future

    def before(self, future: Future[Any]) -> int:
        """How many other sentences are ahead of this request in the queue, as of at most COUNTED seconds ago."""
        with self.changed:
            now = time.monotonic()
            if now - self.counted > COUNTED:
                self.places, self.counted = self._count(), now
            return 0 if future.done() else self.places.get(future, 0)

    def _count(self) -> dict[Future[Any], int]:
        """The position of every request: how many other sentences are ahead of it.

        Heavy requests do not count ahead of an ordinary one, since it need not wait for all of them.
        """
        ahead: set[str] = set()
        ordinary: set[str] = set()
        places: dict[Future[Any], int] = {}
        for job in self.waiting:
            if not job.future.cancelled():
                text = job.request.source.text
                earlier = ahead if job.request.heavy else ordinary
                places[job.future] = len(earlier) - (text in earlier)
                ahead.add(text)
                if not job.request.heavy:
                    ordinary.add(text)
        return places

    def close(self) -> None:
        """End the workers and cancel the waiting requests."""
        with self.changed:
            self.closed = True
            left = list(self.waiting)
            self.waiting.clear()
            self.changed.notify_all()
        for job in left:
            job.future.cancel()
        for thread in self.threads:
            thread.join()
        if self.fork_server:
            self.fork_server.close()

    def _serve(self, number: int) -> None:
        """The loop of a thread: it sends batch after batch to a worker process, and replaces one that dies."""
        process = self._start(number)
        for request in self.opening if isinstance(process, subprocess.Popen) else ():  # a fork has inherited its models
            if self.waiting or self.closed:
                break
            with suppress(OSError, EOFError, pickle.UnpicklingError):
                _exchange(process, [request])
        until = 0.0  # when heavy requests get their turn again
        while jobs := self._take(until):
            process = self._having(process, jobs[0].request.model, number)
            began = time.monotonic()
            try:
                replies = _exchange(process, [job.request for job in jobs])
            except (OSError, EOFError, pickle.UnpicklingError):
                _end(process)
                process = self._start(number)
                self._return(jobs)
                continue
            if jobs[0].request.heavy:
                now = time.monotonic()
                until = now + ORDINARY * (now - began)
            for job, reply in zip(jobs, replies, strict=True):
                if isinstance(reply, Exception):
                    job.future.set_exception(reply)
                else:
                    job.future.set_result(reply)
        _end(process)

    def _having(self, process: Worker, model: ModelKey, number: int) -> Worker:
        """This worker, or if it is a fork without the model, a new one with it."""
        if not isinstance(process, ForkedWorker) or model in process.models:
            return process
        _end(process)
        return self._start(number, model)

    def _start(self, number: int, model: ModelKey | None = None) -> Worker:
        process: Worker | None = None
        if self.fork_server:
            with suppress(OSError):
                process = self.fork_server.start(model)
        process = process or subprocess.Popen(
            [*self.command, str(os.getpid())], cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.processes[number] = process
        return process

    def _take(self, until: float) -> list[Job]:
        """Wait for a request and return the oldest with those that can join it; empty when the pool is closed.

        until: when heavy requests get their turn again; before that, ordinary ones go first.
        """
        with self.changed:
            while True:
                jobs = self._oldest(time.monotonic() < until)
                if jobs or self.closed:
                    return jobs
                self.changed.wait()

    def _oldest(self, ordinary: bool = False) -> list[Job]:
        jobs: list[Job] = []
        left: list[Job] = []
        if all(job.request.heavy or job.future.cancelled() for job in self.waiting):
            ordinary = False
        while self.waiting and (not jobs or len(jobs) < _room(jobs[0])):
            job = self.waiting.popleft()
            if ordinary and job.request.heavy or jobs and (job.again or not job.request.joins(jobs[0].request)):
                left.append(job)
            elif job.again or job.future.set_running_or_notify_cancel():
                jobs.append(job)
        self.waiting.extendleft(reversed(left))
        return jobs

    def _return(self, jobs: Sequence[Job]) -> None:
        """Queue the requests of a dead worker once more, to be decoded one by one: one of them may have killed it."""
        for job in jobs:
            if job.again:
                job.future.set_exception(
                    CheckpointError("The process that decodes this sentence ended twice. Try another sentence.")
                )
        with self.changed:
            again = [Job(job.request, job.future, True) for job in jobs if not job.again]
            self.waiting.extendleft(reversed(again))
            self.changed.notify_all()


def _room(first: Job) -> int:
    """How many requests fit into a batch."""
    if first.again:
        return 1
    request = first.request
    pieces = max(BATCH_PIECES, estimated_pieces(request.source.text))
    return max(1, ROWS * BATCH_PIECES // (pieces * request.width))


def _exchange(process: Worker, requests: list[DecodeRequest]) -> list[Answer | Exception]:
    """Send requests to a worker and wait for the results. Raises OSError or EOFError if the worker has died."""
    assert process.stdin and process.stdout
    send(process.stdin, requests)
    return cast(list[Answer | Exception], receive(process.stdout))


def _end(process: Worker) -> None:
    process.kill()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            stream.close() if stream else None
    process.wait()
