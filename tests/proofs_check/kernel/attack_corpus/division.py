"""False statements of algebra: division by zero, roots, logarithms, powers."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, half, kept, one, s, third

from ropeproof.theory.language.derivation import identity, smt
from ropeproof.theory.language.logic import (
    If,
    eq,
    integer,
    le,
    lt,
    ne,
    real,
    real_function,
)

__all__ = ["ENTRIES"]

x, y, z = real("x y z")
i, j, m, n, l = integer("i j m n l")
f = real_function("f")
exp, log, sqrt = sp.exp, sp.log, sp.sqrt


def _division() -> tuple[FalseStatement, ...]:
    own = eq(kept(sp.Mul, x, 1 / x), 1)
    factor = eq((x**2 - 1) / (x - 1), x + 1)
    difference = eq(kept(sp.Mul, x - y, 1 / (x - y)), 1)
    quotient = eq(x * y / (x * z + x), y / (z + 1))
    row = sp.Sum(f(i, j), (j, 0, m - 1))
    rows = eq(sp.Sum(kept(sp.Mul, row, 1 / row), (i, 0, m - 1)), m)
    diagonal = ne(sp.Sum(f(j, j), (j, 0, m - 1)), 0)
    soft = sp.Sum(f(l), (l, 0, n - 1))
    normalised = eq(sp.Sum(f(l) / soft, (l, 0, n - 1)), 1)
    return (
        false(
            "division.x-over-x",
            "0 * 1/0 = 0",
            "identity",
            one(own, identity()),
            at={"x": 0},
            control=one(own, identity(), {"x": ne(x, 0)}),
        ),
        false(
            "division.x-over-x-by-smt",
            "0 * 1/0 = 0",
            "smt",
            one(own, smt()),
            at={"x": 0},
            control=one(own, smt(), {"x": ne(x, 0)}),
        ),
        false(
            "division.non-negative-is-not-non-zero",
            "0 <= x does not exclude 0",
            "identity",
            one(own, identity(), {"x": le(0, x)}),
            at={"x": 0},
            control=one(own, identity(), {"x": lt(0, x)}),
        ),
        false(
            "division.removable",
            "at x = 1 the left side is 0",
            "identity",
            one(factor, identity()),
            at={"x": 1},
            control=one(factor, identity(), {"x": ne(x, 1)}),
        ),
        false(
            "division.removable-wrong-point",
            "x != -1 excludes the wrong point",
            "identity",
            one(factor, identity(), {"x": ne(x, -1)}),
            at={"x": 1},
        ),
        false(
            "division.difference",
            "x may equal y",
            "identity",
            one(difference, identity()),
            at={"x": 1, "y": 1},
            control=one(difference, identity(), {"x": lt(x, y)}),
        ),
        false(
            "division.common-factor",
            "x may be 0",
            "identity",
            one(quotient, identity(), {"z": lt(0, z)}),
            at={"x": 0, "y": 1, "z": 1},
            control=one(quotient, identity(), {"z": lt(0, z), "x": ne(x, 0)}),
        ),
        false(
            "division.cross-multiply",
            "y may be 0",
            "smt",
            one(eq(x / y, z), smt(), {"p": eq(x, y * z)}),
            at={"x": 0, "y": 0, "z": 1},
            control=one(eq(x / y, z), smt(), {"p": eq(x, y * z), "y": ne(y, 0)}),
        ),
        false(
            "division.reciprocal-order",
            "1/x is decreasing on each side of 0 only",
            "smt",
            one(le(1 / y, 1 / x), smt(), {"p": le(x, y)}),
            at={"x": -1, "y": 1},
            control=one(le(1 / y, 1 / x), smt(), {"p": le(x, y), "x": lt(0, x)}),
        ),
        false(
            "division.sum-of-fractions",
            "fractions do not add like that",
            "identity",
            one(eq(1 / x + 1 / y, 2 / (x + y)), identity(), {"x": lt(0, x), "y": lt(0, y)}),
            at={"x": 1, "y": 2},
            control=one(
                eq(1 / x + 1 / y, (x + y) / (x * y)), identity(), {"x": lt(0, x), "y": lt(0, y)}
            ),
        ),
        false(
            "division.diagonal-for-row",
            "the trace is not 0, yet a row may sum to 0",
            "identity",
            one(rows, identity(), {"diagonal": diagonal, "m": le(0, m)}),
            at={"m": 1 + 1, "f": lambda u, v: Fraction(1 if v else -1) if u == 0 else Fraction(3)},
        ),
        false(
            "division.softmax-total",
            "the normaliser may be 0",
            "identity",
            one(normalised, identity()),
            at={"n": 0, "f": lambda v: Fraction(1)},
            control=one(normalised, identity(), {"total": lt(0, soft)}),
        ),
    )


def _roots_and_logs() -> tuple[FalseStatement, ...]:
    signless = eq(sqrt(kept(sp.Mul, x, x)), x)
    squared = eq(kept(sp.Mul, sqrt(x), kept(sp.Pow, x, half)), x)
    logs = eq(log(x * y), log(x) + log(y))
    inverse = eq(kept(exp, log(x)), x)
    return (
        false(
            "root.of-square", "sqrt(x^2) = |x|", "identity", one(signless, identity()), at={"x": -1}
        ),
        false(
            "root.of-square-by-smt",
            "sqrt(x^2) = |x|",
            "smt",
            one(signless, smt()),
            at={"x": -1},
            control=one(signless, smt(), {"x": le(0, x)}),
        ),
        false(
            "root.squared",
            "sqrt of a negative number is 0 here",
            "identity",
            one(squared, identity()),
            at={"x": -1},
            control=one(squared, identity(), {"x": le(0, x)}),
        ),
        false(
            "root.of-sum",
            "the root of a sum",
            "smt",
            one(eq(sqrt(x + y), sqrt(x) + sqrt(y)), smt(), {"x": le(0, x), "y": le(0, y)}),
            at={"x": 1, "y": 1},
            control=one(le(sqrt(x + y), sqrt(x) + sqrt(y)), smt(), {"x": le(0, x), "y": le(0, y)}),
        ),
        false(
            "root.of-product",
            "both may be negative",
            "smt",
            one(eq(kept(sp.Pow, x * y, half), sqrt(x) * sqrt(y)), smt()),
            at={"x": -1, "y": -1},
        ),
        false(
            "log.of-product",
            "both may be negative",
            "identity",
            one(logs, identity()),
            at={"x": -2, "y": -2},
        ),
        false(
            "log.of-product-by-smt",
            "log of a product of negative numbers",
            "smt",
            one(logs, smt(), {"p": lt(0, x * y)}),
            at={"x": -2, "y": -2},
        ),
        false(
            "log.of-sum",
            "no such rule",
            "identity",
            one(eq(log(x + y), log(x) + log(y)), identity(), {"x": lt(0, x), "y": lt(0, y)}),
            at={"x": 1, "y": 1},
        ),
        false(
            "exp.of-log",
            "log x is 0 here for x <= 0",
            "identity",
            one(inverse, identity()),
            at={"x": -1},
            control=one(inverse, identity(), {"x": lt(0, x)}),
        ),
        false(
            "exp.of-log-at-zero",
            "0 <= x does not suffice",
            "identity",
            one(inverse, identity(), {"x": le(0, x)}),
            at={"x": 0},
        ),
        false(
            "exp.of-product",
            "exp(xy) is not exp x exp y",
            "smt",
            one(eq(exp(x * y), exp(x) * exp(y)), smt()),
            at={"x": 1, "y": 1},
            control=one(eq(exp(x + y), kept(sp.Mul, exp(x), exp(y))), smt()),
        ),
        false(
            "exp.half",
            "exp(x/2) is not exp(x)/2",
            "smt",
            one(eq(exp(x / 2), exp(x) / 2), smt()),
            at={"x": 0},
            control=one(eq(kept(sp.Pow, exp(x / 2), 2), exp(x)), smt()),
        ),
        false(
            "exp.sum-written-out",
            "the sum is exp(x/2): a grain of 1 would read it as 1",
            "smt",
            claim(
                eq(sp.Sum(exp(l * x / 2), (l, 1, 1)), 1),
                s("with exp x", If(lt(0, exp(x)), eq(sp.Sum(exp(l * x / 2), (l, 1, 1)), 1)), smt()),
                s("positive", lt(0, exp(x)), smt()),
                s("end", eq(sp.Sum(exp(l * x / 2), (l, 1, 1)), 1), smt(), "with exp x; positive"),
            ),
            at={"x": 1},
        ),
        false(
            "exp.cube-root",
            "the cube root of exp x is exp(x/3), not 1",
            "smt",
            one(eq((exp(x) * sp.cos(y) ** 2 + exp(x) * sp.sin(y) ** 2) ** third, 1), smt()),
            at={"x": 3, "y": 0},
        ),
        false(
            "power.of-sum",
            "the freshman's dream",
            "identity",
            one(eq((x + y) ** n, x**n + y**n), identity()),
            at={"x": 1, "y": 1, "n": 2},
        ),
        false(
            "power.product-real-exponent",
            "(xy)^z for negative x, y",
            "identity",
            one(
                eq(
                    kept(sp.Pow, x * y, sp.Rational(4, 3)),
                    x * y * kept(sp.Pow, x, third) * kept(sp.Pow, y, third),
                ),
                identity(),
                {"p": lt(0, x * y)},
            ),
        ),
        false(
            "power.zero-to-n", "0^0 = 1", "smt", one(eq(kept(sp.Pow, 0, n), 0), smt()), at={"n": 0}
        ),
        false(
            "power.even-root-of-one",
            "(-1)^n is 1 for even n only",
            "identity",
            one(eq((-1) ** n, 1), identity()),
            at={"n": 1},
        ),
        false(
            "abs.triangle-equality",
            "equality needs one sign",
            "smt",
            one(eq(abs(x + y), abs(x) + abs(y)), smt()),
            at={"x": 1, "y": -1},
            control=one(le(abs(x + y), abs(x) + abs(y)), smt()),
        ),
        false(
            "abs.scaled",
            "|nx| = |n| |x|",
            "identity",
            one(eq(kept(sp.Abs, -2 * x), -2 * kept(sp.Abs, x)), identity()),
            at={"x": 1},
            control=one(eq(kept(sp.Abs, -2 * x), 2 * kept(sp.Abs, x)), identity()),
        ),
    )


def _powers_of_what_is_not_positive() -> tuple[FalseStatement, ...]:
    cube = kept(sp.Pow, kept(sp.Pow, x, third), 3)
    added = eq(kept(sp.Pow, x, y + z), kept(sp.Mul, x**y, x**z))
    product = eq(kept(sp.Pow, x * y, z), x**z * y**z)
    nested = eq(kept(sp.Pow, x**y, z), x ** (y * z))
    positive = {"x": lt(0, x)}
    return (
        false(
            "power.of-zero",
            "0^0 = 1",
            "identity",
            one(eq(kept(sp.Pow, 0, n), 0), identity()),
            at={"n": 0},
        ),
        false(
            "power.of-zero-by-smt",
            "0^-1 = 1/0 = 0",
            "smt",
            one(lt(0, kept(sp.Pow, 0, n)), smt(), {"n": le(n, 0)}),
            at={"n": -1},
        ),
        false(
            "power.cube-root",
            "(-8)^(1/3) is not -2: such a power is 0",
            "identity",
            one(eq(cube, x), identity()),
            at={"x": -8},
            control=one(eq(cube, x), identity(), positive),
        ),
        false(
            "power.added-exponents",
            "0^0 = 1, 0^1 0^-1 = 0",
            "identity",
            one(added, identity()),
            at={"x": 0, "y": 1, "z": -1},
            control=one(added, identity(), positive),
        ),
        false(
            "power.added-halves",
            "(-1)^1 = -1, (-1)^(1/2) (-1)^(1/2) = 0",
            "identity",
            one(added, identity(), {"x": ne(x, 0)}),
            at={"x": -1, "y": Fraction(1, 2), "z": Fraction(1, 2)},
        ),
        false(
            "power.of-a-product",
            "both may be negative",
            "identity",
            one(product, identity()),
            at={"x": -1, "y": -1, "z": Fraction(1, 2)},
            control=one(product, identity(), {"x": lt(0, x), "y": lt(0, y)}),
        ),
        false(
            "power.of-a-power",
            "((-1)^2)^(1/2) = 1",
            "identity",
            one(nested, identity()),
            at={"x": -1, "y": 2, "z": Fraction(1, 2)},
            control=one(nested, identity(), positive),
        ),
        false(
            "power.never-zero",
            "a power of a number that is not 0 may be 0",
            "smt",
            one(ne(x**y, 0), smt(), {"x": ne(x, 0)}),
            at={"x": -2, "y": Fraction(1, 3)},
        ),
        false(
            "power.even-by-name",
            "(-2)^n is negative for odd n",
            "smt",
            one(lt(0, kept(sp.Pow, -2, n)), smt()),
            at={"n": 1},
        ),
    )


ENTRIES = (*_powers_of_what_is_not_positive(), *_division(), *_roots_and_logs())
