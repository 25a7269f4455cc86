"""Angles that stay away from a whole turn have a cosine that stays away from 1."""

from __future__ import annotations

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import Derivation, Step, by_claim, identity, smt
from ropeproof.theory.logic import Both, eq, integer, le, lt, real
from ropeproof.theory.trigonometry.basic import TEXTBOOK

__all__ = ["CLAIMS", "TRIG_COSINE_BAND", "TRIG_COSINE_STRICTLY_DECREASING", "TRIG_ROOTS"]

a, x, y = real("a x y")
r, size = integer("r Q")


def _strictly_decreasing() -> Claim:
    total, gap = (x + y) / 2, (y - x) / 2
    goal = lt(sp.cos(y), sp.cos(x))
    names = ("x is not negative", "x comes before y", "together less than a turn")
    return Claim(
        id="trig.cosine-strictly-decreasing",
        title="The cosine falls between 0 and pi",
        statement=r"$\cos y<\cos x$ for $0\le x<y<2\pi-x$; in particular for $0\le x<y\le\pi$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(names[0], le(0, x), without=(eq(x, -3), eq(y, 0))),
            Hypothesis(names[1], lt(x, y)),
            Hypothesis(
                names[2],
                lt(x + y, 2 * sp.pi),
                without=(eq(x, 3), eq(y, 6)),
            ),
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
                    "half sum",
                    Both(lt(0, total), lt(total, sp.pi)),
                    smt(),
                    "Half the sum",
                    (names[0], names[1], names[2]),
                ),
                Step(
                    "half difference",
                    Both(lt(0, gap), lt(gap, sp.pi)),
                    smt(),
                    "and half the difference lie between 0 and pi:",
                    (names[0], names[1], names[2]),
                ),
                Step(
                    "first sine",
                    lt(0, sp.sin(total)),
                    by_claim("trig.sine-positive", {x: total}),
                    "the sine of the one",
                    ("half sum",),
                ),
                Step(
                    "second sine",
                    lt(0, sp.sin(gap)),
                    by_claim("trig.sine-positive", {x: gap}),
                    "and of the other are positive.",
                    ("half difference",),
                ),
                Step(
                    "falls",
                    goal,
                    smt(),
                    "So is their product.",
                    ("product", "first sine", "second sine"),
                ),
            )
        ),
        uses=("trig.sine-positive",),
        mutants=(
            Mutant("reversed", lt(sp.cos(x), sp.cos(y))),
            Mutant("by 1/100", lt(sp.cos(y) + sp.Rational(1, 100), sp.cos(x))),
        ),
    )


def _band() -> Claim:
    goal = le(sp.cos(x), sp.cos(a))
    names = ("a is at least 0", "x is at least a", "x is at most a turn less a")
    return Claim(
        id="trig.cosine-band",
        title="At distance a from every whole turn the cosine is at most cos a",
        statement=r"$\cos x\le\cos a$ for $a\ge0$ and $a\le x\le2\pi-a$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(names[0], le(0, a), without=(eq(a, -3), eq(x, 0))),
            Hypothesis(names[1], le(a, x), without=(eq(a, 1), eq(x, 0))),
            Hypothesis(names[2], le(x, 2 * sp.pi - a), without=(eq(a, 1), eq(x, 6))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "first half",
                    goal,
                    by_claim("trig.cosine-decreasing", {x: a, y: x}),
                    "Up to half a turn the cosine falls.",
                    (names[0], names[1]),
                    (le(x, sp.pi),),
                ),
                Step(
                    "where",
                    Both(le(a, 2 * sp.pi - x), le(2 * sp.pi - x, sp.pi)),
                    smt(),
                    "Beyond it the rest of the turn is at least a,",
                    (names[2],),
                    (lt(sp.pi, x),),
                ),
                Step(
                    "second half",
                    le(sp.cos(2 * sp.pi - x), sp.cos(a)),
                    by_claim("trig.cosine-decreasing", {x: a, y: 2 * sp.pi - x}),
                    "so its cosine is at most that of a,",
                    (names[0], "where"),
                    (lt(sp.pi, x),),
                ),
                Step(
                    "mirror",
                    eq(sp.cos(2 * sp.pi - x, evaluate=False), sp.cos(x)),
                    identity(),
                    "and it is the same cosine.",
                ),
                Step(
                    "either",
                    goal,
                    smt(),
                    "Either way.",
                    ("first half", "second half", "mirror"),
                ),
            )
        ),
        uses=("trig.cosine-decreasing",),
        mutants=(
            Mutant("reversed", le(sp.cos(a), sp.cos(x))),
            Mutant("of twice the distance", le(sp.cos(x), sp.cos(2 * a)), at=(eq(a, 1), eq(x, 1))),
        ),
    )


def _roots() -> Claim:
    angle, first = 2 * sp.pi * r / size, 2 * sp.pi / size
    goal = le(sp.cos(angle), sp.cos(first))
    names = ("r is at least 1", "r is less than Q")
    return Claim(
        id="trig.roots",
        title="Of the Q-th parts of a turn the first is the closest to none",
        statement=r"$\cos\frac{2\pi r}Q\le\cos\frac{2\pi}Q$ for integers $1\le r<Q$.",
        source=TEXTBOOK,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(names[0], le(1, r), without=(eq(r, 0), eq(size, 3))),
            Hypothesis(names[1], le(r, size - 1), without=(eq(r, 3), eq(size, 3))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "part",
                    Both(lt(0, 1 / size), eq(size * (1 / size), 1)),
                    smt(),
                    "Q is positive.",
                    names,
                ),
                Step(
                    "parts",
                    Both(le(1 / size, r * (1 / size)), le(r * (1 / size), 1 - 1 / size)),
                    smt(),
                    "r/Q lies between 1/Q and 1 - 1/Q,",
                    ("part", *names),
                ),
                Step(
                    "angles",
                    Both(
                        eq(angle, 2 * sp.pi * (r * (1 / size))), eq(first, 2 * sp.pi * (1 / size))
                    ),
                    identity(),
                    "so the angle",
                ),
                Step(
                    "band",
                    Both(le(0, first), le(first, angle), le(angle, 2 * sp.pi - first)),
                    smt(),
                    "is at least 2 pi / Q away from a whole turn.",
                    ("part", "parts", "angles"),
                ),
                Step(
                    "cosine",
                    goal,
                    by_claim("trig.cosine-band", {a: first, x: angle}),
                    "Its cosine is at most that of 2 pi / Q.",
                    ("band",),
                ),
            )
        ),
        uses=("trig.cosine-band",),
        mutants=(
            Mutant("the second part", le(sp.cos(angle), sp.cos(2 * first)), at=(eq(size, 5),)),
            Mutant("by 1/100", le(sp.cos(angle) + sp.Rational(1, 100), sp.cos(first))),
        ),
    )


TRIG_COSINE_STRICTLY_DECREASING = _strictly_decreasing()
TRIG_COSINE_BAND = _band()
TRIG_ROOTS = _roots()

CLAIMS = (TRIG_COSINE_STRICTLY_DECREASING, TRIG_COSINE_BAND, TRIG_ROOTS)
