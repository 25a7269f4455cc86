"""False statements by a name that is captured where a binder is built, moved or opened."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, half, kept, one, s

from ropeproof.theory.language.derivation import (
    choose,
    generalise,
    identity,
    induction,
    instance,
    mean_value,
    reindex,
    rewrite,
    smt,
    split,
    swap,
    termwise,
    witness,
)
from ropeproof.theory.language.logic import (
    Both,
    Every,
    Some,
    eq,
    integer,
    le,
    lt,
    real,
    real_function,
)

__all__ = ["ENTRIES"]

x, y = real("x y")
i, j, k, l, m, n = integer("i j k l m n")
real_n = real("n")
f = real_function("f")
Sum = sp.Sum
identical = {"f": lambda v: v}
square = {"f": lambda u, v: Fraction(u * 3 + v)}
ones = {"f": lambda v: Fraction(1)}


def _reindexed() -> tuple[FalseStatement, ...]:
    own, other = (l, l, l + n), (k, l, l + n)
    high = Sum(l, (i, 0, 2))
    two = eq(Sum(l, (l, l, l + 1)), Sum(l + 1, (l, l, l + 1)))
    goal = le(l, 1_000_000)
    return (
        false(
            "capture.reindex-own-bounds",
            "low + high - l is read under the binder of l",
            "reindex",
            one(eq(Sum(f(l), own), Sum(f(l + n), own)), reindex()),
            at={"l": 0, "n": 1, **identical},
            control=one(eq(Sum(f(l), own), Sum(f(2 * l + n - k), other)), reindex()),
        ),
        false(
            "capture.every-integer-below-a-million",
            "0 = 1 from an index captured in its own bounds",
            "reindex",
            claim(
                goal,
                s("turned", eq(Sum(l, own), Sum(l + n, own)), reindex()),
                s("two", two, instance({n: 1}), "turned"),
                s("absurd", eq(0, 1), smt(), "two"),
                s("end", goal, smt(), "absurd"),
            ),
            at={"l": 1_000_001},
        ),
        false(
            "capture.reindex-in-a-bound",
            "the free l stands in a sum that is itself a bound",
            "reindex",
            one(eq(Sum(f(l), (l, 0, high)), Sum(f(2 * l), (l, 0, high))), reindex()),
            at={"l": 1, **identical},
            control=one(eq(Sum(f(l), (l, 0, high)), Sum(f(3 * l - k), (k, 0, high))), reindex()),
        ),
        false(
            "capture.reindex-under-an-inner-sum",
            "low + high - l moves under an inner sum over the name in its bound",
            "reindex",
            one(
                eq(
                    Sum(Sum(f(k, l), (k, 0, 1)), (l, 0, k)),
                    Sum(Sum(f(k, k - l), (k, 0, 1)), (l, 0, k)),
                ),
                reindex(),
            ),
            at={"k": 2, **square},
            control=one(
                eq(
                    Sum(Sum(f(k, l), (k, 0, 1)), (l, 0, k)),
                    Sum(Sum(f(i, k - l), (i, 0, 1)), (l, 0, k)),
                ),
                reindex(),
            ),
        ),
    )


def _sums() -> tuple[FalseStatement, ...]:
    below = (l, l - 1, l)
    nested = Sum(Sum(f(i, j), (j, i, n)), (i, 0, n))
    split_at = {"low": le(0, l), "high": le(l, n)}
    return (
        false(
            "capture.termwise-own-bounds",
            "the l of the bounds is fixed, the l of the premise runs",
            "termwise",
            claim(
                le(Sum(l, below), Sum(2 * l, below)),
                s("term", le(l, 2 * l), smt(), "", (le(l - 1, l), le(l, l), le(0, l))),
                s("sum", le(Sum(l, below), Sum(2 * l, below)), termwise(), "term; h"),
                given={"h": le(0, l)},
            ),
            at={"l": 0},
        ),
        false(
            "capture.termwise-other-index",
            "the right sum speaks about a free l, the left one binds l",
            "termwise",
            claim(
                eq(Sum(l, (l, 0, 2)), Sum(l, (k, 0, 2))),
                s("term", eq(l, l + x - x), identity()),
                s("sum", eq(Sum(l, (l, 0, 2)), Sum(l, (k, 0, 2))), termwise(), "term"),
            ),
            at={"l": 0},
        ),
        false(
            "capture.split-at-the-index",
            "a sum is split at the free l, not at its index",
            "split",
            one(
                eq(Sum(f(l), (l, 0, n)), Sum(f(l), (l, 0, m)) + Sum(f(l), (l, l + 1, n))),
                split(l),
                split_at,
            ),
            at={"l": 0, "m": 1, "n": 2, **ones},
            control=one(
                eq(Sum(f(l), (l, 0, n)), Sum(f(l), (l, 0, l)) + Sum(f(k), (k, l + 1, n))),
                split(l),
                split_at,
            ),
        ),
        false(
            "capture.swap-outer-range",
            "the outer range speaks about a free symbol with the inner index's name",
            "swap",
            one(
                eq(Sum(f(i, j), (j, 0, m), (i, 0, j)), Sum(f(i, j), (i, 0, j), (j, 0, m))),
                swap(),
            ),
            at={"m": 1, "j": 0, **square},
            control=one(
                eq(Sum(f(i, j), (j, 0, m), (i, 0, j)), Sum(f(i, k), (i, 0, j), (k, 0, m))),
                swap(),
            ),
        ),
        false(
            "capture.swap-inner-range",
            "the inner range speaks about the outer index under another name",
            "swap",
            one(
                eq(Sum(f(i, j), (j, 0, i), (i, 0, n)), Sum(f(k, j), (k, 0, n), (j, 0, i))),
                swap(),
            ),
            at={"n": 1, "i": 0, **square},
        ),
        false(
            "capture.swap-one-name-twice",
            "both indices are called l, and the inner one is meant",
            "swap",
            one(eq(Sum(f(l, l), (l, 0, 1), (l, 0, 2)), Sum(f(l, m), (l, 0, 2), (m, 0, 1))), swap()),
            at={"m": 0, **square},
            control=one(
                eq(Sum(f(l, l), (l, 0, 1), (l, 0, 2)), Sum(f(m, m), (l, 0, 2), (m, 0, 1))), swap()
            ),
        ),
        false(
            "capture.normal-form-nested",
            "the inner index is not the outer one",
            "identity",
            one(eq(nested, Sum(Sum(f(j, j), (j, i, n)), (i, 0, n))), identity()),
            at={"n": 1, **square},
            control=one(eq(nested, Sum(Sum(f(j, i + j), (i, 0, n - j)), (j, 0, n))), identity()),
        ),
        false(
            "capture.normal-form-shifted",
            "a range that starts at the name of an inner index",
            "identity",
            one(
                eq(
                    Sum(Sum(f(i, j), (j, 0, n)), (i, j, j + n)),
                    Sum(Sum(f(i + j, j), (j, 0, n)), (i, 0, n)),
                ),
                identity(),
                {"n": le(0, n)},
            ),
            at={"n": 1, "j": 1, **square},
            control=one(
                eq(
                    Sum(Sum(f(i, j), (j, 0, n)), (i, j, j + n)),
                    Sum(Sum(f(i + j, k), (k, 0, n)), (i, 0, n)),
                ),
                identity(),
                {"n": le(0, n)},
            ),
        ),
    )


def _quantifiers() -> tuple[FalseStatement, ...]:
    above = Every((x,), Some((y,), lt(x, f(y))))
    self_above = Some((y,), lt(y, f(y)))
    square_y = Some((x,), eq(x**2, y))
    equal = eq(f(l), l)
    return (
        false(
            "capture.instance-under-a-quantifier",
            "y is put for x under a binder of y",
            "instance",
            claim(self_above, s("end", self_above, instance({x: y}), "h"), given={"h": above}),
            samples=(0, 1),
            control=claim(
                Some((x,), lt(y, f(x))),
                s("end", Some((x,), lt(y, f(x))), instance({x: y}), "h"),
                given={"h": above},
            ),
        ),
        false(
            "capture.witness-under-a-sum",
            "the index is put for j under the binder of the index",
            "witness",
            one(
                Some((j,), eq(Sum(j, (i, 0, 2)), Sum(i, (i, 0, 2)) + j)),
                witness({j: i}),
            ),
            samples=(0, 1, 2),
        ),
        false(
            "capture.generalise-over-a-bound",
            "x is universal in the premise, but fixed in the goal's other part",
            "generalise",
            claim(
                Both(Every((x,), le(x, y)), le(0, 1 + 0 * x)),
                s("x", le(x, y), smt(), "", (le(x, y),)),
                s("all", Every((x,), le(x, y)), generalise(), "x"),
                s("end", Both(Every((x,), le(x, y)), le(0, 1 + 0 * x)), smt(), "all"),
            ),
            at={"x": 0, "y": 0},
            samples=(1,),
        ),
        false(
            "capture.choose-another-x",
            "the chosen x is not the x of an earlier hypothesis",
            "choose",
            claim(
                le(y, 1),
                s("one", le(y, 1), smt(), "x", (eq(x**2, y),)),
                s("end", le(y, 1), choose(), "root; one"),
                given={"root": square_y, "x": Both(le(x, 1), le(-1, x))},
            ),
            at={"x": 0, "y": 4},
            samples=(2, -2),
        ),
        false(
            "capture.rewrite-under-a-binder",
            "f(l) = l for one l is used for the index l",
            "rewrite",
            one(eq(Sum(f(l), (l, 0, 2)), Sum(l, (l, 0, 2))), rewrite(), {"h": equal}),
            at={"l": 1, "f": lambda v: v**2},
            control=one(
                eq(Sum(f(l) * k, (k, 0, 2)), Sum(l * k, (k, 0, 2))), rewrite(), {"h": equal}
            ),
        ),
        false(
            "capture.rewrite-into-a-binder",
            "the right side's l is put under a binder of l",
            "rewrite",
            one(eq(Sum(y, (l, 0, 2)), Sum(l, (l, 0, 2))), rewrite(), {"h": eq(y, l)}),
            at={"l": 2, "y": 2},
            control=one(eq(Sum(y, (l, 0, 2)), Sum(l, (k, 0, 2))), rewrite(), {"h": eq(y, l)}),
        ),
        false(
            "capture.lambda-parameter",
            "the argument is put under a binder of its own name",
            "instance",
            claim(
                eq(Sum(x, (l, 0, 2)), Sum(l, (l, 0, 2))),
                s("f", eq(f(l) - f(l), 0), identity()),
                s("g", eq(f(l), f(l) + 0 * x), identity()),
                s(
                    "end",
                    eq(Sum(x, (l, 0, 2)), Sum(l, (l, 0, 2))),
                    instance({f: sp.Lambda(x, Sum(x, (l, 0, 2)))}),
                    "g",
                ),
            ),
            at={"x": 0, "l": 2},
        ),
    )


def _sorts() -> tuple[FalseStatement, ...]:
    def turn(of: Any) -> Any:
        return eq(kept(sp.cos, 2 * sp.pi * of), 1)

    slow = sp.sin(2 * sp.pi * n) / (2 * sp.pi) - n / 2
    slope = kept(sp.cos, 2 * sp.pi * n) - half
    return (
        false(
            "capture.induction-over-another-sort",
            "the induction runs over the integer n, the claim speaks about a real n",
            "induction",
            claim(
                turn(real_n),
                s("base", turn(0), identity()),
                s("next", turn(k), identity()),
                s("end", turn(real_n), induction(n, 0), "base; next"),
            ),
            at={"n": "1/2"},
            control=claim(
                turn(n),
                s("base", turn(0), identity()),
                s("next", turn(k), identity()),
                s("end", turn(n), induction(n, 0), "base; next; n"),
                given={"n": le(0, n)},
            ),
        ),
        false(
            "capture.mean-value-over-another-sort",
            "the slope is known at integers n only",
            "mean_value",
            claim(
                le(0, slow),
                s("zero", le(0, sp.Integer(2) - 2), smt()),
                s("slope", le(0, slope), smt()),
                s("end", le(0, slow), mean_value(real_n, 0), "zero; slope; n"),
                given={"n": le(0, n)},
            ),
            at={"n": 1},
        ),
    )


ENTRIES = (*_reindexed(), *_sums(), *_quantifiers(), *_sorts())
