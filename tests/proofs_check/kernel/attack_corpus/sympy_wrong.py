"""What the installed SymPy answers wrongly, computed anew each time, and hidden assumptions.

Each entry states SymPy's own answer as an equation; the counterexample shows it false.
"""

from __future__ import annotations

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, kept, one, s, unread

from ropeproof.theory.language.derivation import identity, smt, split, termwise
from ropeproof.theory.language.logic import eq, integer, le, lt, ne, real

__all__ = ["ENTRIES"]

x, y, a = real("x y a")
k, n, m = integer("k n m")
Sum = sp.Sum


def _sums() -> tuple[FalseStatement, ...]:
    count = Sum(1, (k, n, m))
    split_sum = Sum(k, (k, 0, n)) + Sum(k, (k, n + 1, m))
    tail = Sum(k, (k, n + 1, m))
    gauss = Sum(k, (k, 0, n - 1))
    steps = Sum(1 / (k * (k + 1)), (k, n, m))
    geometric = Sum(x**k, (k, 0, n - 1))
    zeros = Sum(x * sp.Integer(0) ** k, (k, 0, n))
    alternating = Sum((-1) ** k, (k, 0, n))
    ranges = {"n": le(n, m + 1)}
    return (
        false(
            "sympy.count-of-a-range",
            "Karr: a reversed range counts negatively",
            "identity",
            one(eq(count, count.doit()), identity()),
            at={"n": 5, "m": 2},
            control=one(eq(count, count.doit()), identity(), ranges),
        ),
        false(
            "sympy.reversed-constant-range",
            "Karr: 5 + ... + 2 = -7",
            "identity",
            one(eq(Sum(k, (k, 5, 2)), Sum(k, (k, 5, 2)).doit()), identity()),
            at={},
            control=one(eq(Sum(k, (k, 2, 5)), Sum(k, (k, 2, 5)).doit()), identity()),
        ),
        false(
            "sympy.gauss-below-zero",
            "the closed form without n >= 0",
            "smt",
            one(eq(gauss, gauss.doit()), smt()),
            at={"n": -2},
        ),
        false(
            "sympy.joined-sums",
            "simplify joins 0..n and n+1..m for every n",
            "split",
            claim(
                eq(split_sum, Sum(k, (k, 0, m))),
                s("join", eq(Sum(k, (k, 0, m)), split_sum), split(n)),
                s("end", eq(split_sum, Sum(k, (k, 0, m))), smt(), "join"),
            ),
            at={"n": 5, "m": 2},
        ),
        false(
            "sympy.simplified-join",
            "simplify forgets n altogether",
            "smt",
            one(eq(split_sum, sp.simplify(split_sum)), smt()),
            at={"n": 5, "m": 2},
        ),
        false(
            "sympy.reverse-order",
            "Karr: the sum over the reversed range with a minus",
            "identity",
            one(eq(tail, tail.reverse_order(k)), identity()),
            at={"n": 5, "m": 2},
        ),
        false(
            "sympy.telescoped-over-zero",
            "the range may contain -1 and 0, where 1/0 = 0",
            "identity",
            one(eq(steps, sp.summation(1 / (k * (k + 1)), (k, n, m))), identity()),
            at={"n": -1, "m": 0},
        ),
        false(
            "sympy.geometric",
            "for n < 0 the closed form is not 0",
            "identity",
            one(eq(geometric, geometric.doit()), smt()),
            at={"n": -1, "x": 2},
        ),
        false(
            "sympy.geometric-generic-branch",
            "the branch for x != 1 alone",
            "identity",
            one(eq(geometric, geometric.doit().args[1][0]), identity(), {"n": le(0, n)}),
            at={"n": 2, "x": 1},
        ),
        false(
            "sympy.powers-of-zero",
            "0^(n+1) is not defined for n < -1",
            "identity",
            one(eq(zeros, zeros.doit()), identity()),
            at={"n": -2, "x": 1},
        ),
        false(
            "sympy.alternating",
            "for n < 0 the closed form is not 0",
            "smt",
            one(eq(alternating, alternating.doit()), smt()),
            at={"n": -2},
        ),
        false(
            "sympy.termwise-doit",
            "Karr's closed forms compare as their terms do not",
            "termwise",
            claim(
                le(Sum(1, (k, n, m)).doit(), Sum(2, (k, n, m)).doit()),
                s("term", le(sp.Integer(1), 2), smt()),
                s("sums", le(Sum(1, (k, n, m)), Sum(2, (k, n, m))), termwise(), "term"),
                s("end", le(Sum(1, (k, n, m)).doit(), Sum(2, (k, n, m)).doit()), smt(), "sums"),
            ),
            at={"n": 5, "m": 2},
        ),
    )


