"""A run's messages reach the server's event loop in batches, in order, and none is lost."""

import asyncio
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor

from pages.server import delivery
from pages.server.sessions import PageSession

STARTED = ScriptRunnerEvent.SCRIPT_STARTED
SENT = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
ENDED = ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS

pytestmark = pytest.mark.anyio


class Session:
    """A session without a browser. told: how often the server was told to send."""

    def __init__(self) -> None:
        self.told = 0
        script = ScriptData(str(Path(__file__)), is_hello=False)
        self.session = PageSession(script, MemoryUploadedFileManager("/upload"), ScriptCache(), self._tell, {}, None)

    def _tell(self) -> None:
        self.told += 1

    def run(self, *said: str, ends: bool) -> None:
        """A run in a thread of its own that sends these texts."""
        run = RunDescriptor("run", ())

        def script() -> None:
            self.session._on_scriptrunner_event(None, STARTED, page_script_hash="page", run_descriptor=run, pages={})
            for text in said:
                message = ForwardMsg()
                message.metadata.delta_path.extend([0, len(text)])
                message.delta.new_element.text.body = text
                self.session._on_scriptrunner_event(None, SENT, message)
            if ends:
                self.session._on_scriptrunner_event(None, ENDED, run_descriptor=run)

        thread = Thread(target=script)
        thread.start()
        thread.join()

    def sent(self) -> list[str]:
        return [
            message.delta.new_element.text.body or str(message.WhichOneof("type"))
            for message in self.session.flush_browser_queue()
            if message.WhichOneof("type") != "session_status_changed"
        ]


async def test_a_run_is_delivered_whole_when_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "HOLD", 3600.0)
    session = Session()
    session.run("a", "bc", "def", ends=True)
    assert session.sent() == [], "the loop has had no turn yet"
    await asyncio.sleep(0)
    assert session.sent() == ["new_session", "a", "bc", "def", "script_finished"]
    assert session.told == 1


async def test_a_long_run_is_delivered_before_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "HOLD", 0.001)
    session = Session()
    session.run("a", "bc", ends=False)
    while not session.told:
        await asyncio.sleep(0.001)
    assert session.sent() == ["new_session", "a", "bc"]


async def test_what_was_sent_before_the_browser_asks_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "HOLD", 3600.0)
    session = Session()
    session.run("a", ends=False)
    session.session.handle_backmsg(BackMsg(app_heartbeat=True))
    assert session.sent() == ["new_session", "a", "heartbeat_ack"]


async def test_after_a_message_that_fails_the_others_come(monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: failed.append(context))
    session = Session()
    session.session._on_scriptrunner_event(None, SENT, None)  # no message
    session.run("a", ends=True)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert len(failed) == 1 and session.sent() == ["new_session", "a", "script_finished"]
