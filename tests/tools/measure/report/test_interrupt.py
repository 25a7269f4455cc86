"""Ctrl-C: every command ends within seconds, with its workers, without a traceback, and says how to go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from saved_models import save_model

from ropeproof.tools.console import interrupt
from ropeproof.tools.console.interrupt import _descendants

linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")


def interrupted(command: list[str], folder: Path, ready) -> tuple[int, str, float]:
    """Run a command, send it SIGINT as a terminal does once it is ready: code, stderr, seconds."""
    environment = os.environ | {"ROPEPROOF_CACHE": str(folder / "kept"), "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder,
        env=environment, start_new_session=True,
    )  # fmt: skip
    try:
        end = time.monotonic() + 400
        while not ready(process.pid) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.1)
        assert process.poll() is None, process.stderr.read()
        children = _descendants(process.pid)
        begin = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
        seconds = time.monotonic() - begin
    finally:
        process.kill()
    end = time.monotonic() + 5
    while any(map(_alive, children)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not [child for child in children if _alive(child)]
    return process.returncode, said, seconds


def _alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@linux
def test_a_check_ends_with_its_workers(tmp_path):
    command = [sys.executable, "-m", "ropeproof", "check", "slash.head", "--jobs", "2", "--fresh"]
    # The workers run, and a solver of theirs.
    code, said, seconds = interrupted(command, tmp_path, lambda pid: len(_descendants(pid)) > 2)
    assert code == 130
    assert "Traceback" not in said
    assert said.strip().endswith(
        "ropeproof: interrupted; without --fresh the same command goes on from what is kept"
    )
    assert seconds < 15  # 3, on a machine that does nothing else


@linux
@pytest.mark.parametrize("jobs", [[], ["--jobs", "2"]])
def test_a_measurement_ends_and_goes_on(tmp_path, jobs):
    folder = save_model(tmp_path / "small", num_hidden_layers=40, max_position_embeddings=512)
    command = [sys.executable, "-m", "ropeproof", "measure", str(folder), "--json", "out.json"]
    command += ["--prompts", "1"]  # one decides the kinds, which come first, sooner than eight
    journal = tmp_path / "out.json.journal.0"
    code, said, seconds = interrupted(
        [*command, *jobs], tmp_path, lambda _: journal.exists() and len(journal.read_bytes()) > 9999
    )
    assert code == 130
    assert "Traceback" not in said
    assert said.count("ropeproof: interrupted; the same command goes on from out.json.journal") == 1
    assert seconds < 15
    assert journal.stat().st_size > 9999


def test_an_interrupt_in_the_code_of_a_string_ends_with_the_same_code(tmp_path):
    """A dataclass made by a library as it is loaded, say: `python -m` would end by the signal."""
    program = "import ropeproof.cli as cli\n"
    program += "cli.app = lambda: exec('raise KeyboardInterrupt')\ncli.main()\n"
    (tmp_path / "interrupted_program.py").write_text(program)
    run = subprocess.run(
        [sys.executable, "-m", "interrupted_program"],
        check=False,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert (run.returncode, run.stderr) == (130, "ropeproof: interrupted\n")


def test_the_advice_is_that_of_the_command_and_is_said_once(capsys):
    with pytest.raises(KeyboardInterrupt), interrupt.advice("do it again"):
        raise KeyboardInterrupt
    interrupt.tell()
    assert capsys.readouterr().err == "ropeproof: interrupted; do it again\n"
    with interrupt.advice("not said"):
        pass
    interrupt.tell()
    assert capsys.readouterr().err == "ropeproof: interrupted\n"
