"""False statements about powers with integer exponents: at 0, at -1, and with real ones."""

from __future__ import annotations

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, half, kept, one, s

from ropeproof.theory.language.derivation import identity, instance, rewrite, smt, termwise
from ropeproof.theory.language.logic import eq, integer, le, lt, real, real_function

__all__ = ["ENTRIES"]

x, y = real("x y")
l, m, n = integer("l m n")
f = real_function("f")


def _to(base: object, exponent: object) -> object:
    return kept(sp.Pow, base, exponent)


def _powers() -> tuple[FalseStatement, ...]:
    nested = eq(_to(_to(x, n), m), _to(x, n * m))
    squared = eq(_to(_to(x, n), 2), _to(x, 2 * n))
    half_turns = eq(kept(sp.cos, sp.pi * n), _to(-1, n))
    alternating = eq(_to(-1, n + 1), -_to(-1, n))
    inverse = eq(_to(1 / x, n), _to(x, -n))
    return (
        false(
            "powers.of-a-power-add",
            "(x^n)^m is x^(n m), not x^(n + m)",
            "identity",
            one(eq(_to(_to(x, n), m), _to(x, n + m)), identity()),
            at={"x": 2, "n": 1, "m": 2},
            control=one(nested, identity()),
        ),
        false(
            "powers.of-a-power-real-outside",
            "sqrt(x^2) is |x|",
            "identity",
            one(eq(_to(_to(x, 2), half), x), identity()),
            at={"x": -1},
            control=one(nested, identity()),
        ),
        false(
            "powers.of-a-power-half",
            "the square root of x^(2n) is |x^n|",
            "identity",
            one(eq(_to(_to(x, 2 * n), half), _to(x, n)), identity()),
            at={"x": -1, "n": 1},
            control=one(squared, identity()),
        ),
        false(
            "powers.of-a-power-real-inside",
            "(-1)^(1/2) is 0 here, so its square is not -1",
            "identity",
            one(eq(_to(_to(x, half), 2 * n), _to(x, n)), identity()),
            at={"x": -1, "n": 1},
            control=one(squared, identity()),
        ),
        false(
            "powers.shared-factor",
            "(x^2)^n and x^n are not the same power",
            "identity",
            one(eq(_to(_to(x, 2), n), _to(x, n)), identity()),
            at={"x": 2, "n": 1},
            control=one(eq(_to(_to(x, 2), n), _to(x, 2 * n)), identity()),
        ),
        false(
            "powers.at-0",
            "0^1 0^-1 = 0 and 0^0 = 1",
            "identity",
            one(eq(kept(sp.Mul, _to(x, n), _to(x, -n)), 1), identity()),
            at={"x": 0, "n": 1},
            control=one(inverse, identity()),
        ),
        false(
            "powers.at-0-of-a-power",
            "0^(n - n) = 1, 0^1 0^-1 = 0",
            "identity",
            one(eq(_to(x, n + m), kept(sp.Mul, _to(x, n), _to(x, m))), identity()),
            at={"x": 0, "n": 1, "m": -1},
            control=one(
                eq(_to(x, n + m), kept(sp.Mul, _to(x, n), _to(x, m))), identity(), {"x": lt(0, x)}
            ),
        ),
        false(
            "powers.of-the-inverse",
            "(1/x)^n = x^(-n), not x^n",
            "identity",
            one(eq(_to(1 / x, n), _to(x, n)), identity()),
            at={"x": 2, "n": 1},
            control=one(inverse, identity()),
        ),
        false(
            "powers.of-minus-1",
            "(-1)^n alternates",
            "identity",
            one(eq(_to(-1, n + 1), _to(-1, n)), identity()),
            at={"n": 0},
            control=one(alternating, identity()),
        ),
        false(
            "powers.half-turns-of-a-real",
            "(-1)^x is cos(pi x) at integers only",
            "identity",
            one(eq(kept(sp.cos, sp.pi * x), _to(-1, x)), identity()),
            control=one(half_turns, identity()),
        ),
        false(
            "powers.half-turns-of-a-value",
            "f has real values",
            "identity",
            one(eq(kept(sp.sin, sp.pi * f(n)), 0), identity()),
            at={"f": lambda _: sp.Rational(1, 2), "n": 0},
            control=one(eq(kept(sp.sin, sp.pi * n), 0), identity()),
        ),
        false(
            "powers.quarter-turns",
            "sin(pi n/2) is not 0 at odd n",
            "identity",
            one(eq(kept(sp.sin, sp.pi * n / 2), 0), identity()),
            at={"n": 1},
            control=one(eq(kept(sp.sin, sp.pi * n), 0), identity()),
        ),
        false(
            "powers.shifted-half-turns",
            "sin(pi n + pi/2) is (-1)^n",
            "identity",
            one(eq(kept(sp.sin, sp.pi * n + sp.pi / 2), 0), identity()),
            at={"n": 0},
            control=one(eq(kept(sp.sin, sp.pi * n + sp.pi / 2), _to(-1, n)), identity()),
        ),
        false(
            "powers.half-turns-by-smt",
            "cos(pi n) is -1 as well",
            "smt",
            one(lt(0, kept(sp.cos, sp.pi * n)), smt()),
            at={"n": 1},
            control=one(eq(kept(sp.cos, sp.pi * n), _to(-1, n)), smt()),
        ),
        false(
            "powers.of-a-negative-number",
            "(-2)^n = (-1)^n 2^n",
            "identity",
            one(eq(_to(-2, n), -_to(2, n)), identity()),
            at={"n": 2},
            control=one(eq(_to(-2, n), kept(sp.Mul, _to(-1, n), _to(2, n))), identity()),
        ),
        false(
            "powers.of-minus-x",
            "(-x)^(2n) = x^(2n), (-x)^n is not x^n",
            "identity",
            one(eq(_to(-x, n), _to(x, n)), identity()),
            at={"x": 1, "n": 1},
            control=one(eq(_to(-x, 2 * n), _to(x, 2 * n)), identity()),
        ),
    )


