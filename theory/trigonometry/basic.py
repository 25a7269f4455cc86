"""Elementary inequalities of sine and cosine, proved from the derivative."""

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
    mean_value,
    rewrite,
    smt,
)
from ropeproof.theory.logic import Both, eq, le, lt, ne, real

__all__ = [
    "CLAIMS",
    "TEXTBOOK",
    "TRIG_COSINE_ABOVE_PARABOLA",
    "TRIG_COSINE_DECREASING",
    "TRIG_COSINE_INJECTIVE",
    "TRIG_COSINE_LIPSCHITZ",
    "TRIG_PROJECTION",
    "TRIG_SINE_BELOW_IDENTITY",
    "TRIG_SINE_POSITIVE",
]

TEXTBOOK = Source("textbook", "elementary calculus", "own")
x, y = real("x y")


def _sine_below_identity() -> Claim:
    goal = Both(le(sp.sin(x), x), le(-x, sp.sin(x)))
    return Claim(
        id="trig.sine-below-identity",
        title="The sine of a non-negative angle lies between plus and minus the angle",
        statement=r"$|\sin x|\le x$ for $x\ge0$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(Hypothesis("x is not negative", le(0, x)),),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("at 0", le(0, 0 - sp.sin(sp.Integer(0))), smt(), "Both sides vanish at 0."),
                Step("slope", le(0, 1 - sp.cos(x)), smt(), "The cosine is at most 1."),
                Step(
                    "above",
                    le(sp.sin(x), x),
                    mean_value(x, 0),
                    "x - sin x starts at 0 and does not fall.",
                    ("at 0", "slope", "x is not negative"),
                ),
                Step("slope below", le(0, sp.cos(x) + 1), smt(), "The cosine is at least -1."),
                Step(
                    "below",
                    le(-x, sp.sin(x)),
                    mean_value(x, 0),
                    "sin x + x starts at 0 and does not fall.",
                    ("at 0", "slope below", "x is not negative"),
                ),
                Step("both", goal, smt(), "The two bounds together.", ("above", "below")),
            )
        ),
        mutants=(
            Mutant("constant 0.99", le(sp.sin(x), sp.Rational(99, 100) * x)),
            Mutant("sign flipped", le(x, sp.sin(x))),
        ),
    )


def _sine_positive() -> Claim:
    cube = y - y**3 / 6
    half = sp.Rational(8, 5)
    not_negative = (le(0, y),)
    return Claim(
        id="trig.sine-positive",
        title="The sine is positive between 0 and pi",
        statement=r"$\sin x>0$ for $0<x<\pi$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(Hypothesis("x > 0", lt(0, x)), Hypothesis("x < pi", lt(x, sp.pi))),
        conclusion=lt(0, sp.sin(x)),
        derivation=Derivation(
            (
                Step(
                    "below",
                    le(sp.sin(y), y),
                    by_claim("trig.sine-below-identity", {x: y}),
                    "sin y <= y.",
                    (),
                    not_negative,
                ),
                Step("at 0", le(0, 0), smt(), "Both sides are 0 at 0."),
                Step(
                    "slope",
                    le(0, y - sp.sin(y)),
                    smt(),
                    "So y - sin y >= 0:",
                    ("below",),
                    not_negative,
                ),
                Step("cosine at 0", le(0, 1 - 1), smt(), "it is"),
                Step(
                    "cosine",
                    le(1 - y**2 / 2, sp.cos(y)),
                    mean_value(y, 0),
                    "the derivative of cos y - 1 + y^2/2, which therefore is not negative.",
                    ("cosine at 0", "slope"),
                    not_negative,
                ),
                Step(
                    "cosine slope",
                    le(0, sp.cos(y) - 1 + y**2 / 2),
                    smt(),
                    "This is the derivative",
                    ("cosine",),
                    not_negative,
                ),
                Step(
                    "cubic",
                    le(cube, sp.sin(y)),
                    mean_value(y, 0),
                    "of sin y - y + y^3/6, which is 0 at 0.",
                    ("at 0", "cosine slope"),
                    not_negative,
                ),
                Step(
                    "near",
                    lt(0, sp.sin(y)),
                    smt(),
                    "y - y^3/6 > 0 as long as y^2 < 6.",
                    ("cubic",),
                    (lt(0, y), le(y, half)),
                ),
                Step(
                    "reflected",
                    lt(0, sp.sin(sp.pi - x, evaluate=False)),
                    instance({y: sp.pi - x}),
                    "Beyond 8/5 the angle pi - x is small",
                    ("near", "x < pi"),
                    (lt(half, x),),
                ),
                Step(
                    "same sine",
                    eq(sp.sin(sp.pi - x, evaluate=False), sp.sin(x)),
                    identity(),
                    "and has the same sine.",
                ),
                Step(
                    "far",
                    lt(0, sp.sin(x)),
                    smt(),
                    "So the sine is positive there too.",
                    ("reflected", "same sine"),
                    (lt(half, x),),
                ),
                Step(
                    "near x",
                    lt(0, sp.sin(x)),
                    instance({y: x}),
                    "Up to 8/5 the first bound applies.",
                    ("near", "x > 0"),
                    (le(x, half),),
                ),
                Step("everywhere", lt(0, sp.sin(x)), smt(), "Either case.", ("near x", "far")),
            )
        ),
        uses=("trig.sine-below-identity",),
        mutants=(
            Mutant("sign flipped", lt(sp.sin(x), 0)),
            Mutant("at least 1/100", lt(sp.Rational(1, 100), sp.sin(x))),
        ),
    )


