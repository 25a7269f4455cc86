"""What an author expects to be immediate is accepted, and its false neighbours are refused."""

from __future__ import annotations

import pytest
import sympy as sp

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.theory import CLAIMS
from ropeproof.theory.language.claim import OWN, Claim, Hypothesis
from ropeproof.theory.language.logic import (
    Both,
    Every,
    Negation,
    Some,
    eq,
    every,
    frac,
    integer,
    kept,
    le,
    lt,
    real,
    real_function,
    some,
)
from ropeproof.theory.language.proof import prove

a, b, k, l, m, n = integer("a b k l m n")
x = real("x")
f, g = real_function("f"), real_function("g")
NOT_NEGATIVE, AT_LEAST_ONE, NONE = le(0, k), le(1, x), lt(b, a)
TWO = sp.Integer(2)

TWO_SAID = Both(le(0, f(k)), lt(f(k), g(k)))
ALL, ALL_TO_N = Every((k,), TWO_SAID), every(k, 0, n, TWO_SAID)
NOT_BELOW_0, BELOW_0 = every(k, 0, n, le(0, f(k))), some(k, 0, n, lt(f(k), 0))
PART = every(k, 0, n, lt(f(k), g(k)))


def cos(angle):
    return kept(sp.cos, angle)


def power(base, exponent):
    return kept(sp.Pow, base, exponent)


def rows(first, last):
    return sp.Sum(g(k, l), (l, 0, first), (k, 0, last))


def columns(first, last):
    return sp.Sum(g(k, l), (k, first, last), (l, 0, last))


def verdict(goal, *hypotheses):
    known = [Hypothesis(f"h{place}", formula) for place, formula in enumerate(hypotheses)]
    claim = Claim("own.it", "", "", OWN, hypotheses=tuple(known), conclusion=goal)
    shown = prove(claim, lambda p: p.qed("It is plain.", *known))
    return check_derivation(shown, CLAIMS.__getitem__).outcome.verdict


@pytest.mark.parametrize(
    ("goal", "hypotheses"),
    [
        (le(1, TWO**k), (NOT_NEGATIVE,)),
        (le(1, x**k), (NOT_NEGATIVE, AT_LEAST_ONE)),
        (eq(sp.Sum(f(l), (l, a, b)), 0), (NONE,)),
        (eq(sp.Sum(f(l) * x, (l, a + 1, a)), 0), (lt(a, a + 1),)),
        (le(0, f(m)), (ALL,)),
        (lt(f(m), g(m)), (ALL_TO_N, le(0, m), le(m, n))),
        (lt(f(2 * x), g(2 * x)), (Every((x,), Both(le(0, f(x)), lt(f(x), g(x)))),)),
        (Every((k,), le(0, f(k))), (ALL,)),
        (PART, (ALL_TO_N,)),
        (every(m, 0, n, lt(f(m), g(m))), (ALL_TO_N,)),
        (Negation(BELOW_0), (NOT_BELOW_0,)),
        (NOT_BELOW_0, (Negation(BELOW_0),)),
        (Negation(NOT_BELOW_0), (BELOW_0,)),
        (BELOW_0, (Negation(NOT_BELOW_0),)),
        (Negation(Some((x,), lt(f(x), 0))), (Every((x,), le(0, f(x))),)),
        (eq(kept(sp.floor, sp.Rational(5, 2)), 2), ()),
        (eq(sp.floor(x), n), (le(n, x), lt(x, n + 1))),
        (eq(cos(sp.pi / 4), sp.sqrt(2) / 2), ()),
        (eq(cos(5 * sp.pi / 6), -sp.sqrt(3) / 2), ()),
        (eq(cos(sp.pi * n), power(-1, n)), ()),
        (eq(power(-1, n + 1), -power(-1, n)), ()),
        (eq(kept(sp.sin, sp.pi * n * m), 0), ()),
        (eq(power(power(x, n), m), power(x, n * m)), ()),
        (eq(power(power(x, n), 2), power(x, 2 * n)), ()),
        (eq(sp.Sum(frac(l, l), (l, 1, n)), n), (le(0, n),)),
        (eq(sp.Sum(frac(l * x, l), (l, 1, n)), n * x), (le(0, n),)),
        (eq(rows(k, n), columns(l, n)), ()),
        (eq(columns(l, n), rows(k, n)), ()),
    ],
)
def test_it_is_accepted_without_naming_a_lemma(goal, hypotheses):
    assert verdict(goal, *hypotheses) == "holds"


