"""The rate cannot be better than 1/tau."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, induction, instance, smt
from ropeproof.theory.language import *
from ropeproof.theory.notation import n
from ropeproof.theory.slash.descent.floor.common import L0, K, X, Y
from ropeproof.theory.slash.descent.model import BETA, FEATURES, PLACE, loss
from ropeproof.theory.slash.descent.shared import (
    ALGORITHM,
    GRADIENTS,
    RATE,
    TRAINING,
    key_at,
    later,
    start,
    tau,
    trained,
)
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length


def _rate_floor() -> Claim:
    first, last = loss(key_at(start)), loss(key_at(start + n))
    now, after = loss(key_at(start + later)), loss(key_at(start + later + 1))
    times = "times are not negative"
    small = "at tau_0 the loss is at most 1/8"
    positive = "no loss is 0"

    def until(value: Any, time: Any) -> Any:
        return Both(
            le(first, value * (1 + 8 * time * first)), lt(0, value), le(value, sp.Rational(1, 8))
        )

    from_start = (le(0, later),)
    used = (PLACE.name, BETA.name, FEATURES.name, ALGORITHM.name, GRADIENTS.name)
    names = tuple(h.name for h in TRAINING)
    progress = Both(
        le(after, now),
        le(0, after),
        If(le((length - offset) * now, 1), le(after, now - RATE * now**2)),
    )
    goal = le(first, last * (1 + 8 * n * first))
    return Claim(
        id="slash.gd.rate-floor",
        title="The rate cannot be better than 1/tau",
        statement=(
            r"From the time $\tau_0$ on at which $0<\mathcal L(\tau_0)\le\frac18$: "
            r"$\mathcal L(\tau_0+n)\ge\frac{\mathcal L(\tau_0)}{1+8n\mathcal L(\tau_0)}$. With "
            r"`slash.gd.rate-sharp` the loss is of the order $1/n$ exactly, between $\frac1{8n}$ (for "
            r"$n\mathcal L(\tau_0)\gg1$) and $\frac{5.01\beta}{\gamma^2n}$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                times,
                Both(le(0, start), le(0, n)),
                unshown="the algorithm says nothing about negative times",
            ),
            *TRAINING,
            Hypothesis(
                positive,
                Every((tau,), If(le(0, tau), lt(0, loss(key_at(tau))))),
                idle="a softmax weight with a competitor is below 1; without one all losses are 0",
            ),
            Hypothesis(
                small, le(first, sp.Rational(1, 8)), unshown="a large loss may fall at once"
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("time", le(0, start + later), smt(), "From tau_0 on", (times,), from_start),
                Step(
                    "slow",
                    le(now - 4 * now**2, after),
                    by_claim("slash.gd.slow-step", {tau: start + later}),
                    "no step gains more than 4 L^2,",
                    ("time", *used),
                    from_start,
                ),
                Step(
                    "progress",
                    progress,
                    by_claim("slash.gd.progress", {tau: start + later}),
                    "and the loss",
                    ("time", *names),
                    from_start,
                ),
                Step("falls", le(after, now), smt(), "does not rise,", ("progress",), from_start),
                Step(
                    "first positive",
                    lt(0, first),
                    instance({tau: start}),
                    "nor is it ever 0,",
                    (positive, times),
                ),
                Step(
                    "next positive",
                    lt(0, after),
                    instance({tau: start + later + 1}),
                    "at any step.",
                    (positive, times),
                    from_start,
                ),
                Step(
                    "start",
                    until(first, sp.Integer(0)),
                    smt(),
                    "At tau_0 it holds.",
                    ("first positive", small),
                ),
                Step(
                    "factor",
                    le(1, 1 + 8 * later * first),
                    smt(),
                    "With a factor of at least 1",
                    ("first positive",),
                    from_start,
                ),
                Step("so far", until(now, later), smt(), "it", (), (until(now, later),)),
                Step(
                    "so far product",
                    le(first, now * (1 + 8 * later * first)),
                    smt(),
                    "goes",
                    ("so far",),
                    (until(now, later),),
                ),
                Step("so far positive", lt(0, now), smt(), "on", ("so far",), (until(now, later),)),
                Step(
                    "so far small",
                    le(now, sp.Rational(1, 8)),
                    smt(),
                    "to",
                    ("so far",),
                    (until(now, later),),
                ),
                Step("first sign", le(0, first), smt(), "hold:", ("first positive",)),
                Step(
                    "grown",
                    le(first, after * (1 + 8 * later * first + 8 * first)),
                    by_claim(
                        "slash.gd.floor-step",
                        {X: now, Y: after, L0: first, K: 1 + 8 * later * first},
                    ),
                    "the factor grows by 8 L.",
                    (
                        "slow",
                        "so far product",
                        "so far positive",
                        "so far small",
                        "first sign",
                        "factor",
                    ),
                    (until(now, later), le(0, later)),
                ),
                Step(
                    "next",
                    until(after, later + 1),
                    smt(),
                    "So it holds after the next step,",
                    ("grown", "next positive", "falls", "so far small"),
                    (until(now, later), le(0, later)),
                ),
                Step(
                    "all",
                    until(now, later),
                    induction(later, 0),
                    "and after all.",
                    ("start", "next"),
                    from_start,
                ),
                Step("end", until(last, n), instance({later: n}), "After n steps.", ("all", times)),
                Step("floor", goal, smt(), "That is the floor.", ("end",)),
            )
        ),
        uses=("slash.gd.slow-step", "slash.gd.progress", "slash.gd.floor-step"),
        mutants=(Mutant("it stays", le(first, last), at=(*trained(0, 3), eq(start, 0), eq(n, 1))),),
    )


SLASH_GD_RATE_FLOOR = _rate_floor()

CLAIMS = (SLASH_GD_RATE_FLOOR,)
