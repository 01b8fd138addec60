"""The style that hides a page before its projected picture: which documents have it."""

import asyncio
from typing import Any

import pytest

from pages.server.projected_opening import STYLE, ProjectedOpening
from tests.server.asgi import Server, ask


async def long_server(scope: Any, receive: Any, send: Any) -> None:
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", b"4")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send(
        {"type": "http.response.body", "body": b"page" if b"accept-encoding" not in dict(scope["headers"]) else b""}
    )


@pytest.mark.parametrize("query", ["projection=on", "text=a+cat&projection=beside&pin=dot%3F"])
def test_a_document_that_opens_projected_has_it(query: str) -> None:
    status, headers, body = asyncio.run(ask(ProjectedOpening(long_server), f"/dot?{query}", accept_encoding="gzip"))
    assert (status, body) == (200, "page" + STYLE.decode())
    assert int(headers["content-length"]) == len(body)


@pytest.mark.parametrize("path", ["/dot", "/dot?projection=wall", "/dot?text=projection%3Don"])
def test_others_have_not(path: str) -> None:
    assert asyncio.run(ask(ProjectedOpening(Server()), path))[2] == "page"
    assert asyncio.run(ask(ProjectedOpening(Server(304)), f"{path}&projection=on"))[2] == "page"
