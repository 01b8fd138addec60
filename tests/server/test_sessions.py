"""Sessions of pages that are gone: pages that were left end at once, disconnected ones may come back for a while."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from streamlit.runtime import websocket_session_manager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.server import descriptors
from pages.server.sessions import CutOffSessions, PageSession, page_left

pytestmark = pytest.mark.anyio


class Server:
    """Streamlit's session manager with our sessions, each page of which uploads a file."""

    def __init__(self, seconds: float = 60.0, most: int = 3) -> None:
        self.uploads = MemoryUploadedFileManager("/upload")
        self.storage = CutOffSessions(seconds, most)
        self.manager = WebsocketSessionManager(self.storage, self.uploads, ScriptCache(), None)

    def open(self, before: str | None = None) -> str:
        client = cast(Any, SimpleNamespace())
        script = ScriptData(str(Path(__file__)), is_hello=False)
        page = self.manager.connect_session(client, script, {}, existing_session_id=before)
        self.uploads.add_file(page, UploadedFileRec("file", "a.tsv", "text/plain", b"x" * 1000))
        return page

    async def close(self, page: str, left: bool) -> None:
        page_left.set(left)
        self.manager.disconnect_session(page)
        await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def page_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket_session_manager, "AppSession", PageSession)


async def test_uploads_go_with_the_page_that_was_left() -> None:
    server = Server()
    page, other = server.open(), server.open()
    await server.close(page, left=True)
    assert set(server.uploads.file_storage) == {other} and server.storage.list() == []
    assert server.open(before=page) != page, "nobody comes back to it"


async def test_a_page_that_was_cut_off_comes_back_with_its_uploads() -> None:
    server = Server()
    page = server.open()
    await server.close(page, left=False)
    assert [info.session.id for info in server.storage.list()] == [page]
    assert server.uploads.get_files(page, ["file"]) and server.open(before=page) == page
    assert server.storage.list() == []


async def test_a_page_that_does_not_come_back_ends() -> None:
    server = Server(seconds=0.0)
    page = server.open()
    await server.close(page, left=False)
    while server.uploads.file_storage:
        await asyncio.sleep(0.001)
    assert server.storage.list() == [] and server.open(before=page) != page


async def test_few_are_kept() -> None:
    server = Server(most=3)
    pages = [server.open() for _ in range(5)]
    for page in pages:
        await server.close(page, left=False)
    assert [info.session.id for info in server.storage.list()] == pages[2:]
    assert set(server.uploads.file_storage) == set(pages[2:])


async def test_a_session_has_no_descriptors_of_its_own() -> None:
    server = Server()
    server.open()  # the first makes the loop that all have
    before = descriptors.in_use()
    pages = [server.open() for _ in range(10)]
    assert descriptors.in_use() == before
    for page in pages:
        await server.close(page, left=True)
    again = server.manager.get_active_session_info(server.open())
    assert again is not None and not cast(Any, again.session)._script_event_loop.is_closed()
