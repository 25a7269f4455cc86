"""Messages between a user's file and who asks: a length of eight bytes, and JSON."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

__all__ = ["MOST_BYTES", "read", "received", "sent", "written"]

MOST_BYTES = 1 << 30
"""Of one message."""


def written(message: Any) -> bytes:
    """A message as bytes; raises `TypeError` or `ValueError` for what JSON has not."""
    data = json.dumps(message, allow_nan=False).encode("ascii")
    return len(data).to_bytes(8, "big") + data


def read(data: bytes) -> Any:
    """The message of these bytes, without its length. Raises `ValueError` for what is no JSON."""
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("a message that is nested too deeply") from None


def sent(pipe: BinaryIO, message: Any) -> None:
    """Write one message."""
    pipe.write(written(message))
    pipe.flush()


def received(pipe: BinaryIO) -> Any:
    """The next message. Raises `EOFError` where there is none, `ValueError` for what is no message."""
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
