"""Fair admission: at most so many at a time, in the order in which they came (first in, first out)."""

from __future__ import annotations

import threading
import time


class Turns:
    """Hands out places to threads. `turn` takes a number; `Turn.enter` waits for a place, `Turn.leave` gives it back.

    A hundred threads that work at once make one another slow, and the last to come may be the first to end. Who keeps
    a place for longer than `longest` seconds does not keep the others waiting: one more comes in beside it.
    """

    def __init__(self, places: int, longest: float) -> None:
        self.places, self.longest = places, longest
        self.lock = threading.Lock()
        self.number = 0
        self.outstanding = 0  # turns that have not ended: they wait for a place, have one, or wait for something else
        self.ended = time.monotonic()  # when a turn ended last
        self.waiting: list[Turn] = []
        self.inside: list[Turn] = []

    def turn(self) -> Turn:
        """Take the next number in the order of coming."""
        with self.lock:
            self.number += 1
            self.outstanding += 1
            return Turn(self, self.number)

    def admit(self) -> None:
        """Let in the first of those that wait, while there is a place. The lock is held."""
        now = time.monotonic()
        taken = sum(now - turn.since < self.longest for turn in self.inside)
        while self.waiting and taken < self.places:
            first = min(self.waiting, key=lambda turn: turn.number)
            self.waiting.remove(first)
            self.inside.append(first)
            first.since = now
            first.admitted.set()
            taken += 1


class Turn:
    """A number in the queue. It may leave, while it waits for something else, and enter again before who came later."""

    def __init__(self, turns: Turns, number: int) -> None:
        self.turns, self.number = turns, number
        self.since = 0.0
        self.admitted = threading.Event()

    def enter(self, seconds: float) -> bool:
        """Wait for a place, at most so long; whether there is one. Its place in the queue stays until `leave`."""
        with self.turns.lock:
            if self.admitted.is_set():
                return True
            if self not in self.turns.waiting:
                self.turns.waiting.append(self)
            self.turns.admit()
        return self.admitted.wait(seconds)

    def leave(self) -> None:
        """Give back the place, or the wish for one."""
        with self.turns.lock:
            for turns in (self.turns.waiting, self.turns.inside):
                if self in turns:
                    turns.remove(self)
            self.admitted.clear()
            self.turns.admit()

    def end(self) -> None:
        """Leave for good."""
        self.leave()
        with self.turns.lock:
            self.turns.outstanding -= 1
            self.turns.ended = time.monotonic()

    def before(self) -> int:
        """How many wait that came earlier."""
        with self.turns.lock:
            return sum(turn.number < self.number for turn in self.turns.waiting)
