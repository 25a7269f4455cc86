"""One row of causal attention, written by lags, and the bound of a window around the target.

Row `i` has the `i` lags `0..i-1`; the head's logit at lag `j` is `g(j)`, the target's lag is
the offset `Delta`, and the target's weight is the row's slash weight `S_{i,i-Delta}`.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    instance,
    reindex,
    smt,
    split,
    termwise,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.logic import Both, eq, every, integer, le, lt, real, real_function
from ropeproof.theory.notation import i, j, n
from ropeproof.theory.softmax.margin import a, w

__all__ = [
    "CLAIMS",
    "OFFSET",
    "OWN",
    "SIDE",
    "SLASH_WINDOW",
    "WINDOW",
    "after",
    "before",
    "fall",
    "g",
    "normaliser",
    "offset",
    "row_partition",
    "side",
    "weight",
]

OWN = Source("ropeproof", "", "own")
offset = integer("Delta")
side = integer("M")
g, fall = real_function("g"), real_function("E")
x, y = real("x y")

OFFSET = Hypothesis(
    "the target is in the row",
    Both(le(0, offset), le(offset, i - 1)),
    without=(eq(i, 2), eq(offset, 5)),
)
SIDE = Hypothesis("the side is not negative", le(0, side), without=(eq(side, -3),))
WINDOW = Hypothesis(
    "the window lies in the row",
    Both(le(side, offset), le(side, i - 1 - offset)),
    without=(eq(i, 1), eq(offset, 0), eq(side, 3)),
)


def normaliser(logits: Any = g) -> Any:
    """The sum of exp(g(j)) over the row's lags."""
    return sp.Sum(sp.exp(logits(j)), (j, 0, i - 1))


def weight(logits: Any = g) -> Any:
    """The attention weight of the target, S_{i,i-Delta}."""
    return sp.exp(logits(offset)) / normaliser(logits)


def before(logits: Any = g) -> Any:
    """The part of the normaliser from lags below the offset."""
    return sp.Sum(sp.exp(logits(j)), (j, 0, offset - 1))


def after(logits: Any = g) -> Any:
    """The part of the normaliser from lags above the offset."""
    return sp.Sum(sp.exp(logits(j)), (j, offset + 1, i - 1))


def row_partition(label: str, logits: Any, *premises: str) -> Step:
    """The step that splits a row's normaliser at the target."""
    formula = Both(
        eq(normaliser(logits), before(logits) + sp.exp(logits(offset)) + after(logits)),
        le(0, before(logits)),
        le(0, after(logits)),
        lt(0, normaliser(logits)),
    )
    return Step(
        label,
        formula,
        by_claim("softmax.partition", {w: sp.Lambda(j, logits(j)), n: i, a: offset}),
        "Split the row's normaliser at the target.",
        premises,
    )


