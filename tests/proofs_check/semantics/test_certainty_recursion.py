"""What recursions multiply is not certain by its digits: enclosures follow the equations."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from certainty_claims import QUICK, claim, f, g, j, k, n, verdicts, x, y

from ropeproof.proofs_check.attack.statement import satisfiable, test_instances
from ropeproof.proofs_check.semantics.certain import certain, surely
from ropeproof.proofs_check.semantics.enclosed import enclosed_truth
from ropeproof.proofs_check.semantics.recursion import definitions
from ropeproof.proofs_check.semantics.values import Fraction, Instance
from ropeproof.theory.language.logic import Every, If, Negation, eq, integer, kept, le, lt

i = integer("i")

ROOT = sp.sqrt(2)
TINY = sp.exp(-200)
FAR = le(25, n)  # where no digit of a drawn value is right


def steps(body, *more):
    return Every((k, *more), If(le(0, k), body))


def grown(value, start=ROOT):
    """1000 times a value less 999 times the start: it stays where it starts."""
    return 1000 * value - 999 * start


FIRST = Every((k,), eq(g(k), ROOT))
STAY = {
    "cases": (f(n), steps(eq(f(k), sp.Piecewise((ROOT, le(k, 0)), (grown(f(k - 1)), True))))),
    "one value and steps": (f(n), eq(f(0), ROOT), steps(eq(f(k + 1), grown(f(k))))),
    "two arguments": (f(n, j), Every((j,), eq(f(0, j), ROOT)), steps(eq(f(k + 1, j), grown(f(k, j))), j)),
    "from a symbol": (f(n), eq(x, ROOT), eq(f(0), x), steps(eq(f(k + 1), grown(f(k))))),
    "of another function": (f(n), FIRST, eq(f(0), ROOT), steps(eq(f(k + 1), grown(f(k), g(k))))),
    "two functions": (
        f(n), eq(f(0), ROOT), eq(g(0), ROOT),
        steps(eq(f(k + 1), 1000 * g(k) - 999 * ROOT)), steps(eq(g(k + 1), grown(f(k)))),
    ),
    "a sum inside": (
        f(n, 0), le(9, n), Every((j,), eq(f(0, j), ROOT)),
        steps(eq(f(k + 1, j), 10**9 * sp.Sum(f(k, i), (i, j, j + 1)) / 2 - (10**9 - 1) * ROOT), j),
    ),
    "a symbol of it": (x, eq(x, f(n)), eq(f(0), ROOT), steps(eq(f(k + 1), grown(f(k))))),
    "a symbol by itself": (x + TINY - y, eq(x, y - TINY + ROOT), eq(y, sp.exp(ROOT))),
}  # fmt: skip


def given(name):
    value, *formulas = STAY[name]
    far = () if name == "a sum inside" else (FAR,)  # that one grows faster
    return value, {f"h{i}": h for i, h in enumerate((*formulas, *far))}


@pytest.mark.parametrize("name", STAY)
def test_a_true_statement_is_seen_to_be_true(name):
    value, hypotheses = given(name)
    entry = claim(le(value, 2), given=hypotheses)
    assert satisfiable(entry, QUICK).verdict == "holds"
    outcome, _ = test_instances(entry, QUICK)
    assert (outcome.verdict, "against" in outcome.detail) == ("holds", True)


@pytest.mark.parametrize("name", STAY)
def test_a_contradiction_with_them_is_met_by_nothing(name, monkeypatch):
    value, hypotheses = given(name)
    hypotheses["more"] = lt(3, value**2)
    vacuous = claim(le(j**2, 10**6), given=hypotheses, needs=frozenset("T"))
    assert satisfiable(vacuous, QUICK).verdict == "unknown"
    # That it is met by nothing is the only thing to say against it: no hypothesis is sought in vain.
    unshown = tuple(replace(h, unshown="none can be") for h in vacuous.hypotheses)
    verdict = verdicts(monkeypatch, replace(vacuous, hypotheses=unshown))["own.test"]
    assert (verdict.status, bool(verdict.shortfalls)) == ("open", True)


@pytest.mark.parametrize("name", STAY)
def test_an_equation_is_neither_certain_nor_refuted(name):
    value, hypotheses = given(name)
    for goal in (le(value, ROOT), le(ROOT, value)):
        outcome, _ = test_instances(claim(goal, given=hypotheses), QUICK)
        assert outcome.verdict != "fails"


def test_a_false_statement_is_refuted_by_the_value_that_the_equations_give():
    value, hypotheses = given("cases")
    outcome, _ = test_instances(claim(le(value, 1), given=hypotheses), QUICK)
    assert outcome.verdict == "fails"
    assert "left side f(n) = 1.4142136" in outcome.detail
    values = [v for name, v in outcome.witness.items() if name.startswith("f(")]
    assert values
    assert all(v.startswith("1.41421356") for v in values)


CIRCLES = {
    "a symbol and a function": (Every((k,), eq(f(k), x)), eq(x, f(0) + TINY)),
    "a value and a symbol": (eq(f(0), x), eq(x, f(0) + TINY)),
    "two values": (eq(f(0), f(1) + TINY), eq(f(1), f(0) + TINY)),
    "a guard": (Every((k,), If(le(x, k), eq(f(k), 1 + TINY))), eq(x, f(3) - f(3) + 1), eq(f(3), 1)),
    "steps and a value": (steps(eq(f(k + 1), f(k) + TINY)), eq(f(0), f(1)), eq(f(2), f(0))),
}


@pytest.mark.parametrize("name", CIRCLES)
def test_definitions_in_a_circle_are_met_by_nothing(name):
    entry = claim(lt(y, y**2 + 1), given={f"h{i}": h for i, h in enumerate(CIRCLES[name])})
    assert satisfiable(entry, QUICK).verdict != "holds"


def test_one_value_is_a_definition_as_far_as_it_fits():
    first, step = eq(f(0), ROOT), steps(eq(f(k + 1), 2 * f(k)))
    assert set(definitions([first, step])) == {first, step}
    assert set(definitions([eq(f(2), ROOT), step])) == {step}  # the steps give that value
    assert set(definitions([first, eq(f(0), 1)])) == {first}
    assert set(definitions([eq(f(0, 1), ROOT), eq(f(0, 2), 1)])) == {
        eq(f(0, 1), ROOT),
        eq(f(0, 2), 1),
    }


def test_a_symbol_stands_for_the_value_of_its_term():
    from ropeproof.proofs_check.semantics.evaluate import evaluate

    value = evaluate(sp.exp(ROOT), Instance({}))
    at = Instance({"x": value, "y": value})
    hypotheses = [eq(y, sp.exp(ROOT)), eq(x, y + TINY)]
    assert certain(hypotheses, at)
    assert surely(lt(y, x), at, given=hypotheses) is True
    assert surely(eq(x, y), at, given=hypotheses) is False
    assert surely(eq(x - TINY, y), at, given=hypotheses) is not False


def test_a_name_that_a_quantifier_binds_is_not_the_defined_one():
    at = Instance({"x": Fraction(0)})
    assert surely(Every((x,), le(0, x**2)), at, given=[eq(x, 0)]) is True
    bound = Every((n,), If(eq(n, 3), le(n, 2)))
    assert surely(Negation(bound), at.having(n=Fraction(1)), given=[eq(n, 1)]) is not False


def test_a_recursion_that_goes_on_too_far_is_left_open():
    hypotheses = [eq(f(0), ROOT), steps(eq(f(k + 1), grown(f(k)))), le(10**75, n)]
    entry = claim(le(f(n), 2), given={f"h{i}": h for i, h in enumerate(hypotheses)})
    assert test_instances(entry, QUICK)[0].verdict == "unknown"


def test_equal_balls_of_one_number_are_equal():
    kept_root = kept(sp.Pow, x, sp.Rational(1, 2))
    at = Instance({"x": Fraction(9), "y": Fraction(-1)})
    assert enclosed_truth(eq(kept_root, 3), at) is True
    assert enclosed_truth(eq(sp.cos(x) * y + sp.cos(x * y), 0), at) is True
    assert enclosed_truth(eq(sp.sin(x) + sp.sin(x * y), 0), at) is True
    assert enclosed_truth(eq(sp.cos(x), sp.cos(x + 1)), at) is False
