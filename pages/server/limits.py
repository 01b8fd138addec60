"""Rate limiting and quotas: how much work the server accepts from one address, by environment variables.

A classroom often shares one address (network address translation), so the limits are generous: they stop a machine that
sends requests without end, not a hundred students.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

PREFIX = "ALIGNMENT_LAB_"
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Limits:
    """The limits of the server. Each field is an environment variable: `connections` is ALIGNMENT_LAB_CONNECTIONS."""

    connections: int = 2000  # open pages in total
    address_connections: int = 500  # of them from one address
    address_requests: int = 300  # concurrent transfers of files and uploads for one address
    upload_megabytes: int = 500  # from one address in an hour
    message_megabytes: int = 4  # of one message of a page
    messages: int = 20  # of one page a second, on average; further ones wait
    proxies: int = 0  # proxies in front of the server, each of which adds its client to X-Forwarded-For

    @classmethod
    def of(cls, environment: Mapping[str, str] | None = None) -> Limits:
        """The limits that the environment sets. Raises ValueError, with a sentence, for anything but a whole number."""
        environment = os.environ if environment is None else environment
        given = {}
        for field in dataclasses.fields(cls):
            name = PREFIX + field.name.upper()
            text = environment.get(name, "").strip()
            if not text:
                continue
            if not (text.isascii() and text.isdecimal() and len(text) < 10):
                raise ValueError(f"{name} must be a whole number; it is {text[:40]!r}.")
            given[field.name] = int(text)
        return cls(**given)


class Bucket:
    """Token bucket: `capacity` at once, and `capacity` again after so many `seconds`, for each key of its own."""

    def __init__(self, capacity: float, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.capacity, self.rate, self.clock = capacity, capacity / seconds, clock
        self.used: dict[str, tuple[float, float]] = {}  # the amount left, and when that was

    def take(self, key: str, amount: float) -> bool:
        """Take an amount if it is available; whether it was."""
        now = self.clock()
        used, then = self.used.get(key, (0.0, now))
        used = max(0.0, used - (now - then) * self.rate)
        if used + amount > self.capacity:
            return False
        self.used[key] = (used + amount, now)
        if len(self.used) > 10_000:  # full buckets need not be remembered
            self.used = {k: (u, t) for k, (u, t) in self.used.items() if u > (now - t) * self.rate}
        return True

    def give_back(self, key: str, amount: float) -> None:
        """Give back an amount that was taken and not used."""
        used, then = self.used.get(key, (0.0, self.clock()))
        self.used[key] = (max(0.0, used - amount), then)


class ConcurrencyLimit:
    """Concurrency limit: `each` at a time for one key, and `total` for all of them."""

    def __init__(self, each: int, total: int = 10**9) -> None:
        self.each, self.total = each, total
        self.taken: Counter[str] = Counter()

    def full(self) -> bool:
        return self.taken.total() >= self.total

    def acquire(self, key: str) -> bool:
        if self.taken[key] >= self.each or self.full():
            return False
        self.taken[key] += 1
        return True

    def release(self, key: str) -> None:
        self.taken[key] -= 1
        if not self.taken[key]:
            del self.taken[key]


class RateLimiter:
    """Rate limit of one connection: a burst of two seconds' worth of messages, then a steady rate; others wait."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.clock = rate, clock
        self.free = 0.0  # when the next message is due

    async def wait(self) -> None:
        now = self.clock()
        self.free = max(self.free, now - 2.0) + 1 / self.rate
        if self.free > now:
            await asyncio.sleep(self.free - now)