def _window() -> Claim:
    curve = le(2 * g(offset), g(offset + j) + g(offset - j) + 2 * fall(j))
    around = sp.Sum(sp.exp(-fall(j)), (j, 1, side))
    goal = le(weight(), 1 / (1 + 2 * around))
    inside = (le(1, j), le(j, side))
    where = ("the side is not negative", "the window lies in the row")
    low = sp.Sum(sp.exp(g(j)), (j, 0, offset - side - 1))
    high = sp.Sum(sp.exp(g(j)), (j, offset + side + 1, i - 1))
    near_low = sp.Sum(sp.exp(g(j)), (j, offset - side, offset - 1))
    near_high = sp.Sum(sp.exp(g(j)), (j, offset + 1, offset + side))
    mirrored = sp.Sum(sp.exp(g(offset - j)), (j, 1, side))
    shifted = sp.Sum(sp.exp(g(j + offset - side - 1)), (j, 1, side))
    pair = sp.exp(g(offset + j)) + sp.exp(g(offset - j))
    middle = (g(offset + j) + g(offset - j)) / 2
    floor = 2 * sp.exp(g(offset)) * sp.exp(-fall(j))
    return Claim(
        id="slash.window",
        title="Competitors in pairs around the target bound its weight",
        statement=(
            r"If $2g(\Delta)\le g(\Delta+t)+g(\Delta-t)+2E_t$ for $1\le t\le M$, and the window "
            r"$\Delta\pm M$ lies in row $i$, then "
            r"$S_{i,i-\Delta}\le\big[1+2\sum_{t=1}^Me^{-E_t}\big]^{-1}$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            SIDE,
            Hypothesis(WINDOW.name, WINDOW.formula, without=WINDOW.without),
            Hypothesis("the pairs stay close to the target", every(j, 1, side, curve)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("in the row", OFFSET.formula, smt(), "The target is one of the lags.", where),
                row_partition("parts", g, "in the row"),
                Step(
                    "cut below",
                    eq(before(), low + near_low),
                    split(offset - side - 1),
                    "Cut off the lags below the window",
                    where,
                ),
                Step(
                    "cut above",
                    eq(after(), near_high + high),
                    split(offset + side),
                    "and above it.",
                    where,
                ),
                Step("positive", le(0, sp.exp(g(j))), smt(), "Exponentials are positive,"),
                Step("low rest", le(0, low), termwise(), "so what lies below", ("positive",)),
                Step("high rest", le(0, high), termwise(), "or above is too.", ("positive",)),
                Step("shift", eq(near_low, shifted), identity(), "Count from the target,"),
                Step("turn", eq(shifted, mirrored), reindex(), "downwards."),
                Step(
                    "pairs",
                    eq(mirrored + near_high, sp.Sum(pair, (j, 1, side))),
                    identity(),
                    "The window is a sum over pairs at equal distance.",
                ),
                Step(
                    "curve",
                    le(g(offset) - fall(j), middle),
                    instance({j: j}),
                    "The mean logit of a pair is at most E below the target's,",
                    ("the pairs stay close to the target",),
                    inside,
                ),
                Step(
                    "mean",
                    le(2 * sp.exp(middle), pair),
                    by_claim("exp.midpoint", {x: g(offset + j), y: g(offset - j)}),
                    "and the pair's exponentials exceed twice that of the mean.",
                ),
                Step(
                    "order",
                    le(sp.exp(g(offset) - fall(j)), sp.exp(middle)),
                    monotone(g(offset) - fall(j), middle),
                    "So a pair weighs",
                    ("curve",),
                    inside,
                ),
                Step(
                    "pair", le(floor, pair), smt(), "2 exp(-E) or more.", ("mean", "order"), inside
                ),
                Step(
                    "sum",
                    le(sp.Sum(floor, (j, 1, side)), sp.Sum(pair, (j, 1, side))),
                    termwise(),
                    "Sum over the window.",
                    ("pair",),
                ),
                Step(
                    "factor",
                    eq(sp.Sum(floor, (j, 1, side)), 2 * sp.exp(g(offset)) * around),
                    identity(),
                    "Take out the target.",
                ),
                Step(
                    "normaliser",
                    le(sp.exp(g(offset)) * (1 + 2 * around), normaliser()),
                    smt(),
                    "The normaliser is at least the target times 1 + 2 sum exp(-E).",
                    (
                        "parts",
                        "cut below",
                        "cut above",
                        "low rest",
                        "high rest",
                        "shift",
                        "turn",
                        "pairs",
                        "sum",
                        "factor",
                    ),
                ),
                Step("around term", le(0, sp.exp(-fall(j))), smt(), "That sum"),
                Step("around", le(0, around), termwise(), "is not negative.", ("around term",)),
                Step("divide", goal, smt(), "Divide.", ("normaliser", "around", "parts")),
            )
        ),
        uses=("softmax.partition", "exp.midpoint", "exp.monotone"),
        mutants=(
            Mutant("three for two", le(weight(), 1 / (1 + 3 * around))),
            Mutant(
                "one lag more",
                le(weight(), 1 / (1 + 2 * sp.Sum(sp.exp(-fall(j)), (j, 0, side)))),
            ),
            Mutant(
                "half the fall",
                le(weight(), 1 / (1 + 2 * sp.Sum(sp.exp(-fall(j) / 2), (j, 1, side)))),
            ),
        ),
    )


SLASH_WINDOW = _window()

CLAIMS = (SLASH_WINDOW,)
