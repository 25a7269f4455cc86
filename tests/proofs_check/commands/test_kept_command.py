"""The commands show what is kept, and load nothing heavy for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from kept_checks import own_folder
from typer.testing import CliRunner

import ropeproof
from ropeproof.cli import app

COMMAND = ["check", "trig.sine-below-identity", "--profile", "quick", "--jobs", "1"]


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    return own_folder(tmp_path, monkeypatch)


def invoke(*args):
    result = CliRunner().invoke(app, list(args))
    return result.exit_code, result.output


def test_the_command_shows_what_is_kept(place):
    code, first = invoke(*COMMAND)
    assert (code, "cached" in first) == (0, False)
    code, second = invoke(*COMMAND)
    assert code == 0
    assert "3 of 3 results are cached" in second or "4 of 4 results are cached" in second
    data = json.loads(invoke(*COMMAND, "--json", "-")[1])
    assert all(e["kept"] for e in data["claims"][0]["evidence"])
    data = json.loads(invoke(*COMMAND, "--fresh", "--json", "-")[1])
    assert not any(e["kept"] for e in data["claims"][0]["evidence"])
    assert "(cached)" in invoke("show", COMMAND[1])[1]
    assert "(cached)" not in invoke("show", COMMAND[1], "--fresh")[1]


def test_a_kept_check_loads_nothing_heavy(place):
    """So it answers at once. It says the same as the run before it, in other words in no time."""
    code = (
        "import sys, json; from ropeproof.cli import app\n"
        f"app({[*COMMAND, '--json', str(place) + '.json']!r}, standalone_mode=False)\n"
        "print([m for m in ('sympy', 'z3', 'numpy', 'torch', 'hypothesis') if m in sys.modules])"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(ropeproof.__file__).parents[1])}
    run = partial(subprocess.run, capture_output=True, text=True, check=True, env=env)
    out = [run([sys.executable, "-c", code]).stdout for _ in range(2)]
    assert out[0].strip().endswith("]")
    assert out[1].strip().endswith("[]")


def test_a_check_of_one_claim_reads_no_other(place):
    """What it found is known by itself; another claim is looked at when it is asked for."""
    code = (
        "import sys; from ropeproof.cli import app\n"
        "from ropeproof.theory.topics.contents import CONTENTS\n"
        "app(sys.argv[1:], standalone_mode=False)\n"
        "read = {e.module for e in CONTENTS.values()} & {m[17:] for m in sys.modules}\n"
        "print(len(read), 'ropeproof.proofs_check.kernel.check' in sys.modules)"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(ropeproof.__file__).parents[1])}

    def read(*command):
        run = [sys.executable, "-c", code, *command]
        done = subprocess.run(run, capture_output=True, text=True, check=True, env=env)
        count, judged = done.stdout.splitlines()[-1].split()
        return int(count), judged == "True"

    count, judged = read(*COMMAND)
    assert judged
    assert 0 < count < 30
    assert read(*COMMAND) == (0, False)
    count, judged = read("show", COMMAND[1])
    assert not judged
    assert 0 < count < 10
    assert read("check", "trig.jordan", "--profile", "quick", "--jobs", "1")[0] > 0
    assert read(*COMMAND) == (0, False)
