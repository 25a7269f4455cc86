"""False statements by misuse of binders and sorts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, half, kept, one, s

from ropeproof.theory.language.derivation import (
    choose,
    generalise,
    identity,
    instance,
    smt,
    witness,
)
from ropeproof.theory.language.logic import (
    Every,
    Some,
    eq,
    every,
    integer,
    integer_function,
    le,
    lt,
    real,
    real_function,
    some,
)

__all__ = ["ENTRIES"]

x, y = real("x y")
i, j, k, l, m, n = integer("i j k l m n")
real_n = real("n")
f = real_function("f")
integer_f = integer_function("f")
Sum = sp.Sum


def turn(of: Any) -> Any:
    """cos(2 pi t) = 1, as written: true for every integer t."""
    return eq(kept(sp.cos, 2 * sp.pi * of), 1)


def _quantifiers() -> tuple[FalseStatement, ...]:
    every_real = Every((real_n,), turn(real_n))
    all_below = Every((x,), le(x, y))
    some_root = Some((x,), eq(x**2, y))
    bad_some = Some((n,), eq(2 * n, 1))
    mixed = Some((real_n,), eq(2 * n, 1))
    two_things = Every((f(x),), turn(f(0)))
    smaller = Every((x,), Some((y,), lt(y, x)))
    one_for_all = Some((y,), Every((x,), lt(y, x)))
    return (
        false(
            "generalise.integer-to-real",
            "shown for integers, claimed for reals",
            "generalise",
            claim(
                eq(1, -1),
                s("n", turn(n), identity()),
                s("all", every_real, generalise(), "n"),
                s("half", eq(-1, 1), instance({real_n: half}), "all"),
                s("end", eq(1, -1), smt(), "half"),
            ),
            at={},
            control=claim(
                Every((n,), turn(n)),
                s("n", turn(n), identity()),
                s("all", Every((n,), turn(n)), generalise(), "n"),
            ),
        ),
        false(
            "generalise.function-sort",
            "shown for integer functions, claimed for real ones",
            "generalise",
            claim(
                two_things,
                s("f", turn(integer_f(0)), identity()),
                s("all", two_things, generalise(), "f"),
            ),
        ),
        false(
            "generalise.fixed-symbol",
            "x <= y is a hypothesis about one x",
            "generalise",
            claim(all_below, s("all", all_below, generalise(), "x"), given={"x": le(x, y)}),
            at={"x": 0, "y": 0},
            samples=(1,),
        ),
        false(
            "generalise.over-an-assumption",
            "x is fixed by what the step assumes",
            "generalise",
            claim(
                all_below,
                s("x", le(x, y), smt(), "", (le(x, y),)),
                s("all", all_below, generalise(), "x", (le(x, y),)),
                s("end", all_below, smt(), "all"),
            ),
            at={"x": 0, "y": 0},
            samples=(1,),
        ),
        false(
            "quantifiers.exchanged",
            "for each x a y is not one y for all x",
            "smt",
            claim(one_for_all, s("end", one_for_all, smt(), "h"), given={"h": smaller}),
        ),
        false(
            "quantifiers.some-is-not-every",
            "one root is not all",
            "instance",
            claim(
                eq(f(j), 0),
                s("end", eq(f(j), 0), instance({i: j}), "h"),
                given={"h": some(i, 0, 3, eq(f(i), 0))},
            ),
            at={"j": 1, "f": lambda v: v},
        ),
        false(
            "quantifiers.instance-outside-the-range",
            "the range ends at n-1",
            "instance",
            claim(
                le(0, f(n)),
                s("end", le(0, f(n)), instance({l: n}), "h"),
                given={"h": every(l, 0, n - 1, le(0, f(l)))},
            ),
            at={"n": 1, "f": lambda v: -v},
            control=claim(
                le(0, f(n)),
                s("end", le(0, f(n)), instance({l: n}), "h; n"),
                given={"h": every(l, 0, n, le(0, f(l))), "n": le(0, n)},
            ),
        ),
        false(
            "quantifiers.instance-of-a-real",
            "an integer's place takes no real",
            "instance",
            claim(
                le(0, f(x)),
                s("end", le(0, f(x)), instance({l: x}), "h"),
                given={"h": Every((l,), le(0, f(l)))},
            ),
            at={"x": "1/2", "f": lambda v: Fraction(0 if v.denominator == 1 else -1)},
            samples=(0, 1, -3),
            control=claim(
                le(0, f(n + 1)),
                s("end", le(0, f(n + 1)), instance({l: n + 1}), "h"),
                given={"h": Every((l,), le(0, f(l)))},
            ),
        ),
        false(
            "instance.key-of-another-sort",
            "the key says real, the symbol is an integer",
            "instance",
            claim(
                eq(1, -1),
                s("n", turn(n), identity()),
                s("half", eq(-1, 1), instance({real_n: half}), "n"),
                s("end", eq(1, -1), smt(), "half"),
            ),
            at={},
            control=claim(
                turn(m), s("n", turn(n), identity()), s("two", turn(m), instance({n: m}), "n")
            ),
        ),
        false(
            "instance.half-for-an-integer",
            "1/2 is no integer",
            "instance",
            claim(
                eq(1, -1),
                s("n", turn(n), identity()),
                s("half", eq(-1, 1), instance({n: half}), "n"),
                s("end", eq(1, -1), smt(), "half"),
            ),
            at={},
        ),
        false(
            "instance.sum-with-hidden-index",
            "the sum is 2^-1; its index is not the k >= 0",
            "instance",
            claim(
                eq(1, -1),
                s("n", turn(n), identity()),
                s(
                    "sum",
                    turn(Sum(sp.Integer(2) ** k, (k, -1, -1))),
                    instance({n: Sum(sp.Integer(2) ** k, (k, -1, -1))}),
                    "n",
                    (le(0, k),),
                ),
                s("half", eq(1, -1), smt(), "sum", (le(0, k),)),
                s("end", eq(1, -1), instance({k: 0}), "half"),
            ),
            at={},
        ),
        false(
            "instance.hypothesis-symbol",
            "the hypothesis speaks about one x",
            "instance",
            claim(le(y, 1), s("end", le(y, 1), instance({x: y}), "x"), given={"x": le(x, 1)}),
            at={"x": 0, "y": 2},
            control=claim(
                le(y, 1),
                s("end", le(y, 1), instance({x: y}), "x"),
                given={"x": Every((x,), le(x, 1))},
            ),
        ),
        false(
            "instance.through-a-step",
            "the step rests on a hypothesis about x",
            "instance",
            claim(
                le(y, 2),
                s("x", le(x, 2), smt(), "h"),
                s("end", le(y, 2), instance({x: y}), "x"),
                given={"h": le(x, 1)},
            ),
            at={"x": 0, "y": 3},
        ),
        false(
            "instance.capture",
            "l := the index of the sum around it",
            "instance",
            claim(
                eq(Sum(f(j), (j, 0, 1)), 2 * f(0)),
                s("sum", eq(Sum(f(i), (j, 0, 1)), 2 * f(i)), identity()),
                s("end", eq(Sum(f(j), (j, 0, 1)), 2 * f(0)), instance({i: j}), "sum"),
            ),
            at={"f": lambda v: v},
            control=claim(
                eq(Sum(f(j), (l, 0, 1)), 2 * f(j)),
                s("sum", eq(Sum(f(i), (j, 0, 1)), 2 * f(i)), identity()),
                s("end", eq(Sum(f(j), (l, 0, 1)), 2 * f(j)), instance({i: j}), "sum"),
            ),
        ),
        false("witness.half", "no integer is 1/2", "witness", one(bad_some, witness({n: half}))),
        false(
            "witness.key-of-another-sort",
            "the key says real, the variable is an integer",
            "witness",
            one(bad_some, witness({real_n: half})),
            control=one(Some((real_n,), eq(2 * real_n, 1)), witness({real_n: half})),
        ),
        false(
            "witness.outside-the-range",
            "the witness lies beyond the range",
            "witness",
            one(some(l, 0, n - 1, eq(l, n)), witness({l: n}), {"n": le(0, n)}),
            at={"n": 2},
            control=one(some(l, 0, n, eq(l, n)), witness({l: n}), {"n": le(0, n)}),
        ),
        false(
            "choose.mixed-sorts",
            "the chosen value is real, the step speaks of an integer",
            "choose",
            claim(
                eq(1, 0),
                s("half", mixed, witness({real_n: half})),
                s("never", eq(1, 0), smt(), "", (eq(2 * n, 1),)),
                s("end", eq(1, 0), choose(), "half; never"),
            ),
            at={},
        ),
        false(
            "choose.leaks-its-witness",
            "the conclusion speaks about the chosen value",
            "choose",
            claim(
                eq(x**2, y),
                s("same", eq(x**2, y), smt(), "", (eq(x**2, y),)),
                s("end", eq(x**2, y), choose(), "root; same"),
                given={"root": some_root},
            ),
            at={"x": 2, "y": 1},
            samples=(1,),
            control=claim(
                le(0, y),
                s("same", le(0, y), smt(), "", (eq(x**2, y),)),
                s("end", le(0, y), choose(), "root; same"),
                given={"root": some_root},
            ),
        ),
        false(
            "choose.more-than-exists",
            "the step also assumed 1 <= x",
            "choose",
            claim(
                le(1, y),
                s("x", le(1, y), smt(), "", (eq(x**2, y), le(1, x))),
                s("end", le(1, y), choose(), "root; x"),
                given={"root": some_root},
            ),
            at={"y": 0},
            samples=(0,),
        ),
        false(
            "choose.fixed-by-a-hypothesis",
            "another hypothesis speaks about the same x",
            "choose",
            claim(
                le(4, y),
                s("x", le(4, y), smt(), "big", (eq(x**2, y),)),
                s("end", le(4, y), choose(), "root; x"),
                given={"root": some_root, "big": le(2, x)},
            ),
            at={"x": 2, "y": 1},
            samples=(1,),
        ),
        false(
            "index.named-as-a-function",
            "the index f and the function f are two things",
            "identity",
            claim(
                eq(f(1), 0),
                s("sum", eq(Sum(f(0), (integer("f"), 0, m)), Sum(f(0), (l, 0, m))), identity()),
                s("end", eq(f(1), 0), instance({f: sp.Lambda(x, 0), m: 0}), "sum"),
            ),
            at={"f": lambda v: v},
        ),
        false(
            "index.named-as-a-real",
            "the index x and the real x are two things",
            "identity",
            one(eq(Sum(x, (integer("x"), 0, 2)), 3), identity()),
            at=None,
        ),
    )


ENTRIES = _quantifiers()
