"""A solver in a process of its own, which is killed when a question runs on.

A solver bounds its own work, the same at every run; but not all work is counted, and some of it
hears neither a timeout nor an interrupt. A process ends for certain.
"""

from __future__ import annotations

import atexit
import marshal
import os
import subprocess
import sys
from importlib.util import find_spec
from threading import Lock, Timer
from typing import Any

__all__ = ["RanOn", "ask"]


class RanOn(Exception):
    """The clock ended a question: another run, or another machine, may see it answered."""


class SolverProcess:
    """One running programme, asked one question after another.

    It is told the search path of modules, then (number, *question) again and again; it answers
    each with a line of that number and a verdict.
    """

    def __init__(self, programme: str) -> None:
        place = find_spec(programme)
        assert place is not None
        assert place.origin is not None
        self.name = programme.rpartition(".")[2].removesuffix("_process")
        self.asked = 0
        self.ended = False
        self.process = subprocess.Popen(
            [sys.executable, "-P", place.origin],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # an interrupt from the keyboard is meant for us
        )
        self.send(sys.path)

    def send(self, message: Any) -> None:
        """Write a message of plain data."""
        assert self.process.stdin is not None
        self.process.stdin.write(marshal.dumps(message))
        self.process.stdin.flush()

    def ask(self, question: tuple[Any, ...], seconds: float) -> str:
        """The verdict. Raises `RanOn` after that time, `ValueError` if it broke off.

        The process has to be closed if this raises: its answer may still be under way.
        """
        assert self.process.stdout is not None
        self.asked += 1
        clock = Timer(seconds, self.end)
        clock.daemon = True
        clock.start()
        try:
            self.send((self.asked, *question))
            number, _, verdict = self.process.stdout.readline().decode().strip().partition(" ")
        except BrokenPipeError:
            number, verdict = "", ""
        finally:
            clock.cancel()
            clock.join()
        if self.ended:
            what = f"{self.name} ran on past {seconds:g} seconds and was ended"
            raise RanOn(f"{what}: not reproducible")
        if number != str(self.asked) or verdict not in ("unsat", "sat", "whole", "unknown"):
            raise ValueError(f"{self.name} broke off: {verdict or 'without a word'}")
        return verdict

    def end(self) -> None:
        """Kill the process."""
        self.ended = True
        self.process.kill()

    def close(self) -> None:
        """Kill the process and let go of what it held."""
        self.end()
        self.process.communicate()


_running: dict[str, SolverProcess] = {}
_one_at_a_time = Lock()


def ask(programme: str, question: tuple[Any, ...], seconds: float) -> str:
    """What the programme, a module by name, says of a question; it is started when first asked.

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
    """In a fork: the processes are the parent's, and so is the lock."""
    global _running, _one_at_a_time
    _running, _one_at_a_time = {}, Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
