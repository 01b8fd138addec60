"""TCP connections: counted when they are accepted, and closed if the other end is too slow.

Counting complete requests would miss connections that never send one, and each takes a file descriptor. If there are
too many, the one that has been silent longest is closed, so that a browser, which sends its request at once, is served.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

LOG = logging.getLogger("uvicorn.error")
HEADERS = 10.0  # s from the start of a connection, or from the last answer, until the next request must be complete
STALLED = 60.0  # s within which some of a request's body must arrive, or some of an answer must be read
LOOK = 1.0  # s between two checks of a connection
SAME, MINUTE = 20, 60.0  # errors of one kind that the log takes in this many seconds; of all other lines it takes one


class ConnectionLimit:
    """The limit of open connections: `each` from one address, `total` in all."""

    def __init__(self, each: int, total: int) -> None:
        self.each, self.total = each, total
        self.open: Counter[str] = Counter()  # connections of an address without its pages, which have their own limit
        self.silent: dict[str, dict[HttpConnection, None]] = {}  # those of them without a request, longest silent first

    def opened(self, new: HttpConnection) -> None:
        """Count a connection. If there are too many, close the one that has been silent longest."""
        self.open[new.peer] += 1
        self.falls_silent(new)
        if self.open[new.peer] > self.each:
            self._make_room(new.peer)
        elif len(new.connections) > self.total:  # the address with the most of them loses one
            self._make_room(max(self.silent, key=lambda address: self.open[address]))

    def falls_silent(self, connection: HttpConnection) -> None:
        """A connection becomes idle: it has sent no request yet, or is answered."""
        connection.since = connection.loop.time()
        self.silent.setdefault(connection.peer, {})[connection] = None

    def asks(self, connection: HttpConnection) -> None:
        """A connection has sent a complete request."""
        of_address = self.silent.get(connection.peer, {})
        of_address.pop(connection, None)
        if not of_address:
            self.silent.pop(connection.peer, None)

    def gone(self, connection: HttpConnection) -> None:
        """A connection is closed, or becomes the WebSocket of a page."""
        self.asks(connection)
        self.open[connection.peer] -= 1
        if not self.open[connection.peer]:
            del self.open[connection.peer]

    def _make_room(self, address: str) -> None:
        oldest = next(iter(self.silent.get(address, ())), None)
        if oldest is not None:
            self.asks(oldest)
            oldest.transport.abort()
            LOG.warning("Too many connections: that of %s which had been silent longest was closed.", address)


class HttpConnection(H11Protocol):
    """uvicorn's HTTP/1.1 connection, counted against a limit and watched. It may become a WebSocket."""

    def __init__(self, limit: ConnectionLimit, **given: Any) -> None:
        super().__init__(**given)
        self.limit = limit
        self.peer = ""  # the address of the other end
        self.received = 0  # bytes
        self.since = 0.0  # when it became the other end's turn to send

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.peer = self.client[0] if self.client else ""
        self.limit.opened(self)
        Watch(transport, self.loop)

    def connection_lost(self, exc: Exception | None) -> None:
        self.limit.gone(self)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.limit.gone(self)
        super().handle_websocket_upgrade(event)

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        super().data_received(data)
        if not self.silent and self.transport.get_protocol() is self:
            self.limit.asks(self)

    def on_response_complete(self) -> None:
        if not self.transport.is_closing():
            self.limit.falls_silent(self)
        super().on_response_complete()
        if not self.silent:  # the next request had already arrived
            self.limit.asks(self)

    @property
    def silent(self) -> bool:
        """Whether no complete request has arrived since the last answer."""
        return self.cycle is None or self.cycle.response_complete


class Watch:
    """Watches a connection, whatever protocol it speaks by now, and closes it if it is late."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self.transport, self.loop = transport, loop
        self.seen, self.moved = (0, 0), loop.time()
        self.look()

    def look(self) -> None:
        unsent = self.transport.get_write_buffer_size()
        if self.transport.is_closing() and not unsent:
            return
        protocol, now = self.transport.get_protocol(), self.loop.time()
        received, asked = 0, False
        if isinstance(protocol, HttpConnection):
            received = protocol.received
            if protocol.silent and now - protocol.since > HEADERS:
                return self.transport.abort()
            asked = not protocol.silent and protocol.cycle.more_body and not protocol.flow.read_paused
        if (received, unsent) != self.seen or not (unsent or asked):
            self.seen, self.moved = (received, unsent), now
        elif now - self.moved > STALLED:
            return self.transport.abort()
        self.loop.call_later(LOOK, self.look)


class LogLimit(logging.Filter):
    """A filter that passes one log line of a kind a minute, or a few errors: a flood must not reach the log.

    The next line says how many were left out.

    A text frame that is not UTF-8 is the sender's fault: it closes the connection and needs no traceback.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.clock, self.began = clock, clock()
        self.lines: Counter[str] = Counter()  # of this minute
        self.before: Counter[str] = Counter()  # of the last minute that had any

    def filter(self, record: logging.LogRecord) -> bool:
        if self.clock() - self.began > MINUTE:
            self.began = self.clock()
            self.before, self.lines = self.lines, Counter()
        if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
            record.exc_info = None
        kind, most = str(record.msg)[:200], SAME if record.levelno >= logging.ERROR else 1
        self.lines[kind] += 1
        if self.lines[kind] == 1 and self.before[kind] > most:
            left_out = self.before[kind] - most
            record.msg, record.args = f"{record.getMessage()} (Left out since the last of these: {left_out:,}.)", ()
        return self.lines[kind] <= most


def limit_connections(config: Config, limit: ConnectionLimit, backlog: int) -> None:
    """Make a starting uvicorn server count its connections against a limit. backlog: how many it accepts at once."""
    config.http_protocol_class = lambda **given: HttpConnection(limit, **given)  # type: ignore[assignment]
    config.backlog = backlog
    # Streamlit's is that of errors in a run of a page: .streamlit/config.toml keeps them from being printed past it.
    for logger in (LOG, logging.getLogger("asyncio"), logging.getLogger("streamlit.error_util")):
        if not any(isinstance(one, LogLimit) for one in logger.filters):
            logger.addFilter(LogLimit())
