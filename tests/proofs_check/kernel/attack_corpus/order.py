"""False statements about order, integers, rounding and rewriting."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, half, kept, one, s

from ropeproof.theory.language.derivation import chain, identity, instance, rewrite, smt
from ropeproof.theory.language.logic import (
    Either,
    Negation,
    eq,
    integer,
    integer_function,
    le,
    lt,
    ne,
    real,
    real_function,
)

__all__ = ["ENTRIES"]

x, y, z = real("x y z")
j, m, n, l, k = integer("j m n l k")
f = real_function("f")


def _rounding_and_order() -> tuple[FalseStatement, ...]:
    halved = sp.floor(kept(sp.Mul, half, n))
    return (
        false(
            "floor.additive",
            "0.5 + 0.5",
            "smt",
            one(eq(sp.floor(x + y), sp.floor(x) + sp.floor(y)), smt()),
            at={"x": "1/2", "y": "1/2"},
            control=one(lt(x + y - 2, sp.floor(x) + sp.floor(y)), smt()),
        ),
        false(
            "floor.of-half",
            "an odd n is not twice its half",
            "smt",
            one(eq(2 * halved, n), smt()),
            at={"n": 1},
            control=one(le(n - 1, 2 * halved), smt()),
        ),
        false(
            "floor.of-negative",
            "the floor is below, not towards 0",
            "smt",
            one(eq(sp.floor(-x), -sp.floor(x)), smt()),
            at={"x": "1/2"},
        ),
        false(
            "integer.half",
            "1/2 is no integer",
            "smt",
            one(Negation(eq(2 * x, 1)), smt()),
            at={"x": "1/2"},
            control=one(Negation(eq(2 * n, 1)), smt()),
        ),
        false(
            "integer.gap",
            "0 < x < 1 has real solutions",
            "smt",
            one(Either(le(x, 0), le(1, x)), smt()),
            at={"x": "1/2"},
            control=one(Either(le(n, 0), le(1, n)), smt()),
        ),
        false(
            "integer.parity",
            "n(n+1) is even, n(n+2) is not",
            "instance",
            claim(ne(n * (n + 2), 2 * m + 1), s("real", ne(n * (n + 2), 2 * m + 1), smt())),
            at={"n": 1, "m": 1},
        ),
        false(
            "integer.function-arguments",
            "f is integer-valued at integers, not its mean",
            "smt",
            one(Negation(eq(integer_function("h")(n) / 2, half)), smt()),
            at={"n": 0, "h": lambda v: Fraction(1)},
        ),
        false(
            "order.square-monotone",
            "squaring keeps the order on x >= 0 only",
            "smt",
            one(le(x**2, y**2), smt(), {"p": le(x, y)}),
            at={"x": -2, "y": 1},
            control=one(le(x**2, y**2), smt(), {"p": le(x, y), "x": le(0, x)}),
        ),
        false(
            "order.product",
            "a negative factor turns the order",
            "smt",
            one(le(x * z, y * z), smt(), {"p": le(x, y)}),
            at={"x": 0, "y": 1, "z": -1},
            control=one(le(x * z, y * z), smt(), {"p": le(x, y), "z": le(0, z)}),
        ),
        false(
            "order.mean-inequality-strict",
            "x = y touches",
            "smt",
            one(lt(4 * x * y, (x + y) ** 2), smt()),
            at={"x": 1, "y": 1},
            control=one(le(4 * x * y, (x + y) ** 2), smt()),
        ),
        false(
            "order.tiny-dip",
            "negative between 0.7071 and 0.7072 only",
            "smt",
            one(le(0, (10000 * x - 7071) * (10000 * x - 7072)), smt()),
            at={"x": "14143/20000"},
            control=one(le(0, (10000 * x - 7071) * (10000 * x - 7072) + 1), smt()),
        ),
        false(
            "order.motzkin",
            "the Motzkin polynomial with 3.01 dips below 0 at x = y = 1",
            "smt",
            one(le(0, x**4 * y**2 + x**2 * y**4 - sp.Rational(301, 100) * x**2 * y**2 + 1), smt()),
            at={"x": 1, "y": 1},
        ),
        false(
            "chain.missing-link",
            "x <= y and z <= y say nothing of x and z",
            "chain",
            claim(
                le(x, z), s("end", le(x, z), chain(), "a; b"), given={"a": le(x, y), "b": le(z, y)}
            ),
            at={"x": 1, "y": 2, "z": 0},
            control=claim(
                le(x, z), s("end", le(x, z), chain(), "a; b"), given={"a": le(x, y), "b": le(y, z)}
            ),
        ),
        false(
            "chain.strict-from-weak",
            "two weak links do not make a strict one",
            "chain",
            claim(
                lt(x, z), s("end", lt(x, z), chain(), "a; b"), given={"a": le(x, y), "b": le(y, z)}
            ),
            at={"x": 1, "y": 1, "z": 1},
            control=claim(
                lt(x, z), s("end", lt(x, z), chain(), "a; b"), given={"a": le(x, y), "b": lt(y, z)}
            ),
        ),
        false(
            "chain.backwards",
            "an inequality is read from right to left",
            "chain",
            claim(le(x, y), s("end", le(x, y), chain(), "a"), given={"a": le(y, x)}),
            at={"x": 1, "y": 0},
        ),
        false(
            "rewrite.under-a-binder",
            "the equation is about one l",
            "rewrite",
            claim(
                eq(sp.Sum(f(l), (l, 0, n)), 0),
                s("zeros", eq(sp.Sum(f(l), (l, 0, n)), 0), rewrite(), "l"),
                given={"l": eq(f(l), 0)},
            ),
            at={"n": 1, "l": 5, "f": lambda v: v - 5},
        ),
        false(
            "rewrite.other-argument",
            "f(x) = 1 says nothing of f(y)",
            "rewrite",
            claim(eq(f(y), 1), s("end", eq(f(y), 1), rewrite(), "x"), given={"x": eq(f(x), 1)}),
            at={"x": 0, "y": 1, "f": lambda v: 1 - v},
        ),
        false(
            "instance.of-an-instance",
            "f vanishes at 0, not everywhere",
            "instance",
            claim(
                eq(f(x), 0), s("end", eq(f(x), 0), instance({y: x}), "y"), given={"y": eq(f(y), 0)}
            ),
            at={"x": 1, "y": 0, "f": lambda v: v},
        ),
        false(
            "integer.power-of-two",
            "2^k is an integer for k >= 0 only",
            "instance",
            claim(
                eq(1, -1),
                s("turn", eq(kept(sp.cos, 2 * sp.pi * integer_function("g")(j)), 1), identity()),
                s(
                    "powers",
                    eq(kept(sp.cos, 2 * sp.pi * sp.Integer(2) ** j), 1),
                    instance({integer_function("g"): sp.Lambda(k, sp.Integer(2) ** k)}),
                    "turn",
                    (le(0, k),),
                ),
                s("half", eq(-1, 1), instance({j: -1, k: 0}), "powers"),
                s("end", eq(1, -1), smt(), "half"),
            ),
            at={},
        ),
    )


ENTRIES = (*_rounding_and_order(),)
