"""Low frequencies alone cannot make a sharp two-sided slash."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.language import *
from ropeproof.theory.notation import amplitude, cosine_logit, i, j, l, m, over_planes, phase, theta
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.slash.ceiling import INSIDE, energy, omega, reach, total
from ropeproof.theory.slash.row import offset, side, weight, x


def _low_only() -> Claim:
    square = amplitude(l) * (omega * j) ** 2 / 2
    goal = le(weight(cosine_logit), 1 / (1 + 2 * sp.exp(-sp.Rational(1, 2)) * reach))
    half = sp.exp(-sp.Rational(1, 2))
    around = sp.Sum(sp.exp(-energy(j)), (j, 1, reach))
    inside = (le(1, j), le(j, reach))
    where = ("no lag is further than the window", "T is not negative")
    return Claim(
        id="slash.low-only",
        title="Low frequencies alone cannot make a sharp two-sided slash",
        statement=(
            r"If $0\le\theta_l\le\omega$ for every plane with amplitude, then "
            r"$S_{i,i-\Delta}\le(1+2e^{-1/2}T)^{-1}$ for every integer $T\ge0$ with "
            r"$T\le\Delta$, $T\le i-1-\Delta$ and $T\omega\sqrt A\le1$; the largest such $T$ is "
            r"$\min\{\Delta,i-1-\Delta,\lfloor1/(\omega\sqrt A)\rfloor\}$."
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis("T is not negative", le(0, reach), without=(eq(reach, -1),)),
            Hypothesis(
                "no lag is further than the window",
                Both(le(reach, offset), le(reach, i - 1 - offset)),
                without=(eq(m, 0), eq(i, 1), eq(offset, 0), eq(reach, 3)),
            ),
            NOT_NEGATIVE,
            Hypothesis(
                "frequencies are low",
                every(l, 0, m - 1, Both(le(0, theta(l)), le(theta(l), omega))),
                without=(
                    eq(m, 1),
                    eq(omega, sp.Rational(1, 10)),
                    eq(reach, 2),
                    eq(offset, 2),
                    eq(i, 5),
                    every(l, 0, 0, eq(theta(l), sp.Rational(3, 2))),
                    every(l, 0, 0, eq(phase(l), -3)),
                    every(l, 0, 0, eq(amplitude(l), 20)),
                ),
            ),
            Hypothesis(
                "T omega sqrt(A) is at most 1",
                le((reach * omega) ** 2 * total(), 1),
                without=(
                    eq(m, 1),
                    eq(omega, 1),
                    eq(reach, 2),
                    eq(offset, 2),
                    eq(i, 5),
                    every(l, 0, 0, eq(theta(l), 1)),
                    every(l, 0, 0, eq(phase(l), -2)),
                    every(l, 0, 0, eq(amplitude(l), 20)),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "amplitude",
                    le(0, amplitude(l)),
                    instance({l: l}),
                    "Amplitudes are not negative.",
                    (NOT_NEGATIVE.name,),
                    INSIDE,
                ),
                Step(
                    "frequency",
                    Both(le(0, theta(l)), le(theta(l), omega)),
                    instance({l: l}),
                    "Frequencies are at most omega.",
                    ("frequencies are low",),
                    INSIDE,
                ),
                Step(
                    "parabola",
                    le(1 - sp.cos(theta(l) * j), (theta(l) * j) ** 2 / 2),
                    by_claim("trig.cosine-above-parabola", {x: theta(l) * j}),
                    "A cosine lies above its parabola,",
                ),
                Step(
                    "angle",
                    le((theta(l) * j) ** 2, (omega * j) ** 2),
                    smt(),
                    "and no plane turns faster than omega,",
                    ("frequency",),
                    INSIDE,
                ),
                Step(
                    "plane",
                    le(amplitude(l) * (1 - sp.cos(theta(l) * j)), square),
                    smt(),
                    "so a plane falls by at most A_l (omega t)^2 / 2.",
                    ("parabola", "angle", "amplitude"),
                    INSIDE,
                ),
                Step("planes", le(energy(j), over_planes(square)), termwise(), "Sum:", ("plane",)),
                Step(
                    "factor",
                    eq(over_planes(square), total() * (omega * j) ** 2 / 2),
                    identity(),
                    "E_t is at most A (omega t)^2 / 2,",
                ),
                Step("total", le(0, total()), termwise(), "A being not negative,", ("amplitude",)),
                Step(
                    "distance",
                    le(j**2, reach**2),
                    smt(),
                    "which grows with the distance",
                    (),
                    inside,
                ),
                Step(
                    "scaled",
                    le(total() * omega**2 * j**2, total() * omega**2 * reach**2),
                    smt(),
                    "up to T,",
                    ("distance", "total"),
                    inside,
                ),
                Step(
                    "half",
                    le(energy(j), sp.Rational(1, 2)),
                    smt(),
                    "where it is at most 1/2.",
                    ("planes", "factor", "scaled", "T omega sqrt(A) is at most 1"),
                    inside,
                ),
                Step(
                    "exponential",
                    le(half, sp.exp(-energy(j))),
                    monotone(-sp.Rational(1, 2), -energy(j)),
                    "So every competitor within T keeps exp(-1/2) of the target.",
                    ("half",),
                    inside,
                ),
                Step(
                    "sum",
                    le(sp.Sum(half, (j, 1, reach)), around),
                    termwise(),
                    "Sum over them.",
                    ("exponential",),
                ),
                Step(
                    "count",
                    eq(sp.Sum(half, (j, 1, reach)), half * reach),
                    identity(),
                    "There are T on each side.",
                    ("T is not negative",),
                ),
                Step(
                    "ceiling",
                    le(weight(cosine_logit), 1 / (1 + 2 * around)),
                    by_claim("slash.ceiling", {side: reach}),
                    "The ceiling",
                    (*where, NOT_NEGATIVE.name),
                ),
                Step("positive", lt(0, half), smt(), "is the smaller"),
                Step(
                    "bound",
                    goal,
                    smt(),
                    "the more there are.",
                    ("ceiling", "sum", "count", "positive", "T is not negative"),
                ),
            )
        ),
        uses=("slash.ceiling", "trig.cosine-above-parabola", "exp.monotone"),
        mutants=(
            Mutant("nothing lost", le(weight(cosine_logit), 1 / (1 + 2 * reach))),
            Mutant(
                "a window wider by half",
                le(weight(cosine_logit), 1 / (1 + 3 * half * reach)),
                at=(
                    eq(m, 1),
                    eq(omega, 1),
                    eq(reach, 1),
                    eq(offset, 1),
                    eq(i, 3),
                    every(l, 0, 0, eq(theta(l), 1)),
                    every(l, 0, 0, eq(phase(l), -1)),
                    every(l, 0, 0, eq(amplitude(l), 1)),
                ),
            ),
        ),
    )


SLASH_LOW_ONLY = _low_only()

CLAIMS = (SLASH_LOW_ONLY,)
