"""Fair admission: at most so many at a time, in the order in which they came (first in, first out)."""

from __future__ import annotations

import threading
import time


class FairSemaphore:
    """Hands out places to threads. `ticket` takes a number; `Ticket.enter` waits for one, `Ticket.leave` returns it.

    A hundred threads that work at once make one another slow, and the last to come may be the first to end. Who keeps
    a place for longer than `longest` seconds does not keep the others waiting: one more comes in beside it.
    """

    def __init__(self, places: int, longest: float) -> None:
        self.places, self.longest = places, longest
        self.lock = threading.Lock()
        self.number = 0
        self.outstanding = 0  # tickets that have not ended: they wait for a place, have one, or wait for something else
        self.waiting: list[Ticket] = []
        self.inside: list[Ticket] = []

    def ticket(self) -> Ticket:
        """Take the next number in the order of coming."""
        with self.lock:
            self.number += 1
            self.outstanding += 1
            return Ticket(self, self.number)

    def admit(self) -> None:
        """Let in the first of those that wait, while there is a place. The lock is held."""
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
    """A number in the queue. It may leave, while it waits for something else, and enter again before who came later."""

    def __init__(self, semaphore: FairSemaphore, number: int) -> None:
        self.semaphore, self.number = semaphore, number
        self.since = 0.0
        self.admitted = threading.Event()

    def enter(self, seconds: float) -> bool:
        """Wait for a place, at most so long; whether there is one. Its place in the queue stays until `leave`."""
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
        """How many wait that came earlier."""
        with self.semaphore.lock:
            return sum(ticket.number < self.number for ticket in self.semaphore.waiting)
