"""Message framing between the server and its workers: the length of a pickle in eight bytes, then the pickle.

Both ends are processes of this program; nothing else can write to them.
"""

import pickle
import struct
from typing import IO, Any, Protocol

LENGTH = struct.Struct("<Q")
LONGEST = 1 << 30  # bytes: a longer length means that the stream is corrupt


class Readable(Protocol):
    """A stream that messages can be read from: `read` waits for all requested bytes; at the end it returns fewer."""

    def read(self, length: int = ..., /) -> bytes | bytearray: ...

    def close(self) -> None: ...


def send(target: IO[bytes], message: object) -> None:
    """Write a message to a buffered file, which accepts it whole."""
    pickled = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    target.write(LENGTH.pack(len(pickled)))
    target.write(pickled)
    target.flush()


def receive(source: Readable) -> Any:
    """Read a message. Raises EOFError at the end of the stream, UnpicklingError if the bytes are not a message."""
    (length,) = LENGTH.unpack(_read(source, LENGTH.size))
    if length > LONGEST:
        raise pickle.UnpicklingError("The other process has sent something that is not a message.")
    return pickle.loads(_read(source, length))


def _read(source: Readable, length: int) -> bytes | bytearray:
    read = source.read(length)
    if len(read) < length:
        raise EOFError("The other process has ended.")
    return read