def _cosine_injective() -> Claim:
    total, gap = (x + y) / 2, (x - y) / 2
    ranges = ("x > 0", "x < pi", "y > 0", "y < pi")

    def positive(label: str, angle: Any, why: str, *assuming: Any) -> tuple[Step, Step]:
        bounds = Both(lt(0, angle), lt(angle, sp.pi))
        return (
            Step(f"{label} angle", bounds, smt(), why, ranges, assuming),
            Step(
                label,
                lt(0, sp.sin(angle)),
                by_claim("trig.sine-positive", {x: angle}),
                "so its sine is positive.",
                (f"{label} angle",),
                assuming,
            ),
        )

    goal = ne(sp.cos(x), sp.cos(y))
    return Claim(
        id="trig.cosine-injective",
        title="The cosine takes no value twice between 0 and pi",
        statement=r"$\cos x\ne\cos y$ for $x\ne y$ in $(0,\pi)$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("x > 0", lt(0, x), without=(eq(x, -y),)),
            Hypothesis("x < pi", lt(x, sp.pi), without=(eq(x, 2 * sp.pi - y),)),
            Hypothesis("y > 0", lt(0, y), without=(eq(y, -x),)),
            Hypothesis("y < pi", lt(y, sp.pi), without=(eq(y, 2 * sp.pi - x),)),
            Hypothesis("x and y differ", ne(x, y)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "product",
                    eq(sp.cos(x) - sp.cos(y), -2 * sp.sin(total) * sp.sin(gap)),
                    identity(),
                    "A difference of cosines is a product of sines.",
                ),
                *positive("mean", total, "The mean lies in (0, pi),"),
                *positive("right", gap, "If y < x, half the difference lies there,", lt(y, x)),
                *positive("left", -gap, "if x < y, its negative does,", lt(x, y)),
                Step(
                    "odd",
                    eq(sp.sin(-gap), -sp.sin(gap)),
                    identity(),
                    "The sine is odd.",
                ),
                Step(
                    "different",
                    goal,
                    smt(),
                    "So neither factor is 0.",
                    ("product", "mean", "right", "left", "odd", "x and y differ"),
                ),
            )
        ),
        uses=("trig.sine-positive",),
        mutants=(
            Mutant("sign flipped", eq(sp.cos(x), sp.cos(y))),
            Mutant("far apart", lt(sp.Rational(1, 10), sp.Abs(sp.cos(x) - sp.cos(y)))),
        ),
    )


