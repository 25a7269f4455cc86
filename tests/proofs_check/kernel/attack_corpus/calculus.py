"""False inequalities of analysis."""

from __future__ import annotations

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, half, kept, one, s

from ropeproof.theory.language.derivation import Step, ball, mean_value, smt
from ropeproof.theory.language.logic import Both, integer, le, lt, real, real_function

__all__ = ["ENTRIES"]

x, y = real("x y")
n, k = integer("n k")
f = real_function("f")
cos, sin, exp, log, pi = sp.cos, sp.sin, sp.exp, sp.log, sp.pi
R = sp.Rational


def _ball() -> tuple[FalseStatement, ...]:
    unit = {"low": le(0, x), "high": le(x, 1)}
    spike = (x - R(1, 3)) ** 2 - R(1, 10**12)
    return (
        false(
            "ball.tiny-dip",
            "negative within 10^-6 of 1/3",
            "ball",
            one(lt(0, spike), ball(), unit),
            at={"x": "1/3"},
            control=one(lt(0, spike + R(1, 10**8)), ball(), unit),
        ),
        false(
            "ball.touching-is-not-strict",
            "exp x = 1 + x at 0",
            "ball",
            one(lt(1 + x, exp(x)), ball(), unit),
            at={"x": 0},
            control=one(lt(1 + x, exp(x)), ball(), {"low": le(half, x), "high": le(x, 1)}),
        ),
        false(
            "ball.touching-everywhere",
            "0 is not positive",
            "ball",
            one(lt(0, kept(sp.sin, 0)), ball()),
            at={},
            control=one(le(0, kept(sp.sin, 0)), ball()),
        ),
        false(
            "ball.wrong-constant",
            "sin x >= 0.9 x fails near 1",
            "ball",
            one(lt(R(9, 10) * x, sin(x)), ball(), {"low": le(half, x), "high": le(x, 1)}),
            at={"x": 1},
            control=one(lt(R(8, 10) * x, sin(x)), ball(), {"low": le(half, x), "high": le(x, 1)}),
        ),
        false(
            "ball.one-bound-missing",
            "no upper bound",
            "ball",
            one(lt(0, 2 - x), ball(), {"low": le(0, x)}),
            at={"x": 3},
            control=one(lt(0, 2 - x), ball(), unit),
        ),
        false(
            "ball.pole-inside",
            "1/x has no bound near 0",
            "ball",
            one(le(1 / x, 10), ball(), unit),
            at={"x": "1/100"},
            control=one(le(1 / x, 10), ball(), {"low": le(half, x), "high": le(x, 1)}),
        ),
        false(
            "ball.log-at-zero",
            "log is unbounded near 0",
            "ball",
            one(le(-5, log(x)), ball(), unit),
            at={"x": "1/1000"},
        ),
        false(
            "ball.bounds-of-another-symbol",
            "y is bounded, x is not",
            "ball",
            one(lt(x, 2), ball(), {"low": le(0, y), "high": le(y, 1)}),
            at={"x": 3, "y": 0},
        ),
        false(
            "ball.bound-from-an-implication",
            "the bound holds only if y > 0",
            "ball",
            one(lt(x, 2), ball(), {"low": le(0, x), "high": sp.Implies(lt(0, y), le(x, 1))}),
            at={"x": 3, "y": 0},
        ),
        false(
            "ball.pi-rounded",
            "22/7 exceeds pi",
            "ball",
            one(lt(R(22, 7), pi), ball()),
            at={},
            control=one(lt(pi, R(22, 7)), ball()),
        ),
        false(
            "ball.real-number-of-terms",
            "the number of terms is no integer",
            "ball",
            one(lt(sp.Sum(x, (k, 1, x)), 1), ball(), {"low": le(R(9, 10), x), "high": le(x, 2)}),
            at={"x": 2},
        ),
    )


def _slope(goal: object, end: object, *steps: Step, given: dict[str, object], more: str = ""):
    names = "; ".join([*(step.label for step in steps[:2]), *given])
    return claim(goal, *steps, s("goal", goal, mean_value(x, end), names + more), given=given)


