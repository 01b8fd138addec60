"""The service that answers requests: from the cache, by a pool of workers, or in this process without one."""

import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from cachetools import LRUCache

from nmtcore.decoding.mask_predict import MaskPredictRecord
from nmtcore.decoding.recorder import BeamSource
from nmtcore.decoding.trace import Array, Trace
from nmtcore.errors import NmtError
from nmtcore.serving.pool import Pool
from nmtcore.serving.request import Answer, DecodeRequest

# Measured bytes of a beam node, a step's candidate, a name, a place of a round, and the rest of an answer.
NODE, CANDIDATE, NAME, PLACE, OTHER = 240, 100, 150, 200, 4000


def arrays_of(answer: Answer) -> list[Array]:
    """The arrays of a record; a time has none."""
    if isinstance(answer, Trace):
        return [*(attention.weights for attention in answer.attention), *answer.inner.values()]
    return [answer.attention.weights] if isinstance(answer, MaskPredictRecord) else []


def size(answer: Answer) -> int:
    """Roughly how many bytes of memory an answer takes."""
    parts = OTHER
    if isinstance(answer, Trace):
        parts += CANDIDATE * sum(len(step.candidates) for step in answer.steps)
        source: BeamSource | None = vars(answer).get("beam_source")
        if source is None:
            parts += NODE * len(answer.beam)
        else:  # its nodes may be made later
            arrays = vars(source.record).values()
            parts += NODE * source.count + NAME * len(source.names) + sum(array.nbytes for array in arrays)
    elif isinstance(answer, MaskPredictRecord):
        parts += PLACE * sum(map(len, answer.rounds))
    return parts + sum(array.nbytes for array in arrays_of(answer))


class Records(LRUCache[Hashable, Answer]):
    """A least recently used (LRU) cache of at most `most` bytes of records. It is not thread-safe.

    Everyone who asks gets the same record, so its arrays are read-only.
    """

    def __init__(self, most: int) -> None:
        super().__init__(most, getsizeof=size)

    def put(self, key: Hashable, answer: Answer) -> None:
        """Cache an answer and evict others until all fit; an answer larger than the whole cache is not kept."""
        for array in arrays_of(answer):
            array.setflags(write=False)
        with suppress(ValueError):
            self[key] = answer


@dataclass
class Flight:
    """A request that is being decoded, shared by everyone who makes it meanwhile (single flight)."""

    future: Future[Any]
    askers: int = 0


class Service:
    """`ask` a request: equal requests share one record, and concurrent equal requests share one decode.

    decode: answers a request in this process if no workers have been started.
    """

    def __init__(self, decode: Callable[[DecodeRequest], Answer], most_bytes: int) -> None:
        self.decode = decode
        self.records = Records(most_bytes)
        self.flights: dict[DecodeRequest, Flight] = {}
        self.lock = threading.RLock()
        self.pool: Pool | None = None

    def start(self, workers: int, opening: Sequence[DecodeRequest] = ()) -> None:
        """Decode in this many worker processes from now on; with none, in this process."""
        if self.pool:
            self.pool.close()
        self.pool = Pool(workers, opening) if workers else None

    def ask(self, request: DecodeRequest) -> Future[Any]:
        """The future of an Answer of the requested kind.

        Without workers the future is done, with the answer or an NmtError, when this returns.
        """
        with self.lock:
            record = self.records.get(request)
            if record is None and self.pool:
                flight = self.flights.get(request)
                if flight is None:
                    flight = self.flights[request] = Flight(self.pool.submit(request))
                    flight.future.add_done_callback(lambda future: self._land(request, future))
                flight.askers += 1
                return flight.future
        done: Future[Any] = Future()
        try:
            done.set_result(self._decoded(request) if record is None else record)
        except NmtError as error:
            done.set_exception(error)
        return done

    def known(self, request: DecodeRequest) -> Answer | None:
        """The answer, if it is in the cache."""
        with self.lock:
            return self.records.get(request)

    def withdraw(self, request: DecodeRequest, future: Future[Any]) -> None:
        """Give up waiting for a request; if nobody else waits for it, it leaves the queue.

        future: returned by `ask`; after it was answered, others may have made the same request again.
        """
        with self.lock:
            flight = self.flights.get(request)
            if flight is None or flight.future is not future:
                return
            flight.askers -= 1
            if not flight.askers:
                flight.future.cancel()

    def before(self, request: DecodeRequest) -> int:
        """How many other sentences will be decoded before this one."""
        with self.lock:
            flight = self.flights.get(request)
        return self.pool.before(flight.future) if self.pool and flight else 0

    def _decoded(self, request: DecodeRequest) -> Answer:
        answer = self.decode(request)
        with self.lock:
            self.records.put(request, answer)
        return answer

    def _land(self, request: DecodeRequest, future: Future[Any]) -> None:
        with self.lock:
            del self.flights[request]
            if not future.cancelled() and future.exception() is None:
                self.records.put(request, future.result())