def _cosine_decreasing() -> Claim:
    total, gap = (x + y) / 2, (y - x) / 2
    goal = le(sp.cos(y), sp.cos(x))
    ranges = ("x is not negative", "x comes first", "y at most pi")
    inside = (lt(x, y),)
    return Claim(
        id="trig.cosine-decreasing",
        title="The cosine does not rise between 0 and pi",
        statement=r"$\cos y\le\cos x$ for $0\le x\le y\le\pi$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("x is not negative", le(0, x), without=(eq(x, -3), eq(y, 0))),
            Hypothesis("x comes first", le(x, y)),
            Hypothesis("y at most pi", le(y, sp.pi), without=(eq(x, 3), eq(y, 6))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "product",
                    eq(sp.cos(x) - sp.cos(y), 2 * sp.sin(total) * sp.sin(gap)),
                    identity(),
                    "A difference of cosines is a product of sines.",
                ),
                Step(
                    "mean",
                    Both(lt(0, total), lt(total, sp.pi)),
                    smt(),
                    "If x < y, the mean lies in (0, pi)",
                    ranges,
                    inside,
                ),
                Step(
                    "half",
                    Both(lt(0, gap), lt(gap, sp.pi)),
                    smt(),
                    "and so does half the distance;",
                    ranges,
                    inside,
                ),
                Step(
                    "first sine",
                    lt(0, sp.sin(total)),
                    by_claim("trig.sine-positive", {x: total}),
                    "both sines",
                    ("mean",),
                    inside,
                ),
                Step(
                    "second sine",
                    lt(0, sp.sin(gap)),
                    by_claim("trig.sine-positive", {x: gap}),
                    "are positive.",
                    ("half",),
                    inside,
                ),
                Step(
                    "apart",
                    goal,
                    smt(),
                    "So the cosine has fallen.",
                    ("product", "first sine", "second sine"),
                    inside,
                ),
                Step("equal", eq(y, x), smt(), "If y = x", (), (eq(y, x),)),
                Step(
                    "together",
                    eq(sp.cos(y), sp.cos(x)),
                    rewrite(),
                    "the cosines are equal.",
                    ("equal",),
                    (eq(y, x),),
                ),
                Step("either", goal, smt(), "Either way.", ("apart", "together", "x comes first")),
            )
        ),
        uses=("trig.sine-positive",),
        mutants=(
            Mutant("reversed", le(sp.cos(x), sp.cos(y))),
            Mutant("by 1/100", le(sp.cos(y) + sp.Rational(1, 100), sp.cos(x))),
        ),
    )


def _cosine_parabola() -> Claim:
    goal = le(1 - sp.cos(x), x**2 / 2)
    half = x / 2
    return Claim(
        id="trig.cosine-above-parabola",
        title="The cosine lies above its parabola at 0",
        statement=r"$1-\cos x\le x^2/2$ for every $x$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "half angle",
                    eq(1 - sp.cos(x), 2 * sp.sin(half) ** 2),
                    identity(),
                    "By the half angle.",
                ),
                Step(
                    "right",
                    Both(le(sp.sin(half), half), le(-half, sp.sin(half))),
                    by_claim("trig.sine-below-identity", {x: half}),
                    "The sine is at most its angle in size,",
                    (),
                    (le(0, x),),
                ),
                Step(
                    "left",
                    Both(le(sp.sin(-half), -half), le(half, sp.sin(-half))),
                    by_claim("trig.sine-below-identity", {x: -half}),
                    "also to the left of 0.",
                    (),
                    (le(x, 0),),
                ),
                Step("odd", eq(sp.sin(-half), -sp.sin(half)), identity(), "The sine is odd."),
                Step("square", goal, smt(), "Square.", ("half angle", "right", "left", "odd")),
            )
        ),
        uses=("trig.sine-below-identity",),
        mutants=(
            Mutant("a third", le(1 - sp.cos(x), x**2 / 3)),
            Mutant("linear", le(1 - sp.cos(x), x / 2)),
        ),
    )


