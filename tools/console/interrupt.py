"""Ctrl-C ends every command within seconds, with its workers, without a traceback and with advice.

The first Ctrl-C is Python's `KeyboardInterrupt`, so that what was found is written; a second one, or `GRACE`
seconds, end the process at once. Processes that were started on the way, solvers among them, are killed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = [
    "CODE",
    "GRACE",
    "advice",
    "end",
    "end_children",
    "held_back",
    "ignored",
    "let_through",
    "listening",
    "settle",
    "tell",
]

GRACE = 3.0
"""Seconds that an interrupted command has to write its results before it is killed."""

CODE = 130
"""The exit code of an interrupted command."""

_advice: list[str] = []
_told: list[str] = []
_ending = threading.Lock()


@contextlib.contextmanager
def advice(text: str) -> Iterator[None]:
    """A context in which an interrupted command ends with this sentence on how to go on."""
    _told.clear()
    _advice.append(text)
    try:
        yield
    except KeyboardInterrupt:
        tell()
        raise
    finally:
        _advice.pop()


def tell() -> None:
    """Print, once, that the command was interrupted and how to go on."""
    if _told:
        return
    _told.append("ropeproof: interrupted" + (f"; {_advice[-1]}" if _advice else ""))
    with contextlib.suppress(OSError, ValueError):  # nobody may be listening
        if sys.stderr.isatty():
            sys.stderr.write("\x1b[?25h\r\x1b[K")  # the cursor that a progress bar hid
        sys.stderr.write(f"{_told[-1]}\n")
        sys.stderr.flush()


def settle() -> None:
    """Let an interrupted process end with the code that it gives.

    CPython notes a `KeyboardInterrupt` that leaves a string given to `exec`, as the code of a dataclass
    is, and `python -m` then ends by the signal even if the exception was caught; running any string
    clears that note.
    """
    exec("")


@contextlib.contextmanager
def listening() -> Iterator[None]:
    """A context in which Ctrl-C interrupts the command as the module describes.

    An interrupt that does not come from a signal is left alone.
    """
    pressed: list[int] = []

    def hear(_number: int, _frame: Any) -> None:
        pressed.append(1)
        if len(pressed) > 1:
            end()
        timer = threading.Timer(GRACE, end)
        timer.daemon = True
        timer.start()
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGINT, hear)
    except ValueError:  # not the main thread, where no signal arrives
        yield
        return
    try:
        yield
    finally:
        if pressed:
            # Workers and solvers, whose end this process would wait for.
            end_children(helpers=False)
        else:
            signal.signal(signal.SIGINT, before)


def ignored() -> None:
    """Let a worker process ignore Ctrl-C: the command gets it, and ends its workers itself."""
    with contextlib.suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def end() -> None:
    """End the process now, with everything that it started, and say how to go on. Does not return."""
    if _ending.acquire(blocking=False):
        tell()
        end_children()
    os._exit(CODE)


def end_children(*, helpers: bool = True) -> None:
    """Kill all processes that descend from this one, where the system shows them (`/proc`).

    Without `helpers`, Python's resource tracker, which accounts for semaphores, is spared: it ends by
    itself, and Python starts another one where it is missing.
    """
    for process in _descendants(os.getpid()):
        with contextlib.suppress(OSError):
            if helpers or b"resource_tracker" not in Path(f"/proc/{process}/cmdline").read_bytes():
                os.kill(process, signal.SIGKILL)


def _descendants(process: int) -> list[int]:
    """The ids of all processes below this one, children first; none without `/proc`."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name, between brackets, may hold anything.
            parent = int(entry.read_text().rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(entry.parent.name))
    found: list[int] = []
    waiting = [process]
    while waiting:
        children = parents.get(waiting.pop(), [])
        found += children
        waiting += children
    return found


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """A context in which Ctrl-C is deferred; processes started in it defer it until `let_through`."""
    mask = getattr(signal, "pthread_sigmask", None)
    before = mask(signal.SIG_BLOCK, {signal.SIGINT}) if mask else None
    try:
        yield
    finally:
        if mask:
            mask(signal.SIG_SETMASK, before)


def let_through() -> None:
    """Let Ctrl-C interrupt this process again after `held_back`."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
