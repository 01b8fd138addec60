"""A fair semaphore: it admits a limited number of threads at a time, first in, first out."""

from __future__ import annotations

import threading
import time


class FairSemaphore:
    """Admits threads in order. `ticket` takes a number, `Ticket.enter` waits for a place, `Ticket.leave` returns it.

    A hundred threads that work at once slow one another down, and the last to arrive may be the first to finish. A
    thread that keeps its place for longer than `longest` seconds blocks nobody: another one is admitted next to it.
    """

    def __init__(self, places: int, longest: float) -> None:
        self.places, self.longest = places, longest
        self.lock = threading.Lock()
        self.number = 0
        self.outstanding = 0  # tickets that have not ended: they wait, or have a place
        self.waiting: list[Ticket] = []
        self.inside: list[Ticket] = []

    def ticket(self) -> Ticket:
        """Take the next number."""
        with self.lock:
            self.number += 1
            self.outstanding += 1
            return Ticket(self, self.number)

    def admit(self) -> None:
        """Admit waiting tickets in order while there are free places. The caller holds the lock."""
        now = time.monotonic()
        taken = sum(now - ticket.since < self.longest for ticket in self.inside)
        while self.waiting and taken < self.places:
            first = min(self.waiting, key=lambda ticket: ticket.number)
            self.waiting.remove(first)
            self.inside.append(first)
            first.since = now
            first.admitted.set()
            taken += 1


class Ticket:
    """A number in the queue. A ticket may leave to wait for something else and still enter again before later ones."""

    def __init__(self, semaphore: FairSemaphore, number: int) -> None:
        self.semaphore, self.number = semaphore, number
        self.since = 0.0
        self.admitted = threading.Event()

    def enter(self, seconds: float) -> bool:
        """Wait at most this long for a place; whether there is one. The ticket stays in the queue until `leave`."""
        with self.semaphore.lock:
            if self.admitted.is_set():
                return True
            if self not in self.semaphore.waiting:
                self.semaphore.waiting.append(self)
            self.semaphore.admit()
        return self.admitted.wait(seconds)

    def leave(self) -> None:
        """Give back the place, or stop waiting for one."""
        with self.semaphore.lock:
            for queue in (self.semaphore.waiting, self.semaphore.inside):
                if self in queue:
                    queue.remove(self)
            self.admitted.clear()
            self.semaphore.admit()

    def end(self) -> None:
        """Leave for good."""
        self.leave()
        with self.semaphore.lock:
            self.semaphore.outstanding -= 1

    def before(self) -> int:
        """How many earlier tickets are waiting."""
        with self.semaphore.lock:
            return sum(ticket.number < self.number for ticket in self.semaphore.waiting)