def _simplified() -> tuple[FalseStatement, ...]:
    ratio = (x**2 - 1) / (x - 1)
    inverse_power = kept(sp.Mul, kept(sp.Pow, x, n), kept(sp.Pow, x, -n))
    tangent = sp.tan(x) * sp.cos(x)
    kept_log = kept(sp.log, kept(sp.Pow, x, 2))
    return (
        false(
            "sympy.cancel",
            "cancel forgets that x = 1 is excluded",
            "identity",
            one(eq(ratio, sp.cancel(ratio)), identity()),
            at={"x": 1},
            control=one(eq(ratio, sp.cancel(ratio)), identity(), {"x": ne(x, 1)}),
        ),
        false(
            "sympy.simplify-quotient",
            "simplify forgets it too",
            "smt",
            one(eq(ratio, sp.simplify(ratio)), smt()),
            at={"x": 1},
        ),
        false(
            "sympy.powsimp",
            "x^n x^-n = 1 but for x = 0",
            "identity",
            one(eq(inverse_power, sp.powsimp(inverse_power)), identity()),
            at={"x": 0, "n": 1},
            control=one(eq(inverse_power, sp.powsimp(inverse_power)), identity(), {"x": lt(0, x)}),
        ),
        false(
            "sympy.trigsimp-at-a-pole",
            "tan x cos x = sin x but at the poles",
            "identity",
            one(eq(tangent, sp.trigsimp(tangent)), identity()),
            control=one(eq(tangent, sp.trigsimp(tangent)), identity(), {"c": ne(sp.cos(x), 0)}),
        ),
        false(
            "sympy.expand-log-forced",
            "log x^2 = 2 log x for x > 0 only",
            "identity",
            one(eq(kept_log, sp.expand_log(sp.log(x**2), force=True)), identity()),
            at={"x": -2},
        ),
        false(
            "sympy.logcombine-forced",
            "both may be negative",
            "identity",
            one(
                eq(sp.log(x) + sp.log(y), sp.logcombine(sp.log(x) + sp.log(y), force=True)),
                identity(),
            ),
            at={"x": -2, "y": -2},
        ),
        false(
            "sympy.nested-reciprocal-sum",
            "together cancels 1/x with x",
            "identity",
            one(eq(x * kept(sp.Add, 1 / x, 1), sp.expand(x * (1 / x + 1))), identity()),
            at={"x": 0},
            control=one(
                eq(x * kept(sp.Add, 1 / x, 1), sp.expand(x * (1 / x + 1))),
                identity(),
                {"x": ne(x, 0)},
            ),
        ),
    )


def _outside_the_language() -> tuple[FalseStatement, ...]:
    area = sp.Integral(abs(sp.cos(x)), (x, -a, a))
    steep = sp.Limit(sp.sin(x) / abs(x), x, 0)
    bare, small = sp.Symbol("x"), sp.Symbol("x", positive=True)
    natural = sp.Symbol("n", integer=True, nonnegative=True)
    dummy = sp.Dummy("x", real=True)
    return (
        false(
            "sympy.integral-of-abs-cos",
            "the answer stops after a few zeros of the cosine",
            "reading",
            one(eq(area, area.doit()), identity(), {"a": lt(0, a)}),
        ),
        false(
            "sympy.one-sided-limit",
            "the limit from the left is -1",
            "reading",
            one(eq(steep, steep.doit()), identity()),
        ),
        false("reading.infinity", "infinity is no number", "reading", one(lt(x, sp.oo), smt())),
        false(
            "reading.float",
            "0.1 + 0.2 is no exact 3/10",
            "reading",
            unread(eq(sp.Float(0.1) + sp.Float(0.2), sp.Float(0.3)), identity()),
            at=None,
        ),
        false(
            "reading.imaginary",
            "the square of a real is not -1",
            "reading",
            one(eq(x**2, sp.I**2 * abs(x) ** 2 + sp.I - sp.I * 1), identity()),
            at={"x": 1},
        ),
        false(
            "reading.hidden-positive",
            "0 < x hidden in the symbol: a hypothesis nobody sees",
            "reading",
            one(lt(0, small), smt()),
        ),
        false(
            "reading.hidden-natural",
            "0 <= n hidden in the symbol",
            "reading",
            one(eq(Sum(1, (k, 0, natural - 1)), natural), identity()),
        ),
        false(
            "reading.no-sort",
            "a symbol without a sort is complex",
            "reading",
            one(le(0, bare**2), smt()),
        ),
        false(
            "reading.dummy",
            "two dummies of one name are two symbols",
            "reading",
            one(eq(dummy, sp.Dummy("x", real=True)), identity()),
        ),
        false(
            "reading.unguarded-piecewise",
            "no case for x <= 0",
            "reading",
            one(eq(sp.Piecewise((1, lt(0, x))), 1), smt()),
        ),
    )


ENTRIES = (*_sums(), *_simplified(), *_outside_the_language())
