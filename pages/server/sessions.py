"""Sessions of pages that are gone: closed ones end at once, disconnected ones are kept for a while.

Streamlit keeps each for two minutes or longer, with its uploads and an event loop of three file descriptors, since the
network may have cut it off and it may come back. A browser reports when it closes or leaves a page.
"""

import asyncio
from contextvars import ContextVar
from typing import Any

from streamlit import config
from streamlit.runtime import Runtime, websocket_session_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.session_manager import SessionInfo, SessionStorage

from nmtcore.system.host_memory import give_back
from pages.server.delivery import BatchedSession

MOST = 128  # disconnected pages that may come back
GOING_AWAY = 1001  # code with which a browser closes the WebSocket of a page that it leaves

page_left: ContextVar[bool] = ContextVar("page_left", default=False)


class CutOffSessions(SessionStorage):
    """The sessions of disconnected pages, by id, oldest first. If a page was left, its session ends instead."""

    def __init__(self, seconds: float, most: int = MOST) -> None:
        self.seconds, self.most = seconds, most
        self.kept: dict[str, tuple[SessionInfo, asyncio.TimerHandle]] = {}

    def get(self, session_id: str) -> SessionInfo | None:
        return self.kept[session_id][0] if session_id in self.kept else None

    def save(self, session_info: SessionInfo) -> None:
        """Keep a session for a while, or end it. Nobody may find it while it ends, so it must be released first."""
        loop, session = asyncio.get_running_loop(), session_info.session
        if page_left.get():
            loop.call_soon(end, session)
            return
        while len(self.kept) >= self.most:
            self.expire(next(iter(self.kept)))
        self.kept[session.id] = (session_info, loop.call_later(self.seconds, self.expire, session.id))

    def delete(self, session_id: str) -> None:
        if kept := self.kept.pop(session_id, None):
            kept[1].cancel()

    def list(self) -> list[SessionInfo]:
        return [info for info, _timer in self.kept.values()]

    def expire(self, session_id: str) -> None:
        info, timer = self.kept.pop(session_id)
        timer.cancel()
        end(info.session)


def end(session: AppSession) -> None:
    """End a session, and return the memory of its uploads to the system."""
    uploaded = bool(session._uploaded_file_mgr.file_storage.get(session.id))  # type: ignore[attr-defined]
    session.shutdown()
    if uploaded:
        give_back()


class SharedLoop(asyncio.SelectorEventLoop):
    """An event loop that all pages share; none of them runs or closes it."""

    def close(self) -> None:
        """Nothing: others share it."""


class PageSession(BatchedSession):
    """A session whose scripts have no event loop of their own, which would take three file descriptors each."""

    loop: SharedLoop | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._script_event_loop.close()
        if PageSession.loop is None:
            PageSession.loop = SharedLoop()
        self._script_event_loop = PageSession.loop


def end_sessions_with_their_pages() -> None:
    """Make a starting server keep its sessions this way."""
    vars(websocket_session_manager)["AppSession"] = PageSession
    if not Runtime.exists():  # no server: a test that starts the app's services alone
        return
    kept = CutOffSessions(config.get_option("server.disconnectedSessionTTL"))
    vars(Runtime.instance()._session_mgr)["_session_storage"] = kept
