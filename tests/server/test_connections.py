"""Connections of a real server: counted when they are accepted, closed if the other end does nothing in time."""

import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
import uvicorn
from streamlit.error_util import handle_uncaught_app_exception
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from pages.server import connections, descriptors
from pages.server.connections import LogLimit
from pages.server.limits import Limits
from pages.server.security_middleware import SecurityMiddleware
from tests.helpers import PATIENCE

UPLOAD = "/_stcore/upload_file/session/file"
ASK = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF = f"PUT {UPLOAD} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\nhalf of it".encode()
LARGE = 60_000_000  # more bytes than the system's buffers hold
Start = Callable[..., "Running"]


class App:
    """A stand-in for Streamlit: a short page, a long file, uploads read to their end, WebSockets that say hello."""

    def __init__(self) -> None:
        self.ended = threading.Event()  # the long file has been sent, or given up

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.send", "text": "hello"})
            await receive()
        else:
            while (await receive()).get("more_body"):
                pass
            await send({"type": "http.response.start", "status": 200, "headers": []})
            long = scope["path"].startswith("/static/")
            for _ in range(LARGE // 100_000 if long else 1):
                await send({"type": "http.response.body", "body": b"x" * (100_000 if long else 4), "more_body": True})
            await send({"type": "http.response.body", "body": b""})
            if long:
                self.ended.set()


class Running:
    """uvicorn with the middleware, in a thread."""

    def __init__(self, limits: Limits) -> None:
        self.app = App()
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        config = uvicorn.Config(SecurityMiddleware(self.app, limits), lifespan="on", log_config=None, access_log=False)
        config.ws = "websockets-sansio"
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, args=([listening],))
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive()

    def open(self, sent: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
        found = socket.create_connection(("127.0.0.1", self.port), PATIENCE, (source, 0))
        found.sendall(sent)
        return found

    def answers(self, path: str = "/") -> bool:
        with closing(self.open(ASK.replace(b"/ ", f"{path} ".encode(), 1))) as asked:
            return asked.recv(100).startswith(b"HTTP/1.1 200")


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """start(limits) is a server that runs until the test ends, with a fresh log."""
    monkeypatch.setattr(connections.LOG, "filters", [])
    with ExitStack() as running:

        def begin(**limits: int) -> Running:
            made = Running(Limits(**limits))

            def end() -> None:
                made.server.should_exit = made.server.force_exit = True
                made.thread.join(PATIENCE)

            running.callback(end)
            return made

        yield begin


def closed(found: socket.socket) -> bool:
    """Whether the server has closed a connection, or does so within the test's time."""
    try:
        return found.recv(100) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def answered(*kept: socket.socket) -> None:
    """Assert that each of these connections is there, and answers a request."""
    for one in kept:
        one.sendall(ASK)
        assert one.recv(100).startswith(b"HTTP/1.1 200")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEADERS", "STALLED", "LOOK"):
        monkeypatch.setattr(connections, name, 0.1)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: local", ASK + b"GET /tran", HALF])
def test_who_never_finishes_a_request_is_cut_off(start: Start, sent: bytes) -> None:
    running = start()
    with closing(running.open(sent)) as silent:
        if sent.startswith(ASK):
            while not silent.recv(1000).endswith(b"0\r\n\r\n"):
                pass
        assert closed(silent)
    assert running.answers()


@pytest.mark.usefixtures("impatient")
def test_who_takes_no_answer_is_cut_off(start: Start) -> None:
    running = start()
    with closing(running.open(ASK.replace(b"/ ", b"/static/x ", 1))):
        assert running.app.ended.wait(PATIENCE)
    assert running.answers()


@pytest.mark.usefixtures("impatient")
def test_an_open_page_may_be_silent(start: Start) -> None:
    running = start()
    with (
        connect(f"ws://127.0.0.1:{running.port}/_stcore/stream", proxy=None) as page,
        closing(running.open()) as silent,
    ):
        assert page.recv(PATIENCE) == "hello"
        assert closed(silent), "what is silent without a page goes first"
        page.ping().wait(PATIENCE)


def test_the_longest_silent_makes_room(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    """A server that counts requests would see none of these, and answer nobody else."""
    running = start(connections=2, address_requests=3)
    with ExitStack() as opened:
        silent = [opened.enter_context(closing(running.open())) for _ in range(5)]
        assert running.answers(), "the sixth, which asks"
        assert closed(silent[0])
        answered(silent[-1])  # the others are as they were
    assert caplog.text.count("silent longest was closed") == 1, "of three"


def test_an_address_has_its_share(start: Start) -> None:
    running = start(address_connections=2, address_requests=1)
    with ExitStack() as opened:
        other = opened.enter_context(closing(running.open(source="127.0.0.2")))
        mine = [opened.enter_context(closing(running.open())) for _ in range(4)]
        assert closed(mine[0])
        answered(other, *mine[1:])


def test_of_too_many_in_all_the_address_with_most_gives_one(start: Start) -> None:
    running = start(connections=2, address_connections=9, address_requests=3)
    with ExitStack() as opened:
        other = opened.enter_context(closing(running.open(source="127.0.0.2")))
        mine = [opened.enter_context(closing(running.open())) for _ in range(4)]
        assert running.answers() and closed(mine[0])
        answered(other, *mine[1:])


def test_who_asks_twice_at_once_is_answered_twice(start: Start) -> None:
    """A connection whose next request has already arrived is not silent, and a closed one is not counted."""
    running = start(connections=2, address_requests=3)
    with ExitStack() as opened:
        for _ in range(2 * connections.SAME):
            twice = opened.enter_context(closing(running.open(ASK + ASK)))
            found = b""
            while found.count(b"0\r\n\r\n") < 2:
                found += twice.recv(1000)
            opened.pop_all().close()
        answered(*(opened.enter_context(closing(running.open())) for _ in range(4)))


def test_behind_a_proxy_all_connections_are_the_proxys(start: Start) -> None:
    running = start(address_connections=2, address_requests=1, proxies=1)
    with ExitStack() as opened:
        answered(*(opened.enter_context(closing(running.open())) for _ in range(9)))


def test_a_system_of_few_files_has_few_pages_and_says_so(
    start: Start, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(descriptors, "raise_limit", lambda: 90)
    monkeypatch.setattr(descriptors, "in_use", lambda: 6)  # with 32 for others and three bursts of 16: room for 4
    running = start()
    assert "3 pages can be open at a time, not 2000: a process may open no more than 90 files" in caplog.text
    with ExitStack() as opened:
        for _ in range(3):
            assert running.answers("/_stcore/health")
            opened.enter_context(connect(f"ws://127.0.0.1:{running.port}/_stcore/stream", proxy=None))
        assert not running.answers("/_stcore/health")


def test_a_system_of_many_files_says_nothing(
    start: Start, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(descriptors, "raise_limit", lambda: 8192)
    running = start()
    assert running.answers("/_stcore/health") and "can be open at a time" not in caplog.text


def test_the_log_says_once_in_a_minute_what_is_refused_and_few_errors_of_a_kind() -> None:
    now, passed = [0.0], list[str]()
    limit = LogLimit(lambda: now[0])
    kinds = (logging.WARNING, "Too many of %s."), (logging.INFO, "%s: 403"), (logging.ERROR, "An error of %s.")

    def say(times: int) -> None:
        for number in range(times):
            for level, words in kinds:
                record = logging.LogRecord("server", level, "", 1, words, (f"10.0.0.{number}",), None)
                if limit.filter(record):
                    passed.append(record.getMessage())

    say(1000)
    assert passed[:3] == ["Too many of 10.0.0.0.", "10.0.0.0: 403", "An error of 10.0.0.0."]
    assert passed[3:] == [f"An error of 10.0.0.{number}." for number in range(1, connections.SAME)]
    passed.clear()
    now[0] = connections.MINUTE + 1
    say(1)
    says = "(Left out since the last of these: {}.)"
    assert passed[:2] == [f"Too many of 10.0.0.0. {says.format(999)}", f"10.0.0.0: 403 {says.format(999)}"]
    assert passed[2] == f"An error of 10.0.0.0. {says.format(1000 - connections.SAME)}"
    passed.clear()
    now[0] *= 3
    say(1)
    assert passed == ["Too many of 10.0.0.0.", "10.0.0.0: 403", "An error of 10.0.0.0."]


def test_an_error_that_a_visitor_can_cause_again_and_again_is_logged_a_few_times(
    start: Start, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    start()
    for _ in range(2 * connections.SAME):
        handle_uncaught_app_exception(ValueError("forged"))
    assert len([record for record in caplog.records if record.exc_info]) == connections.SAME
    assert "forged" not in capsys.readouterr().out


def test_a_text_frame_that_is_not_in_utf8_closes_the_connection_with_one_line(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = start()
    said: list[logging.LogRecord] = []
    monkeypatch.setattr(connections.LOG, "handle", lambda one: said.extend([one] * bool(connections.LOG.filter(one))))
    with connect(f"ws://127.0.0.1:{running.port}/_stcore/stream", proxy=None) as page:
        assert page.recv(PATIENCE) == "hello"
        page.send(b"\xff\xfe", text=True)
        with pytest.raises(ConnectionClosedError) as ended:
            page.recv(PATIENCE)
    assert ended.value.rcvd and ended.value.rcvd.code == 1007
    (line,) = (record for record in said if "UTF-8" in record.getMessage())
    assert line.exc_info is None
