"""The working precision of ball arithmetic, which python-flint keeps once for a whole process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flint import ctx

__all__ = ["precision"]

_lock = threading.RLock()


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """A context in which balls are computed at `bits` bits, entered by one thread at a time."""
    with _lock, ctx.workprec(bits):
        yield
