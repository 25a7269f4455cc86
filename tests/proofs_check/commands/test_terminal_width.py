"""On a terminal of 80 columns no command prints a longer line, but for data that is to be copied."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from functools import cache
from pathlib import Path

import pytest
from copied_process import RUN, Copied
from saved_models import save_model

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a pseudo-terminal of Linux")
WIDTH = 80
LLAMA = {
    "model_type": "llama",
    "hidden_size": 512,
    "num_attention_heads": 8,
    "max_position_embeddings": 4096,
    "rope_theta": 500000.0,
}
SCALED = {**LLAMA, "rope_theta": 10000.0, "rope_scaling": {"type": "linear", "factor": 2.0}}
WRONG = {**LLAMA, "rope_scaling": {"type": "yarnn", "factor": -2}}
FALSE = Path(__file__).resolve().parents[3] / "examples" / "false_claim.py"
FAILING = "check own.* --module false_claim.py --profile quick --jobs 1"
COMMANDS = [
    "--help",
    "list rope.*",
    "show rope.lipschitz --history",
    "show rope.lipschitz --statement",
    "show nosuch.claim",
    "show head.slash --history",
    "show rope.relative",
    "show rope.lipschitz",
    "show slash.head",
    "show slash.score",
    "show --help",
    "coverage --help",
    "errata",
    "graph rope.*",
    "presets",
    "rules",
    "rules smt",
    "find exponential",
    "find a<=b<=c",
    "new own.py",
    "diff llama.json scaled.json",
    "lint llama.json scaled.json wrong.json",
    "budget --config llama.json --offset 1 --length 512",
    "budget --preset llama-3-8b --task index --length 64",
    "certificate make",
    "conform nosuch:function --config llama.json",
    "export exp.monotone",
    "check nosuch.claim --jobs 1",
    FAILING,
    "check exp.monotone --profile quick --jobs 1",
    "measure nosuch",
    "measure --help",
    "coverage nosuch",
    "budget --config llama.json --task index --length 512",
    "budget --config llama.json --task retrieval --length 64",
    "golden llama.json --output golden.json --positions 0-3",
    "assess llama.json --length 512",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("configs")
    for name, config in (("llama", LLAMA), ("scaled", SCALED), ("wrong", WRONG)):
        (found / f"{name}.json").write_text(json.dumps(config))
    (found / "false_claim.py").write_text(FALSE.read_text())
    return found


WITHOUT_PROOFS = f"import sys; sys.modules['z3'] = None; {RUN}"
"""As where the extra `proofs` is not installed: nothing is run."""


def environment(folder):
    """No width but the terminal's; the first command that lists the catalogue keeps the list."""
    env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    return env | {"ROPEPROOF_CACHE": str(folder / "kept")}


READ = """
import ropeproof.cli
from ropeproof.theory import CLAIMS
for id in CLAIMS:
    CLAIMS[id].derivation
"""


@cache
def a_process():
    """A process that has read the catalogue, as each command would anew."""
    return Copied(READ)


@pytest.fixture(scope="module", autouse=True)
def _ended():
    yield
    if a_process.cache_info().currsize:
        a_process().close()
        a_process.cache_clear()


@cache
def on_a_terminal(command, folder, width=WIDTH, code=RUN, quiet="1", anew=False):
    """The lines that a command leaves on a terminal of that width; each is run once, `anew` from its start.

    Unless `quiet` is empty, its progress is not among them: how much of it there is depends on the machine.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    env = environment(folder) | {"ROPEPROOF_QUIET": quiet, "TERM": "xterm"}
    if anew:
        wait = subprocess.Popen(
            [sys.executable, "-c", code, *command.split()],
            stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=env,
        ).wait  # fmt: skip
    else:
        wait = a_process().ended
        a_process().start(command.split(), (theirs,) * 3, folder=folder, env=env, code=code)
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 65536):
            said += part
    except OSError:  # the terminal's other side is closed
        pass
    wait()
    os.close(ours)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said.decode()).replace("\r\n", "\n")
    return [line.rpartition("\r")[2].rstrip() for line in text.splitlines()]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_is_wider_than_the_terminal(command, folder):
    lines = on_a_terminal(command, folder, quiet="")
    assert any(lines)
    assert not any("Traceback" in line for line in lines)
    wide = [line for line in lines if len(line) > WIDTH and len(line.split()) > 1]
    assert not wide


@pytest.mark.parametrize("width", [80, 120])
def test_coverage_keeps_a_claim_and_its_status_on_one_line(folder, width):
    lines = on_a_terminal("coverage heads", folder, width, WITHOUT_PROOFS, anew=True)
    assert any("task.compose-retrieval-chain not run" in line for line in lines)
    assert max(map(len, lines)) <= width
    assert not [line for line in lines if line.strip().startswith(("not run", "run,"))]
    told = [line for line in lines if " items: " not in line]
    assert not [line for line in told if line.endswith((" not", "MODEL"))]


def test_a_failing_check_goes_on_indented_and_breaks_no_value_of_a_witness(folder):
    lines = on_a_terminal(FAILING, folder)
    first = next(n for n, line in enumerate(lines) if line.startswith("NOT AS EXPECTED"))
    assert all(line.startswith(("NOT AS EXPECTED own.false: ", "  ")) for line in lines[first:])
    assert any(line.startswith("    ") for line in lines[first:])
    assert not [line for line in lines if line.endswith(" =")]


def test_measure_keeps_within_the_terminal(folder):
    save_model(folder / "small")
    lines = on_a_terminal("measure small --random-tokens --length 12", folder)
    assert any("head kind" in line for line in lines)
    assert not [line for line in lines if len(line) > WIDTH and len(line.split()) > 1]


@pytest.mark.parametrize(
    "command",
    [
        "coverage heads",
        "show rope.lipschitz",
        "budget --preset llama-3-8b --length 64",
    ],
)
def test_a_pipe_gets_no_line_wider_than_its_columns(command, folder):
    code = WITHOUT_PROOFS if command.startswith("coverage") else RUN
    env = environment(folder)
    for columns in (None, 80):
        with_width = env | ({"COLUMNS": str(columns)} if columns else {})
        if code == RUN:
            said = a_process().run(command.split(), folder=folder, env=with_width)
        else:
            said = subprocess.run(
                [sys.executable, "-c", code, *command.split()], capture_output=True, text=True,
                cwd=folder, env=with_width, check=False,
            )  # fmt: skip
        assert said.stderr == ""
        lines = said.stdout.splitlines()
        assert lines
        assert max(map(len, lines)) <= (columns or 140)


def test_a_message_is_one_line_in_a_pipe_and_loses_no_word_on_a_terminal(folder):
    env = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    piped = subprocess.run(
        [sys.executable, "-m", "ropeproof", "lint", "wrong.json"],
        capture_output=True, text=True, cwd=folder, env=env, check=False,
    ).stdout  # fmt: skip
    folded = on_a_terminal("lint wrong.json", folder, anew=True)
    assert len(folded) > len(piped.splitlines())
    assert " ".join(folded).split() == piped.split()
