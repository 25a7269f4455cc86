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

import pytest

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
FALSE = """
from ropeproof.theory import Claim, Derivation, Mutant, Source, Step
from ropeproof.theory.language.derivation import smt
from ropeproof.theory.language.logic import le, real

x, y = real("x y")
product = le(2 * x * y, x**2 + y**2 - 1)
CLAIMS = (
    Claim(
        id="false.claim",
        title="Twice a product is less by one than the sum of the squares, which is not so",
        statement="$2xy\\le x^2+y^2-1$.",
        source=Source("my notebook"),
        needs=frozenset("P"),
        hypotheses=(),
        conclusion=product,
        derivation=Derivation((Step("all", product, smt(), "The square of a difference."),)),
        uses=(),
        mutants=(Mutant("more", le(2 * x * y + 1, x**2 + y**2 - 1)),),
    ),
)
"""
COMMANDS = [
    "--help",
    "list rope.*",
    "show rope.lipschitz --history",
    "show rope.lipschitz --statement",
    "show nosuch.claim",
    "show head.slash --history",
    "show rope.relative",
    "show slash.head",
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
    "certificate make",
    "conform nosuch:function --config llama.json",
    "export exp.monotone",
    "check nosuch.claim --jobs 1",
    "check false.claim --module false_claim.py --jobs 1 --profile quick",
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
    (found / "false_claim.py").write_text(FALSE)
    return found


def on_a_terminal(command, folder, width=WIDTH):
    """The lines that a command leaves on a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    env["ROPEPROOF_CACHE"] = str(
        folder / "kept"
    )  # the first that lists the catalogue keeps the list
    child = subprocess.Popen(
        [sys.executable, "-m", "ropeproof", *command.split()],
        stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=env | {"TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 65536):
            said += part
    except OSError:  # the terminal's other side is closed
        pass
    child.wait()
    os.close(ours)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said.decode()).replace("\r\n", "\n")
    return [line.rpartition("\r")[2].rstrip() for line in text.splitlines()]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_is_wider_than_the_terminal(command, folder):
    lines = on_a_terminal(command, folder)
    assert any(lines)
    assert not any("Traceback" in line for line in lines)
    wide = [line for line in lines if len(line) > WIDTH and len(line.split()) > 1]
    assert not wide


def test_a_message_is_one_line_in_a_pipe_and_loses_no_word_on_a_terminal(folder):
    env = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    piped = subprocess.run(
        [sys.executable, "-m", "ropeproof", "lint", "wrong.json"],
        capture_output=True, text=True, cwd=folder, env=env, check=False,
    ).stdout  # fmt: skip
    folded = on_a_terminal("lint wrong.json", folder)
    assert len(folded) > len(piped.splitlines())
    assert " ".join(folded).split() == piped.split()
