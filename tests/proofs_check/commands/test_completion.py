"""What a shell completes: commands, options, ids, presets; and the scripts that ask for it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from needs import need_program

from ropeproof.proofs_check.semantics.profiles import PROFILES
from ropeproof.theory import CLAIMS
from ropeproof.tools.console import completion

ASKED = {
    "bash": lambda typed: {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1)},
    "zsh": lambda typed: {"_TYPER_COMPLETE_ARGS": typed},
    "fish": lambda typed: {
        "_TYPER_COMPLETE_ARGS": typed,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    },
}


def answer(instruction, **env):
    asked = os.environ | {"_ROPEPROOF_COMPLETE": instruction} | env
    program = "import sys; sys.argv[0] = 'ropeproof'; from ropeproof.cli import main; main()"
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, env=asked, check=False).stdout


def test_lists_that_are_completed_are_those_of_the_project():
    assert completion.ids("") == list(CLAIMS)
    assert completion.ids("slash.head") == ["slash.head", "slash.head-typical"]
    assert completion.profiles("") == list(PROFILES)
    assert completion.presets("llama-3") == ["llama-3-8b", "llama-3.1-8b"]


@pytest.mark.parametrize("shell", ASKED)
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("ropeproof certif", "certificate"),
        ("ropeproof show slash.head-t", "slash.head-typical"),
        ("ropeproof check trig.pro", "trig.projection"),
        ("ropeproof budget --preset pyth", "pythia-1.4b"),
        ("ropeproof check --prof", "--profile"),
    ],
)
def test_a_shell_is_given_what_may_follow(shell, typed, completed):
    assert completed in answer(f"complete_{shell}", **ASKED[shell](typed))


@pytest.mark.parametrize("shell", ASKED)
def test_the_script_of_a_shell_names_the_variable_that_asks(shell):
    script = answer(f"source_{shell}")
    assert f"_ROPEPROOF_COMPLETE=complete_{shell}" in script


@pytest.mark.parametrize("shell", ASKED)
def test_a_shell_reads_its_script(shell):
    command = [need_program(shell), "-n"]
    done = subprocess.run(command, input=answer(f"source_{shell}"), text=True, check=False)
    assert done.returncode == 0
