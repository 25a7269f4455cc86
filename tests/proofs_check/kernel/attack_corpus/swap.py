"""False statements by exchanging the order of two sums, and by turning one round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp
from kernel.attack_corpus.entry import FalseStatement, claim, false, half, one, s

from ropeproof.theory.language.derivation import identity, instance, reindex, rewrite, smt, swap
from ropeproof.theory.language.logic import (
    Every,
    If,
    eq,
    integer,
    integer_function,
    le,
    lt,
    real,
    real_function,
)

__all__ = ["ENTRIES"]

i, j, k, l, m, n, a = integer("i j k l m n a")
x = real("x")
f, g = real_function("f"), real_function("g")
h = integer_function("h")
Sum = sp.Sum

TWO: Mapping[str, Any] = {"f": lambda v, w: 3 * v + 10 * w + 1}
"""A function of two places that tells each pair from each other."""
AT = {"m": 1, "n": 2, **TWO}


def rows(inner: tuple[Any, Any], outer: tuple[Any, Any], term: Any = None) -> Any:
    """The sum over i of the sums over j."""
    return Sum(f(i, j) if term is None else term, (j, *inner), (i, *outer))


def columns(inner: tuple[Any, Any], outer: tuple[Any, Any], term: Any = None) -> Any:
    """The sum over j of the sums over i."""
    return Sum(f(i, j) if term is None else term, (i, *inner), (j, *outer))


def swapped(
    name: str, what: str, left: Any, right: Any, at: Mapping[str, Any] | None, **more: Any
) -> FalseStatement:
    """The two sides in one step."""
    given = more.pop("given", None)
    return false(f"swap.{name}", what, "swap", one(eq(left, right), swap(), given), at=at, **more)


RECTANGLE = rows((0, m), (0, n))
TURNED = columns((0, n), (0, m))
TRUE = one(eq(RECTANGLE, TURNED), swap())


def _dependent() -> tuple[FalseStatement, ...]:
    """The inner range depends on the outer index, in one way or another."""

    def kept_apart(name: str, what: str, inner: tuple[Any, Any], **more: Any) -> FalseStatement:
        """The author moves the inner range outwards as it is: its index is another one there."""
        at = {**AT, "i": 0, **more}
        return swapped(name, what, rows(inner, (0, n)), columns((0, n), inner), at)

    return (
        kept_apart("lower-triangle", "the inner range begins at the outer index", (i, n)),
        kept_apart("strict-triangle", "the inner range ends before the outer index", (0, i - 1)),
        kept_apart("both-bounds", "both bounds move with the outer index", (i, i + 1)),
        kept_apart("twice-the-index", "the inner range ends at twice the outer index", (0, 2 * i)),
        kept_apart("from-minus-the-index", "the inner range begins below 0", (-i, 0)),
        kept_apart("up-to-a-square", "the inner range ends at a square", (0, i**2)),
        kept_apart(
            "up-to-a-function", "the end is a function of the outer index", (0, h(i)), h=lambda v: v
        ),
        kept_apart(
            "from-a-function",
            "the beginning is a function of the outer index",
            (h(i), 2),
            h=lambda v: v,
        ),
        kept_apart("up-to-a-maximum", "a maximum hides the outer index", (0, sp.Max(i, m))),
        kept_apart("up-to-a-floor", "a floor hides the outer index", (0, sp.floor(i / 2))),
        kept_apart("up-to-a-sum", "a sum hides the outer index", (0, Sum(l, (l, 0, i))), l=0),
        kept_apart(
            "up-to-a-choice",
            "a case hides the outer index",
            (0, sp.Piecewise((i, le(0, i)), (0, True))),
        ),
        kept_apart("complement", "the inner range shrinks as the outer index grows", (0, n - i)),
        swapped(
            "names-exchanged",
            "for j <= i is not for i <= j",
            rows((0, i), (0, n)),
            columns((0, j), (0, n)),
            AT,
        ),
        swapped(
            "triangle-off-by-one",
            "j <= i turned round begins at i = j, not after it",
            rows((0, i), (0, n)),
            columns((j + 1, n), (0, n)),
            AT,
        ),
        swapped(
            "equal-by-a-hypothesis",
            "h is m from 0 on, but the outer range begins at -1",
            rows((0, h(i)), (-1, n)),
            columns((-1, n), (0, m)),
            {**AT, "h": lambda v: 1 if v >= 0 else 5},
            given={"h": Every((l,), If(le(0, l), eq(h(l), m)))},
        ),
        swapped(
            "three-sums",
            "the innermost range depends on the middle index",
            Sum(g(i, j, k), (k, 0, j), (j, 0, m), (i, 0, n)),
            Sum(g(i, j, k), (j, 0, m), (k, 0, j), (i, 0, n)),
            {"m": 1, "n": 0, "j": 4, "g": lambda u, v, w: u + 2 * v + 5 * w + 1},
        ),
        swapped(
            "of-three-the-outer-two",
            "the innermost range depends on what becomes the outermost index",
            Sum(g(i, j, k), (k, 0, i), (j, 0, m), (i, 0, n)),
            Sum(g(i, j, k), (i, 0, n), (k, 0, i), (j, 0, m)),
            {"m": 1, "n": 2, "i": 0, "g": lambda u, v, w: u + 2 * v + 5 * w + 1},
            control=one(
                eq(
                    Sum(g(i, j, k), (k, 0, i), (j, 0, m), (i, 0, n)),
                    Sum(g(i, j, k), (k, 0, i), (i, 0, n), (j, 0, m)),
                ),
                swap(),
            ),
        ),
    )


def _names() -> tuple[FalseStatement, ...]:
    """One letter stands for two things."""
    into = eq(rows((0, i), (0, n)), columns((0, n), (0, i)))
    return (
        swapped(
            "free-index-captured",
            "the j that ends the outer range is another one than the index",
            rows((0, m), (0, j)),
            columns((0, j), (0, m)),
            {"m": 1, "j": 3, **TWO},
            control=one(eq(rows((0, m), (0, l)), columns((0, l), (0, m))), swap()),
        ),
        swapped(
            "free-index-captured-below",
            "the j that begins the outer range is another one than the index",
            rows((0, m), (j, n)),
            columns((j, n), (0, m)),
            {"m": 1, "n": 2, "j": 2, **TWO},
        ),
        swapped(
            "index-in-its-own-bound",
            "the i that ends the range of i is free",
            rows((0, i), (0, i)),
            columns((0, i), (0, i), f(j, i)),
            {"i": 2, **TWO},
        ),
        swapped(
            "both-indices-one",
            "the right side has one index in both places",
            RECTANGLE,
            Sum(f(i, i), (i, 0, n), (i, 0, m)),
            AT,
        ),
        swapped(
            "arguments-exchanged",
            "the ranges are exchanged and the arguments too",
            RECTANGLE,
            columns((0, n), (0, m), f(j, i)),
            AT,
            control=TRUE,
        ),
        false(
            "swap.instance-with-the-index",
            "m := i, where i is the index of a sum around it",
            "swap",
            claim(
                into,
                s("any m", eq(RECTANGLE, TURNED), swap()),
                s("end", into, instance({m: i}), "any m"),
            ),
            at={**AT, "i": 0},
        ),
        false(
            "swap.rewritten-with-the-index",
            "m = i holds of a free i, not of the index",
            "swap",
            claim(
                into,
                s("any m", eq(RECTANGLE, TURNED), swap()),
                s("end", into, rewrite(), "same; any m"),
                given={"same": eq(m, i)},
            ),
            at={**AT, "m": 0, "i": 0},
        ),
        swapped(
            "a-factor-left-behind",
            "the factor i leaves the sum over i",
            RECTANGLE.func(i * f(i, j), *RECTANGLE.limits),
            Sum(i * Sum(f(i, j), (i, 0, n)), (j, 0, m)),
            {**AT, "i": 7},
            control=one(
                eq(rows((0, m), (0, n), i * f(i, j)), columns((0, n), (0, m), i * f(i, j))), swap()
            ),
        ),
        swapped(
            "a-sum-inside-a-product",
            "what stands under the outer sum is no sum",
            Sum(i * Sum(f(i, j), (j, 0, m)), (i, 0, n)),
            Sum(i * Sum(f(i, j), (i, 0, n)), (j, 0, m)),
            {**AT, "i": 7},
        ),
    )


def _ranges() -> tuple[FalseStatement, ...]:
    """The right side has other ranges, or other terms."""
    chosen = sp.Piecewise((f(i, j), le(j, i)), (0, True))
    reversed_n = {"m": 1, "n": -2, **TWO}
    sizes = eq(rows((0, m), (0, n), sp.Integer(1)), (m + 1) * (n + 1))
    return (
        swapped(
            "one-row-less", "the last column is missing", RECTANGLE, columns((0, n), (0, m - 1)), AT
        ),
        swapped(
            "begins-at-one", "the first row is missing", RECTANGLE, columns((1, n), (0, m)), AT
        ),
        swapped("one-more", "there is one row more", RECTANGLE, columns((0, n + 1), (0, m)), AT),
        swapped(
            "shifted", "the range of j is moved by one", RECTANGLE, columns((0, n), (1, m + 1)), AT
        ),
        swapped("negated", "an exchange changes no sign", RECTANGLE, -TURNED, AT),
        swapped(
            "not-negated-twice", "a term more on one side", RECTANGLE, TURNED + x, {**AT, "x": 1}
        ),
        swapped(
            "karr-outer",
            "a reversed range is empty here, not minus the other",
            RECTANGLE,
            -columns((n + 1, -1), (0, m)),
            reversed_n,
            given={"n": lt(n, -1)},
        ),
        swapped(
            "reversed-inner",
            "from m down to 0 is empty",
            RECTANGLE,
            columns((0, n), (m, 0)),
            AT,
        ),
        swapped(
            "reversed-both",
            "both ranges are turned round, which empties them",
            RECTANGLE,
            columns((n, 0), (m, 0)),
            AT,
        ),
        swapped(
            "a-condition-dropped",
            "the terms above the diagonal are 0 on the left alone",
            rows((0, m), (0, n), chosen),
            TURNED,
            AT,
            control=one(eq(rows((0, m), (0, n), chosen), columns((0, n), (0, m), chosen)), swap()),
        ),
        swapped(
            "the-diagonal-alone",
            "a sum over pairs is not one over equal pairs",
            rows((0, n), (0, n)),
            Sum(f(j, j), (j, 0, n)),
            AT,
        ),
        swapped(
            "of-a-single-sum",
            "there is no inner sum to exchange",
            Sum(f(i, i), (i, 0, n)),
            columns((0, n), (0, n)),
            AT,
        ),
        false(
            "swap.an-inequality",
            "exchanging gives an equation of rectangles, and nothing of a triangle",
            "swap",
            one(le(rows((0, m), (0, n)), columns((0, j), (0, m))), swap()),
            at=AT,
        ),
        false(
            "swap.under-a-function",
            "the sides are no sums",
            "swap",
            one(eq(sp.exp(RECTANGLE), sp.exp(columns((0, m), (0, n)))), swap()),
            at={"m": 0, "n": 1, "f": lambda v, w: v - w},
        ),
        false(
            "swap.size-of-an-empty-range",
            "an empty range has no negative length",
            "swap",
            claim(
                sizes,
                s(
                    "turned",
                    eq(rows((0, m), (0, n), sp.Integer(1)), columns((0, n), (0, m), sp.Integer(1))),
                    swap(),
                ),
                s("end", sizes, identity(), "turned; n"),
                given={"n": le(0, n)},
            ),
            at={"m": -3, "n": 0},
            control=claim(
                sizes, s("end", sizes, identity(), "n; m"), given={"n": le(0, n), "m": le(0, m)}
            ),
        ),
        swapped(
            "endless",
            "a range without an end is no finite sum",
            rows((0, sp.oo), (0, n)),
            columns((0, n), (0, sp.oo)),
            None,
        ),
        swapped(
            "up-to-a-real",
            "a range that ends at a real number is ambiguous",
            rows((0, x), (0, n)),
            columns((0, n), (0, x)),
            None,
        ),
        swapped(
            "from-a-half",
            "a range between halves is ambiguous",
            rows((half, m + half), (0, n)),
            columns((0, n), (0, m)),
            None,
        ),
    )


def _turned_round() -> tuple[FalseStatement, ...]:
    """`reindex` turns one range round, and what depends on its index turns with it."""
    row = Sum(f(i, j), (j, 0, i))

    def turned(name: str, what: str, left: Any, right: Any, **more: Any) -> FalseStatement:
        at = more.pop("at", AT)
        return false(
            f"reindex.{name}", what, "reindex", one(eq(left, right), reindex()), at=at, **more
        )

    return (
        turned(
            "inner-range-stays",
            "the inner range ends at the outer index, which is turned round",
            Sum(row, (i, 0, n)),
            Sum(Sum(f(n - i, j), (j, 0, i)), (i, 0, n)),
            control=one(
                eq(Sum(row, (i, 0, n)), Sum(Sum(f(n - i, j), (j, 0, n - i)), (i, 0, n))), reindex()
            ),
        ),
        turned(
            "inner-index-turned",
            "it is the outer index that is turned round",
            rows((0, m), (0, n)),
            rows((0, m), (0, n), f(i, n - j)),
        ),
        turned(
            "low-end-forgotten",
            "a range that begins at a is turned round at a + n",
            Sum(f(l, l), (l, a, n)),
            Sum(f(n - l, n - l), (l, a, n)),
            at={"a": 1, "n": 2, **TWO},
            control=one(
                eq(Sum(f(l, l), (l, a, n)), Sum(f(a + n - l, a + n - l), (l, a, n))), reindex()
            ),
        ),
        turned(
            "index-in-its-own-bound",
            "the l that ends the range is free and does not turn",
            Sum(f(l, 0), (l, 0, l)),
            Sum(f(0, 0), (l, 0, l)),
            at={"l": 2, **TWO},
        ),
        false(
            "reindex.one-of-two-places",
            "both places of the index are turned round",
            "reindex",
            claim(
                eq(Sum(f(l, l), (l, 0, n)), Sum(f(n - l, l), (l, 0, n))),
                s("turned", eq(Sum(f(l, l), (l, 0, n)), Sum(f(n - l, l), (l, 0, n))), reindex()),
                s("end", eq(Sum(f(l, l), (l, 0, n)), Sum(f(n - l, l), (l, 0, n))), smt(), "turned"),
            ),
            at={"n": 1, "f": lambda v, w: v * w},
        ),
    )


ENTRIES = (*_dependent(), *_names(), *_ranges(), *_turned_round())
