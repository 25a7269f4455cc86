"""One rival is enough: the weight that a lag takes, and queries of rank one that change sign."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    instance,
    smt,
    split,
    termwise,
)
from ropeproof.theory.logic import Both, Every, eq, integer, le, lt, ne, real, real_function
from ropeproof.theory.notation import (
    i,
    j,
    key_x,
    key_y,
    l,
    logit,
    m,
    n,
    over_planes,
    query_x,
    query_y,
    s,
    theta,
)
from ropeproof.theory.slash.row import OFFSET, OWN, after, before, g, offset, row_partition, weight
from ropeproof.theory.slash.sandwich import bilinear

__all__ = ["CLAIMS", "SLASH_RANK_NOT_ENOUGH", "SLASH_RIVAL"]

rival, row = integer("r c")
sign = real_function("a_token")
gap = real("Gamma")


def _rival() -> Claim:
    low = sp.Sum(sp.exp(g(j)), (j, 0, rival - 1))
    lower_upto = sp.Sum(sp.exp(g(j)), (j, 0, rival))
    between = sp.Sum(sp.exp(g(j)), (j, rival + 1, offset - 1))
    upper_upto = sp.Sum(sp.exp(g(j)), (j, offset + 1, rival))
    upper_low = sp.Sum(sp.exp(g(j)), (j, offset + 1, rival - 1))
    high = sp.Sum(sp.exp(g(j)), (j, rival + 1, i - 1))
    in_row = "the rival is in the row"
    first, second = (lt(rival, offset),), (lt(offset, rival),)
    both = sp.exp(g(offset)) + sp.exp(g(rival))
    goal = le(weight(), 1 / (1 + sp.exp(g(rival) - g(offset))))
    enough = le(both, before() + sp.exp(g(offset)) + after())
    return Claim(
        id="slash.rival",
        title="One rival bounds the weight",
        statement=(
            r"$S_{i,i-\Delta}\le\big[1+e^{g(t)-g(\Delta)}\big]^{-1}$ for any other lag $t$ of the row. "
            r"So a ghost at $\Delta\pm t$ (`slash.alias`) leaves at most $[1+e^{-E_t}]^{-1}$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            OFFSET,
            Hypothesis(
                in_row,
                Both(le(0, rival), le(rival, i - 1)),
                without=(eq(i, 1), eq(offset, 0), eq(rival, 3)),
            ),
            Hypothesis(
                "it is not the target", ne(rival, offset), without=(eq(i, 1), eq(offset, 0))
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                row_partition("parts", g, OFFSET.name),
                Step("term", le(0, sp.exp(g(j))), smt(), "Exponentials are positive."),
                Step(
                    "cut below",
                    eq(before(), lower_upto + between),
                    split(rival),
                    "A rival below the target",
                    (in_row, OFFSET.name),
                    first,
                ),
                Step(
                    "cut rival",
                    eq(lower_upto, low + sp.exp(g(rival))),
                    split(rival - 1),
                    "is one of its terms,",
                    (in_row, OFFSET.name),
                    first,
                ),
                Step("low", le(0, low), termwise(), "the others", ("term",)),
                Step("between", le(0, between), termwise(), "not being negative,", ("term",)),
                Step(
                    "below",
                    enough,
                    smt(),
                    "so the normaliser holds both.",
                    ("cut below", "cut rival", "low", "between", "parts"),
                    first,
                ),
                Step(
                    "cut above",
                    eq(after(), upper_upto + high),
                    split(rival),
                    "Likewise",
                    (in_row, OFFSET.name),
                    second,
                ),
                Step(
                    "cut rival above",
                    eq(upper_upto, upper_low + sp.exp(g(rival))),
                    split(rival - 1),
                    "for one",
                    (in_row, OFFSET.name),
                    second,
                ),
                Step("upper low", le(0, upper_low), termwise(), "above", ("term",)),
                Step("high", le(0, high), termwise(), "the target.", ("term",)),
                Step(
                    "above",
                    enough,
                    smt(),
                    "It holds both.",
                    ("cut above", "cut rival above", "upper low", "high", "parts"),
                    second,
                ),
                Step(
                    "either",
                    enough,
                    smt(),
                    "Either way,",
                    ("below", "above", "it is not the target"),
                ),
                Step(
                    "ratio",
                    eq(
                        sp.exp(g(rival) - g(offset)) * sp.exp(g(offset)),
                        sp.exp(g(rival), evaluate=False),
                    ),
                    identity(),
                    "Take the target out,",
                ),
                Step(
                    "bound",
                    goal,
                    smt(),
                    "and divide.",
                    ("either", "ratio", "parts"),
                ),
            )
        ),
        uses=("softmax.partition",),
        mutants=(
            Mutant("two rivals", le(weight(), 1 / (1 + 2 * sp.exp(g(rival) - g(offset))))),
            Mutant("the square", le(weight(), 1 / (1 + sp.exp(2 * (g(rival) - g(offset)))))),
        ),
    )


def _rows(keys: int, target: int, other: int, lead: int) -> tuple[Any, ...]:
    """One plane at a nearly opposite angle per step, queries of size 2 that alternate."""
    return (
        eq(m, 1),
        eq(s, 1),
        eq(n, 2),
        eq(theta(0), 3),
        eq(query_x(0), 2),
        eq(query_y(0), 0),
        eq(key_x(0), 1),
        eq(key_y(0), 0),
        eq(i, keys),
        eq(offset, target),
        eq(rival, other),
        eq(gap, lead),
        eq(row, 0),
        *(eq(sign(place), (-1) ** place) for place in range(4)),
    )


def _rank_not_enough() -> Claim:
    def query(which: Any) -> tuple[Any, Any]:
        return sign(which) * query_x(l), sign(which) * query_y(l)

    def flipped(lag: Any) -> Any:
        return bilinear(*query(row + 1), key_x(l), key_y(l), lag)

    def own(lag: Any) -> Any:
        return bilinear(*query(row), key_x(l), key_y(l), lag)

    squares = over_planes(query_x(l) ** 2 + query_y(l) ** 2)
    along = over_planes(query(j)[0] * query_x(l) + query(j)[1] * query_y(l))
    own_square = over_planes(query(j)[0] ** 2 + query(j)[1] ** 2)
    total = sp.Sum(own_square, (j, 1, n))
    rank_one = eq(sp.Sum(along**2, (j, 1, n)), squares * total)
    flips = eq(flipped(offset) - flipped(rival), -(own(offset) - own(rival)))
    loses = le(weight(flipped), 1 / (1 + sp.exp(gap)))
    goal = Both(rank_one, flips, loses)
    names = (OFFSET.name, "the rival is in the row", "it is not the target")
    return Claim(
        id="slash.rank-not-enough",
        title="Rank one alone makes no slash",
        statement=(
            r"$q_i=(-1)^i\bar q$ has $r_1=1$ (all of the squares lie along $\bar q$) and flips every "
            r"logit's sign row by row: where row $c$ prefers $\Delta$ to a lag $t$ by $\Gamma$, row "
            r"$c+1$ prefers $t$ by $\Gamma$, and $S\le(1+e^\Gamma)^{-1}$ there. The cone ($a_i>0$, "
            r"comparable sizes) is what matters."
        ),
        source=OWN,
        needs=frozenset("PXW"),
        hypotheses=(
            Hypothesis(OFFSET.name, OFFSET.formula, without=_rows(1, 2, 0, -1)),
            Hypothesis(
                "the rival is in the row",
                Both(le(0, rival), le(rival, i - 1)),
                without=_rows(1, 0, 1, 1),
            ),
            Hypothesis(
                "it is not the target",
                ne(rival, offset),
                without=_rows(1, 0, 0, 0),
            ),
            Hypothesis("signs alternate", Every((j,), eq(sign(j + 1), -sign(j)))),
            Hypothesis(
                "the row prefers the target",
                le(own(rival) + gap, own(offset)),
                without=_rows(2, 1, 0, 5),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "sign",
                    eq(sign(row + 1), -sign(row)),
                    instance({j: row}),
                    "The next row's query has the other sign,",
                    ("signs alternate",),
                ),
                Step(
                    "along",
                    eq(along, sign(j) * squares),
                    identity(),
                    "and every query lies along the mean direction,",
                ),
                Step(
                    "length",
                    eq(own_square, sign(j) ** 2 * squares),
                    identity(),
                    "with all its length.",
                ),
                Step(
                    "along square",
                    eq(along**2, squares * own_square),
                    smt(),
                    "So",
                    ("along", "length"),
                ),
                Step(
                    "sums",
                    eq(sp.Sum(along**2, (j, 1, n)), sp.Sum(squares * own_square, (j, 1, n))),
                    termwise(),
                    "all of",
                    ("along square",),
                ),
                Step(
                    "factor",
                    eq(sp.Sum(squares * own_square, (j, 1, n)), squares * total),
                    identity(),
                    "the squares",
                ),
                Step("rank one", rank_one, smt(), "lie along it.", ("sums", "factor")),
                Step(
                    "own logit",
                    eq(own(j), sign(row) * logit(j)),
                    identity(),
                    "A logit is the mean head's times the sign,",
                ),
                Step(
                    "next logit",
                    eq(flipped(j), sign(row + 1) * logit(j)),
                    identity(),
                    "so the next row's",
                ),
                *(
                    Step(
                        f"{label} {where}",
                        eq(side(lag), factor * logit(lag)),
                        instance({j: lag}),
                        f"at the {where}",
                        (f"{label} logit",),
                    )
                    for label, side, factor in (
                        ("own", own, sign(row)),
                        ("next", flipped, sign(row + 1)),
                    )
                    for where, lag in (("target", offset), ("rival", rival))
                ),
                Step(
                    "flips",
                    flips,
                    smt(),
                    "is the negative:",
                    ("own target", "own rival", "next target", "next rival", "sign"),
                ),
                Step(
                    "rival",
                    le(weight(flipped), 1 / (1 + sp.exp(flipped(rival) - flipped(offset)))),
                    by_claim("slash.rival", {g: sp.Lambda(j, flipped(j))}),
                    "the rival takes the weight.",
                    names,
                ),
                Step(
                    "prefers",
                    le(gap, flipped(rival) - flipped(offset)),
                    smt(),
                    "It leads by the gap,",
                    ("flips", "the row prefers the target"),
                ),
                Step(
                    "exponential",
                    le(sp.exp(gap), sp.exp(flipped(rival) - flipped(offset))),
                    by_claim(
                        "exp.monotone",
                        {real("x"): gap, real("y"): flipped(rival) - flipped(offset)},
                    ),
                    "so its odds are exp(Gamma) at least.",
                    ("prefers",),
                ),
                Step("positive", lt(0, sp.exp(gap)), smt(), "These are positive."),
                Step(
                    "loses",
                    loses,
                    smt(),
                    "The target gets the rest.",
                    ("rival", "exponential", "positive"),
                ),
                Step("all", goal, smt(), "All three.", ("rank one", "flips", "loses")),
            )
        ),
        uses=("slash.rival", "exp.monotone"),
        mutants=(
            Mutant(
                "half of the squares",
                eq(2 * sp.Sum(along**2, (j, 1, n)), squares * total),
                at=(eq(n, 1), eq(m, 1), eq(query_x(0), 1), eq(sign(1), 1)),
            ),
            Mutant(
                "the target keeps its lead",
                le(1 / (1 + sp.exp(-gap)), weight(flipped)),
                at=_rows(2, 0, 1, 1),
            ),
        ),
    )


SLASH_RIVAL = _rival()
SLASH_RANK_NOT_ENOUGH = _rank_not_enough()

CLAIMS = (SLASH_RIVAL, SLASH_RANK_NOT_ENOUGH)
