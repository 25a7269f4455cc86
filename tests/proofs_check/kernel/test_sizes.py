"""What is too large is refused before the work is done, within little memory and time."""

from __future__ import annotations

import subprocess
import sys

import pytest

START = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (2 * 2**30,) * 2)
resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
import sympy as sp
from ropeproof.theory.language.logic import eq, integer, kept, le, lt, real, real_function
from ropeproof.proofs_check.kernel.check import check_step
from ropeproof.proofs_check.semantics.evaluate import evaluate
from ropeproof.proofs_check.semantics.enclosed import enclosed_truth
from ropeproof.proofs_check.semantics.values import Fraction, Instance, TooLarge
from ropeproof.theory.language.derivation import Step, identity, smt
x, y = real("x y"); n, a, b = integer("n a b"); f = real_function("f")
def power(base, *exponents):
    for exponent in exponents:
        base = sp.Pow(sp.sympify(base), sp.sympify(exponent), evaluate=False)
    return base
def doubled(term, times, how):
    for _ in range(times):
        term = how(term, term, evaluate=False)
    return term
"""
LARGE = {
    "a cosine of powers": "sp.cos(power(x, 1000, 1000, 1000))",
    "a number": "power(2, 1000, 1000, 1000)",
    "a fraction": "power(sp.Rational(2, 3), 1000, 1000, 1000)",
    "an inverse": "power(2, -1000, 1000, 1000)",
    "half a power": "power(2, 1000, 1000, sp.Rational(1001, 2))",
    "a root of powers": "power(power(3, 1000, 1000, 1000), sp.Rational(1, 2))",
    "a sum": "power(x + y, 500, 2)",
    "a product of powers": "sp.Mul(*[power(x + i, 900) for i in (1, 2, 3)], evaluate=False)",
    "powers of a product": "power(sp.Mul(x, power(y, 1000), evaluate=False), 1000, 1000)",
    "powers of cosines": "power(sp.cos(x), 1000, 1000)",
    "an exponential": "sp.exp(power(x, 1000, 1000))",
    "small powers": "power(2, *[8] * 20)",
    "squares": "power(3, *[2] * 40)",
    "products of themselves": "doubled(x + 1, 40, sp.Mul)",
    "sums of themselves": "doubled(x, 60, sp.Add)",
    "functions of themselves": "sp.exp(doubled(sp.sin(x), 40, sp.Add), evaluate=False)",
    "sums within sums": "sp.Sum(f(n + a * b), (n, 0, 60), (a, 0, 60), (b, 0, 60))",
    "a numeral": "sp.Integer(10) ** 100000",
}  # fmt: skip


def run(code: str) -> str:
    """What the code prints, in a process with 2 GiB and two minutes of the processor."""
    result = subprocess.run(
        [sys.executable, "-c", START + code], check=False, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr[-800:]
    return result.stdout.strip()


@pytest.fixture(scope="module")
def refusals():
    """The verdicts on a step of each rule about each term: one process is started for all."""
    code = f"""
for name, text in {LARGE!r}.items():
    term = eval(text)
    for rule in (identity(), smt()):
        goal = sp.Eq(term, kept(sp.Add, term, sp.exp(y)), evaluate=False)
        print(name, rule.name, check_step(Step("s", goal, rule, "why"), {{}}, {{}}, None, None)[1].verdict,
              sep=": ", flush=True)
"""
    return run(code).splitlines()


@pytest.mark.parametrize("name", LARGE)
def test_a_step_about_it_is_refused(name, refusals):
    assert {f"{name}: identity: unknown", f"{name}: smt: unknown"} <= set(refusals)


WITH_A_VALUE = {n: t for n, t in LARGE.items() if "themselves" not in n and "within" not in n}


@pytest.fixture(scope="module")
def evaluated():
    code = f"""
at = Instance({{"x": Fraction(3, 2), "y": Fraction(5, 3), "n": Fraction(2)}})
for name, text in {WITH_A_VALUE!r}.items():
    term = eval(text)
    try:
        evaluate(term, at)
    except TooLarge:
        pass
    enclosed_truth(sp.Lt(term, x, evaluate=False), at, None)
    print(name, flush=True)
"""
    return run(code).splitlines()


@pytest.mark.parametrize("name", WITH_A_VALUE)
def test_evaluating_it_ends(name, evaluated):
    assert name in evaluated


@pytest.mark.parametrize("error", ["MemoryError", "RecursionError", "OverflowError"])
def test_a_rule_that_breaks_off_refuses(error):
    code = f"""
from ropeproof.proofs_check.kernel import check
def rule(at):
    raise {error}
check.RULES = dict(check.RULES, identity=rule)
print(check_step(Step("s", eq(x, x + 0 * y), identity(), "why"), {{}}, {{}}, None, None)[1].detail)
"""
    assert f"the rule broke off: {error}" in run(code)


def test_what_is_within_the_bounds_is_multiplied_out():
    code = """
for goal in (eq(power(x, 100, 100), power(x, 1000, 10)), eq(power(2, 100, 100), power(2, 1000, 10)),
             eq(power(x + y, 3, 3), power(x + y, 9))):
    print(check_step(Step("s", goal, identity(), "why"), {}, {}, None, None)[1].verdict)
"""
    assert run(code) == "holds\nholds\nholds"
