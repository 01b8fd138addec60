"""Message framing between the server and its workers: the length of a pickle in eight bytes, then the pickle.

Both ends are this program's own processes; nothing else can write to them.
"""

import pickle
import struct
from typing import IO, Any, Protocol

LENGTH = struct.Struct("<Q")
LONGEST = 1 << 30  # bytes: what claims to be longer is no message


class Readable(Protocol):
    """What a message can be read from: `read` waits for all that is asked for, and returns less at the end alone."""

    def read(self, length: int = ..., /) -> bytes | bytearray: ...

    def close(self) -> None: ...


def send(target: IO[bytes], message: object) -> None:
    """Write a message to a buffered file, which takes all of it."""
    pickled = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    target.write(LENGTH.pack(len(pickled)))
    target.write(pickled)
    target.flush()


def receive(source: Readable) -> Any:
    """Read a message. Raises EOFError where there is none any more, UnpicklingError where what comes is none."""
    (length,) = LENGTH.unpack(_read(source, LENGTH.size))
    if length > LONGEST:
        raise pickle.UnpicklingError("The other process has sent something that is no message.")
    return pickle.loads(_read(source, length))


def _read(source: Readable, length: int) -> bytes | bytearray:
    read = source.read(length)
    if len(read) < length:
        raise EOFError("The other process has ended.")
    return read
