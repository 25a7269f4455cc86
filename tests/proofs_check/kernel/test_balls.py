"""Balls and derivatives: enclosures contain the value, slopes match difference quotients."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from kernel.numeric import CONTEXT, as_float, environments, steady, terms, value

from ropeproof.proofs_check.kernel.balls import certainly_positive, enclose, precision
from ropeproof.proofs_check.kernel.derivative import conditions, derivative
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.kernel.terms import Malformed, number
from ropeproof.theory.language.logic import integer, real, real_function

x, y = real("x y")
l, n = integer("l n")
f = real_function("f")


def _ball(point: Fraction, radius: Fraction) -> object:
    exact = flint.arb(flint.fmpq(point.numerator, point.denominator))
    wide = flint.arb(flint.fmpq(radius.numerator, radius.denominator))
    return exact + wide * flint.arb(0, 1)


@steady(250)
@given(terms, environments, st.sampled_from([Fraction(0), Fraction(1, 1000), Fraction(1, 2)]))
def test_the_ball_contains_the_value(t: object, env: dict, radius: Fraction) -> None:
    with precision(200):
        balls = {k: _ball(env[k], radius if k in "xy" else Fraction(0)) for k in "xynl"}
        try:
            enclosure, point = enclose(t, balls), value(t, env)
        except (Malformed, ArithmeticError, ValueError):
            assume(False)
        assume(enclosure.is_finite())
        exact = as_float(point)
        slack = flint.arb(0, 1e-25) * (1 + abs(enclosure))
        assert (enclosure + slack).overlaps(flint.arb(CONTEXT.nstr(exact, 38)))


@pytest.mark.parametrize(
    ("expr", "box", "strict", "verdict"),
    [
        (sp.exp(x) - 1 - x, {"x": (1, 2)}, True, True),
        (sp.exp(x) - 1 - x, {"x": (0, 2)}, True, False),
        (x**2 - x + sp.Rational(1, 4), {"x": (0, 1)}, True, False),
        (x, {"x": (0, 1)}, True, False),
        (x**2 + sp.Rational(1, 10**6), {"x": (-1, 1)}, True, True),
        (1 / x, {"x": (0, 1)}, False, False),
        (sp.log(x) + 10**6, {"x": (0, 1)}, True, False),
        (sp.sqrt(x) + 1, {"x": (-1, 1)}, True, False),
        (sp.cos(1 / x) + 2, {"x": (-1, 1)}, True, False),
        (sp.Max(x, 1 / x) + 100, {"x": (-1, 1)}, True, False),
        (sp.pi - 3, {}, True, True),
        (sp.Sum(x**l, (l, 0, 5)), {"x": (1, 2)}, True, True),
    ],
    ids=str,
)
def test_certainty(expr: object, box: dict, strict: bool, verdict: bool) -> None:
    cell = {name: (Fraction(a), Fraction(b)) for name, (a, b) in box.items()}
    assert certainly_positive(read(expr), cell, strict=strict, bits=64) is verdict


@pytest.mark.parametrize("expr", [f(x), sp.Sum(x, (l, 0, n)), sp.sign(x)], ids=str)
def test_terms_without_a_number_are_refused(expr: object) -> None:
    with pytest.raises(Malformed):
        enclose(read(expr), {"x": flint.arb(1)})


_smooth = st.recursive(
    st.one_of(
        st.sampled_from([read(x), read(y), ("pi",)]),
        st.fractions(-2, 2, max_denominator=3).map(number),
    ),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: ("+", p)),
        st.tuples(inner, inner).map(lambda p: ("*", p)),
        st.tuples(inner, st.integers(-2, 3)).map(lambda p: ("^", p[0], number(p[1]))),
        st.tuples(st.sampled_from(["cos", "sin", "exp", "log", "sqrt"]), inner),
    ),
    max_leaves=5,
)


@steady(200)
@given(_smooth, environments)
def test_the_derivative_is_the_slope(t: object, env: dict) -> None:
    try:
        needed = conditions(t, "x")
        slope = value(derivative(t, "x"), env)
        for kind, a, b in needed:  # well inside the domain, for the quotient below
            gap = value(b, env) - value(a, env)
            assume(abs(gap) > 0.01 and (kind == "ne" or gap > 0))
        step = CONTEXT.mpf(10) ** -12
        at = as_float(env["x"])
        high, low = (value(t, {**env, "x": at + s * step}) for s in (1, -1))
    except (ArithmeticError, ValueError, TypeError):
        assume(False)
    quotient = (as_float(high) - as_float(low)) / (2 * step)
    assume(abs(quotient) < 10**6)
    assert abs(quotient - as_float(slope)) < 1e-6 * max(1, abs(quotient))


@pytest.mark.parametrize(
    "expr",
    [abs(x), sp.floor(x), f(x), sp.Max(x, 1), sp.Sum(x, (l, 0, n)), sp.Integer(2) ** x],
    ids=str,
)
def test_what_is_not_differentiated(expr: object) -> None:
    with pytest.raises(Malformed):
        derivative(read(expr), "x")
