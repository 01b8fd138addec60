"""Delivery of what runs of pages send, in batches: a message that goes alone wakes the event loop four times.

Streamlit hands each message of a run to the event loop by itself, which then looks through all sessions for what is to
be sent. That was two fifths of what a sentence cost the server.
"""

from collections import deque
from functools import partial
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

HOLD = 0.1  # s that what a run sends waits for more of it, unless the run ends before
HELD = (ScriptRunnerEvent.SCRIPT_STARTED, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)


class BatchedSession(AppSession):
    """A session whose runs hand over together what they send: when they end, and every HOLD seconds until then."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._events: deque[partial[None]] = deque()
        self._due = False  # whether the event loop will take the events without being told again

    def _on_scriptrunner_event(self, sender: Any, event: ScriptRunnerEvent, *given: Any, **named: Any) -> None:
        """Called in the thread of a run."""
        self._events.append(partial(self._handle_scriptrunner_event_on_event_loop, sender, event, *given, **named))
        if event not in HELD:
            self._call_soon_on_event_loop(self._take_events)
        elif not self._due:
            self._due = True
            self._call_soon_on_event_loop(self._take_later)

    def _take_later(self) -> None:
        self._event_loop.call_later(HOLD, self._take_events)

    def _take_events(self) -> None:
        """Handle all events in their order, on the event loop; it is told once that there are messages to send."""
        self._due = False  # first: an event that comes meanwhile is taken below, or says that it is due
        if not self._events:
            return
        enqueued, self._message_enqueued_callback = self._message_enqueued_callback, None
        try:
            while self._events:
                self._events.popleft()()
        finally:
            self._message_enqueued_callback = enqueued
            if enqueued:
                enqueued()
            if self._events:  # one of them failed
                self._call_soon_on_event_loop(self._take_events)

    def handle_backmsg(self, msg: BackMsg) -> None:
        """What was sent before the browser asked is older than what it asks."""
        self._take_events()
        super().handle_backmsg(msg)
