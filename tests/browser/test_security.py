"""Security headers of the server, and what it refuses. That no page breaks the policy: test_pages.py."""

import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


def test_a_server_refuses_what_it_has_not(app: str) -> None:
    with urllib.request.urlopen(f"{app}/translate") as found:
        assert found.headers["X-Content-Type-Options"] == "nosniff"
        assert "frame-ancestors 'self'" in found.headers["Content-Security-Policy"]
    for method, path, status in (
        ("GET", "/nowhere", 404),
        ("POST", "/translate", 405),
        ("GET", "/_stcore/metrics", 404),
        ("GET", "/views/nothing.js", 404),
    ):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(f"{app}{path}", method=method))
        with refused.value:  # an answer too, with a connection to close
            pass
        assert refused.value.code == status and refused.value.headers["X-Content-Type-Options"] == "nosniff"


def test_a_message_that_never_ends_is_refused_while_it_comes(app: str) -> None:
    """Where it must be whole before it is refused, a few connections fill the memory."""
    sent = 0

    def fragments() -> Iterator[bytes]:
        nonlocal sent
        while sent < 50_000_000:
            sent += 500_000
            yield bytes(500_000)

    stream = app.replace("http", "ws", 1) + "/_stcore/stream"
    with (
        pytest.raises(ConnectionClosed),
        connect(stream, subprotocols=["streamlit"], compression=None) as socket,  # type: ignore[list-item]
    ):
        socket.send(fragments())
        socket.recv(timeout=20)
    assert sent < 50_000_000
