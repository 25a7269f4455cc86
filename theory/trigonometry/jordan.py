"""Jordan's inequality: the sine lies above its chord, the cosine below a parabola."""

from __future__ import annotations

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
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
from ropeproof.theory.logic import eq, le, lt, real
from ropeproof.theory.trigonometry.basic import TEXTBOOK

__all__ = ["CLAIMS", "TRIG_COSINE_BELOW_PARABOLA", "TRIG_JORDAN"]

x, y = real("x y")


def _jordan() -> Claim:
    ratio = sp.sin(y) / y
    inside = (lt(0, y), le(y, sp.pi / 2))
    beyond = (le(0, y), le(y, sp.pi))
    goal = le(2 * x, sp.pi * sp.sin(x))
    names = ("x is not negative", "x is at most a right angle")
    return Claim(
        id="trig.jordan",
        title="Jordan's inequality",
        statement=r"$\sin x\ge\frac2\pi x$ for $0\le x\le\frac\pi2$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(names[0], le(0, x), without=(eq(x, -1),)),
            Hypothesis(names[1], le(x, sp.pi / 2), without=(eq(x, 3),)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("at 0", le(0, 0), smt(), "Both sides are 0 at 0."),
                Step(
                    "inner sine",
                    le(0, sp.sin(y)),
                    by_claim("trig.sine-positive", {x: y}),
                    "The sine is positive",
                    (),
                    (lt(0, y), lt(y, sp.pi)),
                ),
                Step(
                    "inner slope",
                    le(0, y * sp.sin(y)),
                    smt(),
                    "between 0 and pi, and so is y sin y:",
                    ("inner sine",),
                    (lt(0, y), lt(y, sp.pi)),
                ),
                Step(
                    "numerator",
                    le(y * sp.cos(y), sp.sin(y)),
                    mean_value(y, 0),
                    "it is the derivative of sin y - y cos y, which is 0 at 0.",
                    ("at 0", "inner slope"),
                    beyond,
                ),
                Step(
                    "slope",
                    le(sp.cos(y) / y - sp.sin(y) / y**2, 0),
                    smt(),
                    "So sin y / y does not rise;",
                    ("numerator",),
                    inside,
                ),
                Step("sine at the end", eq(sp.sin(sp.pi / 2, evaluate=False), 1), identity(), "at"),
                Step(
                    "at the end",
                    le(0, sp.sin(sp.pi / 2, evaluate=False) / (sp.pi / 2) - 2 / sp.pi),
                    smt(),
                    "a right angle it is 2/pi,",
                    ("sine at the end",),
                ),
                Step(
                    "ratio",
                    le(2 / sp.pi, ratio),
                    mean_value(y, sp.pi / 2),
                    "so before it it is at least that.",
                    ("at the end", "slope"),
                    inside,
                ),
                Step(
                    "product",
                    le(2 * y, sp.pi * sp.sin(y)),
                    smt(),
                    "Multiply.",
                    ("ratio",),
                    inside,
                ),
                Step(
                    "positive",
                    goal,
                    instance({y: x}),
                    "That is the inequality for x > 0;",
                    ("product", names[1]),
                    (lt(0, x),),
                ),
                Step("zero", eq(x, 0), smt(), "at 0", (), (eq(x, 0),)),
                Step(
                    "sine there",
                    eq(sp.sin(x), sp.sin(0, evaluate=False)),
                    rewrite(),
                    "both sides",
                    ("zero",),
                    (eq(x, 0),),
                ),
                Step("sine of 0", eq(sp.sin(0, evaluate=False), 0), identity(), "are 0."),
                Step(
                    "everywhere",
                    goal,
                    smt(),
                    "So it holds up to a right angle.",
                    ("positive", "sine there", "sine of 0", names[0]),
                ),
            )
        ),
        uses=("trig.sine-positive",),
        mutants=(
            Mutant("3/pi", le(3 * x, sp.pi * sp.sin(x))),
            Mutant("reversed", le(sp.pi * sp.sin(x), 2 * x)),
        ),
    )


def _parabola() -> Claim:
    half = x / 2
    goal = le(2 * x**2, sp.pi**2 * (1 - sp.cos(x)))
    names = ("x is at least -pi", "x is at most pi")
    first, second = (le(0, x),), (lt(x, 0),)
    return Claim(
        id="trig.cosine-below-parabola",
        title="The cosine lies below a parabola within half a turn",
        statement=r"$1-\cos x\ge\frac2{\pi^2}x^2$ for $|x|\le\pi$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(names[0], le(-sp.pi, x), without=(eq(x, -6),)),
            Hypothesis(names[1], le(x, sp.pi), without=(eq(x, 6),)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "half angle",
                    eq(1 - sp.cos(x), 2 * sp.sin(half) ** 2),
                    identity(),
                    "Write 1 - cos with the half angle.",
                ),
                Step(
                    "right",
                    le(2 * half, sp.pi * sp.sin(half)),
                    by_claim("trig.jordan", {x: half}),
                    "Jordan's inequality for x/2",
                    (names[1],),
                    first,
                ),
                Step(
                    "left",
                    le(2 * (-half), sp.pi * sp.sin(-half, evaluate=False)),
                    by_claim("trig.jordan", {x: -half}),
                    "or for -x/2,",
                    (names[0],),
                    second,
                ),
                Step(
                    "odd",
                    eq(sp.sin(-half, evaluate=False), -sp.sin(half)),
                    identity(),
                    "the sine being odd,",
                ),
                Step(
                    "square right",
                    le(x**2, (sp.pi * sp.sin(half)) ** 2),
                    smt(),
                    "squared",
                    ("right",),
                    first,
                ),
                Step(
                    "square left",
                    le(x**2, (sp.pi * sp.sin(half)) ** 2),
                    smt(),
                    "either way,",
                    ("left", "odd"),
                    second,
                ),
                Step(
                    "bound",
                    goal,
                    smt(),
                    "is the bound.",
                    ("half angle", "square right", "square left"),
                ),
            )
        ),
        uses=("trig.jordan",),
        mutants=(
            Mutant("three times", le(3 * x**2, sp.pi**2 * (1 - sp.cos(x)))),
            Mutant("reversed", le(sp.pi**2 * (1 - sp.cos(x)), 2 * x**2)),
        ),
    )


TRIG_JORDAN = _jordan()
TRIG_COSINE_BELOW_PARABOLA = _parabola()

CLAIMS = (TRIG_JORDAN, TRIG_COSINE_BELOW_PARABOLA)
