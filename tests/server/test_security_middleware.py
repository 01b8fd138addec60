"""The security middleware before the server: what it refuses, what it takes from one address, the headers it sends."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.common.registry import PAGES
from pages.server import security_middleware
from pages.server.browser_messages import refusal
from pages.server.limits import MEGABYTE, Bucket, ConcurrencyLimit, Limits, RateLimiter
from pages.server.security_middleware import (
    STREAM,
    SecurityMiddleware,
    content_security_policy,
    inline_scripts,
    known,
)

Message = MutableMapping[str, Any]
UPLOAD = "/_stcore/upload_file/session/file"


class Server:
    """A stand-in for Streamlit: it answers every request and keeps every connection until it is let go."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.seen: list[str] = []
        self.received: list[Message] = []
        self.let_go = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.seen.append(scope["path"])
        if scope["type"] == "http":
            headers = [(b"content-type", b"text/html"), (b"X-Frame-Options", b"ALLOWALL")]
            await send({"type": "http.response.start", "status": self.status, "headers": headers})
            await send({"type": "http.response.body", "body": b"page"})
            return
        await send({"type": "websocket.accept"})
        while True:
            message = await receive()
            self.received.append(message)
            if message["type"] == "websocket.disconnect":
                return


def scope(kind: str, path: str, method: str = "GET", client: str = "10.0.0.1", **headers: str) -> dict[str, Any]:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    path, _, query = path.partition("?")
    asked = {"path": path, "query_string": query.encode()}
    return {"type": kind, "method": method, "client": (client, 5), "headers": named, **asked}


