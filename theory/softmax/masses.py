"""Two inequalities between masses, on which the bound of the total variation rests."""

from __future__ import annotations

from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.derivation import Derivation, Step, smt
from ropeproof.theory.logic import eq, le, lt, real

__all__ = ["CLAIMS", "SOFTMAX_SHARE_BOUND", "SOFTMAX_TWO_MASSES"]

OWN = Source("ropeproof", "", "own")


def _two_masses() -> Claim:
    X, Y, A, U = real("X Y A U")
    goal = le(X * (U + 1), (X + Y) * (A * (U + 1) + U - 1))
    return Claim(
        id="softmax.two-masses",
        title="The worst share of mass to tilt",
        statement=(
            r"If $0\le X\le UA$, $UY\ge1-A$, $0\le A\le1\le U$ then "
            r"$X(U+1)\le(X+Y)(A(U+1)+U-1)$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("X is not negative", le(0, X)),
            Hypothesis("X at most UA", le(X, U * A)),
            Hypothesis("UY at least 1 - A", le(1 - A, U * Y)),
            Hypothesis("A is not negative", le(0, A), idle="follows from 0 <= X <= UA and U >= 1"),
            Hypothesis("A at most 1", le(A, 1)),
            Hypothesis("U at least 1", le(1, U)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("square", le(0, (1 - A * (U + 1)) ** 2), smt(), "A square."),
                Step(
                    "worst",
                    le(A * U**2 * (2 - A * (U + 1)), (1 - A) * (A * (U + 1) + U - 1)),
                    smt(),
                    "The difference of the sides is (U - 1)(1 - A(U+1))^2.",
                    ("square", "U at least 1"),
                ),
                Step(
                    "right",
                    le((1 - A) * (A * (U + 1) + U - 1), U * Y * (A * (U + 1) + U - 1)),
                    smt(),
                    "Replace 1 - A by UY on the right",
                    ("UY at least 1 - A", "A is not negative", "U at least 1"),
                ),
                Step(
                    "left",
                    le(X * U * (2 - A * (U + 1)), A * U**2 * (2 - A * (U + 1))),
                    smt(),
                    "and UA by X on the left, if the factor is positive.",
                    ("X at most UA", "U at least 1"),
                    (le(0, 2 - A * (U + 1)),),
                ),
                Step(
                    "positive factor",
                    goal,
                    smt(),
                    "That is the claim.",
                    ("left", "right", "worst", "U at least 1"),
                    (le(0, 2 - A * (U + 1)),),
                ),
                Step(
                    "Y",
                    le(0, Y),
                    smt(),
                    "Y is not negative.",
                    ("UY at least 1 - A", "A at most 1", "U at least 1"),
                ),
                Step(
                    "negative factor",
                    goal,
                    smt(),
                    "If the factor is negative the left side is below the right.",
                    ("Y", "X is not negative", "A is not negative", "U at least 1"),
                    (lt(2 - A * (U + 1), 0),),
                ),
                Step("either", goal, smt(), "Either way.", ("positive factor", "negative factor")),
            )
        ),
        mutants=(
            Mutant("U instead of U + 1", le(X * (U + 1), (X + Y) * (A * U + U - 1))),
            Mutant("U - 2", le(X * (U + 1), (X + Y) * (A * (U + 1) + U - 2))),
        ),
    )


def _share_bound() -> Claim:
    X, Z, A, U, G = real("X Z A U G")
    goal = le(G, (U - 1) / (U + 1))
    return Claim(
        id="softmax.share-bound",
        title="Divide the worst share by the normaliser",
        statement=r"If $G=X/Z-A$, $Z>0$ and $X(U+1)\le Z(A(U+1)+U-1)$ then $G\le\frac{U-1}{U+1}$.",
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("G is the gain", eq(G, X / Z - A)),
            Hypothesis("Z is positive", lt(0, Z)),
            Hypothesis("U at least 1", le(1, U)),
            Hypothesis("worst share", le(X * (U + 1), Z * (A * (U + 1) + U - 1))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "quotient",
                    le(X / Z * (U + 1), A * (U + 1) + U - 1),
                    smt(),
                    "Divide by Z.",
                    ("worst share", "Z is positive"),
                ),
                Step(
                    "gain",
                    le(G * (U + 1), U - 1),
                    smt(),
                    "Subtract A(U+1).",
                    ("quotient", "G is the gain"),
                ),
                Step("divide", goal, smt(), "Divide by U + 1.", ("gain", "U at least 1")),
            )
        ),
        mutants=(
            Mutant("strict", lt(G, (U - 1) / (U + 1))),
            Mutant("U over U + 1 reversed", le(G, (1 - U) / (U + 1))),
        ),
    )


SOFTMAX_TWO_MASSES = _two_masses()
SOFTMAX_SHARE_BOUND = _share_bound()

CLAIMS = (SOFTMAX_TWO_MASSES, SOFTMAX_SHARE_BOUND)
