"""What stands for an integer is one: no instance gives a half to a symbol or function of integers."""

from __future__ import annotations

import pytest
import sympy as sp
from certainty_claims import QUICK, claim, f, k, n, x, y

from ropeproof.proofs_check.attack.statement import satisfiable
from ropeproof.proofs_check.run.proving import prove
from ropeproof.proofs_check.semantics.certain import certain, example_of
from ropeproof.proofs_check.semantics.instances import Sampler
from ropeproof.proofs_check.semantics.values import Fraction, TooLarge
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Mutant
from ropeproof.theory.language.derivation import Step, chain, identity, instance, smt
from ropeproof.theory.language.logic import Both, Every, If, eq, integer_function, le, lt

g = integer_function("g")
HALF = sp.Rational(1, 2)
HALVED = Every((n,), If(le(0, n), eq(g(n + 1), g(n) / 2)))
TOTAL = sp.Sum(g(k), (k, 0, 1))
PARTS = {
    "a value": {"h": eq(g(1), HALF)},
    "a value at each": {"h": Every((n,), eq(g(n), HALF))},
    "a recursion": {"h": HALVED, "o": eq(g(0), 1)},
    "a sum": {"h": eq(TOTAL, 1), "i": eq(g(0), g(1))},
    "a sum at each": {"h": eq(TOTAL, 1), "i": Every((n,), If(le(0, n), eq(g(n), g(n + 1))))},
}


@pytest.mark.parametrize("given", PARTS.values(), ids=PARTS.keys())
def test_hypotheses_that_no_integers_satisfy_are_not_met(given):
    assert satisfiable(claim(lt(x, x + g(1)), given=given), QUICK).verdict == "unknown"


@pytest.mark.parametrize(
    ("given", "example"),
    [
        ({"h": eq(2 * n, 1)}, (eq(n, HALF),)),
        ({"h": eq(n, y), "i": eq(2 * y, 1)}, (eq(n, HALF), eq(y, HALF))),
    ],
)
def test_an_example_gives_an_integer_an_integer(given, example):
    with pytest.raises(InvalidClaim, match="n is an integer"):
        satisfiable(claim(lt(x, x + n**2), given=given, example=example), QUICK)


@pytest.mark.parametrize("body", [x / 2, x, sp.sqrt(x), HALF])
def test_an_example_of_an_integer_function_has_integer_values(body):
    told = claim(
        lt(x, x + g(HALF)), given={"h": eq(g(HALF), HALF)}, example=(Every((x,), eq(g(x), body)),)
    )
    assert satisfiable(told, QUICK).verdict == "fails"


def test_an_example_of_an_integer_function_may_be_whole_where_it_is_asked():
    closed = example_of((Every((n,), eq(g(n), n / 2)),)).values["g"]
    assert closed(Fraction(4)) == 2
    with pytest.raises(TooLarge, match="an integer"):
        closed(Fraction(3))
    even = claim(lt(x, x + g(4)), given={"h": eq(g(4), 2)}, example=(Every((n,), eq(g(n), n / 2)),))
    assert satisfiable(even, QUICK).verdict == "holds"


def test_an_integer_function_is_drawn_with_integers():
    sampler = Sampler([eq(g(1), f(1)), Both(le(0, f(1)), le(f(1), 3))])
    found = sampler.draw(QUICK.random("own.drawn")[0], tries=200)
    assert found is None or found.values["g"](Fraction(1)).denominator == 1


def _vacuous(given, *before):
    """x < x + g(1), from g(1) = 1/2 by a chain whose last step proves no mutant."""
    goal = lt(x, x + g(1))
    steps = (
        *before,
        Step("more", lt(x, x + HALF), smt(), "."),
        Step("so", eq(x + HALF, x + g(1)), smt(), ".", (*given, *(s.label for s in before))),
        Step("end", goal, chain(), ".", ("more", "so")),
    )
    mutants = (Mutant("m", lt(x + 1, x + g(1))),)
    return claim(goal, *steps, given=given, mutants=mutants)


@pytest.mark.parametrize(
    ("given", "before"),
    [
        (PARTS["a value"], ()),
        (
            PARTS["a recursion"],
            (Step("one", eq(g(1), g(0) / 2), instance({n: 0}), ".", ("h",)),),
        ),
        (PARTS["a sum"], (Step("two", eq(TOTAL, g(0) + g(1)), identity(), "."),)),
    ],
)
def test_no_proof_rests_on_integers_that_are_halves(given, before):
    outcome, _ = prove({}, _vacuous(given, *before), QUICK)
    assert outcome.verdict == "unknown"
    assert outcome.detail.startswith("no instance ")


def test_what_is_not_an_integer_does_not_count_as_certain():
    at = example_of((Every((x,), eq(g(x), x / 2)),))
    assert not certain([eq(2 * g(1), 1)], at)
    assert certain([eq(g(2), 1)], at)