async def ask(
    server: SecurityMiddleware, path: str, method: str = "GET", **given: str
) -> tuple[int, dict[str, str], str]:
    """Status, headers and body of an answer."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    await server(scope("http", path, method, **given), receive, send)
    headers = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers, sent[1]["body"].decode()


class Tab:
    """A WebSocket: what it sends can be put in, what it is sent is kept."""

    def __init__(
        self, server: SecurityMiddleware, path: str = STREAM, client: str = "10.0.0.1", **headers: str
    ) -> None:
        self.sent: list[Message] = []
        self.incoming: asyncio.Queue[Message] = asyncio.Queue()
        self.task = asyncio.ensure_future(
            server(scope("websocket", path, "", client, **headers), self.receive, self.send)
        )

    async def receive(self) -> Message:
        return await self.incoming.get()

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def opened(self) -> bool:
        while not self.sent:
            await asyncio.sleep(0)
        return bool(self.sent[0]["type"] == "websocket.accept")

    async def close(self) -> None:
        self.incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self.task


@pytest.mark.parametrize(
    "path",
    ["/", *(f"/{entry.name}" for entry in PAGES[1:]), "/static/js/index.js", "/media/a.png", "/favicon.png"]
    + ["/_stcore/health", "/translate/_stcore/health", "/beam/static/js/index.js", "/_stcore/bidi-components/x/y.js"],
)
def test_what_the_app_has_is_served(path: str) -> None:
    server = Server()
    status, headers, body = asyncio.run(ask(SecurityMiddleware(server, Limits()), path))
    assert (status, body) == (200, "page") and server.seen == [path]
    assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    ["/nowhere", "/.env", "/wp-login.php", "/translate/nowhere", "/translatex", "/_stcore/agent/interact", "//evil.org"]
    + ["/_stcore/metrics", "/_stcore", "/auth/login", "/../etc/passwd", "/app/static/x", "/nowhere/_stcore/health"],
)
def test_what_the_app_has_not_is_refused(path: str) -> None:
    server = Server()
    status, headers, body = asyncio.run(ask(SecurityMiddleware(server, Limits()), path))
    assert status == 404 and "no such page" in body and not server.seen
    assert headers["x-content-type-options"] == "nosniff" and "content-security-policy" in headers


@pytest.mark.parametrize(("method", "path"), [("POST", "/"), ("PUT", "/media/x"), ("TRACE", "/"), ("DELETE", "/beam")])
def test_other_methods_are_refused(method: str, path: str) -> None:
    server = Server()
    assert asyncio.run(ask(SecurityMiddleware(server, Limits()), path, method))[0] == 405 and not server.seen
    assert asyncio.run(ask(SecurityMiddleware(server, Limits()), UPLOAD, "PUT", content_length="7"))[0] == 200


@pytest.mark.parametrize("query", ["", "?text=A%20cat.&pair=en-fr"])
def test_the_first_page_is_found_by_its_name_too(query: str) -> None:
    server = Server()
    status, headers, body = asyncio.run(ask(SecurityMiddleware(server), f"/{PAGES[0].name}{query}"))
    assert (status, headers["location"], body) == (307, f"/{query}", "")
    assert "content-security-policy" in headers and server.seen == []
    assert asyncio.run(ask(SecurityMiddleware(server), f"/{PAGES[1].name}{query}"))[0] == 200


def test_an_address_uploads_so_many_bytes_an_hour() -> None:
    async def story() -> None:
        front = SecurityMiddleware(Server(), Limits(upload_megabytes=9))
        for expected in (200, 200, 429):
            assert (await ask(front, UPLOAD, "PUT", content_length=str(4 * MEGABYTE)))[0] == expected
        assert (await ask(front, UPLOAD, "PUT", client="10.0.0.2", content_length=str(4 * MEGABYTE)))[0] == 200
        assert (await ask(front, "/"))[0] == 200

    asyncio.run(story())


def test_an_upload_that_is_refused_leaves_room_for_others() -> None:
    async def story() -> None:
        server = Server(413)
        front = SecurityMiddleware(server, Limits(upload_megabytes=9))
        for _ in range(4):
            assert (await ask(front, UPLOAD, "PUT", content_length=str(8 * MEGABYTE)))[0] == 413
        server.status = 200
        answers = [(await ask(front, UPLOAD, "PUT", content_length=str(8 * MEGABYTE)))[0] for _ in range(2)]
        assert answers == [200, 429]

    asyncio.run(story())


def test_an_address_opens_so_many_pages_and_a_closed_one_makes_room() -> None:
    async def story() -> None:
        front = SecurityMiddleware(Server(), Limits(connections=5, address_connections=3))
        mine = [Tab(front) for _ in range(4)]
        assert [await tab.opened() for tab in mine] == [True, True, True, False]
        assert mine[3].sent[0]["reason"] == "Too many pages are open."
        others = [Tab(front, client=f"10.0.0.{i}") for i in (2, 3, 4)]
        assert [await tab.opened() for tab in others] == [True, True, False], "five in all"
        await mine[0].close()
        again = Tab(front)
        assert await again.opened()
        for tab in (*mine[1:3], *others[:2], again):
            await tab.close()
        assert front.open.taken.total() == 0

    asyncio.run(story())


def test_a_connection_elsewhere_and_a_message_too_large_are_refused() -> None:
    async def story() -> None:
        server = Server()
        front = SecurityMiddleware(server, Limits(message_megabytes=1))
        assert not await Tab(front, "/elsewhere").opened() and not server.seen
        assert await Tab(front, "/beam" + STREAM).opened()
        tab = Tab(front)
        assert await tab.opened()
        for most in (MEGABYTE, MEGABYTE + 1):
            asked = BackMsg(rerun_script={"query_string": "x" * (most - 8)}).SerializeToString()
            assert len(asked) == most
            tab.incoming.put_nowait({"type": "websocket.receive", "bytes": asked})
        await tab.task
        assert [message["type"] for message in server.received] == ["websocket.receive", "websocket.disconnect"]
        assert tab.sent[-1] == {"type": "websocket.close", "code": 1009, "reason": "This message is too large."}

    asyncio.run(story())


@pytest.mark.parametrize(
    ("origin", "trusted"),
    [
        ("http://lab.example:8501", True),
        ("https://lab.example:8501", True),  # a proxy has taken the TLS away
        ("http://localhost:3000", True),
        ("http://school-pc.local", True),  # as the server is named
        ("https://portal.school", True),  # as it is told to trust
        ("", True),
        ("http://lab.example", False),
        ("http://evil.example:8501", False),
        ("http://evil.example?lab.example:8501", False),
        ("http://localhost.evil.example", False),
        ("http://portal.school", False),
        ("null", False),
        ("http://[", False),
    ],
)
def test_a_foreign_page_opens_no_connection(origin: str, trusted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """And Streamlit, which would ask the Internet about it while everybody waits, does not hear of it."""
    settings = {"browser.serverAddress": "school-pc.local", "server.enableCORS": True}
    settings |= {"server.corsAllowedOrigins": ["https://portal.school"], "server.baseUrlPath": ""}
    monkeypatch.setattr(security_middleware.st, "get_option", settings.__getitem__)
    monkeypatch.setenv("ALIGNMENT_LAB_HOSTS", "lab.example")
    server = Server()

    async def story() -> None:
        tab = Tab(
            SecurityMiddleware(server, Limits()), host="lab.example:8501", **({"origin": origin} if origin else {})
        )
        assert await tab.opened() == trusted
        if trusted:
            await tab.close()
        else:
            assert tab.sent[0]["code"] == 1008

    asyncio.run(story())
    assert bool(server.seen) == trusted


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8501", 200),
        ("LOCALHOST.", 200),
        ("127.0.0.1:8501", 200),
        ("192.168.1.5", 200),
        ("[::1]:8501", 200),
        ("school-pc.local:8501", 200),  # as the server is named
        ("lab.example", 200),  # as the environment names it
        ("", 200),
        ("evil.example", 421),
        ("evil.example:8501", 421),
        ("localhost.evil.example", 421),
        ("192.168.1.5.evil.example", 421),
        ("[evil]", 421),
        ("\xff", 421),
    ],
)
def test_only_announced_names_are_answered(host: str, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page whose site makes its own name stand for this machine (DNS rebinding) is not of one origin with it."""
    settings = {"browser.serverAddress": "school-pc.local", "server.enableCORS": True, "server.baseUrlPath": ""}
    settings |= {"server.corsAllowedOrigins": []}
    monkeypatch.setattr(security_middleware.st, "get_option", settings.__getitem__)
    monkeypatch.setenv("ALIGNMENT_LAB_HOSTS", "lab.example, other.example")
    server = Server()

    async def story() -> None:
        front, named = SecurityMiddleware(server, Limits()), {"host": host} if host else {}
        assert (await ask(front, "/", **named))[0] == status
        tab = Tab(front, **named, **({"origin": f"http://{host}"} if host else {}))
        assert await tab.opened() == (status == 200)
        if status == 200:
            await tab.close()

    asyncio.run(story())
    assert len(server.seen) == (2 if status == 200 else 0)


