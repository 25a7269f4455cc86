"""Equal amplitudes on standard frequencies reach every lag of a long window."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    choose,
    generalise,
    identity,
    induction,
    instance,
    smt,
    split,
    termwise,
    witness,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.logic import Both, Either, If, Some, eq, every, integer, le, lt, real
from ropeproof.theory.notation import j, l, m, over_planes, theta
from ropeproof.theory.slash.ceiling import INSIDE
from ropeproof.theory.slash.game import reach
from ropeproof.theory.slash.row import OWN, x, y

__all__ = ["CLAIMS", "SLASH_CROSSING", "SLASH_UNIFORM"]

base = real("b")
plane, r, h = integer("p r h")
t = real("t")


def _crossing() -> Claim:
    """Somewhere a slowly falling sequence of angles lies between 1 and pi."""
    found = Some(
        (plane,),
        Both(le(0, plane), le(plane, m - 1), le(1, t * theta(plane)), le(t * theta(plane), sp.pi)),
    )

    def until(last: Any) -> Any:
        return Either(
            Some(
                (plane,),
                Both(
                    le(0, plane),
                    le(plane, last),
                    le(1, t * theta(plane)),
                    le(t * theta(plane), sp.pi),
                ),
            ),
            lt(sp.pi, t * theta(last)),
        )

    earlier = Some(
        (plane,),
        Both(le(0, plane), le(plane, r), le(1, t * theta(plane)), le(t * theta(plane), sp.pi)),
    )
    later = Some(
        (plane,),
        Both(le(0, plane), le(plane, r + 1), le(1, t * theta(plane)), le(t * theta(plane), sp.pi)),
    )
    body = (le(0, plane), le(plane, r), le(1, t * theta(plane)), le(t * theta(plane), sp.pi))
    in_range = (le(0, r), le(r, m - 2))
    names = (
        "the first angle is at least 1",
        "the last angle is at most pi",
        "no angle falls by more than a factor pi",
        "there is a plane",
    )
    guarded = If(le(r, m - 1), until(r))
    base_case = If(le(0, m - 1), until(sp.Integer(0)))
    return Claim(
        id="slash.crossing",
        title="Slowly falling angles pass between 1 and pi",
        statement=(
            r"If $t\theta_0\ge1$, $t\theta_{m-1}\le\pi$ and $\theta_l\le\pi\theta_{l+1}$, then some "
            r"$t\theta_l$ lies in $[1,\pi]$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(names[3], le(1, m), without=(eq(m, 0),)),
            Hypothesis(
                names[0],
                le(1, t * theta(0)),
                without=(eq(m, 1), eq(t, 1), eq(theta(0), sp.Rational(1, 2))),
            ),
            Hypothesis(
                names[1], le(t * theta(m - 1), sp.pi), without=(eq(m, 1), eq(t, 1), eq(theta(0), 4))
            ),
            Hypothesis(
                names[2],
                every(l, 0, m - 2, le(t * theta(l), sp.pi * (t * theta(l + 1)))),
                without=(eq(m, 2), eq(t, 1), eq(theta(0), 4), eq(theta(1), sp.Rational(1, 2))),
            ),
        ),
        conclusion=found,
        derivation=Derivation(
            (
                Step(
                    "first near",
                    Some(
                        (plane,),
                        Both(
                            le(0, plane),
                            le(plane, 0),
                            le(1, t * theta(plane)),
                            le(t * theta(plane), sp.pi),
                        ),
                    ),
                    witness({plane: sp.Integer(0)}),
                    "If the first angle is at most pi, it is the one.",
                    (names[0],),
                    (le(t * theta(0), sp.pi),),
                ),
                Step(
                    "start",
                    base_case,
                    smt(),
                    "Otherwise it exceeds pi.",
                    ("first near",),
                ),
                Step(
                    "kept",
                    later,
                    witness({plane: plane}),
                    "One that was found stays found.",
                    (),
                    body,
                ),
                Step("found before", earlier, smt(), "If one was found before,", (), (earlier,)),
                Step(
                    "found again",
                    later,
                    choose(),
                    "it is found now.",
                    ("found before", "kept"),
                    (earlier,),
                ),
                Step(
                    "factor",
                    le(t * theta(r), sp.pi * (t * theta(r + 1))),
                    instance({l: r}),
                    "If not, the angle exceeded pi, and the next",
                    (names[2],),
                    in_range,
                ),
                Step(
                    "still above 1",
                    le(1, t * theta(r + 1)),
                    smt(),
                    "exceeds 1.",
                    ("factor",),
                    (*in_range, lt(sp.pi, t * theta(r))),
                ),
                Step(
                    "next near",
                    later,
                    witness({plane: r + 1}),
                    "If it is at most pi, it is the one.",
                    ("still above 1",),
                    (*in_range, lt(sp.pi, t * theta(r)), le(t * theta(r + 1), sp.pi)),
                ),
                Step(
                    "next",
                    If(le(r + 1, m - 1), until(r + 1)),
                    smt(),
                    "Otherwise it exceeds pi in turn.",
                    ("found again", "next near"),
                    (guarded, le(0, r)),
                ),
                Step(
                    "all",
                    guarded,
                    induction(r, 0),
                    "So up to any plane one is found, or the last angle exceeds pi.",
                    ("start", "next"),
                    (le(0, r),),
                ),
                Step(
                    "at the last",
                    until(m - 1),
                    instance({r: m - 1}),
                    "The last angle does not,",
                    ("all", names[3]),
                ),
                Step("one", found, smt(), "so one is found.", ("at the last", names[1])),
            )
        ),
        mutants=(
            Mutant(
                "between 2 and pi",
                Some(
                    (plane,),
                    Both(
                        le(0, plane),
                        le(plane, m - 1),
                        le(2, t * theta(plane)),
                        le(t * theta(plane), sp.pi),
                    ),
                ),
            ),
        ),
    )


def _uniform() -> Claim:
    root = sp.log(base) / m
    frequency = sp.exp(-root * l)
    standard = every(l, 0, m - 1, eq(theta(l), frequency))
    gain = 1 - sp.cos(sp.Integer(1), evaluate=False)
    goal = every(j, 1, reach - 1, le(gain, over_planes(1 - sp.cos(theta(l) * j))))
    inside = (le(1, j), le(j, reach - 1))
    term = 1 - sp.cos(theta(l) * j)
    picked = 1 - sp.cos(theta(plane) * j)
    body = (
        le(0, plane),
        le(plane, m - 1),
        le(1, j * theta(plane)),
        le(j * theta(plane), sp.pi),
    )
    upto = sp.Sum(term, (l, 0, plane))
    before, after = sp.Sum(term, (l, 0, plane - 1)), sp.Sum(term, (l, plane + 1, m - 1))
    return Claim(
        id="slash.uniform",
        title="A uniform head reaches every lag of a long window",
        statement=(
            r"With $\theta_l=b^{-l/m}$, $b\ge1$, $N-1\le b^{1-1/m}$ and $m\ln\pi\ge\ln b$: "
            r"$\sum_l(1-\cos\theta_lt)\ge1-\cos1$ for every $1\le t<N$."
        ),
        source=OWN,
        needs=frozenset("PCTXW"),
        hypotheses=(
            Hypothesis("there is a plane", le(1, m), without=(eq(m, 0), eq(reach, 2))),
            Hypothesis(
                "the base is at least 1",
                le(1, base),
                idle="below 1 the frequencies do not fall and no lag but 1 is left, where theta_0 = 1",
            ),
            Hypothesis("standard frequencies", standard),
            Hypothesis(
                "the window is not too long",
                le(reach - 1, sp.exp(sp.log(base) - root)),
                without=(eq(m, 1), eq(base, 3), eq(reach, 8)),
            ),
            Hypothesis(
                "neighbouring frequencies are at most a factor pi apart",
                le(sp.log(base), m * sp.log(sp.pi)),
                without=(eq(m, 2), eq(base, 10000), eq(reach, 45)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "frequency",
                    eq(theta(l), frequency),
                    instance({l: l}),
                    "Standard frequencies.",
                    ("standard frequencies",),
                    INSIDE,
                ),
                Step(
                    "next frequency",
                    eq(theta(l + 1), sp.exp(-root * (l + 1))),
                    instance({l: l + 1}),
                    "The next one",
                    ("standard frequencies",),
                    (le(0, l), le(l, m - 2)),
                ),
                Step(
                    "ratio",
                    eq(frequency, sp.exp(root) * sp.exp(-root * (l + 1), evaluate=False)),
                    identity(),
                    "is smaller by the factor b^(1/m),",
                    ("there is a plane",),
                ),
                Step(
                    "root",
                    le(root, sp.log(sp.pi)),
                    smt(),
                    "which is",
                    (
                        "neighbouring frequencies are at most a factor pi apart",
                        "there is a plane",
                    ),
                ),
                Step(
                    "factor",
                    le(sp.exp(root), sp.exp(sp.log(sp.pi), evaluate=False)),
                    monotone(root, sp.log(sp.pi)),
                    "at most",
                    ("root",),
                ),
                Step(
                    "is pi",
                    eq(sp.exp(sp.log(sp.pi), evaluate=False), sp.pi),
                    identity(),
                    "pi.",
                ),
                Step(
                    "positive",
                    lt(0, sp.exp(-root * (l + 1))),
                    smt(),
                    "Frequencies are positive,",
                ),
                Step(
                    "falls",
                    le(j * theta(l), sp.pi * (j * theta(l + 1))),
                    smt(),
                    "so no angle falls by more than a factor pi.",
                    ("frequency", "next frequency", "ratio", "factor", "is pi", "positive"),
                    (*inside, le(0, l), le(l, m - 2)),
                ),
                Step(
                    "all fall",
                    every(l, 0, m - 2, le(j * theta(l), sp.pi * (j * theta(l + 1)))),
                    generalise(),
                    "From plane to plane.",
                    ("falls",),
                    inside,
                ),
                Step(
                    "first frequency",
                    eq(theta(0), sp.exp(-root * sp.Integer(0), evaluate=False)),
                    instance({l: sp.Integer(0)}),
                    "The first frequency",
                    ("standard frequencies", "there is a plane"),
                ),
                Step(
                    "first",
                    le(1, j * theta(0)),
                    smt(),
                    "is 1, so the first angle is at least 1.",
                    ("first frequency",),
                    inside,
                ),
                Step(
                    "last frequency",
                    eq(theta(m - 1), sp.exp(-root * (m - 1))),
                    instance({l: m - 1}),
                    "The last",
                    ("standard frequencies", "there is a plane"),
                ),
                Step(
                    "inverse",
                    eq(sp.exp(-root * (m - 1)) * sp.exp(sp.log(base) - root), 1),
                    identity(),
                    "is b^(-(m-1)/m), the inverse of b^(1-1/m),",
                    ("there is a plane", "the base is at least 1"),
                ),
                Step(
                    "last positive",
                    lt(0, sp.exp(-root * (m - 1))),
                    smt(),
                    "positive,",
                    ("the base is at least 1",),
                ),
                Step(
                    "last",
                    le(j * theta(m - 1), sp.pi),
                    smt(),
                    "so the last angle is at most 1.",
                    (
                        "last frequency",
                        "inverse",
                        "last positive",
                        "the window is not too long",
                    ),
                    inside,
                ),
                Step(
                    "crossing",
                    Some((plane,), Both(*body)),
                    by_claim("slash.crossing", {t: j}),
                    "Some angle lies between 1 and pi.",
                    ("there is a plane", "first", "last", "all fall"),
                    inside,
                ),
                Step(
                    "angle",
                    le(sp.cos(theta(plane) * j), sp.cos(sp.Integer(1), evaluate=False)),
                    by_claim("trig.cosine-decreasing", {x: 1, y: theta(plane) * j}),
                    "Its cosine is at most cos 1.",
                    (),
                    body,
                ),
                Step("term", le(0, term), smt(), "No plane rises,"),
                Step("rest before", le(0, before), termwise(), "neither before", ("term",)),
                Step("rest after", le(0, after), termwise(), "nor after it.", ("term",)),
                Step(
                    "cut after",
                    eq(over_planes(term), upto + after),
                    split(plane),
                    "Split the sum",
                    (),
                    body,
                ),
                Step(
                    "cut before",
                    eq(upto, before + picked),
                    split(plane - 1),
                    "at this plane:",
                    (),
                    body,
                ),
                Step(
                    "enough",
                    le(gain, over_planes(term)),
                    smt(),
                    "it falls enough by itself.",
                    ("angle", "rest before", "rest after", "cut after", "cut before"),
                    body,
                ),
                Step(
                    "some plane",
                    le(gain, over_planes(term)),
                    choose(),
                    "There is one",
                    ("crossing", "enough"),
                    inside,
                ),
                Step("every lag", goal, generalise(), "at every lag.", ("some plane",)),
            )
        ),
        uses=("slash.crossing", "trig.cosine-decreasing", "exp.monotone"),
        mutants=(
            Mutant(
                "twice as much",
                every(j, 1, reach - 1, le(2 * gain, over_planes(1 - sp.cos(theta(l) * j)))),
            ),
            Mutant(
                "also at lag N",
                every(j, 1, reach + 6, le(gain, over_planes(1 - sp.cos(theta(l) * j)))),
            ),
        ),
    )


SLASH_CROSSING = _crossing()
SLASH_UNIFORM = _uniform()

CLAIMS = (SLASH_CROSSING, SLASH_UNIFORM)
