"""The pytest plugin: readable names, a user's own claims, a false one fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropeproof.proofs_check.library import load

pytest_plugins = ["pytester"]
ROOT = Path(__file__).resolve().parents[1]
HERE = ("-p", "no:cacheprovider", "-n", "0")
"""In this process: a path among the arguments makes pytest read the checkout's own settings."""


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """The catalogue and its evidence: a run within a test forgets the modules that it imported,
    but not ours, and NumPy cannot be imported again.
    """
    assert len(load().evidence)


def test_every_pair_is_a_test_with_a_readable_name(pytester):
    result = pytester.runpytest(
        "-v", "--ropeproof", "--ropeproof-ids", "exp.monotone", "-p", "no:cacheprovider"
    )
    result.assert_outcomes(passed=5)
    names = ["proof[[]derivation]", "property[[]drawn instances]", "attack[[]mutants]", "status"]
    result.stdout.fnmatch_lines_random([f"*exp.monotone::{name}*PASSED*" for name in names])


def test_a_users_claim(pytester):
    path = ROOT / "examples/own_claim.py"
    result = pytester.runpytest("--ropeproof-module", str(path), *HERE)
    result.assert_outcomes(passed=5)


def test_a_users_false_claim_fails_with_its_witness(pytester):
    path = ROOT / "examples/false_claim.py"
    result = pytester.runpytest("--ropeproof-module", str(path), *HERE)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*false on an instance of the hypotheses*", "*theta(0) = *"])


def test_without_the_options_nothing_is_added(pytester):
    pytester.makepyfile("def test_one(): pass")
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=1)


PROJECT = """
    import sys

    def test_one():
        assert "ropeproof.proofs_check.pytest_plugin" in sys.modules
        ours = {name for name in sys.modules if name.split(".")[0] == "ropeproof"}
        assert ours <= {
            "ropeproof", "ropeproof.proofs_check", "ropeproof.proofs_check.pytest_plugin"
        }
        heavy = {"sympy", "numpy", "torch", "transformers", "scipy", "matplotlib", "mpmath"}
        heavy |= {"z3", "flint", "hypothesis", "typer", "rich"}
        assert not heavy & set(sys.modules)
"""


def test_another_project_pays_for_one_small_module(pytester):
    pytester.makepyfile(PROJECT)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
