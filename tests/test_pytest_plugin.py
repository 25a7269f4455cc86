"""The pytest plugin: readable names, a user's own claims, a false one fails."""

from __future__ import annotations

from pathlib import Path

pytest_plugins = ["pytester"]
ROOT = Path(__file__).resolve().parents[1]


def test_every_pair_is_a_test_with_a_readable_name(pytester):
    result = pytester.runpytest(
        "-v", "--ropeproof", "--ropeproof-ids", "exp.monotone", "-p", "no:cacheprovider"
    )
    result.assert_outcomes(passed=5)
    names = ["proof[[]derivation]", "property[[]drawn instances]", "attack[[]mutants]", "status"]
    result.stdout.fnmatch_lines_random([f"*exp.monotone::{name}*PASSED*" for name in names])


def test_a_users_claim(pytester):
    path = ROOT / "examples/own_claim.py"
    result = pytester.runpytest("--ropeproof-module", str(path), "-p", "no:cacheprovider")
    result.assert_outcomes(passed=5)


def test_a_users_false_claim_fails_with_its_witness(pytester):
    path = ROOT / "examples/false_claim.py"
    result = pytester.runpytest("--ropeproof-module", str(path), "-p", "no:cacheprovider")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*false on an instance of the hypotheses*", "*theta(0) = *"])


def test_without_the_options_nothing_is_added(pytester):
    pytester.makepyfile("def test_one(): pass")
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=1)
