"""The service that answers questions: from the records, by a pool of workers, or here and now without one."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from nmtcore.errors import NmtError
from nmtcore.serving.pool import Pool
from nmtcore.serving.question import Answer, Question
from nmtcore.serving.records import Records


@dataclass
class Flight:
    """A question that is being decoded, for as many as have asked it meanwhile (single flight)."""

    future: Future[Any]
    askers: int = 0


class Service:
    """`ask` a question: equal ones have one record, and equal ones at a time one decode.

    decode: what answers a question in this process, as long as no workers have been started.
    """

    def __init__(self, decode: Callable[[Question], Answer], most_bytes: int) -> None:
        self.decode = decode
        self.records = Records(most_bytes)
        self.flights: dict[Question, Flight] = {}
        self.lock = threading.RLock()
        self.pool: Pool | None = None

    def start(self, workers: int, opening: Sequence[Question] = ()) -> None:
        """Decode in worker processes from now on; with none of them, in this one."""
        if self.pool:
            self.pool.close()
        self.pool = Pool(workers, opening) if workers else None

    def ask(self, question: Question) -> Future[Any]:
        """The future of an Answer of the kind that is asked for.

        Without workers it is done, with the answer or an NmtError, when this returns.
        """
        with self.lock:
            record = self.records.get(question)
            if record is None and self.pool:
                flight = self.flights.get(question)
                if flight is None:
                    flight = self.flights[question] = Flight(self.pool.submit(question))
                    flight.future.add_done_callback(lambda future: self._land(question, future))
                flight.askers += 1
                return flight.future
        done: Future[Any] = Future()
        try:
            done.set_result(self._decoded(question) if record is None else record)
        except NmtError as error:
            done.set_exception(error)
        return done

    def known(self, question: Question) -> Answer | None:
        """The answer, if the question has been asked before and it is kept."""
        with self.lock:
            return self.records.get(question)

    def withdraw(self, question: Question, future: Future[Any]) -> None:
        """One who asked no longer wants to know: where nobody else does, the question leaves the queue.

        future: what `ask` gave; others may have asked the same anew after it was answered.
        """
        with self.lock:
            flight = self.flights.get(question)
            if flight is None or flight.future is not future:
                return
            flight.askers -= 1
            if not flight.askers:
                flight.future.cancel()

    def before(self, question: Question) -> int:
        """How many other sentences are decoded before this one."""
        with self.lock:
            flight = self.flights.get(question)
        return self.pool.before(flight.future) if self.pool and flight else 0

    def _decoded(self, question: Question) -> Answer:
        answer = self.decode(question)
        with self.lock:
            self.records.put(question, answer)
        return answer

    def _land(self, question: Question, future: Future[Any]) -> None:
        with self.lock:
            del self.flights[question]
            if not future.cancelled() and future.exception() is None:
                self.records.put(question, future.result())
