"""HAProxy with deploy/haproxy.cfg before two stand-ins for the app: cookies, WebSockets, draining, a copy that dies."""

import asyncio
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import WebSocketException
from websockets.http11 import Request, Response

from tests.helpers import PATIENCE
from tests.paths import ROOT

HAPROXY = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
COOKIE = "alignment-lab-copy"


full: set[str] = set()  # copies in which no further page can be opened


async def copy(name: str) -> Server:
    """A stand-in for a copy: it is healthy, says its name, and reports over a WebSocket which client it sees."""

    async def talk(page: ServerConnection) -> None:
        assert page.request is not None
        await page.send(f"{name} {page.request.headers.get('X-Forwarded-For')}")
        await page.wait_closed()

    def answer(page: ServerConnection, request: Request) -> Response | None:
        if request.path == "/_stcore/stream":
            return None
        status = HTTPStatus.NOT_FOUND if request.path == "/_stcore/health" and name in full else HTTPStatus.OK
        return page.respond(status, name)

    return await serve(talk, "127.0.0.1", 0, process_request=answer)


def port(server: Server) -> int:
    return int(next(iter(server.sockets)).getsockname()[1])


async def get(address: str, cookie: str = "") -> tuple[str, str]:
    """The copy that answers a browser, and the cookie that it is given, if any."""

    def ask() -> tuple[str, str]:
        request = urllib.request.Request(address, headers={"Cookie": f"{COOKIE}={cookie}"} if cookie else {})
        with urllib.request.urlopen(request, timeout=5) as found:
            return found.read().decode(), found.headers.get("Set-Cookie", "").partition(";")[0].partition("=")[2]

    return await asyncio.to_thread(ask)


async def until_answered(address: str) -> None:
    began = time.monotonic()
    while True:
        with suppress(OSError):
            await get(address)
            return
        assert time.monotonic() - began < PATIENCE, "the proxy did not start"
        await asyncio.sleep(0.1)


def command(admin: Path, line: str) -> None:
    with socket.socket(socket.AF_UNIX) as talk:
        talk.connect(str(admin))
        talk.sendall(f"{line}\n".encode())
        assert not talk.recv(1000).strip()


async def story(folder: Path) -> None:
    copies = {"1": await copy("1"), "2": await copy("2")}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        listen = f"127.0.0.1:{probe.getsockname()[1]}"
    settings = {"LISTEN": listen, "ADMIN": str(folder / "admin")}
    settings |= {f"COPY{name}": f"127.0.0.1:{port(server)}" for name, server in copies.items()}
    assert HAPROXY
    proxy = subprocess.Popen(
        [HAPROXY, "-db", "-f", str(ROOT / "deploy" / "haproxy.cfg")],
        env={**os.environ, **settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address, stream = f"http://{listen}/translate", f"ws://{listen}/_stcore/stream"
    try:
        await until_answered(address)
        given = dict([await get(address) for _ in range(8)])
        assert given == {"1": "1", "2": "2"}, "new browsers are shared out, and told so"
        assert [await get(address, "1") for _ in range(4)] == [("1", "")] * 4, "a browser stays with its copy"

        command(folder / "admin", "set server copies/copy1 state drain")
        assert {(await get(address))[0] for _ in range(6)} == {"2"}, "a copy that drains gets nobody new"
        assert (await get(address, "1"))[0] == "1", "and keeps who is there"
        command(folder / "admin", "set server copies/copy1 state ready")

        full.add("1")
        async with connect(stream, additional_headers={"Cookie": f"{COOKIE}=1"}) as page:
            began = time.monotonic()
            while {(await get(address))[0] for _ in range(4)} != {"2"}:
                assert time.monotonic() - began < PATIENCE, "a copy that is full gets nobody new"
            await page.ping()
            assert (await get(address, "1"))[0] == "1", "and keeps who is there"
        full.clear()
        while {(await get(address))[0] for _ in range(4)} != {"1", "2"}:
            assert time.monotonic() - began < PATIENCE, "and again when somebody has left"

        pretends = {"Cookie": f"{COOKIE}=1", "X-Forwarded-For": "1.2.3.4"}
        async with connect(stream, additional_headers=pretends) as page:
            assert await page.recv() == "1 127.0.0.1", "a WebSocket goes the same way, and nobody says where he is from"
            copies["1"].close(close_connections=False)
            for connection in list(copies["1"].connections):
                connection.transport.abort()
            died = time.monotonic()
            await asyncio.wait_for(page.wait_closed(), PATIENCE)
        while True:
            try:
                async with connect(stream, additional_headers={"Cookie": f"{COOKIE}=1"}) as page:
                    assert (await page.recv()) == "2 127.0.0.1"
                    break
            except (OSError, WebSocketException):
                await asyncio.sleep(0.1)
            assert time.monotonic() - died < PATIENCE, "nobody is at the other copy"
        assert await get(address, "1") == ("2", "2"), "its browsers belong to the other copy now"
    finally:
        proxy.kill()
        proxy.wait()
        for server in copies.values():
            server.close()


@pytest.mark.skipif(HAPROXY is None, reason="This needs HAProxy: apt-get install --no-install-recommends haproxy")
def test_browsers_stay_with_their_copy_until_it_dies(tmp_path: Path) -> None:
    asyncio.run(story(tmp_path))
