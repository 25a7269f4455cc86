"""A `for some` is denied at an instance only where z3 shows that nothing is such as it says."""

import pytest
import sympy as sp

from ropeproof.proofs_check.attack.mutants import attack_hypotheses
from ropeproof.proofs_check.run.library import load
from ropeproof.proofs_check.semantics.certain import shown_false
from ropeproof.proofs_check.semantics.evaluate import truth
from ropeproof.proofs_check.semantics.for_some import affirmed, denied
from ropeproof.proofs_check.semantics.profiles import PROFILES
from ropeproof.proofs_check.semantics.values import Instance, TooLarge
from ropeproof.theory.language.attack import Attack
from ropeproof.theory.language.claim import Claim, Hypothesis, Source
from ropeproof.theory.language.logic import (
    Both,
    Every,
    If,
    Some,
    eq,
    every,
    integer,
    le,
    lt,
    real,
    real_function,
)

OWN = Source("test", "own", "own")
k, n, m = integer("k n m")
x, theta = real("x theta")
f, g = real_function("f"), real_function("g")
total = sp.Sum(f(k), (k, 0, n - 1))
SHARES = Some((f(k),), Both(every(k, 0, n - 1, le(0, f(k))), eq(total, 1)))


@pytest.mark.parametrize(("number", "expected"), [(0, True), (-2, True), (1, False), (5, False)])
def test_shares_of_nothing_do_not_add_up_to_1(number, expected):
    assert denied(SHARES, Instance({"n": number})) is expected


def test_a_for_all_is_written_out_over_its_range():
    steps = Some((f(k),), every(k, 0, n, eq(f(k), k * x)))
    fixed = Some((f(k),), Both(every(k, 0, n, eq(f(k), k * x)), eq(f(2), 5)))
    assert not denied(steps, Instance({"n": 3, "x": 2}))
    assert denied(fixed, Instance({"n": 3, "x": 2}))
    assert not denied(fixed, Instance({"n": 1, "x": 2}))  # nothing is said of f(2)
    assert not denied(fixed, Instance({"n": 10**6, "x": 2}))  # too many cases


def test_numbers_are_known_by_enclosures():
    below = Some((x,), Both(le(x, sp.cos(theta)), lt(sp.exp(-theta), x)))
    assert denied(below, Instance({"theta": 2}))  # cos 2 < 0 < e^-2
    assert not denied(below, Instance({"theta": 1}))  # e^-1 < cos 1


def test_for_all_functions_there_is_one():
    below = Every((g(k),), Some((f(k),), every(k, 0, n, Both(lt(f(k), g(k)), lt(g(k), f(k) + m)))))
    assert denied(below, Instance({"n": 0, "m": 0}))
    assert not denied(below, Instance({"n": 0, "m": 1}))
    assert not denied(le(0, x), Instance({"x": -1}))  # no `for some`


ONE = Hypothesis("there is one", le(1, n))
CLAIM = Claim("own.shares", "", "", OWN, hypotheses=(ONE,), conclusion=SHARES)


def test_an_existence_of_functions_needs_a_hypothesis():
    """It was found by no search: drawn values leave a `for some` over functions open."""
    shown = Attack(without={ONE: {n: 0}}).on(CLAIM)
    found = attack_hypotheses(shown, PROFILES["quick"])
    assert (found.verdict, found.detail) == ("holds", "needed: there is one")


def test_an_instance_that_shows_nothing_is_refused():
    vain = Attack(without={ONE: {n: 2}}).on(CLAIM)
    assert attack_hypotheses(vain, PROFILES["quick"]).verdict == "fails"


def test_few_hypotheses_are_needed_without_an_instance():
    """The claims of `rope.half` are about limits over all lags, which no drawn instance decides."""
    claims = load().claims.values()
    unshown = [c.id for c in claims for h in c.hypotheses if h.unshown]
    assert sum(not id.startswith("rope.half") for id in unshown) <= 16
    assert len(unshown) <= 33


@pytest.mark.parametrize(
    ("dense", "holds"), [(sp.Rational(1, 2), True), (sp.Rational(4, 5), False)]
)
def test_a_for_all_over_reals_holds_by_cases(dense, holds):
    """Some of four directions is within 45 degrees of any vector, and none need be within 30."""
    p, q = real("p q")
    seen = p * sp.cos(sp.pi * k / 2) + q * sp.sin(sp.pi * k / 2)
    near = Both(le(0, seen), le(dense**2 * (p**2 + q**2), seen**2))
    formula = Every((p, q), Some((k,), Both(le(0, k), le(k, 3), near)))
    assert affirmed(formula, Instance({})) is holds


INNER = Every((f(k),), eq(x * f(m), f(m)))
"""A `for all` within a range, which is true where x = 1."""


@pytest.mark.parametrize(
    ("number", "value", "expected"), [(3, 1, True), (3, 2, False), (0, 2, True)]
)
def test_a_for_all_inside_a_range_is_shown_case_by_case(number, value, expected):
    said = every(m, 1, n, Both(lt(0, x), INNER))
    assert affirmed(said, Instance({"n": number, "x": value})) is expected


def test_an_implication_is_false_where_its_condition_holds_and_its_conclusion_fails():
    turned = Every((f(k),), eq(sp.cos(x) * f(0) + f(1), f(0) * sp.cos(x) + f(1)))
    at = Instance({"x": 1, "n": 2})
    assert shown_false(Both(le(0, n), If(turned, lt(n, 2))), at, ())
    assert not shown_false(If(turned, le(n, 2)), at, ())
    assert not shown_false(If(Every((f(k),), le(0, f(0))), lt(n, 2)), at, ())


def test_an_exponent_of_many_digits_is_no_crash():
    """Its message once wrote the exponent out, which Python refuses beyond 4,300 digits."""
    huge = Instance({"x": 3, "n": 10**5000})
    with pytest.raises(TooLarge):
        truth(lt(0, x**n), huge)
