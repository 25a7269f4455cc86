"""The slash game: the best margin per unit amplitude, and which planes earn it."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    axiom,
    by_claim,
    identity,
    instance,
    smt,
    swap,
    termwise,
)
from ropeproof.theory.logic import Both, Some, eq, every, integer, le, lt, real, real_function
from ropeproof.theory.notation import amplitude, cosine_logit, j, l, m, over_planes, phase, theta
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.slash.ceiling import INSIDE, aligned, energy, lag, total
from ropeproof.theory.slash.row import OWN, offset

__all__ = ["CLAIMS", "SLASH_GAME", "SLASH_GAME_UPPER", "gain", "margin", "reach", "upper", "y"]

reach = integer("N")
margin, upper, v = real("Gamma U v")
y, share, dual = real_function("y"), real_function("a"), real_function("z")
h = integer("h")
INSIDE_LAGS = (le(1, j), le(j, reach))

A_LAG = Hypothesis("there is a lag", le(1, reach))
PROBABILITIES = (
    Hypothesis(
        "weights are not negative",
        every(j, 1, reach, le(0, y(j))),
        without=(eq(m, 1), eq(reach, 2), eq(theta(0), 1), eq(y(1), 4), eq(y(2), -3)),
    ),
    Hypothesis(
        "weights add up to 1",
        eq(sp.Sum(y(j), (j, 1, reach)), 1),
        without=(eq(m, 1), eq(reach, 1), eq(y(1), 0)),
    ),
)


def gain(dual_weights: Any) -> Any:
    """What one unit of amplitude in plane l gains under weights on the lags."""
    return sp.Sum(dual_weights(j) * (1 - sp.cos(theta(l) * j)), (j, 1, reach))


def _weak() -> Claim:
    bounded = every(l, 0, m - 1, le(gain(y), upper))
    pairs = Both(
        le(margin, cosine_logit(offset) - cosine_logit(offset + j)),
        le(margin, cosine_logit(offset) - cosine_logit(offset - j)),
    )
    weighted = sp.Sum(y(j) * energy(j), (j, 1, reach))
    nested = sp.Sum(over_planes(y(j) * amplitude(l) * (1 - sp.cos(theta(l) * j))), (j, 1, reach))
    swapped = over_planes(sp.Sum(y(j) * amplitude(l) * (1 - sp.cos(theta(l) * j)), (j, 1, reach)))
    by_plane = over_planes(amplitude(l) * gain(y))
    goal = le(margin, upper * total())
    return Claim(
        id="slash.game-upper",
        title="Weights on the lags bound every head's margin",
        statement=(
            r"If a head of amplitude $A$, with any phases, keeps the margin $\Gamma$ over $\Delta\pm t$ "
            r"for $1\le t\le N$, then $\Gamma\le A\max_l\sum_ty_t(1-\cos\theta_lt)$ for any "
            r"probabilities $y_1,\dots,y_N$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            NOT_NEGATIVE,
            *PROBABILITIES,
            Hypothesis("every plane gains at most U", bounded),
            Hypothesis("the margin", every(j, 1, reach, pairs)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "margins",
                    pairs,
                    instance({j: j}),
                    "At every distance",
                    ("the margin",),
                    INSIDE_LAGS,
                ),
                Step(
                    "pair",
                    le(
                        2 * cosine_logit(offset),
                        cosine_logit(offset + j) + cosine_logit(offset - j) + 2 * energy(j),
                    ),
                    by_claim("slash.pair", {lag: j}),
                    "the pair lies at most E_t below on average,",
                    (NOT_NEGATIVE.name,),
                ),
                Step(
                    "weight",
                    le(0, y(j)),
                    instance({j: j}),
                    "and weights are not negative:",
                    ("weights are not negative",),
                    INSIDE_LAGS,
                ),
                Step(
                    "lag",
                    le(y(j) * margin, y(j) * energy(j)),
                    smt(),
                    "the margin is at most E_t.",
                    ("margins", "pair", "weight"),
                    INSIDE_LAGS,
                ),
                Step(
                    "lags",
                    le(sp.Sum(y(j) * margin, (j, 1, reach)), weighted),
                    termwise(),
                    "Average over the lags.",
                    ("lag",),
                ),
                Step(
                    "left",
                    eq(sp.Sum(y(j) * margin, (j, 1, reach)), margin * sp.Sum(y(j), (j, 1, reach))),
                    identity(),
                    "The left side is the margin,",
                ),
                Step("nested", eq(weighted, nested), identity(), "the right side a double sum;"),
                Step("swap", eq(nested, swapped), swap(), "exchange it."),
                Step("planes", eq(swapped, by_plane), identity(), "Each plane then"),
                Step(
                    "amplitude",
                    le(0, amplitude(l)),
                    instance({l: l}),
                    "(with an amplitude that is not negative)",
                    (NOT_NEGATIVE.name,),
                    INSIDE,
                ),
                Step(
                    "plane gain",
                    le(gain(y), upper),
                    instance({l: l}),
                    "gains at most U",
                    ("every plane gains at most U",),
                    INSIDE,
                ),
                Step(
                    "plane",
                    le(amplitude(l) * gain(y), amplitude(l) * upper),
                    smt(),
                    "per unit of amplitude,",
                    ("plane gain", "amplitude"),
                    INSIDE,
                ),
                Step(
                    "all planes",
                    le(by_plane, over_planes(amplitude(l) * upper)),
                    termwise(),
                    "so all together",
                    ("plane",),
                ),
                Step(
                    "factor",
                    eq(over_planes(amplitude(l) * upper), upper * total()),
                    identity(),
                    "at most U A.",
                ),
                Step(
                    "bound",
                    goal,
                    smt(),
                    "Together.",
                    (
                        "lags",
                        "left",
                        "weights add up to 1",
                        "nested",
                        "swap",
                        "planes",
                        "all planes",
                        "factor",
                    ),
                ),
            )
        ),
        uses=("slash.pair",),
        mutants=(
            Mutant(
                "0.9 of it",
                le(margin, sp.Rational(9, 10) * upper * total()),
                at=(
                    eq(m, 1),
                    eq(reach, 1),
                    eq(y(1), 1),
                    eq(offset, 1),
                    eq(theta(0), 1),
                    eq(phase(0), -1),
                    eq(amplitude(0), 1),
                    eq(upper, sp.Rational(46, 100)),
                    eq(margin, sp.Rational(45, 100)),
                ),
            ),
            Mutant("strict", lt(margin, upper * total())),
        ),
    )


def _game() -> Claim:
    exact = Both(
        eq(aligned(offset) - aligned(offset + j), energy(j)),
        eq(aligned(offset) - aligned(offset - j), energy(j)),
    )
    payoff = 1 - sp.cos(theta(l) * j)
    optimum = (
        every(l, 0, m - 1, le(0, share(l))),
        every(j, 1, reach, le(0, dual(j))),
        eq(over_planes(share(l)), 1),
        eq(sp.Sum(dual(j), (j, 1, reach)), 1),
        every(j, 1, reach, le(v, over_planes(share(l) * payoff))),
        every(l, 0, m - 1, le(gain(dual), v)),
    )
    rows, columns = integer("R C")
    payoff_axiom = real_function("P")
    existence = Some((v, share(h), dual(h)), Both(*optimum))
    goal = Both(exact, existence)
    return Claim(
        id="slash.game",
        title="The best margin per unit amplitude is the value of a linear programme",
        statement=(
            r"An aligned head's logit falls by exactly $E_t$ at $\Delta\pm t$, so shares "
            r"$a_l\ge0$, $\sum a_l=1$ of the amplitude $A$ keep the margin "
            r"$A\min_{1\le t\le N}\sum_la_l(1-\cos\theta_lt)$; and there are shares $a$ and "
            r"probabilities $y$ on the lags with $\sum_la_l(1-\cos\theta_lt)\ge v$ for every "
            r"$t\le N$ and $\sum_ty_t(1-\cos\theta_lt)\le v$ for every $l$. With `slash.game-upper` "
            r"$v=\mu^*(N)=\max_a\min_t\sum_la_l(1-\cos\theta_lt)$ is the best margin per unit "
            r"amplitude of any head with any phases; any $a$ certifies a lower bound, any $y$ an "
            r"upper one."
        ),
        source=OWN,
        needs=frozenset("PCTW"),
        hypotheses=(
            Hypothesis(
                "there is a plane",
                le(1, m),
                unshown="no shares of no planes add up to 1; drawing refutes no existence of functions",
            ),
            Hypothesis(
                "there is a lag",
                le(1, reach),
                unshown="no weights on no lags add up to 1; drawing refutes no existence of functions",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "above",
                    eq(aligned(offset) - aligned(offset + j), energy(j)),
                    identity(),
                    "The aligned logit falls by E_t on one side",
                ),
                Step(
                    "below",
                    eq(aligned(offset) - aligned(offset - j), energy(j)),
                    identity(),
                    "and on the other.",
                ),
                Step(
                    "duality",
                    existence,
                    axiom(
                        "strong duality",
                        {
                            payoff_axiom: sp.Lambda((l, j), payoff),
                            rows: m,
                            columns: reach,
                        },
                    ),
                    "The matrix game with payoff 1 - cos(theta_l t) has a value.",
                    ("there is a plane", "there is a lag"),
                ),
                Step("both", goal, smt(), "Both.", ("above", "below", "duality")),
            )
        ),
        uses=("slash.game-upper",),
        mutants=(
            Mutant("the fall is half", eq(aligned(offset) - aligned(offset + j), energy(j) / 2)),
            Mutant("one side rises", eq(aligned(offset - j) - aligned(offset), energy(j))),
        ),
    )


SLASH_GAME_UPPER = _weak()
SLASH_GAME = _game()

CLAIMS = (SLASH_GAME_UPPER, SLASH_GAME)