def _cosine_lipschitz() -> Claim:
    total, gap = (x + y) / 2, (x - y) / 2
    goal = le(sp.cos(x) - sp.cos(y), sp.Abs(x - y))
    return Claim(
        id="trig.cosine-lipschitz",
        title="A cosine changes by no more than its angle",
        statement=r"$\cos x-\cos y\le|x-y|$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "product",
                    eq(sp.cos(x) - sp.cos(y), -2 * sp.sin(total) * sp.sin(gap)),
                    identity(),
                    "A difference of cosines is a product of sines.",
                ),
                Step(
                    "right",
                    Both(le(sp.sin(gap), gap), le(-gap, sp.sin(gap))),
                    by_claim("trig.sine-below-identity", {x: gap}),
                    "The sine of half the distance is at most half the distance in size,",
                    (),
                    (le(0, gap),),
                ),
                Step(
                    "left",
                    Both(le(sp.sin(-gap), -gap), le(gap, sp.sin(-gap))),
                    by_claim("trig.sine-below-identity", {x: -gap}),
                    "whatever its sign.",
                    (),
                    (le(gap, 0),),
                ),
                Step("odd", eq(sp.sin(-gap), -sp.sin(gap)), identity(), "The sine is odd."),
                Step(
                    "size",
                    le(sp.Abs(sp.sin(gap)), sp.Abs(gap)),
                    smt(),
                    "So |sin| <= |angle|,",
                    ("right", "left", "odd"),
                ),
                Step(
                    "factor",
                    le(-sp.sin(total) * sp.sin(gap), sp.Abs(sp.sin(gap))),
                    smt(),
                    "and the other sine is at most 1.",
                ),
                Step("bound", goal, smt(), "Together.", ("product", "size", "factor")),
            )
        ),
        uses=("trig.sine-below-identity",),
        mutants=(
            Mutant("0.9", le(sp.cos(x) - sp.cos(y), sp.Rational(9, 10) * sp.Abs(x - y))),
            Mutant("no absolute value", le(sp.cos(x) - sp.cos(y), x - y)),
        ),
    )


def _projection() -> Claim:
    first, second, angle = real("p_x p_y psi_0")
    meets = sp.cos(angle) * first + sp.sin(angle) * second
    across = sp.cos(angle) * second - sp.sin(angle) * first
    goal = le(meets**2, first**2 + second**2)
    return Claim(
        id="trig.projection",
        title="A projection is no longer than the vector",
        statement=r"$(x\cos\psi+y\sin\psi)^2\le x^2+y^2$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "Pythagoras",
                    eq(first**2 + second**2, meets**2 + across**2),
                    identity(),
                    "The vector's square is that of its projections along and across.",
                ),
                Step("square", le(0, across**2), smt(), "The latter is not negative."),
                Step("bound", goal, smt(), "Drop it.", ("Pythagoras", "square")),
            )
        ),
        mutants=(
            Mutant("half", le(meets**2, (first**2 + second**2) / 2)),
            Mutant("equality", eq(meets**2, first**2 + second**2)),
        ),
    )


TRIG_SINE_BELOW_IDENTITY = _sine_below_identity()
TRIG_SINE_POSITIVE = _sine_positive()
TRIG_COSINE_INJECTIVE = _cosine_injective()
TRIG_COSINE_DECREASING = _cosine_decreasing()
TRIG_COSINE_ABOVE_PARABOLA = _cosine_parabola()
TRIG_COSINE_LIPSCHITZ = _cosine_lipschitz()
TRIG_PROJECTION = _projection()

CLAIMS = (
    TRIG_SINE_BELOW_IDENTITY,
    TRIG_SINE_POSITIVE,
    TRIG_COSINE_INJECTIVE,
    TRIG_COSINE_DECREASING,
    TRIG_COSINE_ABOVE_PARABOLA,
    TRIG_COSINE_LIPSCHITZ,
    TRIG_PROJECTION,
)