@pytest.mark.parametrize(
    ("goal", "hypotheses"),
    [
        (le(1, TWO**k), ()),
        (le(1, x**k), (NOT_NEGATIVE,)),
        (le(1, (TWO / 3) ** k), (NOT_NEGATIVE,)),
        (lt(1, TWO**k), (NOT_NEGATIVE,)),
        (eq(sp.Sum(f(l), (l, a, b)), 0), ()),
        (eq(sp.Sum(f(l), (l, a, b)), 0), (le(b, a),)),
        (eq(sp.Sum(f(l), (l, a, b)), 1), (NONE,)),
        (eq(sp.Sum(f(l), (l, b, a)), 0), (NONE,)),
        (lt(f(m), 0), (ALL,)),
        (lt(f(m), g(m)), (ALL_TO_N, le(0, m))),
        (lt(f(m), g(k)), (ALL,)),
        (lt(f(x), g(x)), (ALL,)),
        (Every((k,), lt(f(k), g(k))), (ALL_TO_N,)),
        (every(k, 0, n + 1, lt(f(k), g(k))), (ALL_TO_N,)),
        (every(k, 0, n, lt(f(k), g(m))), (ALL_TO_N,)),
        (Negation(some(k, 0, n, le(f(k), 0))), (NOT_BELOW_0,)),
        (Negation(some(k, 0, n + 1, lt(f(k), 0))), (NOT_BELOW_0,)),
        (every(k, 0, n, lt(0, f(k))), (Negation(BELOW_0),)),
        (every(k, 0, n + 1, le(0, f(k))), (Negation(BELOW_0),)),
        (Negation(every(k, 0, n - 1, le(0, f(k)))), (BELOW_0,)),
        (some(k, 0, n - 1, lt(f(k), 0)), (Negation(NOT_BELOW_0),)),
        (Negation(Some((k,), lt(f(k), 0))), (NOT_BELOW_0,)),
        (eq(kept(sp.floor, sp.Rational(5, 2)), 3), ()),
        (eq(sp.floor(x), n), (le(n, x), le(x, n + 1))),
        (eq(cos(sp.pi / 4), -sp.sqrt(2) / 2), ()),
        (eq(cos(sp.pi / 6), sp.sqrt(2) / 2), ()),
        (eq(cos(sp.pi * n), 1), ()),
        (eq(cos(sp.pi * x), power(-1, n)), ()),
        (eq(kept(sp.sin, sp.pi * x), 0), ()),
        (eq(power(power(x, n), m), power(x, n + m)), ()),
        (eq(power(power(x, n), sp.Rational(1, 2)), power(x, n / 2)), ()),
        (eq(sp.Sum(frac(l, l), (l, 0, n)), n + 1), (le(0, n),)),
        (eq(sp.Sum(frac(l, l), (l, 1, n)), n), ()),
        (eq(sp.Sum(frac(l, l), (l, 1, n)), n + 1), (le(0, n),)),
        (eq(rows(k, n), columns(l + 1, n)), ()),
        (eq(rows(k, n), columns(0, n)), ()),
        (eq(rows(k, n), columns(k, n)), ()),
    ],
)
def test_its_neighbour_is_refused(goal, hypotheses):
    assert verdict(goal, *hypotheses) != "holds"
