"""What a command says on standard error while it works: a progress bar on a terminal, elsewhere lines.

Off a terminal the first line comes `FIRST` seconds after the start and further lines every `EVERY` seconds,
each with what is being done, how much of it is done, how much there is, and how long the rest is expected to
take, which is the time of what was done so far, in proportion. A command without a progress bar
says so on a terminal as well. `--quiet` silences both, and so does the environment variable `ROPEPROOF_QUIET`
unless it is empty.

The lines are written by the handler of a timer's signal, in the main thread, so that no further thread keeps
worker processes from being forked; where there is no such timer (Windows) a thread writes them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

__all__ = ["EVERY", "FIRST", "Progress", "be_quiet", "lines", "named", "working"]

FIRST = 4.0
"""Seconds from the start of a command to its first line."""

EVERY = 8.0
"""Seconds from one line to the next."""

SURE = 2.0
"""Seconds of counted work before anything is said of how long the rest will take."""

PART = 0.05
"""The share of the counted work that has to be done before anything is said of the rest."""


class Progress:
    """The progress of one piece of work, shown by a bar on a terminal and by the lines of `lines` elsewhere.

    `show` says how far it is. The bar appears when `show` is first called, since a process with the
    thread of a bar is not forked, and vanishes when the work ends.
    """

    def __init__(self, name: str, *, counted: bool = True) -> None:
        """Work that is called `name` until `show` says more; `counted` shows done and total in the bar."""
        self.doing, self.done, self.of = name, 0, 0
        self.has_bar = False
        self._counted = counted
        self._bar: Any = None
        self._task: Any = None
        self._since, self._before = monotonic(), 0

    def show(self, doing: str | None = None, done: int = 0, of: int = 0) -> None:
        """Say what is being done, how many parts of it are done, and how many there are (0: not known)."""
        # Another piece of work; what was done before it began took no time of it.
        if of != self.of or done < self.done:
            self._since, self._before = monotonic(), done
        self.doing, self.done, self.of = doing or self.doing, done, of
        if _TOLD.quiet or not _terminal(sys.stderr):
            return
        self.has_bar = True
        if self._bar is None:
            self._bar = _bar(counted=self._counted)
            self._task = self._bar.add_task(self.doing, total=None)
            self._bar.start()
        self._bar.update(
            self._task,
            completed=done,
            total=of or None,
            description=f"{f'{self.doing}{self.left}':<28}",
        )

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """A context in which the bar is taken away, so that results can be printed while the work goes on."""
        shown = self._bar is not None
        if shown:
            self._bar.stop()
        try:
            yield
            sys.stdout.flush()
        finally:
            if shown:
                self._bar.start()

    def end(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar, self.has_bar = None, False

    @property
    def left(self) -> str:
        """How long the rest of what is counted is expected to take, as text; empty where it is not known."""
        spent, here = monotonic() - self._since, self.done - self._before
        enough = PART * (self.of - self._before)  # the first parts may take longer than the others
        if spent < SURE or here <= 0 or here < enough or self.done >= self.of:
            return ""
        return f", about {in_words(spent * (self.of - self.done) / here)} left"

    def __str__(self) -> str:
        """What is being done, how far it is, and how long the rest is expected to take."""
        counted = f", {self.done:,} of {self.of:,}" if self.of else ""
        return f"{' '.join(self.doing.split())}{counted}{self.left}"


def in_words(seconds: float) -> str:
    """A time in seconds up to 90 s, in minutes up to 90 minutes, else in hours."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


@dataclass
class _Told:
    """What this process says of its progress."""

    quiet: bool = False
    name: str = "ropeproof"
    at_work: list[Progress] = field(default_factory=list)


_TOLD = _Told()


def be_quiet(quiet: bool = True) -> None:
    """Let this process say nothing of its progress; with False, what `ROPEPROOF_QUIET` says."""
    _TOLD.quiet = quiet or bool(os.environ.get("ROPEPROOF_QUIET"))


def named(command: str) -> None:
    """Say which command the lines are about."""
    _TOLD.name = f"ropeproof {command}"


@contextlib.contextmanager
def working(name: str, *, counted: bool = True) -> Iterator[Progress]:
    """A context with the progress of a piece of work, whose `show` is to be called as the work goes on."""
    work = Progress(name, counted=counted)
    _TOLD.at_work.append(work)
    try:
        yield work
    finally:
        _TOLD.at_work.remove(work)
        work.end()


@contextlib.contextmanager
def lines() -> Iterator[None]:
    """A context in which standard error gets a line now and then on what is being done."""
    begin = monotonic()
    be_quiet(False)

    def tell(*_: Any) -> None:
        _tell(monotonic() - begin)

    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        before = signal.signal(signal.SIGALRM, tell)
        signal.setitimer(signal.ITIMER_REAL, FIRST, EVERY)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        return
    over = threading.Event()

    def tell_until_over() -> None:
        wait = FIRST
        while not over.wait(wait):
            tell()
            wait = EVERY

    threading.Thread(target=tell_until_over, daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _tell(seconds: float) -> None:
    if _TOLD.quiet or any(work.has_bar for work in _TOLD.at_work):
        return
    doing = f"{_TOLD.at_work[-1]}" if _TOLD.at_work else "at work"
    with contextlib.suppress(OSError, ValueError, AttributeError, RuntimeError):
        # Nobody may be listening, and the signal may come while the same stream is being written.
        sys.stderr.write(f"{_TOLD.name}: {doing}; {seconds:.0f} s\n")
        sys.stderr.flush()


def _terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):  # none, or closed
        return False


def _bar(*, counted: bool) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = [TextColumn("{task.description}"), BarColumn()]
    columns += [MofNCompleteColumn()] if counted else []
    return Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
