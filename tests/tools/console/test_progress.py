"""What commands say while they work: lines off a terminal, a bar on one, nothing with `--quiet`."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import threading

import pytest

from ropeproof.cli import COMMANDS, app
from ropeproof.tools.console import progress

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a pseudo-terminal of Linux")
WORKING = """
import sys, time
from ropeproof.tools.console import progress

progress.FIRST, progress.EVERY = 0.2, 0.1
with progress.lines():
    progress.named("example")
    progress.be_quiet("quiet" in sys.argv)
    if "bare" in sys.argv:
        time.sleep(0.35)
    else:
        with progress.working("reading") as work:
            time.sleep(0.3)
            work.show("layer 3  ", 2, 1700)
            time.sleep(0.3)
            with work.aside():
                print("a result")
            work.show("layer 4", 3, 1700)
            time.sleep(0.3)
print("the end")
"""


def environment():
    """The environment of a user, without what keeps commands quiet in tests."""
    return {name: value for name, value in os.environ.items() if name != "ROPEPROOF_QUIET"}


def run(*words, stderr=subprocess.PIPE):
    return subprocess.run(
        [sys.executable, "-c", WORKING, *words], text=True, stdout=subprocess.PIPE, stderr=stderr,
        check=True, timeout=120, env=environment(),
    )  # fmt: skip


def test_off_a_terminal_lines_say_what_is_done_and_what_is_left():
    done = run()
    assert done.stdout.splitlines() == ["a result", "the end"]
    told = done.stderr.splitlines()
    assert all(re.fullmatch(r"ropeproof example: .+; \d+ s", line) for line in told), told
    texts = [line.removeprefix("ropeproof example: ").rpartition(";")[0] for line in told]
    assert texts[0] == "reading"
    assert "layer 3, 2 of 1,700" in texts
    assert texts[-1] == "layer 4, 3 of 1,700"  # too early to say how long the rest takes


def test_the_time_left_is_that_of_what_was_done_in_proportion(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    work = progress.Progress("reading")
    work.show("layer 0", 10, 50)  # ten were kept from an earlier run
    assert str(work) == "layer 0, 10 of 50"
    now[0] += 1
    work.show("layer 1", 12, 50)
    assert not work.left  # too early to be said
    now[0] += 4
    work.show("layer 2", 20, 50)
    assert str(work) == "layer 2, 20 of 50, about 15 s left"
    now[0] += 300
    work.show("layer 3", 25, 50)
    assert work.left == ", about 8 min left"
    work.show("writing", 0, 0)
    assert str(work) == "writing"
    work.show("another part", 0, 50)
    now[0] += 3
    assert not work.left  # of the new part nothing is done
    work.show("another part", 2, 50)
    assert not work.left  # too little of it
    work.show("another part", 50, 50)
    assert not work.left
    assert progress.in_words(10_000) == "2.8 h"


def test_a_command_without_parts_says_that_it_is_at_work():
    assert "ropeproof example: at work; 0 s" in run("bare").stderr.splitlines()


@pytest.mark.parametrize("words", [("quiet",), ("quiet", "bare")])
def test_quiet_says_nothing(words):
    done = run(*words)
    assert not done.stderr
    assert "the end" in done.stdout


def test_on_a_terminal_nothing_of_the_bar_is_left_beside_a_result():
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-c", WORKING], stdin=theirs, stdout=theirs, stderr=theirs,
        env=environment() | {"TERM": "xterm", "COLUMNS": "80"},
    )  # fmt: skip
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 65536):
            said += part
    except OSError:
        pass
    child.wait()
    text = said.decode()
    assert "layer 3" in text  # by the bar
    assert "ropeproof example: layer" not in text  # no line beside it
    before = text.partition("a result")[0]
    left = before.rpartition("\x1b[2K")[2]  # after the line was erased
    assert not re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", left).strip()


def test_lines_come_from_a_thread_where_there_is_no_timer(monkeypatch, capsys):
    monkeypatch.setattr(progress, "FIRST", 0.05)
    monkeypatch.setattr(progress, "EVERY", 0.05)
    told = []
    monkeypatch.setattr(progress, "_tell", told.append)

    def work():
        with progress.lines():
            for _ in range(400):
                if told:
                    return
                threading.Event().wait(0.02)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert told


def test_the_environment_keeps_a_command_quiet(monkeypatch):
    monkeypatch.setenv("ROPEPROOF_QUIET", "1")
    monkeypatch.setattr(sys.modules[__name__], "environment", lambda: dict(os.environ))
    assert not run("bare").stderr


def test_nobody_needs_to_listen(monkeypatch):
    monkeypatch.delenv("ROPEPROOF_QUIET")
    progress.be_quiet(False)
    monkeypatch.setattr(sys, "stderr", None)
    progress._tell(1.0)
    with progress.working("reading") as work:
        work.show("layer 1", 1, 2)


@pytest.mark.parametrize("name", [*COMMANDS])
def test_every_command_can_be_quiet(name):
    from typer.testing import CliRunner

    words = [name, "make"] if name == "certificate" else [name]
    text = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "100"}).output
    assert "--quiet" in text
