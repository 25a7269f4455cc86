"""False trigonometric identities."""

from __future__ import annotations

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, false, kept, one

from ropeproof.theory.language.derivation import identity, smt
from ropeproof.theory.language.logic import eq, integer, le, ne, real, real_function

__all__ = ["ENTRIES"]

x, y = real("x y")
n, m, N, k = integer("n m N k")
f = real_function("f")
cos, sin, pi = sp.cos, sp.sin, sp.pi
R = sp.Rational


def _trig() -> tuple[FalseStatement, ...]:
    turns = eq(kept(cos, 2 * pi * n), 1)
    real_turns = eq(cos(2 * pi * x), 1)
    tangent = eq(sp.tan(x) * cos(x), sin(x))
    quarter, straight = kept(sp.Add, x, pi / 2), kept(sp.Add, x, pi)
    return (
        false(
            "trig.multiples-of-pi-over-12",
            "sin(12x) vanishes at every sampled multiple of pi/12",
            "identity",
            one(eq(sin(12 * x), 0), identity()),
            at={"x": 1},
        ),
        false(
            "trig.24th-turn",
            "cos(24x) = 1 holds at every multiple of pi/12",
            "identity",
            one(eq(cos(24 * x), 1), identity()),
            at={"x": 1},
        ),
        false(
            "trig.true-at-sampled-angles",
            "an identity plus 10^-3 sin(12x) sin(24x)",
            "identity",
            one(
                eq(sin(x) ** 2 + cos(x) ** 2, 1 + R(1, 1000) * sin(12 * x) * sin(24 * x)),
                identity(),
            ),
            at={"x": 1},
        ),
        false(
            "trig.true-at-integers",
            "sin(pi x) vanishes at integers only",
            "identity",
            one(eq(sin(pi * x), 0), identity()),
            at={"x": "1/2"},
        ),
        false(
            "trig.turn-of-a-real",
            "cos(2 pi x) = 1 for integers only",
            "identity",
            one(real_turns, identity()),
            at={"x": "1/2"},
            control=one(turns, identity()),
        ),
        false(
            "trig.half-turn",
            "cos(pi n) = (-1)^n",
            "identity",
            one(eq(kept(cos, pi * n), 1), identity()),
            at={"n": 1},
        ),
        false(
            "trig.addition-sign",
            "the sign of the second product",
            "identity",
            one(eq(cos(x + y), cos(x) * cos(y) + sin(x) * sin(y)), identity()),
            at={"x": 1, "y": 1},
            control=one(eq(cos(x + y), cos(x) * cos(y) - sin(x) * sin(y)), identity()),
        ),
        false(
            "trig.product-to-sum",
            "cos(x+y) instead of cos(x-y)",
            "identity",
            one(eq(2 * sin(x) * sin(y), cos(x + y) - cos(x - y)), identity()),
            at={"x": 1, "y": 1},
            control=one(eq(2 * sin(x) * sin(y), cos(x - y) - cos(x + y)), identity()),
        ),
        false(
            "trig.triple-angle",
            "3 cos x with the wrong sign",
            "identity",
            one(eq(cos(3 * x), 4 * cos(x) ** 3 + 3 * cos(x)), identity()),
            at={"x": 0},
            control=one(eq(cos(3 * x), 4 * cos(x) ** 3 - 3 * cos(x)), identity()),
        ),
        false(
            "trig.quarter-turn",
            "cos(x + pi/2) = -sin x",
            "identity",
            one(eq(kept(cos, x + pi / 2), sin(x)), identity()),
            at={"x": 1},
            control=one(eq(kept(cos, x + pi / 2), -sin(x)), identity()),
        ),
        false(
            "trig.reflection",
            "sin(pi - x) = sin x",
            "identity",
            one(eq(kept(sin, pi - x), -sin(x)), identity()),
            at={"x": 1},
            control=one(eq(kept(sin, pi - x), sin(x)), identity()),
        ),
        false(
            "trig.tangent-period",
            "tan has period pi, not pi/2",
            "identity",
            one(
                eq(kept(sin, quarter) / kept(cos, quarter), sp.tan(x)),
                identity(),
                {"c": ne(cos(x), 0), "s": ne(sin(x), 0)},
            ),
            at={"x": 1},
            control=one(
                eq(kept(sin, straight) / kept(cos, straight), sp.tan(x)),
                identity(),
                {"c": ne(cos(x), 0)},
            ),
        ),
        false(
            "trig.tangent-pole",
            "at a pole tan is 0 here",
            "identity",
            one(tangent, identity()),
            control=one(tangent, identity(), {"c": ne(cos(x), 0)}),
        ),
        false(
            "trig.bounded-by-cosine",
            "sin <= cos on the first eighth only",
            "smt",
            one(le(sin(x), cos(x)), smt(), {"x": le(0, x)}),
            at={"x": 1},
        ),
        false(
            "trig.sum-of-two",
            "the maximum of cos + sin is sqrt 2, not 1.4",
            "smt",
            one(le(cos(x) + sin(x), R(7, 5)), smt()),
            at={"x": "785398/1000000"},
            control=one(le(cos(x) + sin(x), R(17, 12)), smt()),
        ),
        false(
            "trig.orthogonality-without-diagonal",
            "for n = m the sum is N (or N/2), not 0",
            "identity",
            one(
                eq(sp.Sum(cos(2 * pi * k * n / N) * cos(2 * pi * k * m / N), (k, 0, N - 1)), 0),
                identity(),
                {"N": le(1, N)},
            ),
            at={"N": 1, "n": 0, "m": 0},
        ),
        false(
            "trig.kernel-sign",
            "the Dirichlet kernel telescopes with a plus at the end",
            "identity",
            one(
                eq(2 * sin(x / 2) * sp.Sum(cos(k * x), (k, 0, 2)), sin(x / 2) - sin(5 * x / 2)),
                identity(),
            ),
            at={"x": 1},
            control=one(
                eq(2 * sin(x / 2) * sp.Sum(cos(k * x), (k, 0, 2)), sin(x / 2) + sin(5 * x / 2)),
                identity(),
            ),
        ),
    )


ENTRIES = (*_trig(),)
