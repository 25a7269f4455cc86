"""Few planes repeat themselves: a ghost of the slash at a lag below Q^K."""

from __future__ import annotations

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    axiom,
    by_claim,
    choose,
    identity,
    instance,
    smt,
    termwise,
    witness,
)
from ropeproof.theory.logic import (
    Both,
    Some,
    eq,
    every,
    integer,
    integer_function,
    le,
    lt,
    real_function,
)
from ropeproof.theory.notation import amplitude, l, m, over_planes, theta
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.slash.ceiling import INSIDE, aligned, energy, total
from ropeproof.theory.slash.row import OWN, offset, x, y

__all__ = ["CLAIMS", "SLASH_ALIAS"]

size, lag, target, t, z = integer("Q tau K t z")
nearest, nu = integer_function("r"), integer_function("nu")
alpha = real_function("alpha")


def _alias() -> Claim:
    angle = 2 * sp.pi / size
    left = theta(l) * lag - 2 * sp.pi * nearest(l)
    close = every(l, 0, m - 1, le(sp.Abs(lag * theta(l) / (2 * sp.pi) - nearest(l)), 1 / size))
    found = (le(1, lag), lt(lag, size**m), close)
    bound = total() * (1 - sp.cos(angle))
    ghost = Both(
        le(1, lag),
        lt(lag, size**m),
        le(energy(lag), bound),
        le(aligned(offset) - aligned(offset + lag), bound),
        le(aligned(offset) - aligned(offset - lag), bound),
    )
    goal = Some((lag,), ghost)
    small = Both(le(-angle, left), le(left, angle))
    return Claim(
        id="slash.alias",
        title="Few planes repeat themselves: a ghost slash",
        statement=(
            r"For $K$ planes with any frequencies, aligned phases and an integer $Q\ge2$ there is a "
            r"lag $1\le t<Q^K$ with $E_t\le A(1-\cos\frac{2\pi}Q)$, so the logits at $\Delta\pm t$ lie "
            r"no more than that below the target's: a ghost of the slash."
        ),
        source=OWN,
        needs=frozenset("PCX"),
        hypotheses=(
            NOT_NEGATIVE,
            Hypothesis("there is a plane", le(1, m), without=(eq(m, 0), eq(size, 2))),
            Hypothesis("Q is at least 2", le(2, size), without=(eq(m, 1), eq(size, 1))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "Dirichlet",
                    Some((lag, nearest(z)), Both(*found)),
                    axiom(
                        "Dirichlet",
                        {
                            alpha: sp.Lambda(l, theta(l) / (2 * sp.pi)),
                            target: m,
                            size: size,
                        },
                    ),
                    "Some lag brings every plane close to a whole number of turns.",
                    ("there is a plane", "Q is at least 2"),
                ),
                Step("found", close, smt(), "At this lag", (), (close,)),
                Step(
                    "turns",
                    le(sp.Abs(lag * theta(l) / (2 * sp.pi) - nearest(l)), 1 / size),
                    instance({l: l}),
                    "a plane is off by at most 1/Q turns,",
                    ("found",),
                    (close, *INSIDE),
                ),
                Step(
                    "turns exactly",
                    eq(left, 2 * sp.pi * (lag * theta(l) / (2 * sp.pi) - nearest(l))),
                    identity(),
                    "that is,",
                ),
                Step(
                    "angle",
                    eq(angle, 2 * sp.pi * (1 / size)),
                    identity(),
                    "by an angle",
                    ("Q is at least 2",),
                ),
                Step(
                    "left over",
                    small,
                    smt(),
                    "of at most 2 pi / Q",
                    ("turns", "turns exactly", "angle"),
                    (close, *INSIDE),
                ),
                Step(
                    "half a turn",
                    Both(le(0, angle), le(angle, sp.pi)),
                    smt(),
                    "(which is at most half a turn)",
                    ("angle", "Q is at least 2"),
                ),
                Step(
                    "right",
                    le(sp.cos(angle), sp.cos(left)),
                    by_claim("trig.cosine-decreasing", {x: left, y: angle}),
                    "in one direction",
                    ("left over", "half a turn"),
                    (close, *INSIDE, le(0, left)),
                ),
                Step(
                    "left",
                    le(sp.cos(angle), sp.cos(-left)),
                    by_claim("trig.cosine-decreasing", {x: -left, y: angle}),
                    "or the other.",
                    ("left over", "half a turn"),
                    (close, *INSIDE, le(left, 0)),
                ),
                Step("even", eq(sp.cos(-left), sp.cos(left)), identity(), "The cosine is even"),
                Step(
                    "periodic",
                    eq(sp.cos(left), sp.cos(theta(l) * lag)),
                    identity(),
                    "and forgets whole turns.",
                ),
                Step(
                    "amplitude",
                    le(0, amplitude(l)),
                    instance({l: l}),
                    "Amplitudes are not negative.",
                    (NOT_NEGATIVE.name,),
                    INSIDE,
                ),
                Step(
                    "plane",
                    le(
                        amplitude(l) * (1 - sp.cos(theta(l) * lag)),
                        amplitude(l) * (1 - sp.cos(angle)),
                    ),
                    smt(),
                    "So the plane has hardly fallen,",
                    ("right", "left", "even", "periodic", "amplitude"),
                    (close, *INSIDE),
                ),
                Step(
                    "planes",
                    le(energy(lag), over_planes(amplitude(l) * (1 - sp.cos(angle)))),
                    termwise(),
                    "nor has any,",
                    ("plane",),
                    (close,),
                ),
                Step(
                    "factor",
                    eq(over_planes(amplitude(l) * (1 - sp.cos(angle))), bound),
                    identity(),
                    "nor all together.",
                ),
                Step(
                    "above",
                    eq(aligned(offset) - aligned(offset + lag), energy(lag)),
                    identity(),
                    "The aligned logit falls by E_t on one side",
                ),
                Step(
                    "below",
                    eq(aligned(offset) - aligned(offset - lag), energy(lag)),
                    identity(),
                    "and on the other:",
                ),
                Step(
                    "ghost",
                    ghost,
                    smt(),
                    "two ghosts.",
                    ("planes", "factor", "above", "below"),
                    found,
                ),
                Step(
                    "there is one", goal, witness({lag: lag}), "This is the lag.", ("ghost",), found
                ),
                Step(
                    "alias",
                    goal,
                    choose(),
                    "It exists by Dirichlet.",
                    ("Dirichlet", "there is one"),
                ),
            )
        ),
        uses=("trig.cosine-decreasing",),
        mutants=(
            Mutant(
                "half the fall",
                Some(
                    (lag,),
                    Both(le(1, lag), lt(lag, size**m), le(energy(lag), bound / 2)),
                ),
                at=(
                    eq(m, 1),
                    eq(size, 3),
                    eq(theta(0), sp.Rational(23, 10)),
                    eq(amplitude(0), 1),
                ),
            ),
            Mutant(
                "below Q",
                Some((lag,), Both(le(1, lag), lt(lag, size), le(energy(lag), bound))),
                at=(
                    eq(m, 2),
                    eq(size, 4),
                    eq(theta(0), sp.Rational(147, 100)),
                    eq(theta(1), sp.Rational(269, 100)),
                    eq(amplitude(0), 1),
                    eq(amplitude(1), 1),
                ),
            ),
        ),
    )


SLASH_ALIAS = _alias()

CLAIMS = (SLASH_ALIAS,)