def _calculus() -> tuple[FalseStatement, ...]:
    right = {"x": le(0, x)}
    at_0 = s("at 0", le(0, sp.Integer(0)), smt())
    one_over = lt(0, 1 / x)
    minus = le(0, x - 5)
    dip = le(0, x**2 - x)
    between = {"x": le(0, x), "b": le(1, real("x_between"))}
    flat = le(0, -n + kept(sin, 2 * pi * n))
    return (
        false(
            "mean-value.wrong-derivative",
            "the derivative of x^2 - x is 2x - 1",
            "mean_value",
            _slope(dip, 0, at_0, s("slope", le(0, 2 * x), smt(), "", (le(0, x),)), given=right),
            at={"x": "1/2"},
        ),
        false(
            "mean-value.end-fails",
            "x - 5 is negative at 0",
            "mean_value",
            _slope(minus, 0, at_0, s("slope", le(0, sp.Integer(1)), smt()), given=right),
            at={"x": 0},
            control=_slope(
                le(0, x + 5),
                0,
                s("at 0", le(0, sp.Integer(5)), smt()),
                s("slope", le(0, sp.Integer(1)), smt()),
                given=right,
            ),
        ),
        false(
            "mean-value.end-under-an-assumption",
            "the end is shown under a false assumption",
            "mean_value",
            _slope(
                minus,
                0,
                s("at 0", le(0, sp.Integer(-5)), smt(), "", (lt(1, 0),)),
                s("slope", le(0, sp.Integer(1)), smt()),
                given=right,
            ),
            at={"x": 0},
        ),
        false(
            "mean-value.strict-end-under-an-assumption",
            "as before, strict",
            "mean_value",
            _slope(
                lt(0, x - 5),
                0,
                s("at 0", lt(0, sp.Integer(-5)), smt(), "", (lt(1, 0),)),
                s("slope", le(0, sp.Integer(1)), smt()),
                given=right,
            ),
            at={"x": 0},
        ),
        false(
            "mean-value.point-has-a-name",
            "a hypothesis about x_between is not about the point between",
            "mean_value",
            _slope(
                dip, 0, at_0, s("slope", le(0, 2 * x - 1), smt(), "", (le(1, x),)), given=between
            ),
            at={"x": "1/2", "x_between": 1},
        ),
        false(
            "mean-value.slope-holds-later",
            "2x - 1 >= 0 from 1/2 on only",
            "mean_value",
            _slope(
                dip, 0, at_0, s("slope", le(0, 2 * x - 1), smt(), "", (le(half, x),)), given=right
            ),
            at={"x": "1/2"},
            control=_slope(
                dip,
                1,
                s("at 1", le(0, sp.Integer(0)), smt()),
                s("slope", le(0, 2 * x - 1), smt(), "", (le(half, x),)),
                given={"x": le(1, x)},
            ),
        ),
        false(
            "mean-value.wrong-direction",
            "to the left the derivative must not be positive",
            "mean_value",
            _slope(
                le(0, x), 0, at_0, s("slope", le(0, sp.Integer(1)), smt()), given={"x": le(x, 0)}
            ),
            at={"x": -1},
            control=_slope(
                le(0, -x), 0, at_0, s("slope", le(0, sp.Integer(1)), smt()), given={"x": le(x, 0)}
            ),
        ),
        false(
            "mean-value.no-side",
            "x may lie on either side of the end",
            "mean_value",
            _slope(le(0, x), 0, at_0, s("slope", le(0, sp.Integer(1)), smt()), given={}),
            at={"x": -1},
        ),
        false(
            "mean-value.interior-pole",
            "1/x jumps at 0 although its slope has one sign",
            "mean_value",
            _slope(
                le(0, -1 / x - 1),
                -1,
                s("at -1", le(0, sp.Integer(0)), smt()),
                s("slope", le(0, 1 / x**2), smt()),
                given={"x": le(-1, x)},
            ),
            at={"x": 1},
            control=_slope(
                le(0, -1 / x + 1),
                1,
                s("at 1", le(0, sp.Integer(0)), smt()),
                s("slope", le(0, 1 / x**2), smt()),
                given={"x": le(1, x)},
            ),
        ),
        false(
            "mean-value.pole-at-the-end",
            "1/x is not continuous at 0",
            "mean_value",
            _slope(le(0, -1 / x), 0, at_0, s("slope", le(0, 1 / x**2), smt()), given=right),
            at={"x": 1},
        ),
        false(
            "mean-value.strict-at-the-end",
            "at x = 0 both sides agree",
            "mean_value",
            _slope(lt(0, x), 0, at_0, s("slope", lt(0, sp.Integer(1)), smt()), given=right),
            at={"x": 0},
            control=_slope(
                lt(0, x), 0, at_0, s("slope", lt(0, sp.Integer(1)), smt()), given={"x": lt(0, x)}
            ),
        ),
        false(
            "mean-value.strict-from-flat",
            "a derivative that is only >= 0",
            "mean_value",
            _slope(
                lt(0, x - x + y),
                0,
                s("at 0", le(0, y), smt(), "y"),
                s("slope", le(0, sp.Integer(0)), smt()),
                given={"x": lt(0, x), "y": le(0, y)},
            ),
            at={"x": 1, "y": 0},
        ),
        false(
            "mean-value.slope-of-one-x",
            "the slope is known at one x only",
            "mean_value",
            _slope(
                dip,
                0,
                at_0,
                s("slope", le(0, 2 * x - 1), smt(), "h"),
                given={"x": le(0, x), "h": le(1, 2 * x)},
            ),
            at={"x": "3/4"},
        ),
        false(
            "mean-value.absolute-value",
            "|x| has no derivative at 0",
            "mean_value",
            _slope(
                le(0, abs(x) + x),
                -1,
                s("at -1", le(0, sp.Integer(0)), smt()),
                s("slope", le(0, sp.Integer(0)), smt()),
                given={"x": le(-1, x)},
            ),
        ),
        false(
            "mean-value.integer-variable",
            "an integer symbol is not differentiated",
            "mean_value",
            claim(
                flat,
                at_0,
                s("slope", le(0, -1 + 2 * pi), smt()),
                s("goal", flat, mean_value(n, 0), "at 0; slope; n"),
                given={"n": le(0, n)},
            ),
            at={"n": 1},
        ),
        false(
            "mean-value.unknown-function",
            "nothing is known of the derivative of f",
            "mean_value",
            _slope(le(f(0), f(x)), 0, at_0, s("slope", le(0, sp.Integer(0)), smt()), given=right),
            at={"x": 1, "f": lambda v: -v},
        ),
        false(
            "mean-value.quadratic-bound",
            "cos x >= 1 - x^2/3 is false near 0",
            "mean_value",
            claim(
                le(0, cos(x) - 1 + x**2 / 3),
                at_0,
                s("slope", le(0, -sin(x) + 2 * x / 3), smt(), "", (le(0, x),)),
                s("goal", le(0, cos(x) - 1 + x**2 / 3), mean_value(x, 0), "at 0; slope; x"),
                given=right,
            ),
            at={"x": "1/2"},
            control=_cosine(),
        ),
        false(
            "mean-value.sine-constant",
            "sin x <= 0.99 x fails near 0",
            "mean_value",
            _slope(
                le(sin(x), R(99, 100) * x),
                0,
                at_0,
                s("slope", le(0, R(99, 100) - cos(x)), smt()),
                given=right,
            ),
            at={"x": "1/10"},
            control=_slope(
                le(sin(x), x), 0, at_0, s("slope", le(0, 1 - cos(x)), smt()), given=right
            ),
        ),
        false(
            "smt.exponential-bound",
            "exp x >= 1 + 2x fails at 1",
            "smt",
            one(le(1 + 2 * x, exp(x)), smt(), right),
            at={"x": 1},
        ),
        false(
            "smt.both-half-true",
            "one part is true, the other is not",
            "smt",
            one(Both(le(0, x**2), le(1, x**2)), smt()),
            at={"x": 0},
        ),
        false(
            "smt.positive-reciprocal",
            "1/0 = 0",
            "smt",
            one(one_over, smt(), right),
            at={"x": 0},
            control=one(one_over, smt(), {"x": lt(0, x)}),
        ),
    )


def _cosine() -> object:
    goal = le(0, cos(x) - 1 + x**2 / 2)
    given = {"x": le(0, x)}
    return claim(
        goal,
        s("zero", le(0, sp.Integer(0)), smt()),
        s("slope 2", le(0, 1 - cos(x)), smt()),
        s("slope", le(0, x - sin(x)), mean_value(x, 0), "zero; slope 2", (le(0, x),)),
        s("goal", goal, mean_value(x, 0), "zero; slope; x"),
        given=given,
    )


ENTRIES = (*_ball(), *_calculus())
