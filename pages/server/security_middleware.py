"""ASGI middleware for an open network: it refuses what is unknown, enforces quotas and sends security headers.

Unknown are paths, methods and host names other than this server's, and messages that none of its pages sends. The
content security policy lets a browser load and run only what this server sends.
"""

import base64
import hashlib
import ipaddress
import os
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from uvicorn.config import Config

from pages.common.registry import PAGES
from pages.server import descriptors
from pages.server.browser_messages import refusal
from pages.server.connections import LOG, ConnectionLimit, limit_connections
from pages.server.limits import MEGABYTE, Bucket, ConcurrencyLimit, Limits, RateLimiter
from pages.server.sessions import GOING_AWAY, page_left

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

STREAM = "/_stcore/stream"
HEALTH = "/_stcore/health"
UPLOAD = "/_stcore/upload_file/"
# What Streamlit's page fetches. A page requests some of it below its own path too, before it knows its base.
FILES = ("/static/", "/media/", "/component/", "/_stcore/bidi-components/", "/views/")
SINGLE = ("/favicon.png", "/manifest.json", HEALTH, "/_stcore/host-config")
READ = ("GET", "HEAD", "OPTIONS")
WRITE = ("PUT", "POST", "DELETE")
HOST = re.compile(rb"[A-Za-z0-9.:\[\]_-]{1,255}")
PORT = re.compile(r":\d+$")
HOUR = 3600.0
HOSTS_SETTING = "ALIGNMENT_LAB_HOSTS"  # of the environment: further names, with commas between them
TRY_AGAIN = 1013  # code that closes a WebSocket: the server is too busy
FOREIGN = 1008
UNLIMITED = 10**9
NAMES = "This server is not announced by that name. Open it by the address that it says, or name it in {setting}."


def content_security_policy(host: bytes = b"") -> str:
    """The Content-Security-Policy. host: as the browser wrote it; for older ones 'self' does not include WebSockets."""
    socket = f" ws://{host.decode()} wss://{host.decode()}" if HOST.fullmatch(host) else ""
    return "; ".join(
        (
            "default-src 'self'",
            # Streamlit loads the scripts of components from blobs, and has one inline script, known by its hash.
            f"script-src 'self' blob: 'wasm-unsafe-eval' {inline_scripts()}",
            "style-src 'self' 'unsafe-inline'",  # Streamlit's styles are made in the browser
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "media-src 'self' data: blob:",
            f"connect-src 'self' data: blob:{socket}",
            "worker-src 'self' blob:",
            "frame-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'self'",
        )
    )


@cache
def inline_scripts() -> str:
    """The hashes of the scripts in Streamlit's own page, as a content policy names them."""
    page = Path(st.__file__).parent / "static" / "index.html"
    scripts = re.findall(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", page.read_text(encoding="utf-8"), re.DOTALL)
    hashes = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in hashes)


