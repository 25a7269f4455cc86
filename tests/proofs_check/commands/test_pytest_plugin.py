"""The pytest plugin: readable names, a user's own claims, a false one fails."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from ropeproof.proofs_check import evidence
from ropeproof.proofs_check.run import library
from ropeproof.proofs_check.run.library import load

pytest_plugins = ["pytester"]
ROOT = Path(__file__).resolve().parents[3]
HERE = ("-p", "no:cacheprovider", "-n", "0")
"""In this process: a path among the arguments makes pytest read the checkout's own settings."""


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """The catalogue and its evidence: a run within a test forgets the modules that it imported,
    but not ours, and NumPy cannot be imported again.
    """
    assert len(load().evidence)
    for name in ("attack.mutants", "run.modules", "run.proving", "attack.statement"):
        import_module(f"ropeproof.proofs_check.{name}")


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


DEEP = '''
from ropeproof.theory.language import *

x, f = real("x"), real_function("f")
term = x
for _ in range(150):
    term = f(term)


@theorem("own.deep", conclusion=le(term, term + 1))
def DEEP(p):
    """A term and one more

    A term is at most itself and one.
    """
    p.qed("So it is.")


@theorem("own.square", conclusion=le(0, x**2), attack=Attack({"more": le(1, x**2)}))
def SQUARE(p):
    """A square is not negative

    The square of a real number is at least 0.
    """
    p.qed("So it is.")
'''


def test_a_claim_that_is_too_deep_fails_and_the_others_are_tested(pytester):
    path = pytester.path / "mine.py"
    path.write_text(DEEP)
    result = pytester.runpytest("--ropeproof-module", str(path), *HERE)
    result.stdout.fnmatch_lines(["*own.deep is refused: the conclusion*levels deep*"])
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] == 1, outcomes
    assert outcomes["passed"] >= 3, outcomes


def test_without_the_options_nothing_is_added(pytester):
    pytester.makepyfile("def test_one(): pass")
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=1)


PROJECT = """
    import sys

    def test_one():
        assert "ropeproof.proofs_check.pytest_plugin" in sys.modules
        ours = {name for name in sys.modules if name.split(".")[0] == "ropeproof"}
        assert ours <= {
            "ropeproof", "ropeproof.moved", "ropeproof.proofs_check",
            "ropeproof.proofs_check.pytest_plugin",
            "ropeproof.tools", "ropeproof.tools.console", "ropeproof.tools.console.checkout",
        }
        heavy = {"sympy", "numpy", "torch", "transformers", "scipy", "matplotlib", "mpmath"}
        heavy |= {"z3", "flint", "hypothesis", "typer", "rich"}
        assert not heavy & set(sys.modules)
"""


def test_another_project_pays_for_a_few_small_modules(pytester):
    pytester.makepyfile(PROJECT)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)


@pytest.fixture(autouse=True)
def _forgotten():
    """What the files of one test register is none of the next one's: all run in this process."""
    known = {id: dict(found) for id, found in evidence._REGISTRY.items()}
    loaded = dict(library.LOADED)
    yield
    for state, before in ((evidence._REGISTRY, known), (library.LOADED, loaded)):
        state.clear()
        state.update(before)


CLAIM = """
import pytest
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.kernel.outcome import holds, unknown, unsupported
from ropeproof.theory import Claim, Source

CLAIMS = (Claim("own.bare", "t", "s", Source("me"), kind="definition", needs=frozenset("C")),)

@evidence("own.bare", "certified", "it")
def it(how):
    {}
"""


@pytest.mark.parametrize(
    ("does", "outcomes"),
    [
        ("pytest.skip('not today')", {"failed": 2}),
        ("pytest.xfail('known')", {"failed": 2}),
        ("pytest.exit('done', returncode=0)", {"failed": 2}),
        ("raise __import__('unittest').SkipTest('no')", {"failed": 2}),
        ("return unknown('who knows')", {"failed": 2}),
        ("return Finding(unknown('who knows'), 'n <= 9', 9)", {"failed": 2}),
        ("return Finding(unsupported('not here'), 'n <= 9', 9)", {"skipped": 1, "failed": 1}),
        ("return Finding(holds(), 'n <= 9', 9)", {"passed": 2}),
    ],
)
def test_what_does_not_hold_does_not_pass(does, outcomes, pytester):
    path = pytester.path / "own.py"
    path.write_text(CLAIM.format(does))
    result = pytester.runpytest("--ropeproof-module", str(path), *HERE)
    result.assert_outcomes(**outcomes)
    assert (result.ret == 0) is (list(outcomes) == ["passed"])


@pytest.mark.parametrize(
    "end", ["pytest.skip('no', allow_module_level=True)", "raise SystemExit(0)"]
)
def test_a_file_that_does_not_come_to_its_end_is_an_error(end, pytester):
    path = pytester.path / "own.py"
    path.write_text(CLAIM.format("return None") + end + "\n")
    result = pytester.runpytest("--ropeproof-module", str(path), *HERE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_a_file_given_twice_is_tested_once_and_another_with_its_id_is_an_error(pytester):
    path, second = pytester.path / "own.py", pytester.path / "second.py"
    path.write_text(CLAIM.format("return Finding(holds(), 'n <= 9', 9)"))
    twice = ("--ropeproof-module", str(path)) * 2
    pytester.runpytest(*twice, *HERE).assert_outcomes(passed=2)
    second.write_text(path.read_text().replace('"it"', '"that"'))
    result = pytester.runpytest(*twice, "--ropeproof-module", str(second), *HERE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
