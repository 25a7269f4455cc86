"""Commands in copies of one process that has imported what they share, instead of processes that start anew.

A copy has its own arguments, environment, folder and streams, also a terminal, and leaves as a process of
its own does; what it changes dies with it. What only a new process shows (what is imported, how long a
start takes, signals, packages that are missing) is tested with one.
"""

from __future__ import annotations

import array
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["RUN", "Copied"]

RUN = "from ropeproof.cli import main; main()"
_SERVER = """if True:
    import array, atexit, io, json, os, socket, sys, threading, traceback
    ours = socket.socket(fileno=int(sys.argv[1]))
    exec(sys.argv[2])

    def copy(request, streams):
        ours.close()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.closerange(3, max(streams) + 1)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["env"])
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            stream = open(number, "w" if number else "r", encoding="utf-8", closefd=False,
                          errors="backslashreplace" if number == 2 else "strict")
            stream.reconfigure(line_buffering=number == 2 or (number and stream.isatty()))
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
        sys.argv = ["-c", *request["words"]]
        status = 0
        try:
            exec(request["code"], {"__name__": "__main__"})
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
            if status and not isinstance(ended.code, int):
                print(ended.code, file=sys.stderr)
        except BaseException:
            traceback.print_exc()
            status = 1
        threading._shutdown()
        atexit._run_exitfuncs()
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status)

    while True:
        streams = array.array("i")
        size, found, *_ = ours.recvmsg(4, socket.CMSG_SPACE(3 * streams.itemsize))
        if not size:
            os._exit(0)
        streams.frombytes(found[0][2])
        request = ours.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL)
        child = os.fork()
        if not child:
            copy(json.loads(request), streams)
        for stream in streams:
            os.close(stream)
        ours.send(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]).to_bytes(4, "big", signed=True))
"""


class Copied:
    """A process that has run `first`, and waits to be copied. It ends with this one, or with `close`."""

    def __init__(self, first: str, env: Mapping[str, str] | None = None) -> None:
        self._ours, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVER, str(theirs.fileno()), first],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            env=env,
        )
        theirs.close()

    def close(self) -> None:
        """End the process."""
        self._ours.close()
        self._process.wait()

    def start(
        self,
        words: Sequence[str],
        streams: tuple[int, int, int],
        *,
        folder: Path | None = None,
        env: Mapping[str, str] | None = None,
        code: str = RUN,
    ) -> None:
        """Begin to run code with these arguments in a copy; `ended` waits for it."""
        request = {
            "words": list(words), "code": code, "folder": str(folder or Path.cwd()),
            "env": dict(os.environ if env is None else env),
        }  # fmt: skip
        data = json.dumps(request).encode()
        handed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", streams))]
        self._ours.sendmsg([len(data).to_bytes(4, "big")], handed)
        self._ours.sendall(data)

    def ended(self) -> int:
        """The exit status of the copy that was started last, once it has ended."""
        told = self._ours.recv(4, socket.MSG_WAITALL)
        assert told, "the process to be copied has ended"
        return int.from_bytes(told, "big", signed=True)

    def run(self, words: Sequence[str], **how: Any) -> subprocess.CompletedProcess[str]:
        """Run code with these arguments in a copy, as `subprocess.run` with its output as text."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            with open(os.devnull, "rb") as nothing:
                self.start(words, (nothing.fileno(), out.fileno(), err.fileno()), **how)
            status = self.ended()
            said = []
            for file in (out, err):
                file.seek(0)
                said.append(file.read().decode())
        return subprocess.CompletedProcess(list(words), status, *said)
