"""Security headers of the server, and what it refuses. That no page breaks the policy: test_pages.py."""

import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.browser.conftest import Server
from tests.paths import ROOT

FILES, VISITS = 256, 120  # files that a Mac lets a process open; the 81st visit was the last, of three descriptors each


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

    with pytest.raises(ConnectionClosed), page_of(app) as socket:
        socket.send(fragments())
        socket.recv(timeout=20)
    assert sent < 50_000_000


@pytest.mark.skipif(sys.platform == "win32", reason="Windows counts no files.")
def test_few_files_are_enough_for_many_visits(model_directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Disconnected pages may come back: what is kept of them holds no descriptors."""
    monkeypatch.setenv("ALIGNMENT_LAB_PRETRAINED", str(model_directory))
    server = Server(ROOT / "app.py", workers=0)
    server.command = ["sh", "-c", f'ulimit -n {FILES} && exec "$@"', "sh", *server.command]
    with server as address:
        with page_of(address) as socket:
            assert run(socket) == ForwardMsg.FINISHED_SUCCESSFULLY
        before = psutil.Process(server.process.pid).num_fds()
        for _visit in range(VISITS):
            with page_of(address) as socket:
                assert socket.ping().wait(20)
        with page_of(address) as socket:
            assert run(socket) == ForwardMsg.FINISHED_SUCCESSFULLY
            assert psutil.Process(server.process.pid).num_fds() <= before + 5, (
                "its own connection, and what a run reads"
            )


def page_of(address: str) -> ClientConnection:
    """The WebSocket of a page that has not run yet."""
    stream = address.replace("http", "ws", 1) + "/_stcore/stream"
    return connect(stream, subprotocols=["streamlit"], compression=None, proxy=None)  # type: ignore[list-item]


def run(socket: ClientConnection) -> int:
    """Run a page as a browser does on opening; returns how it ended."""
    socket.send(BackMsg(rerun_script=ClientState()).SerializeToString())
    while True:
        message = ForwardMsg.FromString(socket.recv(60, decode=False))
        if message.WhichOneof("type") == "script_finished":
            return message.script_finished
