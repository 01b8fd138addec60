"""Batched delivery of the messages of runs: a message sent alone wakes the event loop four times.

Streamlit hands each message of a run separately to the event loop, which then searches all sessions for messages to
send. That was two fifths of what a sentence cost the server.
"""

from collections import deque
from functools import partial
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

HOLD = 0.1  # s for which messages of a run wait for more of them, unless the run ends before
HELD = (ScriptRunnerEvent.SCRIPT_STARTED, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)


class BatchedSession(AppSession):
    """A session whose runs hand over their messages in batches: when they end, and every HOLD seconds until then."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._events: deque[partial[None]] = deque()
        self._due = False  # whether the event loop will handle the events without another wake-up

    def _on_scriptrunner_event(self, sender: Any, event: ScriptRunnerEvent, *given: Any, **named: Any) -> None:
        """Queue an event; called in the thread of a run."""
        self._events.append(partial(self._handle_scriptrunner_event_on_event_loop, sender, event, *given, **named))
        if event not in HELD:
            self._call_soon_on_event_loop(self._take_events)
        elif not self._due:
            self._due = True
            self._call_soon_on_event_loop(self._take_later)

    def _take_later(self) -> None:
        self._event_loop.call_later(HOLD, self._take_events)

    def _take_events(self) -> None:
        """Handle all events in order, on the event loop, and announce once that there are messages to send."""
        self._due = False  # first: an event that arrives meanwhile is handled below, or schedules this again
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
        """Flush first: messages sent before the browser's request are older than the request."""
        self._take_events()
        super().handle_backmsg(msg)