def _carried_over() -> tuple[FalseStatement, ...]:
    """A rule about integer exponents, then another rule that would carry it too far."""
    turns = s("turns", eq(kept(sp.cos, sp.pi * n), _to(-1, n)), identity())
    at_real = eq(kept(sp.cos, sp.pi * x), _to(-1, x))
    at_even = eq(kept(sp.cos, 2 * sp.pi * m), _to(-1, 2 * m))
    to_inverse = eq(kept(sp.cos, sp.pi * _to(2, m)), _to(-1, _to(2, m)))
    zeros = sp.Sum(_to(0, l), (l, 0, n))
    return (
        false(
            "powers.half-turns-at-a-real",
            "(-1)^n = cos(pi n) is said of integers only",
            "instance",
            claim(at_real, turns, s("at x", at_real, instance({n: x}), "turns")),
            at={"x": sp.Rational(1, 3)},
            control=claim(at_even, turns, s("at 2m", at_even, instance({n: 2 * m}), "turns")),
        ),
        false(
            "powers.half-turns-at-a-power",
            "2^m is an integer from m = 0 on only",
            "instance",
            claim(to_inverse, turns, s("at 2^m", to_inverse, instance({n: _to(2, m)}), "turns")),
            at={"m": -2},
            control=claim(
                to_inverse,
                turns,
                s("at 2^m", to_inverse, instance({n: _to(2, m)}), "turns; from 0"),
                given={"from 0": le(0, m)},
            ),
        ),
        false(
            "powers.half-turns-by-an-equation",
            "what is put for the real 2x under n = 2x is put nowhere else",
            "rewrite",
            claim(
                eq(kept(sp.sin, 2 * sp.pi * x), 0),
                s("zero", eq(kept(sp.sin, sp.pi * n), 0), identity()),
                s("at 2x", eq(kept(sp.sin, 2 * sp.pi * x), 0), rewrite(), "double; zero"),
                given={"double": eq(y, 2 * x)},
            ),
            at={"x": sp.Rational(1, 8), "y": sp.Rational(1, 4)},
            control=claim(
                eq(kept(sp.sin, 2 * sp.pi * x), 0),
                s("zero", eq(kept(sp.sin, sp.pi * n), 0), identity()),
                s("at 2x", eq(kept(sp.sin, 2 * sp.pi * x), 0), smt(), "at n"),
                given={"at n": eq(kept(sp.sin, 2 * sp.pi * x), kept(sp.sin, sp.pi * n))},
            ),
        ),
        false(
            "powers.of-0-in-a-sum",
            "0^0 = 1 is one of the terms",
            "sums.termwise",
            claim(
                eq(zeros, 0),
                s("term", eq(_to(0, l), 0), identity(), "", (le(0, l), le(l, n))),
                s("sum", eq(zeros, 0), termwise(), "term"),
            ),
            at={"n": 0},
            control=claim(
                le(0, sp.Sum(_to(l, 2), (l, 0, n))),
                s("term", le(0, _to(l, 2)), smt(), "", (le(0, l), le(l, n))),
                s("sum", le(0, sp.Sum(_to(l, 2), (l, 0, n))), termwise(), "term"),
            ),
        ),
    )


ENTRIES = (*_powers(), *_carried_over())
