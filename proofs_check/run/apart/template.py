"""The template of the processes that run users' files: a clean process that copies itself.

`process` starts it. It runs no file: what it has imported is the same for each, and each file has a copy
of its own. Between them stands a keeper, a copy too, which reports how the file's process ended.
"""

from __future__ import annotations

import os
import signal
import socket
import sys

__all__ = ["main"]

_PIPES = 4
"""The number of pipes of a file: requests, answers, the report of its end, standard error."""


def main(number: int) -> None:
    """Make a copy of this process for each set of pipes that comes by a socket, until it is closed.

    `number` is the file descriptor of the socket.
    """
    from ropeproof.proofs_check.evidence import certify  # noqa: F401  # what every file needs
    from ropeproof.proofs_check.run import modules  # noqa: F401
    from ropeproof.proofs_check.run.apart import guest, records  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a keeper
    told = socket.socket(fileno=number)
    while True:
        message, pipes, _, _ = socket.recv_fds(told, 1, _PIPES)
        if not message:
            return
        if os.fork() == 0:
            told.close()
            _keep(pipes)
        for pipe in pipes:
            os.close(pipe)


def _keep(pipes: list[int]) -> None:
    """Run a file in a copy of this process, and report how that ended; never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    requests, answers, status, errors = pipes
    child = os.fork()
    if child == 0:
        os.close(status)
        os.dup2(errors, 2)
        os.close(errors)
        _run(requests, answers)
    for pipe in (requests, answers, errors):
        os.close(pipe)
    os.write(status, f"{child}\n".encode())
    _, how = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(how)
    os.write(status, (f"signal {-code}\n" if code < 0 else f"exit {code}\n").encode())
    os._exit(0)


def _run(requests: int, answers: int) -> None:
    """Be the file's own process until it ends as a program does, with its exit handlers."""
    from ropeproof.proofs_check.run.apart.guest import main as run

    run(requests, answers)
    sys.exit(0)
