"""A classroom at work: thirty clients without browsers, each with its own sentences, on the Translate page.

    python -m tests.benchmarks.load [--minutes 10] [--clients 30] [--every 8] [--address http://127.0.0.1:8501]

Each client holds a WebSocket as a browser does (Streamlit's own protocol: a BackMsg with the state of the sentence box,
ForwardMsgs back) and sends a sentence that nobody has sent before every 8 seconds, to all four models. A sentence is
answered when the message with all four alignments of it has come and the script has ended well. Prints what the times
from sentence to figures were, what went wrong, and the memory of the server: at the start, when the cache of traces
is full (after four minutes, or half the time), and at the end. Aims: 95 of 100 answers within 1.5 s, no error, no
growth of memory.

`websockets` comes with Streamlit. Memory is read from /proc, so on Linux only, and only of a server started here.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.benchmarks.machine import machine
from tests.browser.conftest import ROOT, Server

LATE = 60.0  # s after which a sentence is given up
AIM = 1.5  # s, for 95 of 100 answers
WARM = 240.0  # s after which memory is expected to stay: the cache of traces is full
PANELS = 4
WORDS = (
    ("I", "We", "You", "They", "The children", "My parents", "Our teachers", "Some people"),
    ("like", "see", "want", "know", "need", "remember", "often forget", "never buy"),
    ("the old", "a new", "the red", "this small", "that big", "my other", "your first", "the last"),
    ("house", "book", "car", "dog", "train", "school", "garden", "picture"),
    ("today.", "in the morning.", "because it is good.", "when it rains.", "near the station.", "after the lesson."),
)


class AnswerError(Exception):
    """What a client got instead of an answer."""


@dataclass
class Record:
    """What all clients have seen: seconds to the first and to all figures of a sentence, and what went wrong."""

    first: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    behind: int = 0  # sentences that were due before the one before was answered


class Client:
    """One student: opens the page, then sends sentences."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.page = ""
        self.box = ""  # the id of the sentence box

    async def open(self) -> None:
        await self._run("", None)
        if not self.box:
            raise AnswerError("The page has no box for a sentence.")

    async def ask(self, sentence: str) -> tuple[float, float]:
        """Seconds to the first figure of the sentence and to all of them."""
        return await self._run(sentence, WidgetState(id=self.box, string_value=sentence))

    async def _run(self, sentence: str, state: WidgetState | None) -> tuple[float, float]:
        asked = ClientState(
            query_string=urlencode({"text": sentence}) if sentence else "",
            page_script_hash=self.page,
            widget_states=WidgetStates(widgets=[state] if state else []),
        )
        began = time.perf_counter()
        await self.socket.send(BackMsg(rerun_script=asked).SerializeToString())
        first = whole = None
        while True:
            message = ForwardMsg.FromString(await self.socket.recv(decode=False))
            kind = message.WhichOneof("type")
            if kind == "navigation":
                self.page = message.navigation.page_script_hash
            elif kind == "delta":
                drawn = self._drawn(message, sentence)
                now = time.perf_counter() - began
                first = now if first is None and drawn else first
                whole = now if whole is None and drawn == PANELS else whole
            elif kind == "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                    break
                if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    raise AnswerError("The script could not be compiled.")
        if sentence and (first is None or whole is None):
            raise AnswerError(f"The script ended without the figures of {sentence!r}.")
        return first or 0.0, whole or 0.0

    def _drawn(self, message: ForwardMsg, sentence: str) -> int:
        """How many alignments of the sentence the message has."""
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise AnswerError(f"{element.exception.type}: {element.exception.message}")
        if kind == "text_input":
            self.box = element.text_input.id
        if kind != "bidi_component" or element.bidi_component.component_name != "alignment":
            return 0
        data = json.loads(element.bidi_component.json)
        return sum(bool(panel["target"]) for panel in data["panels"]) if data["sentence"] == sentence else 0


def sentences() -> Iterator[str]:
    """All sentences of WORDS, in an order that is the same every time."""
    found = [" ".join(words) for words in itertools.product(*WORDS)]
    random.Random(7).shuffle(found)
    return iter(found)


async def student(number: int, options: argparse.Namespace, texts: Iterator[str], record: Record, end: float) -> None:
    """Send a sentence every so often, the students evenly spread, until the end; what goes wrong is written down."""
    stream = options.address.replace("http", "ws", 1) + "/_stcore/stream"
    due = time.monotonic() + options.every * (1 + number / options.clients)
    try:
        async with connect(stream, subprotocols=["streamlit"], max_size=None, proxy=None) as socket:  # type: ignore[list-item]
            client = Client(socket)
            await asyncio.wait_for(client.open(), LATE)
            while due < end:
                record.behind += time.monotonic() > due
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                first, whole = await asyncio.wait_for(client.ask(next(texts)), LATE)
                record.first.append(first)
                record.whole.append(whole)
                due += options.every
    except (AnswerError, OSError, WebSocketException, TimeoutError, StopIteration) as error:
        record.errors.append(f"student {number + 1}: {type(error).__name__} {error}")


async def classroom(options: argparse.Namespace, record: Record, process: int | None) -> list[float]:
    """Run all students; the server's memory at the start, after WARM seconds, and at the end, MB."""
    memory = [resident(process)]
    end = time.monotonic() + 60 * options.minutes
    texts = sentences()
    students = [asyncio.create_task(student(i, options, texts, record, end)) for i in range(options.clients)]
    await asyncio.sleep(min(WARM, 30 * options.minutes))
    memory.append(resident(process))
    while any(not task.done() for task in students):
        await asyncio.wait(students, timeout=60)
        print(f"  {len(record.whole)} answered, {resident(process):.0f} MB", flush=True)
    await asyncio.gather(*students)
    return [*memory, resident(process)]


def resident(process: int | None) -> float:
    """Resident memory of a process in MB; 0 where it cannot be told."""
    if process is None:
        return 0.0
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def percentile(values: list[float], percent: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(percent / 100 * len(ordered)))] if ordered else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description="Thirty students on the Translate page.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=30)
    parser.add_argument("--every", type=float, default=8, help="seconds from a student's sentence to the next")
    parser.add_argument("--address", default="", help="a running server; its own is started where none is named")
    options = parser.parse_args()
    record = Record()
    print(f"{machine()}; {options.clients} clients, a sentence every {options.every:g} s, {options.minutes:g} minutes")
    with ExitStack() as stack:
        process = None
        if not options.address:
            server = Server(ROOT / "app.py")
            options.address = stack.enter_context(server)
            process = server.process.pid
        memory = asyncio.run(classroom(options, record, process))
    print(f"\nAt the end: {machine()}\n")
    print("| | p50 | p95 | max |\n|---|---|---|---|")
    for name, times in (("first figure", record.first), ("all four figures", record.whole)):
        print(
            f"| {name}, s | {percentile(times, 50):.2f} | {percentile(times, 95):.2f} | {percentile(times, 100):.2f} |"
        )
    print(f"\n{len(record.whole)} sentences, {record.behind} sent late, {len(record.errors)} errors")
    print(
        "Memory, MB: "
        + ", ".join(f"{name} {mb:.0f}" for name, mb in zip(("start", "warm", "end"), memory, strict=True))
    )
    for error in record.errors[:10]:
        print(error)
    late = percentile(record.whole, 95)
    print(f"Aim of {AIM} s for 95 of 100: " + ("met" if late < AIM and not record.errors else "missed"))


if __name__ == "__main__":
    main()
