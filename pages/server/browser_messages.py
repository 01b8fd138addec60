"""Messages of a page over its WebSocket: those that no page of this app sends are refused.

Streamlit accepts more from every visitor: clearing everybody's caches, querying the server's git, writing files for app
developers.
"""

from collections.abc import MutableMapping
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg

TYPES = ("rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request")
OPERATIONS = ("deferred_file", "dataframe_chunk")  # a download made on click, the rows of a long table
NOT_A_PROTOBUF, TEXT, TOO_LARGE = 1002, 1003, 1009  # codes that close a WebSocket


class Refusal(NamedTuple):
    """Why a message is refused. code: with which the WebSocket is closed, 0 if it stays open."""

    sentence: str
    code: int = 0


def refusal(message: MutableMapping[str, Any], most: int) -> Refusal | None:
    """Why a message (ASGI, `websocket.receive`) is refused; None if it is accepted. most: its bytes at most."""
    content = message.get("bytes")
    if content is None:
        return Refusal("Pages send no text.", TEXT)
    if len(content) > most:
        return Refusal("This message is too large.", TOO_LARGE)
    try:
        parsed = BackMsg.FromString(content)
    except DecodeError:
        return Refusal("This is not a message of a page.", NOT_A_PROTOBUF)
    kind = parsed.WhichOneof("type")
    if kind in TYPES and (kind != TYPES[-1] or parsed.backend_operation_request.WhichOneof("payload") in OPERATIONS):
        return None
    return Refusal("No page of this server sends such a message.")
