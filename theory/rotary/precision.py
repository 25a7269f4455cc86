"""The working precision of ball arithmetic, which python-flint keeps once for a whole process."""

from __future__ import annotations

import threading
from types import TracebackType

from flint import ctx

__all__ = ["precision"]

_lock = threading.RLock()


class precision:  # noqa: N801 - it is called as a function is, around every few balls
    """A context in which balls are computed at `bits` bits, entered by one thread at a time."""

    __slots__ = ("_before", "_bits")

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def __enter__(self) -> None:
        _lock.acquire()
        self._before = ctx.prec
        try:
            ctx.prec = self._bits
        except BaseException:
            _lock.release()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        ctx.prec = self._before
        _lock.release()
