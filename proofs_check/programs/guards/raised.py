"""Exceptions that are raised while a user's function runs, and code that runs unseen."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

from ropeproof.proofs_check.programs.guards.library import of_library
from ropeproof.proofs_check.programs.guards.running import LookedThrough

__all__ = ["exceptions_in"]

_RECORDERS = ("trace_torch", "trace_numpy", "unseen_reads")
"""The functions that call the user's: what imports them is no import of the call."""

_PLAIN = (StopIteration, GeneratorExit)
"""How loops and generators end."""


def _imported(frame: FrameType) -> bool:
    """Whether a frame is part of an import, as of a library's module that is loaded when it is used."""
    one: FrameType | None = frame.f_back
    while one is not None and one.f_code.co_name not in _RECORDERS:
        if one.f_code.co_filename.startswith("<frozen importlib"):
            return True
        one = one.f_back
    return False


@contextmanager
def exceptions_in(log: list[str], codes: LookedThrough | None = None) -> Iterator[None]:
    """A context that notes in `log` each exception that comes to a line of user code, with its place.

    A function that tries something and catches what it raises depends on whether it was raised, which
    no record of operations shows. With `codes`, whatever else runs than these and the libraries' own code
    is noted too.
    """
    told_already: set[str] = set()

    def inside(frame: FrameType, event: str, found: Any) -> Any:
        if event == "exception" and not issubclass(found[0], _PLAIN):
            where = f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"
            told = " ".join(str(found[1]).split())[:120]
            log.append(f"{found[0].__name__} is raised ({told}), at {where}")
        return inside

    def entered(frame: FrameType, _event: str, _found: Any) -> Any:
        told = codes.told_of(frame) if codes is not None else ""
        if told and told not in told_already and not _imported(frame):
            told_already.add(told)
            log.append(f"{told}, at {frame.f_code.co_filename}:{frame.f_code.co_firstlineno}")
        if of_library(frame.f_code.co_filename) or _imported(frame):
            return None
        frame.f_trace_lines = False
        return inside

    before, collects = sys.gettrace(), gc.isenabled()
    gc.disable()  # finalizers of others' objects would run in the call
    with _no_alarm():
        sys.settrace(entered)
        try:
            yield
        finally:
            sys.settrace(before)
            if collects:
                gc.enable()


@contextmanager
def _no_alarm() -> Iterator[None]:
    """A context in which no timer of the process goes off; afterwards it goes on where it was.

    A handler of its signal, as the one that tells how far a command is, would run in the call.
    """
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return
    left, every = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        if left:
            signal.setitimer(signal.ITIMER_REAL, left, every)