def test_health_says_when_no_page_can_be_opened() -> None:
    async def story() -> None:
        front = SecurityMiddleware(Server(), Limits(connections=1))
        tab = Tab(front)
        assert await tab.opened()
        status, _headers, body = await ask(front, "/_stcore/health")
        assert status == 404 and "No further page" in body
        assert (await ask(front, "/"))[0] == 200
        await tab.close()
        assert (await ask(front, "/_stcore/health"))[0] == 200

    asyncio.run(story())


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (BackMsg(clear_cache=True), 0),
        (BackMsg(load_git_info=True), 0),
        (BackMsg(set_run_on_save=True), 0),
        (BackMsg(debug_shutdown_runtime=True), 0),
        (BackMsg(backend_operation_request={"install_skills": {}}), 0),
        (BackMsg(), 0),
        (b"\xff no protobuf", 1002),
        ("text", 1003),
    ],
    ids=str,
)
def test_what_no_page_sends_is_refused(
    asked: BackMsg | bytes | str, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Of others nobody hears: to clear the caches would clear those of everybody."""
    content = asked.SerializeToString() if isinstance(asked, BackMsg) else asked
    fine = BackMsg(stop_script=True).SerializeToString()

    async def story() -> None:
        server = Server()
        tab = Tab(SecurityMiddleware(server, Limits()))
        assert await tab.opened()
        kind = "text" if isinstance(content, str) else "bytes"
        tab.incoming.put_nowait({"type": "websocket.receive", kind: content})
        tab.incoming.put_nowait({"type": "websocket.receive", "bytes": fine})
        if code:
            await tab.task
            assert tab.sent[-1]["code"] == code
        else:
            await tab.close()
        reached = [message.get("bytes") for message in server.received if message["type"] == "websocket.receive"]
        assert reached == ([] if code else [fine])

    asyncio.run(story())
    assert [record.exc_info for record in caplog.records] == [None], "one line, without a traceback"


@pytest.mark.parametrize("operation", ["deferred_file", "dataframe_chunk"])
def test_what_pages_send_is_passed_on(operation: str) -> None:
    sent = [BackMsg(backend_operation_request={operation: {}}), BackMsg(app_heartbeat=True)]
    sent += [BackMsg(rerun_script={"query_string": "text=a"}), BackMsg(file_urls_request={"file_names": ["a.tsv"]})]
    for asked in sent:
        message: Message = {"type": "websocket.receive", "bytes": asked.SerializeToString()}
        assert refusal(message, MEGABYTE) is None


def test_messages_beyond_the_rate_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = [100.0], []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(asyncio, "sleep", sleep)
    rate = RateLimiter(10, lambda: now[0])

    async def story() -> None:
        for _ in range(20):
            await rate.wait()
        assert slept == [], "two seconds' worth at once"
        for _ in range(10):
            await rate.wait()

    asyncio.run(story())
    assert sum(slept) == pytest.approx(1.0)


def test_behind_a_proxy_its_client_counts_and_nobody_can_pretend() -> None:
    plain, proxied = SecurityMiddleware(Server(), Limits()), SecurityMiddleware(Server(), Limits(proxies=1))
    pretends = scope("http", "/", x_forwarded_for="1.1.1.1, 192.168.1.9")
    assert plain.address(pretends) == "10.0.0.1"
    assert proxied.address(pretends) == "192.168.1.9"
    assert proxied.address(scope("http", "/")) == "10.0.0.1"


def test_the_policy_names_the_own_host_alone() -> None:
    assert "ws://lab.example:8501 wss://lab.example:8501;" in content_security_policy(b"lab.example:8501")
    assert "evil" not in content_security_policy(b"x; script-src evil.org")
    script = next(part for part in content_security_policy().split("; ") if part.startswith("script-src"))
    assert "unsafe-inline" not in script and "'unsafe-eval'" not in script and inline_scripts() in script
    assert inline_scripts().count("'sha256-") >= 1


def test_limits_come_from_the_environment() -> None:
    assert Limits.of({}) == Limits()
    assert Limits.of({"ALIGNMENT_LAB_ADDRESS_CONNECTIONS": " 40 "}).address_connections == 40
    for wrong in ("-1", "many", "1e3", "1" * 30):
        with pytest.raises(ValueError, match="ALIGNMENT_LAB_MESSAGES must be a whole number"):
            Limits.of({"ALIGNMENT_LAB_MESSAGES": wrong})


def test_a_bucket_fills_again_and_places_are_given_back() -> None:
    now = [0.0]
    bucket = Bucket(10, 100, lambda: now[0])
    assert bucket.take("a", 10) and not bucket.take("a", 1) and bucket.take("b", 1)
    now[0] = 50
    assert bucket.take("a", 5) and not bucket.take("a", 1)
    bucket.give_back("a", 3)
    assert bucket.take("a", 3) and not bucket.take("a", 1)
    bucket.give_back("b", 5)
    assert bucket.take("b", 10) and not bucket.take("b", 1)
    limit = ConcurrencyLimit(1, 2)
    assert [limit.acquire(key) for key in "aabc"] == [True, False, True, False]
    limit.release("a")
    assert limit.acquire("c") and set(limit.taken) == {"b", "c"}


def test_only_names_of_pages_are_pages() -> None:
    assert known("/beam", {"beam"}) and not known("/beam", {"dot"}) and not known("/beam/", set())
