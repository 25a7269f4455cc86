"""The process in which one user's file runs: started from a template, and known to have ended.

A template is a clean process that has imported what every file needs (SymPy, the language of claims); it
runs no file itself. For each file it makes a copy of itself, which takes no time, and a keeper of the copy,
which reports how the copy ended. One template serves this process and those that it forks. Where a
process cannot be copied, as on Windows, a file starts with a fresh one.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
from threading import Lock
from time import monotonic
from typing import Any

from ropeproof.proofs_check.run.apart.messages import MOST_BYTES, read, written

__all__ = ["GuestProcess"]

_START = (
    "import sys; sys.path[:] = sys.argv[1:]; del sys.argv[1:]; "
    "from ropeproof.proofs_check.run.apart.{module} import main; main({argument})"
)
_GRACE = 1.0
"""Seconds that a process has to end by itself once its pipe of requests is closed."""


class GuestProcess:
    """One running user's file: sends and receives its messages, and knows how it ended.

    `started` is the id of the process that started it, which alone ends it.
    """

    def __init__(self) -> None:
        self.started = os.getpid()
        self._buffer = bytearray()
        self._told = b""
        self._process: Any = None
        if hasattr(os, "fork"):
            requests, self._requests = os.pipe()
            self._answers, answers = os.pipe()
            self._status, status = os.pipe()
            try:
                _template([requests, answers, status, 2])
            finally:
                for theirs in (requests, answers, status):
                    os.close(theirs)
        else:
            command = _START.format(module="guest", argument="0, 1")
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", command, *sys.path],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            )  # fmt: skip
            self._requests = self._process.stdin.fileno()
            self._answers = self._process.stdout.fileno()

    def send(self, message: Any) -> None:
        """Send a message; raises `BrokenPipeError` if the process has closed its pipe."""
        data = memoryview(written(message))
        while data:
            data = data[os.write(self._requests, data) :]

    def receive(self) -> Any:
        """The next message; raises `EOFError` if the process ends first, `ValueError` if it is no message."""
        size = int.from_bytes(self._exactly(8), "big")
        if size > MOST_BYTES:
            raise ValueError("a message that is too long")
        return read(self._exactly(size))

    def _exactly(self, size: int) -> bytes:
        while len(self._buffer) < size:
            if self._process is None and not self._ending():
                # Whoever the file has started may hold the pipe of answers open: its own end counts.
                ready, _, _ = select.select([self._answers, self._status], [], [])
                if self._status in ready:
                    more = os.read(self._status, 100)
                    self._told += more or b"\nsignal 0\n"
                if self._answers not in ready:
                    continue
            elif self._process is None and not select.select([self._answers], [], [], 0)[0]:
                raise EOFError
            more = os.read(self._answers, 1 << 20)
            if not more:
                raise EOFError
            self._buffer += more
        found = bytes(self._buffer[:size])
        del self._buffer[:size]
        return found

    def _ending(self) -> str:
        """A description of how the process ended; empty as long as the keeper has not reported it."""
        _, _, ended = self._told.decode("ascii", "replace").partition("\n")
        if not ended.endswith("\n"):
            return ""
        what, _, number = ended.strip().partition(" ")
        if what == "signal":
            return f"was ended by signal {number}"
        return f"ended itself with exit code {number}"

    def end(self) -> str:
        """Wait shortly for the process to end, or kill it; returns a description of how it ended."""
        if self._process is not None:
            return self._end_child()
        with contextlib.suppress(OSError):
            os.close(self._requests)
        if not self._awaited(_GRACE):
            id, told, _ = self._told.partition(b"\n")
            if told:  # else it has not begun, and will find that nothing is asked of it
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(id), signal.SIGKILL)
                self._awaited(5)
        for ours in (self._answers, self._status):
            with contextlib.suppress(OSError):
                os.close(ours)
        return self._ending() or "was ended"

    def _awaited(self, seconds: float) -> bool:
        """Wait for the report of how the process ended; whether it came within `seconds`."""
        until = monotonic() + seconds
        while not self._ending():
            ready, _, _ = select.select([self._status], [], [], max(0.0, until - monotonic()))
            more = os.read(self._status, 100) if ready else b""
            if not more:
                return bool(ready)
            self._told += more
        return True

    def _end_child(self) -> str:
        self._process.stdin.close()
        try:
            code = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._process.stdout.close()
        return f"ended itself with exit code {code}"

    def let_go(self) -> None:
        """In a forked process: close the pipes to the file's process, which belongs to the parent."""
        if self._process is None:
            for ours in (self._requests, self._answers, self._status):
                with contextlib.suppress(OSError):
                    os.close(ours)


# -- the template ---------------------------------------------------------------------------------

_running: list[socket.socket] = []
_one_at_a_time = [Lock()]


def _template(pipes: list[int]) -> None:
    """Have the template run one more file, with these pipes; a template is started if there is none."""
    with _one_at_a_time[0]:
        for _ in range(2):
            if not _running:
                _running.append(_started())
            try:
                socket.send_fds(_running[0], [b"."], pipes)
                return
            except OSError:  # it has ended
                _running.pop().close()


def _started() -> socket.socket:
    ours, theirs = socket.socketpair()
    with theirs:
        command = _START.format(module="template", argument=theirs.fileno())
        subprocess.Popen(
            [sys.executable, "-P", "-c", command, *sys.path],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[theirs.fileno()],
            start_new_session=True,  # an interrupt from the keyboard is meant for us
        )  # fmt: skip
    return ours


def _forked() -> None:
    """In a forked process: make a new lock, since the old one is the parent's; the template serves both."""
    _one_at_a_time[:] = [Lock()]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
