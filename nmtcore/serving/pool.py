"""A pool of worker processes with one queue: first in, first out, and what can be decoded together is.

Heavy requests, long texts with a wide beam, have a share of each worker (weighted fair queueing): a worker that has
decoded one decodes ordinary ones first, while there are any, for ORDINARY times as long. Else thirty people who ask the
most that is allowed would keep everybody else waiting for minutes.

The interpreter of the server has one lock, which decoding for a class would hold all the time. Each worker has a thread
in the server that hands it the oldest request with those that join it (dynamic batching), and waits for the records.
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
from typing import IO, Any, Protocol, cast

from nmtcore.errors import BusyError, CheckpointError
from nmtcore.limits import BATCH_PIECES, estimated_pieces
from nmtcore.serving.fork_server import PROJECT, ForkedWorker, ForkServer, can_fork
from nmtcore.serving.framing import Readable, receive, send
from nmtcore.serving.request import Answer, DecodeRequest, ModelKey

# Hypotheses, of all sentences of a batch, that a step of search computes at a time. With 40 a sentence takes a ninth
# more of the processor, with 120 little less than with 80, and who comes next waits longer.
ROWS = 80
WORKER = (sys.executable, "-m", "nmtcore.serving.worker")
MOST = 4000  # requests that wait: some 40 s of work for two cores, and a thousand visitors with all four models
ORDINARY = 3  # times of a worker for ordinary requests to one for heavy ones, while both wait
COUNTED = 0.5  # s for which the places in the queue are remembered: hundreds that wait ask for theirs again and again


class Worker(Protocol):
    """A worker process, forked or with a program of its own."""

    @property
    def pid(self) -> int: ...

    @property
    def stdin(self) -> IO[bytes] | None: ...

    @property
    def stdout(self) -> Readable | None: ...

    def kill(self) -> None: ...

    def wait(self) -> object: ...


@dataclass(eq=False)
class Job:
    """A request in the queue; again: whether a worker has died over it."""

    request: DecodeRequest
    future: Future[Any] = field(default_factory=Future)  # of an Answer of the kind that is asked for
    again: bool = False


class Pool:
    """`submit` a request and get a future of its Answer. A future that is cancelled while it waits is not decoded.

    The queue is bounded: the future of a request that finds MOST others waiting raises BusyError.
    opening: requests that are answered before there is another, so that the workers have loaded their models.
    command: the program of every worker, which gets the number of this process; without one they are forks, where a
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
        """Put a request into the queue; the future of its answer."""
        job = Job(request)
        with self.changed:
            if len(self.waiting) >= MOST:
                self.waiting = deque(other for other in self.waiting if not other.future.cancelled())
            if len(self.waiting) >= MOST:
                job.future.set_exception(
                    BusyError("This server has more sentences to translate than it can: try again in a minute.")
                )
            else:
                self.waiting.append(job)
                self.changed.notify()
        return job.future

    def before(self, future: Future[Any]) -> int:
        """How many other sentences stand in the queue before this request, as of at most COUNTED seconds ago."""
        with self.changed:
            now = time.monotonic()
            if now - self.counted > COUNTED:
                self.places, self.counted = self._count(), now
            return 0 if future.done() else self.places.get(future, 0)

    def _count(self) -> dict[Future[Any], int]:
        """The place of every request: how many sentences other than its own are asked before it.

        To an ordinary one the heavy ones do not count, since it need not wait for them all.
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
        """End the workers; what still waits is cancelled."""
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
        """The life of a thread: one batch after the other, through a process that is replaced when it has died."""
        process = self._start(number)
        for request in self.opening if isinstance(process, subprocess.Popen) else ():  # a fork has its models
            if self.waiting or self.closed:
                break
            with suppress(OSError, EOFError, pickle.UnpicklingError):
                _exchange(process, [request])
        until = 0.0  # when heavy requests are in turn again
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
        """The worker, or in the place of a fork that lacks the model one that has it."""
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
        """The oldest request and those that join it; waits for one. Empty when the pool is closed.

        until: when heavy requests are in turn again; before that, ordinary ones go first.
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
        """Ask once more what a worker died over, each request alone: it may be one of them that kills it."""
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
    """How many requests a batch takes."""
    if first.again:
        return 1
    request = first.request
    pieces = max(BATCH_PIECES, estimated_pieces(request.source.text))
    return max(1, ROWS * BATCH_PIECES // (pieces * request.width))


def _exchange(process: Worker, requests: list[DecodeRequest]) -> list[Answer | Exception]:
    """Hand requests to a worker and wait for what becomes of them. Raises OSError or EOFError where it has died."""
    assert process.stdin and process.stdout
    send(process.stdin, requests)
    return cast(list[Answer | Exception], receive(process.stdout))


def _end(process: Worker) -> None:
    process.kill()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            stream.close() if stream else None
    process.wait()
