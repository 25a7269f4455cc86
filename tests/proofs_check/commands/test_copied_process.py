"""A copy of a process does what a new one does: arguments, folder, environment, streams, exit status."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest
from copied_process import Copied

CODES = [
    "import os, sys; print(sys.argv[1:], os.getcwd(), sorted(os.environ), end='')",
    "import sys; print('x' * 200_000); print('an error', file=sys.stderr); sys.exit(3)",
    "raise SystemExit('a message')",
    "raise SystemExit",
    "import atexit; atexit.register(print, 'at the end'); print('é', end='')",
    "import sys; print(sys.stdin.read(), sys.stdout.isatty(), __name__)",
    "import threading, time; threading.Thread(target=lambda: (time.sleep(0.1), print('later'))).start()",
    "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
]


@pytest.fixture(scope="module")
def process():
    made = Copied("import json, math")
    yield made
    made.close()


@pytest.mark.parametrize("code", CODES)
def test_a_copy_ends_as_a_new_process(process, code, tmp_path):
    env = {"PATH": os.environ["PATH"], "LC_CTYPE": "C.UTF-8", "ONE": "1"}
    words = ["a b", "--c"]
    copied = process.run(words, code=code, folder=tmp_path, env=env)
    new = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=tmp_path, env=env,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = (copied.returncode, copied.stdout, copied.stderr)
    assert found == (new.returncode, new.stdout, new.stderr)


def test_what_a_copy_raises_is_told_and_what_it_changes_is_its_own(process):
    done = process.run([], code="import math; math.pi = 3; 1 / 0")
    assert done.returncode == 1
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n")
    assert process.run([], code="import math; print(math.pi)").stdout == "3.141592653589793\n"


def test_a_copy_writes_to_a_terminal(process):
    ours, theirs = pty.openpty()
    process.start([], (theirs,) * 3, code="import sys; print(sys.stdout.isatty())")
    os.close(theirs)
    assert os.read(ours, 100) == b"True\r\n"
    assert process.ended() == 0
    os.close(ours)
