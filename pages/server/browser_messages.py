"""Messages of a page over its WebSocket: those that no page of this app sends are refused.

Streamlit takes more from every visitor: to clear the caches of everybody, to ask the server's git, to write files for
those who develop an app.
"""

from collections.abc import MutableMapping
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg

TYPES = ("rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request")
OPERATIONS = ("deferred_file", "dataframe_chunk")  # a download that is made when it is clicked, a long table's rows
NOT_A_PROTOBUF, TEXT, TOO_LARGE = 1002, 1003, 1009  # codes that close a WebSocket


class Refusal(NamedTuple):
    """Why a message is refused. code: with which the WebSocket is closed, 0 where it stays open."""

    sentence: str
    code: int = 0


def refusal(message: MutableMapping[str, Any], most: int) -> Refusal | None:
    """Why a message (ASGI, `websocket.receive`) is refused; None for one of a page. most: its bytes."""
    content = message.get("bytes")
    if content is None:
        return Refusal("Pages send no text.", TEXT)
    if len(content) > most:
        return Refusal("This message is too large.", TOO_LARGE)
    try:
        parsed = BackMsg.FromString(content)
    except DecodeError:
        return Refusal("This is no message of a page.", NOT_A_PROTOBUF)
    kind = parsed.WhichOneof("type")
    if kind in TYPES and (kind != TYPES[-1] or parsed.backend_operation_request.WhichOneof("payload") in OPERATIONS):
        return None
    return Refusal("No page of this server sends such a message.")
