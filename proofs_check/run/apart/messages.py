"""Messages between a user's file and its host: a length of eight bytes, and JSON."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

__all__ = ["MOST_BYTES", "read", "received", "sent", "written"]

MOST_BYTES = 1 << 30
"""The largest size of one message."""


def written(message: Any) -> bytes:
    """A message as bytes; raises `TypeError` or `ValueError` for a value that JSON does not have."""
    data = json.dumps(message, allow_nan=False).encode("ascii")
    return len(data).to_bytes(8, "big") + data


def read(data: bytes) -> Any:
    """The message in these bytes, which have no length in front; raises `ValueError` if they are no JSON."""
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("a message that is nested too deeply") from None


def sent(pipe: BinaryIO, message: Any) -> None:
    """Write one message to a pipe."""
    pipe.write(written(message))
    pipe.flush()


def received(pipe: BinaryIO) -> Any:
    """The next message from a pipe.

    Raises `EOFError` where there is none, `ValueError` for bytes that are no message.
    """
    size = int.from_bytes(_exactly(pipe, 8), "big")
    if size > MOST_BYTES:
        raise ValueError("a message that is too long")
    return read(_exactly(pipe, size))


def _exactly(pipe: BinaryIO, size: int) -> bytes:
    found = bytearray()
    while len(found) < size:
        more = pipe.read(min(size - len(found), 1 << 20))
        if not more:
            raise EOFError
        found += more
    return bytes(found)
