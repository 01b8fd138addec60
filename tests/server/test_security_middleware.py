"""The security middleware before the server: what it refuses, and the headers it sends."""

import asyncio

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.common.registry import PAGES
from pages.server import security_middleware
from pages.server.browser_messages import refusal
from pages.server.limits import MEGABYTE, Limits
from pages.server.security_middleware import (
    SecurityMiddleware,
    content_security_policy,
    inline_scripts,
)
from tests.server.asgi import UPLOAD, Message, Server, Tab, ask

pytestmark = pytest.mark.anyio


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
async def test_a_foreign_page_opens_no_connection(origin: str, trusted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit, which would query the Internet about it while everybody waits, never sees it."""
    settings = {"browser.serverAddress": "school-pc.local", "server.enableCORS": True}
    settings |= {"server.corsAllowedOrigins": ["https://portal.school"], "server.baseUrlPath": ""}
    monkeypatch.setattr(security_middleware.st, "get_option", settings.__getitem__)
    monkeypatch.setenv("ALIGNMENT_LAB_HOSTS", "lab.example")
    server = Server()
    tab = Tab(SecurityMiddleware(server, Limits()), host="lab.example:8501", **({"origin": origin} if origin else {}))
    assert await tab.opened() == trusted
    if trusted:
        await tab.close()
    else:
        assert tab.sent[0]["code"] == 1008
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
async def test_only_announced_names_are_answered(host: str, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page whose site resolves its own name to this machine (DNS rebinding) does not get the same origin."""
    settings = {"browser.serverAddress": "school-pc.local", "server.enableCORS": True, "server.baseUrlPath": ""}
    settings |= {"server.corsAllowedOrigins": []}
    monkeypatch.setattr(security_middleware.st, "get_option", settings.__getitem__)
    monkeypatch.setenv("ALIGNMENT_LAB_HOSTS", "lab.example, other.example")
    server = Server()
    front, named = SecurityMiddleware(server, Limits()), {"host": host} if host else {}
    assert (await ask(front, "/", **named))[0] == status
    tab = Tab(front, **named, **({"origin": f"http://{host}"} if host else {}))
    assert await tab.opened() == (status == 200)
    if status == 200:
        await tab.close()
    assert len(server.seen) == (2 if status == 200 else 0)


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
async def test_what_no_page_sends_is_refused(
    asked: BackMsg | bytes | str, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Others are dropped: clearing the caches would clear everybody's."""
    content = asked.SerializeToString() if isinstance(asked, BackMsg) else asked
    fine = BackMsg(stop_script=True).SerializeToString()
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
    assert [record.exc_info for record in caplog.records] == [None], "one line, without a traceback"


@pytest.mark.parametrize("operation", ["deferred_file", "dataframe_chunk"])
def test_what_pages_send_is_passed_on(operation: str) -> None:
    sent = [BackMsg(backend_operation_request={operation: {}}), BackMsg(app_heartbeat=True)]
    sent += [BackMsg(rerun_script={"query_string": "text=a"}), BackMsg(file_urls_request={"file_names": ["a.tsv"]})]
    for asked in sent:
        message: Message = {"type": "websocket.receive", "bytes": asked.SerializeToString()}
        assert refusal(message, MEGABYTE) is None


def test_the_policy_names_the_own_host_alone() -> None:
    assert "ws://lab.example:8501 wss://lab.example:8501;" in content_security_policy(b"lab.example:8501")
    assert "evil" not in content_security_policy(b"x; script-src evil.org")
    script = next(part for part in content_security_policy().split("; ") if part.startswith("script-src"))
    assert "unsafe-inline" not in script and "'unsafe-eval'" not in script and inline_scripts() in script
    assert inline_scripts().count("'sha256-") >= 1
