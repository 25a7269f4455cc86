"""A vector near an axis has a small angle to it."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, identity, smt
from ropeproof.theory.language import *
from ropeproof.theory.slash.cone.common import eps, t_, x_, y_


def _quadratic() -> Claim:
    V, P, Z = real("V P Z")
    goal = le((1 - eps**2) * V * (V + 2 * P + Z), (V + P) ** 2)
    return Claim(
        id="slash.cone-angle",
        title="A vector near an axis has a small angle to it",
        statement=(
            r"For $V=\|v\|^2$, $P=\langle v,z\rangle$, $Z=\|z\|^2\le\varepsilon^2V$ with "
            r"$0\le\varepsilon\le1$: $\langle v,v+z\rangle^2\ge(1-\varepsilon^2)\|v\|^2\|v+z\|^2$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("V is not negative", le(0, V)),
            Hypothesis("z is small", le(Z, eps**2 * V)),
            Hypothesis("epsilon is at most 1", le(eps**2, 1)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("square", le(0, (P + eps**2 * V) ** 2), smt(), "A square."),
                Step(
                    "worst",
                    le((1 - eps**2) * V * Z, (1 - eps**2) * V * (eps**2 * V)),
                    smt(),
                    "The largest z is the worst;",
                    ("V is not negative", "z is small", "epsilon is at most 1"),
                ),
                Step(
                    "expand",
                    eq(
                        (V + P) ** 2
                        - (1 - eps**2) * V * (V + 2 * P)
                        - (1 - eps**2) * V * (eps**2 * V),
                        (P + eps**2 * V) ** 2,
                    ),
                    identity(),
                    "with it the difference is that square.",
                ),
                Step(
                    "parts",
                    eq(
                        (1 - eps**2) * V * (V + 2 * P + Z),
                        (1 - eps**2) * V * (V + 2 * P) + (1 - eps**2) * V * Z,
                    ),
                    identity(),
                    "So",
                ),
                Step("bound", goal, smt(), "it holds.", ("square", "worst", "expand", "parts")),
            )
        ),
        mutants=(
            Mutant("twice as close", le((1 - eps**2 / 2) * V * (V + 2 * P + Z), (V + P) ** 2)),
            Mutant("reversed", le((V + P) ** 2, (1 - eps**2) * V * (V + 2 * P + Z))),
        ),
    )


def _cancel() -> Claim:
    goal = le(x_, y_)
    return Claim(
        id="slash.cancel",
        title="Cancel a positive factor",
        statement=r"$xt\le yt$ and $t>0$ give $x\le y$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the products compare", le(x_ * t_, y_ * t_)),
            Hypothesis("the factor is positive", lt(0, t_)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "cancel",
                    goal,
                    smt(),
                    "Otherwise the products compare the other way.",
                    ("the products compare", "the factor is positive"),
                ),
            )
        ),
        mutants=(Mutant("strict", lt(x_, y_)), Mutant("reversed", le(y_, x_))),
    )


def _relative() -> Claim:
    goal = Both(le(x_ - y_, t_ * y_), le(-t_ * y_, x_ - y_), le(0, t_))
    return Claim(
        id="slash.relative",
        title="A relative difference",
        statement=r"$|x/y-1|\le t$ and $y>0$ give $|x-y|\le ty$ and $t\ge0$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("the reference is positive", lt(0, y_)),
            Hypothesis("the relative difference", le(sp.Abs(x_ / y_ - 1), t_)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "cleared",
                    eq((x_ / y_ - 1) * y_, x_ - y_),
                    identity(),
                    "Multiply by y,",
                    ("the reference is positive",),
                ),
                Step(
                    "bounds",
                    Both(le(x_ / y_ - 1, t_), le(-t_, x_ / y_ - 1), le(0, t_)),
                    smt(),
                    "either way.",
                    ("the relative difference",),
                ),
                Step(
                    "differences",
                    Both(le((x_ / y_ - 1) * y_, t_ * y_), le(-t_ * y_, (x_ / y_ - 1) * y_)),
                    smt(),
                    "y is positive.",
                    ("bounds", "the reference is positive"),
                ),
                Step("all", goal, smt(), "All three.", ("differences", "cleared", "bounds")),
            )
        ),
        mutants=(Mutant("half", le(2 * (x_ - y_), t_ * y_)), Mutant("below", lt(x_, y_))),
    )


def _product_of_two() -> Claim:
    goal = le(x_ * y_, t_ * sp.Abs(y_))
    return Claim(
        id="slash.product-of-two",
        title="A product is at most a bound times a size",
        statement=r"$xy\le t|y|$ for $|x|\le t$.",
        needs=frozenset("PX"),
        hypotheses=(Hypothesis("the bound", Both(le(x_, t_), le(-x_, t_))),),
        conclusion=goal,
        derivation=Derivation(
            (Step("signs", goal, smt(), "Whatever the sign of y.", ("the bound",)),)
        ),
        mutants=(
            Mutant("strict", lt(x_ * y_, t_ * sp.Abs(y_))),
            Mutant("half", le(2 * x_ * y_, t_ * sp.Abs(y_))),
        ),
    )


def _product_size() -> Claim:
    goal = le(x_ * y_ * t_, sp.Abs(x_) * sp.Abs(y_) * sp.Abs(t_))
    return Claim(
        id="slash.product-size",
        title="A product is at most the product of the sizes",
        statement=r"$xyt\le|x||y||t|$.",
        needs=frozenset("PX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "two",
                    Both(
                        le(x_ * y_, sp.Abs(x_) * sp.Abs(y_)),
                        le(-(x_ * y_), sp.Abs(x_) * sp.Abs(y_)),
                    ),
                    smt(),
                    "For two factors,",
                ),
                Step(
                    "three",
                    goal,
                    by_claim(
                        "slash.product-of-two", {x_: x_ * y_, t_: sp.Abs(x_) * sp.Abs(y_), y_: t_}
                    ),
                    "hence for three.",
                    ("two",),
                ),
            )
        ),
        uses=("slash.product-of-two",),
        mutants=(
            Mutant("reversed", lt(sp.Abs(x_) * sp.Abs(y_) * sp.Abs(t_), x_ * y_ * t_)),
            Mutant("equality", eq(x_ * y_ * t_, sp.Abs(x_) * sp.Abs(y_) * sp.Abs(t_))),
        ),
    )


SLASH_CONE_ANGLE = _quadratic()
SLASH_CANCEL = _cancel()
SLASH_RELATIVE = _relative()
SLASH_PRODUCT_OF_TWO = _product_of_two()
SLASH_PRODUCT_SIZE = _product_size()

CLAIMS = (SLASH_CONE_ANGLE, SLASH_CANCEL, SLASH_RELATIVE, SLASH_PRODUCT_OF_TWO, SLASH_PRODUCT_SIZE)
