"""A question to a solver as plain data of our own: assertions that are to contradict each other.

Terms     ("number", p, q) for p/q  ("real", k)  ("+"|"*", terms)  ("-", term)
          ("ite", formula, a, b)  ("to real", whole)
Wholes    ("whole", n)  ("int", k)  ("+"|"*", wholes)
Formulas  ("="|"!="|"<="|"<"|">="|">", a, b) between two terms or two wholes  ("and"|"or", formulas)
          ("=>", p, c)  ("not", p)  ("bool", k)  ("true",)  ("false",)

Every k names one unknown of its sort. A part may occur in several places as one object; who
walks a question remembers what it met, or abs(abs(...)) takes a time that doubles with each bar.

z3 counts its work and gives up at a limit, the same at every run. But not all of its work is
counted, and with large numbers it hears neither a timeout nor an interrupt: so it runs in a
process of its own (`z3_process`), which is killed when a question runs on.
"""

from __future__ import annotations

import atexit
import marshal
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from threading import Lock, Timer
from typing import Any

__all__ = ["Expression", "Question", "RanOn", "overheard", "refuted"]

Expression = tuple[Any, ...]
Question = tuple[Expression, ...]

SECONDS = 60.0  # for one question, by the clock; the limit of work ends all but a few far earlier


class RanOn(Exception):
    """The clock ended a question: another run, or another machine, may see it answered."""


class _Z3:
    """z3 in a process, for one question after another."""

    def __init__(self) -> None:
        programme = str(Path(__file__).with_name("z3_process.py"))
        self.asked = 0
        self.ended = False
        self.process = subprocess.Popen(
            [sys.executable, "-P", programme],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # an interrupt from the keyboard is meant for us
        )
        self._send(sys.path)

    def _send(self, message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(marshal.dumps(message))
        self.process.stdin.flush()

    def ask(self, question: Question, effort: int, seconds: float) -> str:
        """`unsat`, `sat` or `unknown`. Raises `RanOn` after that time, `ValueError` if z3 broke off.

        The process has to be ended if this raises: its answer may still be under way.
        """
        assert self.process.stdout is not None
        self.asked += 1
        clock = Timer(seconds, self.end)
        clock.daemon = True
        clock.start()
        try:
            self._send((self.asked, question, effort))
            number, _, verdict = self.process.stdout.readline().decode().strip().partition(" ")
        except BrokenPipeError:
            number, verdict = "", ""
        finally:
            clock.cancel()
            clock.join()
        if self.ended:
            raise RanOn(f"z3 ran on past {seconds:g} seconds and was ended: not reproducible")
        if number != str(self.asked) or verdict not in ("unsat", "sat", "unknown"):
            raise ValueError(f"z3 broke off: {verdict or 'without a word'}")
        return verdict

    def end(self) -> None:
        """Kill the process."""
        self.ended = True
        self.process.kill()

    def close(self) -> None:
        """Kill the process and let go of what it held."""
        self.end()
        self.process.communicate()


_running: _Z3 | None = None
_one_at_a_time = Lock()


def _ask(question: Question, effort: int) -> str:
    global _running  # noqa: PLW0603  # one process of z3 for each of ours
    with _one_at_a_time:
        z3 = _running = _running or _Z3()
        try:
            return z3.ask(question, effort, SECONDS)
        except BaseException:
            _running = None
            z3.close()
            raise


@atexit.register
def _close() -> None:
    if _running is not None:
        _running.close()


def _forget() -> None:
    """In a fork: z3 is the parent's, and so is its lock."""
    global _running, _one_at_a_time
    _running, _one_at_a_time = None, Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


_HEARD: ContextVar[list[Question] | None] = ContextVar("_HEARD", default=None)


@contextmanager
def overheard() -> Iterator[list[Question]]:
    """Collects the questions that are found contradictory meanwhile, in their order."""
    heard: list[Question] = []
    token = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(token)


def refuted(assertions: Sequence[Expression], effort: int) -> bool:
    """Whether z3 finds that the assertions contradict each other, within `effort` of its units.

    Raises `RanOn` if neither that limit nor an answer comes in `SECONDS`.
    """
    question = tuple(assertions)
    found = _ask(question, effort) == "unsat"
    heard = _HEARD.get()
    if found and heard is not None:
        heard.append(question)
    return found