def security_headers(host: bytes = b"") -> list[tuple[bytes, bytes]]:
    return [
        (b"content-security-policy", content_security_policy(host).encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", b"SAMEORIGIN"),
        (b"referrer-policy", b"same-origin"),  # addresses contain typed text
        (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ]


def known(path: str, pages: Iterable[str]) -> bool:
    """Whether this server serves a path. pages: names of pages."""
    if path == "/" or path in SINGLE or path.startswith((*FILES, UPLOAD)):
        return True
    first, _, rest = path.removeprefix("/").partition("/")
    return first in pages and (not rest or f"/{rest}" in SINGLE or f"/{rest}".startswith(FILES))


def trusted_origin(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether the page that opens a WebSocket is this server's, or of an origin named in its settings.

    Streamlit checks the origin too, but for a foreign one it first asks a server on the Internet for its own address;
    nobody else is answered meanwhile, which takes seconds without the Internet.
    """
    given = dict(headers)
    origin, host = given.get(b"origin", b"").decode("latin-1"), given.get(b"host", b"").decode("latin-1")
    if not origin or not st.get_option("server.enableCORS") or origin in st.get_option("server.corsAllowedOrigins"):
        return True  # a program other than a browser sends none, and could send any
    place = origin.partition("://")[2]
    known_hosts = ("localhost", "127.0.0.1", st.get_option("browser.serverAddress"))
    return place == host or PORT.sub("", place) in known_hosts


def announced(host: bytes) -> bool:
    """Whether a Host header has a name under which this server was announced.

    This prevents DNS rebinding: a page of another site, whose name is made to resolve to this machine, would have the
    same origin as this server. A numeric address cannot be rebound, so any is right; and browsers always send the
    header.
    """
    name = PORT.sub("", host.decode("latin-1")).lower().rstrip(".")
    try:
        return not name or bool(ipaddress.ip_address(name.strip("[]")))
    except ValueError:
        names = ("localhost", st.get_option("browser.serverAddress"), *os.environ.get(HOSTS_SETTING, "").split(","))
        return name in {str(known).strip().lower() for known in names}


class SecurityMiddleware:
    def __init__(self, app: Application, limits: Limits | None = None) -> None:
        self.app, self.limits = app, limits or Limits.of()
        self.pages = frozenset(entry.name for entry in PAGES)
        self.first = f"/{PAGES[0].name}"
        base = str(st.get_option("server.baseUrlPath") or "").strip("/")
        self.base = f"/{base}" if base else ""
        self.open = ConcurrencyLimit(self.limits.address_connections, self.limits.connections)
        self.requests = ConcurrencyLimit(self.limits.address_requests)
        self.uploads = Bucket(self.limits.upload_megabytes * MEGABYTE, HOUR)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._connection(scope, receive, send)
        else:
            await self.app(scope, receive, self._beginning(receive, send))

    def _beginning(self, receive: Receive, send: Send) -> Send:
        """Hook into the start of the app: only then is it known how many files it has opened."""

        async def tell(message: Message) -> None:
            # An ASGI application cannot reach the server, except the one whose method `receive` is.
            config = getattr(getattr(receive, "__self__", None), "config", None)
            if message["type"] == "lifespan.startup.complete" and isinstance(config, Config):
                self._limit_connections(config)
            await send(message)

        return tell

    def _limit_connections(self, config: Config) -> None:
        limits = self.limits
        each = limits.address_connections + limits.address_requests if not limits.proxies else UNLIMITED
        total = limits.connections + limits.address_requests
        files = descriptors.raise_limit()
        if files is not None:
            room = descriptors.connections(files)
            total = min(total, room)
            self.open.total = min(self.open.total, descriptors.pages(room))
        if self.open.total < limits.connections:
            LOG.warning(
                "%s pages can be open at a time, not %s: a process may open no more than %s files here (ulimit -Hn).",
                *(self.open.total, limits.connections, files),
            )
        limit_connections(config, ConnectionLimit(each, total), descriptors.burst(files))

    def path(self, scope: Scope) -> str:
        """The path relative to the one that the app is served at."""
        return str(scope["path"]).removeprefix(self.base) or "/"

    def address(self, scope: Scope) -> str:
        """The client's address: the one that connects, or what the outermost known proxy reports."""
        own = str((scope.get("client") or ("unknown",))[0])
        if not self.limits.proxies:
            return own
        named = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
        clients = [client.strip() for client in named.decode("latin-1").split(",") if client.strip()]
        return clients[-self.limits.proxies][:64] if len(clients) >= self.limits.proxies else own

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        host, status = _header(scope, b"host"), 0

        async def secured(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                ours = security_headers(host)
                names = {name for name, _ in ours}
                message["headers"] = [pair for pair in message.get("headers", ()) if pair[0].lower() not in names]
                message["headers"] += ours
            await send(message)

        path, method = self.path(scope), scope["method"]
        if not announced(host):
            return await answer(secured, 421, NAMES.format(setting=HOSTS_SETTING))
        if not known(path, self.pages):
            return await answer(secured, 404, "There is no such page here: open the address without its path.")
        if path.endswith(HEALTH) and self.open.full():  # HAProxy keeps present visitors and sends nobody new
            return await answer(secured, 404, "No further page can be opened: as many are open as may be.")
        if path == self.first and method in READ:  # Streamlit has its first page at / only
            query = bytes(scope.get("query_string") or b"")
            return await redirect(secured, f"{self.base}/".encode() + (b"?" + query if query else b""))
        if method not in READ and not (method in WRITE and path.startswith(UPLOAD)):
            return await answer(secured, 405, "This server only shows pages: it takes nothing at this address.")
        address = self.address(scope)
        if not self.requests.acquire(address):
            return await answer(secured, 429, "Too many files are asked for from this address: wait a while.")
        try:
            sent = _length(scope) if method in WRITE else 0
            if not self.uploads.take(address, sent):
                return await answer(secured, 429, "Too much was uploaded from this address: wait a while.")
            await self.app(scope, receive, secured)
            if status >= 400:  # too large, or of a page that is closed: nothing of it is kept
                self.uploads.give_back(address, sent)
        finally:
            self.requests.release(address)

    async def _connection(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, address = self.path(scope), self.address(scope)
        first, _, rest = path.removeprefix("/").partition("/")
        if path != STREAM and not (first in self.pages and f"/{rest}" == STREAM):
            return await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": "There is nothing here."})
        if not announced(_header(scope, b"host")) or not trusted_origin(scope["headers"]):
            return await send({"type": "websocket.close", "code": FOREIGN, "reason": "This is for its own pages."})
        if not self.open.acquire(address):
            return await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": "Too many pages are open."})
        rate = RateLimiter(self.limits.messages)

        async def held() -> Message:
            while True:
                message = await receive()
                if message["type"] == "websocket.disconnect":
                    page_left.set(message.get("code") == GOING_AWAY)
                if message["type"] != "websocket.receive":
                    return message
                refused = refusal(message, self.limits.message_megabytes * MEGABYTE)
                if refused is None:
                    await rate.wait()
                    return message
                LOG.warning("A message of %s was refused: %s", address, refused.sentence)
                if refused.code:
                    await send({"type": "websocket.close", "code": refused.code, "reason": refused.sentence})
                    return {"type": "websocket.disconnect", "code": refused.code}
                await rate.wait()

        try:
            await self.app(scope, held, send)
        finally:
            self.open.release(address)


async def answer(send: Send, status: int, sentence: str) -> None:
    body = f"{sentence}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def redirect(send: Send, address: bytes) -> None:
    headers = [(b"location", address), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 307, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _header(scope: Scope, name: bytes) -> bytes:
    return next((value for key, value in scope["headers"] if key == name), b"")


def _length(scope: Scope) -> int:
    """The content length of a request; a megabyte if it is not given."""
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value[:15])
    return MEGABYTE
