"""The clients of the load benchmark, in a process of their own: many students without browsers on the Translate page.

Each holds a WebSocket as a browser does (Streamlit's own protocol: a BackMsg with the state of the sentence box,
ForwardMsgs back). A sentence is answered when the message with all four alignments of it has come and the script has
ended well.
"""

import asyncio
import itertools
import json
import random
import re
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

LATE = 120.0  # s after which a sentence is given up
PANELS = 4
TRANSLATED = re.compile(r'"target": ?\["')  # a panel with a translation, in the data of the picture
WORDS = (
    ("I", "We", "You", "They", "The children", "My parents", "Our teachers", "Some people"),
    ("like", "see", "want", "know", "need", "remember", "often forget", "never buy"),
    ("the old", "a new", "the red", "this small", "that big", "my other", "your first", "the last"),
    ("house", "book", "car", "dog", "train", "school", "garden", "picture"),
    ("today.", "in the morning.", "because it is good.", "when it rains.", "near the station.", "after the lesson."),
)


class AnswerError(Exception):
    """What a client got instead of an answer."""


@dataclass(frozen=True)
class Scenario:
    """clients students open the page within `opening` seconds; then each sends a sentence every so often, for so long.

    seed: of the order of the sentences, so that no two scenarios of a server ask the same ones in the same order.
    """

    address: str
    clients: int
    opening: float
    every: float
    seconds: float
    seed: int


@dataclass
class Record:
    """The measurements of all clients, in seconds, and their errors."""

    opened: list[float] = field(default_factory=list)  # from the connection to the opening picture
    whole: list[float] = field(default_factory=list)  # from a sentence to all its figures
    lasted: float = 0.0  # from the first sentence to the last answer
    errors: list[str] = field(default_factory=list)
    processor: float = 0.0  # seconds that the clients themselves took
    # Of the sentences, without what opens the page:
    runs: int = 0  # of the page
    messages: int = 0  # that came, and those of pictures that were fetched
    received: int = 0  # bytes of them


async def run_of_page(
    socket: ClientConnection, page: str, query: dict[str, str], widgets: Sequence[WidgetState] = ()
) -> AsyncIterator[tuple[ForwardMsg, int]]:
    """Run a page, by its hash, at an address: what comes, with its bytes, until the script has ended well."""
    asked = ClientState(
        query_string=urlencode(query), page_script_hash=page, widget_states=WidgetStates(widgets=widgets)
    )
    await socket.send(BackMsg(rerun_script=asked).SerializeToString())
    ended = None
    while ended != ForwardMsg.FINISHED_SUCCESSFULLY:
        came = await socket.recv(decode=False)
        message = ForwardMsg.FromString(came)
        kind = message.WhichOneof("type")
        if kind == "delta" and message.delta.new_element.WhichOneof("type") == "exception":
            shown = message.delta.new_element.exception
            raise AnswerError(f"{shown.type}: {shown.message}")
        ended = message.script_finished if kind == "script_finished" else None
        if ended == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            raise AnswerError("The script could not be compiled.")
        yield message, len(came)


@contextmanager
def noted(errors: list[str], who: str) -> Iterator[None]:
    """An error of one client is noted, and the others go on."""
    try:
        yield
    except (AnswerError, OSError, WebSocketException, TimeoutError, StopIteration) as error:
        errors.append(f"{who}: {type(error).__name__} {error}")


class Client:
    """One student: opens the page, then sends sentences."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.page = ""
        self.box = ""  # the id of the sentence box
        self.runs = self.messages = self.received = 0

    async def open(self) -> float:
        """Seconds to the opening picture."""
        whole = await self._run("")
        if not self.box:
            raise AnswerError("The page has no box for a sentence.")
        return whole

    async def ask(self, sentence: str) -> float:
        """Seconds to all figures of the sentence."""
        return await self._run(sentence, WidgetState(id=self.box, string_value=sentence))

    async def _run(self, sentence: str, *states: WidgetState) -> float:
        began, whole = time.perf_counter(), None
        asked = {"text": sentence} if sentence else {}
        async for message, size in run_of_page(self.socket, self.page, asked, states):
            self.messages += 1
            self.received += size
            kind = message.WhichOneof("type")
            self.runs += kind == "script_finished"
            if kind == "navigation":
                self.page = message.navigation.page_script_hash
            elif kind == "delta" and self._drawn(message, sentence) == PANELS:
                whole = whole or time.perf_counter() - began
        if whole is None:
            raise AnswerError(f"The script ended without the figures of {sentence!r}.")
        return whole

    def _drawn(self, message: ForwardMsg, sentence: str) -> int:
        """How many alignments of the sentence the message has."""
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "text_input":
            self.box = element.text_input.id
        if kind != "bidi_component" or element.bidi_component.component_name != "alignment":
            return 0
        data = element.bidi_component.bytes.decode()
        return len(TRANSLATED.findall(data)) if json.dumps(sentence)[1:-1] in data else 0


def sentences(seed: int = 7) -> Iterator[str]:
    """All sentences of WORDS, in an order that is the same every time."""
    found = [" ".join(words) for words in itertools.product(*WORDS)]
    random.Random(seed).shuffle(found)
    return iter(found)


@asynccontextmanager
async def connection(address: str) -> Any:
    """A WebSocket to the server at an address, as a browser's page opens it."""
    stream = address.replace("http", "ws", 1) + "/_stcore/stream"
    async with connect(stream, subprotocols=["streamlit"], max_size=None, proxy=None) as socket:  # type: ignore[list-item]
        yield socket


async def student(number: int, asked: Scenario, texts: Iterator[str], record: Record, began: float) -> None:
    """Open the page, then send a sentence every so often, the students evenly spread; what goes wrong is noted."""
    share = number / asked.clients
    with noted(record.errors, f"student {number + 1}"):
        await asyncio.sleep(began + asked.opening * share - time.monotonic())
        came = time.monotonic()
        async with connection(asked.address) as socket:
            client = Client(socket)
            await asyncio.wait_for(client.open(), LATE)
            record.opened.append(time.monotonic() - came)
            client.runs = client.messages = client.received = 0
            due = began + 2 * asked.opening + asked.every * share
            end = began + 2 * asked.opening + asked.seconds
            while due < end:
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                if time.monotonic() > end:
                    break
                record.whole.append(await asyncio.wait_for(client.ask(next(texts)), LATE))
                due += asked.every
            record.runs += client.runs
            record.messages += client.messages
            record.received += client.received


async def all_students(asked: Scenario) -> Record:
    record, texts, began, processor = Record(), sentences(asked.seed), time.monotonic(), time.process_time()
    await asyncio.gather(*(student(i, asked, texts, record, began) for i in range(asked.clients)))
    record.lasted = time.monotonic() - began - 2 * asked.opening
    record.processor = time.process_time() - processor
    return record


def classroom(asked: Scenario) -> Record:
    """Run all students of a scenario."""
    return asyncio.run(all_students(asked))
