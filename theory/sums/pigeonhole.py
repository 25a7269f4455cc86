"""Counting: different codes take each value once, so there are no more of them than values."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    induction,
    instance,
    smt,
    split,
    swap,
    termwise,
)
from ropeproof.theory.logic import Both, Every, If, eq, every, integer, integer_function, le, ne
from ropeproof.theory.notation import l, m, n
from ropeproof.theory.slash.row import OWN
from ropeproof.theory.sums.order import f, here, indicator, plane

__all__ = ["CLAIMS", "SUMS_ONCE", "SUMS_PIGEONHOLE", "code", "different", "values"]

values, i, k, c, r = integer("K i k c r")
code = integer_function("code")


def different(codes: Any = code) -> Any:
    """Different indices have different codes."""
    where = Both(le(0, i), le(i, n - 1), le(0, k), le(k, n - 1), ne(i, k))
    return Every((i, k), If(where, ne(codes(i), codes(k))))


def _once() -> Claim:
    def count(until: Any) -> Any:
        return sp.Sum(indicator(c, code(i)), (i, 0, until - 1))

    inner = (le(0, r), le(r, n - 1))
    hit = (eq(code(r), c),)
    law = If(le(r, n), le(count(r), 1))
    name = "codes differ"
    goal = le(count(n), 1)
    return Claim(
        id="sums.once",
        title="Different codes take each value at most once",
        statement=r"$\#\{i<n:\mathrm{code}_i=c\}\le1$ if the codes of different indices differ.",
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                name, different(), without=(eq(n, 2), eq(code(0), 0), eq(code(1), 0), eq(c, 0))
            ),
            Hypothesis("the number is not negative", le(0, n), idle="then the sum is empty"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("empty", eq(count(sp.Integer(0)), 0), identity(), "Nothing is counted yet."),
                Step("start", If(le(0, n), le(count(sp.Integer(0)), 1)), smt(), "So", ("empty",)),
                Step(
                    "one more",
                    eq(count(r + 1), count(r) + indicator(c, code(r))),
                    split(r - 1),
                    "One index more",
                    (),
                    (le(0, r),),
                ),
                Step(
                    "differs",
                    ne(code(i), code(r)),
                    instance({i: i, k: r}),
                    "has a code that none before it has,",
                    (name,),
                    (*inner, le(0, i), le(i, r - 1)),
                ),
                Step(
                    "not counted",
                    eq(indicator(c, code(i)), 0),
                    smt(),
                    "so if it is counted none before it is,",
                    ("differs",),
                    (*inner, *hit, le(0, i), le(i, r - 1)),
                ),
                Step(
                    "none before",
                    eq(count(r), sp.Sum(sp.Integer(0), (i, 0, r - 1))),
                    termwise(),
                    "not one,",
                    ("not counted",),
                    (*inner, *hit),
                ),
                Step("zero", eq(sp.Sum(sp.Integer(0), (i, 0, r - 1)), 0), identity(), "(zeros)"),
                Step(
                    "next",
                    If(le(r + 1, n), le(count(r + 1), 1)),
                    smt(),
                    "and the count stays at most 1.",
                    ("one more", "none before", "zero"),
                    (le(0, r), law),
                ),
                Step("all", law, induction(r, 0), "To the end.", ("start", "next"), (le(0, r),)),
                Step(
                    "at n",
                    If(le(n, n), le(count(n), 1)),
                    instance({r: n}),
                    "That is it,",
                    ("all", "the number is not negative"),
                ),
                Step("once", goal, smt(), "all of it.", ("at n",)),
            )
        ),
        mutants=(
            Mutant("never", le(count(n), 0), at=(eq(n, 1), eq(code(0), 0), eq(c, 0))),
            Mutant("always", le(1, count(n)), at=(eq(n, 1), eq(code(0), 1), eq(c, 0))),
        ),
    )


def _pigeonhole() -> Claim:
    match = indicator(c, code(i))
    rows = sp.Sum(sp.Sum(match, (c, 0, values - 1)), (i, 0, n - 1))
    columns = sp.Sum(sp.Sum(match, (i, 0, n - 1)), (c, 0, values - 1))
    at_i = (le(0, i), le(i, n - 1))
    names = ("codes are values", "codes differ", "the number is not negative", "there is a value")
    in_range = Both(le(0, code(i)), le(code(i), values - 1))
    goal = le(n, values)
    ones = sp.Sum(sp.Integer(1), (i, 0, n - 1))
    all_values = sp.Sum(sp.Integer(1), (c, 0, values - 1))
    picked = sp.Sum(indicator(l, code(i)) * 1, (l, 0, values - 1))
    return Claim(
        id="sums.pigeonhole",
        title="The pigeonhole principle",
        statement=r"Different codes among $K$ values: there are at most $K$ of them.",
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                names[0],
                every(i, 0, n - 1, in_range),
                without=(eq(n, 2), eq(values, 1), eq(code(0), 0), eq(code(1), 5)),
            ),
            Hypothesis(
                names[1],
                different(),
                without=(eq(n, 2), eq(values, 1), eq(code(0), 0), eq(code(1), 0)),
            ),
            Hypothesis(names[2], le(0, n), idle="a negative number is at most any"),
            Hypothesis(names[3], le(0, values), without=(eq(n, 0), eq(values, -1))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "range",
                    in_range,
                    instance({i: i}),
                    "A code is one of the values,",
                    (names[0],),
                    at_i,
                ),
                Step("one", eq(indicator(code(i), code(i)), 1), smt(), "it meets"),
                Step("none", eq(indicator(l, code(i)), 0), smt(), "no", (), (ne(l, code(i)),)),
                Step(
                    "none elsewhere",
                    every(l, 0, values - 1, If(ne(l, code(i)), eq(indicator(l, code(i)), 0))),
                    generalise(),
                    "other value,",
                    ("none",),
                ),
                Step(
                    "pick",
                    eq(picked, 1),
                    by_claim(
                        "sums.pick",
                        {
                            m: values,
                            plane: code(i),
                            here: sp.Lambda(l, indicator(l, code(i))),
                            f: sp.Lambda(l, 1),
                        },
                    ),
                    "so it is counted once:",
                    ("range", "one", "none elsewhere"),
                    at_i,
                ),
                Step(
                    "rename",
                    eq(picked, sp.Sum(match, (c, 0, values - 1))),
                    identity(),
                    "(under any name)",
                ),
                Step(
                    "row",
                    eq(1, sp.Sum(match, (c, 0, values - 1))),
                    smt(),
                    "among all values.",
                    ("pick", "rename"),
                    at_i,
                ),
                Step("rows", eq(ones, rows), termwise(), "Count the codes so,", ("row",)),
                Step("exchange", eq(rows, columns), swap(), "value by value:"),
                Step(
                    "once",
                    le(sp.Sum(match, (i, 0, n - 1)), 1),
                    by_claim("sums.once"),
                    "each is taken once at most.",
                    (names[1], names[2]),
                ),
                Step("columns", le(columns, all_values), termwise(), "Sum.", ("once",)),
                Step(
                    "counts",
                    Both(eq(ones, n), eq(all_values, values)),
                    identity(),
                    "These are the numbers.",
                    (names[2], names[3]),
                ),
                Step("bound", goal, smt(), "So", ("rows", "exchange", "columns", "counts")),
            )
        ),
        uses=("sums.pick", "sums.once"),
        mutants=(
            Mutant("one less", le(n, values - 1), at=(eq(n, 1), eq(values, 1), eq(code(0), 0))),
            Mutant("all taken", le(values, n), at=(eq(n, 1), eq(values, 2), eq(code(0), 0))),
        ),
    )


SUMS_ONCE = _once()
SUMS_PIGEONHOLE = _pigeonhole()

CLAIMS = (SUMS_ONCE, SUMS_PIGEONHOLE)
