"""The security middleware's limits for one address: bytes, pages, messages a second."""

import asyncio

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.server.limits import MEGABYTE, Bucket, ConcurrencyLimit, Limits, RateLimiter
from pages.server.security_middleware import (
    STREAM,
    SecurityMiddleware,
)
from tests.server.asgi import UPLOAD, Server, Tab, ask, scope

pytestmark = pytest.mark.anyio


async def test_an_address_uploads_so_many_bytes_an_hour() -> None:
    front = SecurityMiddleware(Server(), Limits(upload_megabytes=9))
    for expected in (200, 200, 429):
        assert (await ask(front, UPLOAD, "PUT", content_length=str(4 * MEGABYTE)))[0] == expected
    assert (await ask(front, UPLOAD, "PUT", client="10.0.0.2", content_length=str(4 * MEGABYTE)))[0] == 200
    assert (await ask(front, "/"))[0] == 200


async def test_an_upload_that_is_refused_leaves_room_for_others() -> None:
    server = Server(413)
    front = SecurityMiddleware(server, Limits(upload_megabytes=9))
    for _ in range(4):
        assert (await ask(front, UPLOAD, "PUT", content_length=str(8 * MEGABYTE)))[0] == 413
    server.status = 200
    answers = [(await ask(front, UPLOAD, "PUT", content_length=str(8 * MEGABYTE)))[0] for _ in range(2)]
    assert answers == [200, 429]


async def test_an_address_opens_so_many_pages_and_a_closed_one_makes_room() -> None:
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


async def test_a_connection_elsewhere_and_a_message_too_large_are_refused() -> None:
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


async def test_health_says_when_no_page_can_be_opened() -> None:
    front = SecurityMiddleware(Server(), Limits(connections=1))
    tab = Tab(front)
    assert await tab.opened()
    status, _headers, body = await ask(front, "/_stcore/health")
    assert status == 404 and "No further page" in body
    assert (await ask(front, "/"))[0] == 200
    await tab.close()
    assert (await ask(front, "/_stcore/health"))[0] == 200


async def test_messages_beyond_the_rate_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = [100.0], []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(asyncio, "sleep", sleep)
    rate = RateLimiter(10, lambda: now[0])
    for _ in range(20):
        await rate.wait()
    assert slept == [], "two seconds' worth at once"
    for _ in range(10):
        await rate.wait()
    assert sum(slept) == pytest.approx(1.0)


def test_behind_a_proxy_its_client_counts_and_nobody_can_pretend() -> None:
    plain, proxied = SecurityMiddleware(Server(), Limits()), SecurityMiddleware(Server(), Limits(proxies=1))
    pretends = scope("http", "/", x_forwarded_for="1.1.1.1, 192.168.1.9")
    assert plain.address(pretends) == "10.0.0.1"
    assert proxied.address(pretends) == "192.168.1.9"
    assert proxied.address(scope("http", "/")) == "10.0.0.1"


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
