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
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{app}/_stcore/metrics")
    with refused.value:  # an answer too, with a connection to close
        assert refused.value.code == 404 and refused.value.headers["X-Content-Type-Options"] == "nosniff"


def test_a_message_that_never_ends_is_refused_while_it_comes(app: str) -> None:
    """If it had to be complete before it is refused, a few connections could fill the memory."""
    sent = 0

    def fragments() -> Iterator[bytes]:
        nonlocal sent
        while sent < 50_000_000:
            sent += 500_000
            yield bytes(500_000)

    stream = app.replace("http", "ws", 1) + "/_stcore/stream"
    page = connect(stream, subprotocols=["streamlit"], compression=None, proxy=None)  # type: ignore[list-item]
    with pytest.raises(ConnectionClosed), page as socket:
        socket.send(fragments())
        socket.recv(timeout=20)
    assert sent < 50_000_000
