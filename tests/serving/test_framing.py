"""Messages between processes: whole ones arrive, however they are split; invalid ones are refused."""

import io
import os
import pickle
import socket
import threading
from typing import Any

import numpy as np
import pytest

from nmtcore.serving.fork_server import WholeReads
from nmtcore.serving.framing import LENGTH, Readable, receive, send

MESSAGE: dict[str, Any] = {"text": "a red cat", "weights": np.arange(3_000_001, dtype=np.float32), "none": None}


@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_messages_come_one_after_the_other(kind: str) -> None:
    source: Readable
    if kind == "pipe":
        read, write = os.pipe()
        source = os.fdopen(read, "rb")
    else:
        ours, theirs = socket.socketpair()
        source, write = WholeReads(ours), theirs.detach()

    def send_both() -> None:
        with open(write, "wb") as target:
            for message in (MESSAGE, [7]):
                send(target, message)

    thread = threading.Thread(target=send_both)
    thread.start()
    found = receive(source)
    assert found["text"] == "a red cat" and np.array_equal(found["weights"], MESSAGE["weights"])
    assert receive(source) == [7]
    thread.join()
    with pytest.raises(EOFError):
        receive(source)
    source.close()


@pytest.mark.parametrize("length", [0, 3, 8, 20])
def test_a_process_that_ends_within_a_message_has_sent_none(length: int) -> None:
    whole = io.BytesIO()
    send(whole, ["a red cat"])
    with pytest.raises(EOFError):
        receive(io.BytesIO(whole.getvalue()[:length]))


def test_what_is_no_message_is_refused_before_memory_is_taken_for_it() -> None:
    with pytest.raises(pickle.UnpicklingError):
        receive(io.BytesIO(b"Traceback (most recent call last):"))
    with pytest.raises(pickle.UnpicklingError):
        receive(io.BytesIO(LENGTH.pack(5) + b"hello"))


class InParts:
    """A socket whose reads are interrupted: each call returns a part of the requested bytes."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def recv_into(self, buffer: memoryview, length: int, flags: int) -> int:
        part, self.content = self.content[: min(7, len(buffer))], self.content[7:]
        buffer[: len(part)] = part
        return len(part)


def test_a_reader_that_was_stopped_goes_on_with_the_rest() -> None:
    assert WholeReads(InParts(b"0123456789" * 7)).read(70) == b"0123456789" * 7  # type: ignore[arg-type]
    assert WholeReads(InParts(b"0123456789")).read(70) == b"0123456789"  # type: ignore[arg-type]
