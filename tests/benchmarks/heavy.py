"""Many people with the largest permitted questions at once: the cost to others, and the memory.

    python -m tests.benchmarks.heavy [--people 30] [--seconds 60] [--words 85] [--places transformer?pane=grid,beam]

Each has a page or a pane of its own and asks a new text of invented words there, about 250 pieces, with a beam of 20,
again and again; meanwhile one student translates ordinary sentences. Memory is the largest sum of the proportional
shares (PSS) of the server and its workers that was seen, once a second.
"""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from websockets.asyncio.client import ClientConnection

from tests.benchmarks.clients import Client, connection, noted, run_of_page, sentences
from tests.benchmarks.load import Usage, percentile
from tests.benchmarks.machine import machine, options, row
from tests.browser.conftest import Server
from tests.paths import ROOT

PANES = tuple(f"transformer?pane={pane}" for pane in ("grid", "compare", "cell", "layer", "batch"))
PAGES = ("translate", "no_attention", "additive", "dot", "positions", "beam", "architectures")
PAUSE = 1.0  # s between two sentences of the student
LATE = 400.0  # s after which an answer is given up
SYLLABLES = [consonant + vowel for consonant in "bcdfghjklmnpqrstvwxz" for vowel in "aeiou"]


@dataclass
class Seen:
    """Seconds to each answer, by place; those of the student; what went wrong; the most memory, MB."""

    heavy: dict[str, list[float]] = field(default_factory=dict)
    ordinary: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    memory: float = 0.0


def invented(words: int, seed: str) -> str:
    """A text of words of two syllables, none of which the models know."""
    chance = random.Random(seed)
    return " ".join("".join(chance.choices(SYLLABLES, k=2)) for _ in range(words))


async def visit(socket: ClientConnection, page: str, query: dict[str, str]) -> dict[str, str]:
    """Open a page, by its hash, at an address, and wait until it is complete; returns all pages' hashes by name."""
    came = [message.navigation.app_pages async for message, _ in run_of_page(socket, page, query)]
    return {found.url_pathname: found.page_script_hash for pages in came for found in pages}


async def ask_the_most(number: int, place: str, words: int, address: str, end: float, seen: Seen) -> None:
    """One person at one place, who asks again as soon as the page is complete."""
    page, _, query = place.partition("?")
    with noted(seen.errors, place):
        async with connection(address) as socket:
            hashes = await visit(socket, "", {})
        while (began := time.monotonic()) < end:
            asked = {"text": invented(words, f"{number} {began}"), "beam": "20", **dict(parse_qsl(query))}
            async with connection(address) as socket:  # each is a link: the server has the link of an open page
                await asyncio.wait_for(visit(socket, hashes.get(page, ""), asked), LATE)
            seen.heavy.setdefault(place, []).append(time.monotonic() - began)


async def translate(address: str, end: float, seen: Seen) -> None:
    """The student."""
    with noted(seen.errors, "the student"):
        async with connection(address) as socket:
            client = Client(socket)
            await client.open()
            for sentence in sentences(seed=time.time_ns()):
                if time.monotonic() > end:
                    return
                seen.ordinary.append(await asyncio.wait_for(client.ask(sentence), LATE))
                await asyncio.sleep(PAUSE)


async def watch(process: int, seen: Seen) -> None:
    while True:
        seen.memory = max(seen.memory, Usage.of(process).memory)
        await asyncio.sleep(1)


async def crowd(address: str, process: int, places: Sequence[str], people: int, words: int, seconds: float) -> Seen:
    """All of them together."""
    seen, end = Seen(), time.monotonic() + seconds
    watching = asyncio.create_task(watch(process, seen))
    heavy = (ask_the_most(n, places[n % len(places)], words, address, end, seen) for n in range(people))
    await asyncio.gather(*heavy, translate(address, end, seen))
    watching.cancel()
    return seen


def main() -> None:
    chosen = options(__doc__, people=30, seconds=60.0, words=85, places=",".join((*PANES, *PAGES)))
    print(machine())
    server = Server(ROOT / "app.py")
    with server as address:
        asked = chosen.places.split(","), chosen.people, chosen.words, chosen.seconds
        seen = asyncio.run(crowd(address, server.process.pid, *asked))
    row("place", "answers", "p50, s", "max, s", head=True)
    for place, times in {**seen.heavy, "Translate, an ordinary sentence": seen.ordinary}.items():
        row(place, len(times), f"{percentile(times, 50):.2f}", f"{max(times, default=0):.2f}")
    print(f"Memory: at most {seen.memory:.0f} MB. Errors: {len(seen.errors)}")
    for error in seen.errors[:5]:
        print(f"  {error}")
    print(f"At the end: {machine()}")


if __name__ == "__main__":
    main()
