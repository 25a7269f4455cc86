"""False statements about finite sums and their ranges."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, half, kept, one, s
from kernel.attack_corpus.entry import sum_formula as formula

from ropeproof.theory.language.derivation import (
    identity,
    reindex,
    smt,
    split,
    swap,
    termwise,
)
from ropeproof.theory.language.logic import (
    eq,
    integer,
    le,
    lt,
    real,
    real_function,
)

__all__ = ["ENTRIES"]

i, j, l, m, n, a, b, c = integer("i j l m n a b c")
x = real("x")
f, g = real_function("f"), real_function("g")
Sum = sp.Sum


def total(term: object, low: object = 0, high: object = n - 1) -> sp.Sum:
    return Sum(term, (l, low, high))


def _formulas() -> tuple[FalseStatement, ...]:
    vanishing = sp.Mul(*(n - v for v in range(41)))
    return (
        false(
            "sum.gauss-shifted",
            "0 + ... + (n-1) is n(n-1)/2",
            "induction",
            formula(lambda v: v, lambda v: v * (v + 1) / 2),
            at={"n": 1},
            control=formula(lambda v: v, lambda v: v * (v - 1) / 2),
        ),
        false(
            "sum.squares-factor",
            "the last factor is 2n-1",
            "induction",
            formula(lambda v: v**2, lambda v: v * (v - 1) * (2 * v + 1) / 6),
            at={"n": 2},
            control=formula(lambda v: v**2, lambda v: v * (v - 1) * (2 * v - 1) / 6),
        ),
        false(
            "sum.cubes-shifted",
            "the square is that of n(n-1)/2",
            "induction",
            formula(lambda v: v**3, lambda v: (v * (v + 1) / 2) ** 2),
            at={"n": 1},
            control=formula(lambda v: v**3, lambda v: (v * (v - 1) / 2) ** 2),
        ),
        false(
            "sum.odd-numbers",
            "the first n odd numbers sum to n^2, not n^2 + n",
            "induction",
            formula(lambda v: 2 * v + 1, lambda v: v**2 + v),
            at={"n": 1},
            control=formula(lambda v: 2 * v + 1, lambda v: v**2),
        ),
        false(
            "sum.geometric-exponent",
            "the power is x^n",
            "induction",
            formula(lambda v: (x - 1) * x**v, lambda v: x ** (v + 1) - 1),
            at={"n": 1, "x": 3},
        ),
        false(
            "sum.geometric-at-one",
            "the quotient form fails at x = 1",
            "induction",
            formula(lambda v: x**v, lambda v: (x**v - 1) / (x - 1)),
            at={"n": 2, "x": 1},
        ),
        false(
            "sum.wrong-base-repaired-step",
            "the step is right, the base is 1 instead of 0",
            "induction",
            formula(lambda v: v, lambda v: v * (v - 1) / 2 + 1),
            at={"n": 3},
        ),
        false(
            "sum.true-up-to-40",
            "the product vanishes at n = 0..40 only",
            "identity",
            one(eq(total(l), n * (n - 1) / 2 + vanishing), identity(), {"n": le(0, n)}),
            at={"n": 41},
        ),
        false(
            "poly.true-up-to-7",
            "the product vanishes at n = 0..7 only",
            "smt",
            one(eq(sp.Mul(*(n - v for v in range(8))), 0), smt(), {"n": le(0, n)}),
            at={"n": 8},
        ),
        false(
            "sum.count-off-by-one",
            "0..n has n+1 members",
            "identity",
            one(eq(total(1, 0, n), n), identity(), {"n": le(0, n)}),
            at={"n": 3},
            control=one(eq(total(1, 0, n), n + 1), identity(), {"n": le(0, n)}),
        ),
        false(
            "sum.count-from-one",
            "1..n-1 has n-1 members",
            "identity",
            one(eq(total(x, 1), n * x), identity(), {"n": le(1, n)}),
            at={"n": 3, "x": 2},
            control=one(eq(total(x, 1), (n - 1) * x), identity(), {"n": le(1, n)}),
        ),
        false(
            "sum.square-of-sum",
            "the square of a sum is not the sum of squares",
            "identity",
            one(eq(total(f(l)) ** 2, total(f(l) ** 2)), identity()),
            at={"n": 2, "f": lambda v: Fraction(1)},
        ),
        false(
            "sum.product-of-sums",
            "a product of sums is a double sum",
            "identity",
            one(eq(total(f(l)) * total(g(l)), total(f(l) * g(l))), identity()),
            at={"n": 2, "f": lambda v: Fraction(1), "g": lambda v: Fraction(1)},
            control=one(
                eq(
                    total(f(l)) * total(g(l)),
                    Sum(f(i) * g(j), (i, 0, n - 1), (j, 0, n - 1)),
                ),
                identity(),
            ),
        ),
    )


def _ranges() -> tuple[FalseStatement, ...]:
    parts = eq(total(f(l), a, c), total(f(l), a, b) + total(f(l), b + 1, c))
    inside = {"low": le(a, b + 1), "high": le(b, c)}
    peel = eq(total(f(l), 0, n), total(f(l)) + total(f(l), n, n))
    ones = {"f": lambda v: Fraction(1)}
    square = {"f": lambda u, v: Fraction(u * 3 + v)}
    halves = total(kept(sp.cos, 2 * sp.pi * l), half, 3 * half)
    return (
        false(
            "range.count-of-negative",
            "for n < 0 the sum is empty",
            "identity",
            one(eq(total(1), n), identity()),
            at={"n": -1},
            control=one(eq(total(1), n), identity(), {"n": le(0, n)}),
        ),
        false(
            "range.karr-split",
            "Karr's convention: with empty sums 0 the middle must lie in the range",
            "split",
            one(parts, split(b)),
            at={"a": 0, "b": -5, "c": 2, **ones},
            control=one(parts, split(b), inside),
        ),
        false(
            "range.split-beyond-the-end",
            "the middle lies beyond the end",
            "split",
            one(parts, split(b), {"low": inside["low"]}),
            at={"a": 0, "b": 5, "c": 2, **ones},
        ),
        false(
            "range.karr-reversed",
            "Karr's convention: a reversed range is 0 here, not minus the other sum",
            "identity",
            one(eq(total(f(l), a, b), -total(f(l), b + 1, a - 1)), identity(), {"e": lt(b, a)}),
            at={"a": 3, "b": 0, **ones},
        ),
        false(
            "range.peel-from-empty",
            "for n < 0 there is no last term",
            "split",
            one(peel, split(n - 1)),
            at={"n": -1, **ones},
            control=one(peel, split(n - 1), {"n": le(0, n)}),
        ),
        false(
            "range.peel-twice-the-middle",
            "the middle term is counted twice",
            "split",
            one(
                eq(total(f(l), 0, n), total(f(l), 0, m) + total(f(l), m, n)),
                split(m),
                {"low": le(0, m), "high": le(m, n)},
            ),
            at={"m": 0, "n": 0, **ones},
            control=one(
                eq(total(f(l), 0, n), total(f(l), 0, m) + total(f(l), m + 1, n)),
                split(m),
                {"low": le(0, m), "high": le(m, n)},
            ),
        ),
        false(
            "range.reindex-off-by-one",
            "l becomes n-1-l",
            "reindex",
            one(eq(total(f(l)), total(f(n - l))), reindex()),
            at={"n": 1, "f": lambda v: v},
            control=one(eq(total(f(l)), total(f(n - 1 - l))), reindex()),
        ),
        false(
            "range.shift-without-compensation",
            "shifting the range must shift the argument",
            "identity",
            one(eq(total(f(l)), total(f(l), 1, n)), identity()),
            at={"n": 1, "f": lambda v: v},
            control=one(eq(total(f(l)), total(f(l - 1), 1, n)), identity()),
        ),
        false(
            "range.swap-triangle",
            "the inner range depends on the outer index",
            "swap",
            one(eq(Sum(f(i, j), (j, 0, i), (i, 0, n)), Sum(f(i, j), (i, 0, n), (j, 0, i))), swap()),
            at={"n": 2, "i": 5, **square},
            control=one(
                eq(Sum(f(i, j), (j, 0, m), (i, 0, n)), Sum(f(i, j), (i, 0, n), (j, 0, m))), swap()
            ),
        ),
        false(
            "range.swap-bounds-not-names",
            "the ranges must move with their indices",
            "swap",
            one(eq(Sum(f(i, j), (j, 0, m), (i, 0, n)), Sum(f(i, j), (i, 0, m), (j, 0, n))), swap()),
            at={"m": 0, "n": 1, **square},
        ),
        false(
            "range.half-integer-bounds",
            "an index between half-integers is ambiguous: 1 alone, or 1/2 and 3/2",
            "termwise",
            claim(
                eq(-2, 2),
                s("term", eq(kept(sp.cos, 2 * sp.pi * l), 1), identity()),
                s("sums", eq(halves, total(1, half, 3 * half)), termwise(), "term"),
                s("end", eq(-2, 2), smt(), "sums"),
            ),
            at={},
        ),
        false(
            "range.split-at-a-half",
            "the place of a split is an integer",
            "split",
            claim(
                eq(1, 0),
                s(
                    "split",
                    eq(total(l, 0, 1), total(l, 0, half) + total(l, 3 * half, 1)),
                    split(half),
                ),
                s("end", eq(1, 0), smt(), "split"),
            ),
            at={},
        ),
        false(
            "range.real-bound",
            "a sum up to a real x has floor(x)+1 terms",
            "identity",
            one(eq(total(1, 0, x), x + 1), identity(), {"x": le(0, x)}),
            at={"x": Fraction(1, 2)},
        ),
    )


ENTRIES = (*_formulas(), *_ranges())
