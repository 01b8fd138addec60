"""Stand-ins around the security middleware: Streamlit behind it, requests and tabs before it."""

import asyncio
import gzip
from collections.abc import MutableMapping
from typing import Any

from pages.server.security_middleware import (
    STREAM,
    Application,
    SecurityMiddleware,
)

Message = MutableMapping[str, Any]
UPLOAD = "/_stcore/upload_file/session/file"


class Server:
    """A stand-in for Streamlit: it answers every request and keeps every connection until released."""

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


async def ask(server: Application, path: str, method: str = "GET", **given: str) -> tuple[int, dict[str, str], str]:
    """Status, headers and text of an answer."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    await server(scope("http", path, method, **given), receive, send)
    headers = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return sent[0]["status"], headers, (gzip.decompress(body) if "content-encoding" in headers else body).decode()


class Tab:
    """A WebSocket: its outgoing messages can be set, its incoming ones are kept."""

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
