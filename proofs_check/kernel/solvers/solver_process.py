"""A solver in a process of its own, which is killed when a question runs on.

A solver bounds its own work, the same at every run; but not all work is counted, and some of it
hears neither a timeout nor an interrupt. A process ends for certain.
"""

from __future__ import annotations

import atexit
import marshal
import os
import select
import subprocess
import sys
from importlib.util import find_spec
from threading import Lock
from time import monotonic
from typing import Any

__all__ = ["RanOn", "ask"]


class RanOn(Exception):
    """The clock ended a question: another run, or another machine, may see it answered."""


PATH = tuple(sys.path)  # before a user's code can put something else in a solver's place
PYTHON = sys.executable
AT_ONCE = getattr(select, "PIPE_BUF", 512)  # bytes that a ready pipe takes without waiting


def _wait(pipe: Any, what: str, end: float) -> None:
    """Wait until the pipe is ready, or broken; raises `TimeoutError` at the end."""
    if hasattr(select, "poll"):  # else, on Windows, only the solver's own limit ends a question
        poll = select.poll()
        poll.register(pipe, getattr(select, what))
        if not poll.poll(max(0.0, end - monotonic()) * 1000):
            raise TimeoutError


class SolverProcess:
    """A running solver program, which is asked one question after another.

    It is told the search path of modules, then (number, *question) again and again; it answers
    each with a line of that number and a verdict.
    """

    def __init__(self, programme: str) -> None:
        place: Any = find_spec(programme)
        self.name, self.asked = programme.rpartition(".")[2].removesuffix("_process"), 0
        self.process: Any = subprocess.Popen(
            [PYTHON, "-I", place.origin],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
            start_new_session=True,  # an interrupt from the keyboard is meant for us
        )  # fmt: skip
        self.send(list(PATH), monotonic() + 60)

    def send(self, message: Any, end: float) -> None:
        """Write a message of plain data; raises `TimeoutError` if it is not read by then."""
        data = memoryview(marshal.dumps(message))
        while data:
            _wait(self.process.stdin, "POLLOUT", end)
            data = data[self.process.stdin.write(data[:AT_ONCE]) :]

    def ask(self, question: tuple[Any, ...], seconds: float) -> str:
        """The verdict. Raises `RanOn` after that time, `ValueError` if it broke off.

        The process has to be closed if this raises: its answer may still be under way.
        """
        self.asked += 1
        line, end = b"", monotonic() + seconds
        try:
            self.send((self.asked, *question), end)
            while not line.endswith(b"\n"):
                _wait(self.process.stdout, "POLLIN", end)
                if not (more := self.process.stdout.read(AT_ONCE)):
                    raise BrokenPipeError
                line += more
        except BrokenPipeError:
            line = b""
        except TimeoutError:
            what = f"{self.name} ran on past {seconds:g} seconds and was ended"
            raise RanOn(f"{what}: not reproducible") from None
        number, _, verdict = line.decode().strip().partition(" ")
        if number != str(self.asked) or verdict not in ("unsat", "sat", "whole", "unknown"):
            raise ValueError(f"{self.name} broke off: {verdict or 'without a word'}")
        return verdict

    def close(self) -> None:
        """Kill the process and let go of what it held."""
        self.process.kill()
        self.process.communicate()


_running: dict[str, SolverProcess] = {}
_one_at_a_time = Lock()


def ask(programme: str, question: tuple[Any, ...], seconds: float) -> str:
    """The verdict of a solver program, a module by name, on a question; started when first asked.

    Raises `RanOn` after `seconds` by the clock, `ValueError` if the programme broke off.
    """
    with _one_at_a_time:
        if programme not in _running:
            _running[programme] = SolverProcess(programme)
        try:
            return _running[programme].ask(question, seconds)
        except BaseException:
            _running.pop(programme).close()
            raise


@atexit.register
def _close() -> None:
    for process in _running.values():
        process.close()


def _forget() -> None:
    """In a forked process: drop the solver processes and the lock, which belong to the parent."""
    global _running, _one_at_a_time
    _running, _one_at_a_time = {}, Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
