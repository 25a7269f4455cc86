"""Band dominance by few planes: spaced planes of some amplitude, all others of any phase or size."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.corpus import PLACE, length
from ropeproof.theory.topics.slash.headline import band_uniform
from ropeproof.theory.topics.slash.headline.band_uniform import RIVAL, gain
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.learned import band_dominance
from ropeproof.theory.topics.slash.learned.band_dominance import MARKS, slow
from ropeproof.theory.topics.slash.spaced import ladder
from ropeproof.theory.topics.slash.spaced.ladder import (
    CHOSEN,
    FLOOR,
    PLANES,
    RATIOS,
    TREBLE,
    UNIT,
    credit,
)

MEANINGS: Meanings = {
    **band_dominance.MEANINGS,
    **ladder.MEANINGS,
    length: "length of the prompts, or of the window on each side of the target",
    offset: "offset of the slash: the lag that should win",
}

strays = over_planes((1 - slow(l)) * (4 * amplitude(l) * sp.Abs(sp.sin(phase(l) / 2))))
drags = over_planes(slow(l) * (amplitude(l) * sp.Min(2, sp.Abs(theta(l)) * length)))

OUTSIDE = Hypothesis(
    "spaced planes are outside the band",
    every(ladder.k, 0, ladder.chosen - 1, eq(slow(ladder.spaced(ladder.k)), 0)),
)
WINDOW = Hypothesis(
    "the last spaced plane turns by half a turn at most in the window",
    le((length - 1) * theta(ladder.spaced(ladder.chosen - 1)), sp.pi),
)


_SPREAD: Values = {
    **{m: 2, ladder.chosen: 2, ladder.spaced(0): 0, ladder.spaced(1): 1},
    **{ladder.floor: 1, amplitude(0): 3, amplitude(1): 1},
    **{theta(0): 1, theta(1): frac(1, 3), length: 7, offset: 0},
    **{f(plane): 0 for plane in (0, 1) for f in (phase, slow)},
}
"""Frequencies 1 and 1/3: seven lags."""
_ALONE: Values = {
    **{m: 1, ladder.chosen: 1, ladder.spaced(0): 0, ladder.floor: 1, amplitude(0): 3, theta(0): 1},
    **{phase(0): 0, slow(0): 0, length: 3, offset: 0},
}


@theorem(
    "slash.band-spaced",
    hypotheses=(
        PLACE, MARKS, NOT_NEGATIVE, PLANES, CHOSEN, OUTSIDE, FLOOR, TREBLE, UNIT, RATIOS, WINDOW,
    ),
    conclusion=Every((j,), If(RIVAL, le(credit * ladder.floor - strays - drags, gain))),
    attack=Attack(
        {
            "four times": Every(
                (j,), If(RIVAL, le(4 * (1 - sp.cos(1)) * ladder.floor - strays - drags, gain))
            ),
            "phases for nothing": Every((j,), If(RIVAL, le(credit * ladder.floor - drags, gain))),
            "a band for nothing": Every((j,), If(RIVAL, le(credit * ladder.floor - strays, gain))),
        },
        at={
            "four times": _SPREAD,
            "phases for nothing": {**_ALONE, phase(0): -1},
            "a band for nothing": {
                **_ALONE, m: 2, amplitude(1): 1, theta(1): 1, slow(1): 1, phase(1): -1,
            },
        },
        without={
            PLACE: {**_ALONE, offset: -7},
            NOT_NEGATIVE: {**_ALONE, m: 2, amplitude(1): -10, theta(1): 1, phase(1): 0, slow(1): 0},
            PLANES: {**_ALONE, m: 0, ladder.chosen: 0, ladder.spaced(-1): 0},
            CHOSEN: {**_ALONE, m: 0},
            FLOOR: {**_SPREAD, amplitude(1): 0},
            TREBLE: {**_SPREAD, amplitude(0): 1},
            UNIT: {**_ALONE, theta(0): frac(1, 2)},
            RATIOS: {**_SPREAD, theta(1): frac(1, 6)},
            OUTSIDE: {**_ALONE, slow(0): 1},
            WINDOW: {**_ALONE, length: 8},
        },
    ),
)  # fmt: skip
def SLASH_BAND_SPACED(p: Proof) -> None:
    r"""Few spaced planes dominate, whatever the others do

    Let planes $\nu_0,\dots,\nu_{K-1}$ outside a band $L$ (marked by $\chi$) have amplitudes
    $A_{\nu_k}\ge A_-$, $A_{\nu_0}\ge3A_-$, $\theta_{\nu_0}=1$, each $\frac32$ to 3 times as fast as
    the next, $(N-1)\theta_{\nu_{K-1}}\le\pi$; all others any $A_l\ge0$. The margin of
    `slash.band-dominance` is at least $3(1-\cos1)A_--4\sum_{l\notin
    L}A_l|\sin\frac{\delta_l}2|-\sum_{l\in L}A_l\min(2,|\theta_l|N)$ at every other lag.
    """
    lag = p.under(RIVAL)
    plane = p.under(within(l, 0, m - 1))
    fall = 1 - sp.cos(theta(l) * band_uniform.apart)
    won, dropped = (
        (1 - slow(l)) * band_uniform.of_lag(band_dominance.gained),
        slow(l) * band_uniform.of_lag(band_dominance.lost),
    )
    left = (1 - slow(l)) * amplitude(l)

    size = plane.use(NOT_NEGATIVE, why="The amplitude of a plane is not negative.")
    mark = plane.use(MARKS, why="A plane is in the band or not: its mark is 1 or 0.")
    outside = plane.show(
        le(0, left), "So the amplitude that is left outside the band is not negative.", size, mark
    )
    gains = plane.show(
        le(left * fall - strays.function, won),
        "A sine is at most 1 in size, so a phase costs no more than at the target. Multiply "
        "this bound by the amplitude outside the band. So a plane gains at least its fall "
        "minus the cost of its phase.",
        outside,
    ).summed(l, 0, m - 1, "Sum this inequality over the planes.")

    angle = lag.show(
        le(sp.Abs(theta(l) * band_uniform.apart), sp.Abs(theta(l)) * length),
        "No lag of the window is farther than N from the target. So its distance from the "
        "target is at most N in size. The size of a product is the product of the sizes. So "
        "no plane turns by more than it does in N steps.",
        PLACE,
    )
    cap = lag.show(
        le(sp.Min(2, sp.Abs(theta(l) * band_uniform.apart)), sp.Min(2, sp.Abs(theta(l)) * length)),
        "So a plane loses no more than min(2, |theta| N) per unit of amplitude.",
        angle,
    )
    marked = plane.show(
        le(0, slow(l) * amplitude(l)), "The amplitude in the band is not negative.", size, mark
    )
    cost = plane.under(RIVAL).show(
        le(dropped, drags.function),
        "So a plane in the band loses at most its amplitude times that.",
        (cap, marked),
    )
    costs = cost.summed(l, 0, m - 1, "Sum this bound over the planes.")

    number = p.under(within(ladder.k, 0, ladder.chosen - 1))
    free = number.use(OUTSIDE, why="The spaced planes are outside the band.")
    large = number.use(FLOOR, why="Each spaced plane has at least the least amplitude.")
    whole = number.show(
        le(ladder.floor, (1 - slow(ladder.spaced(ladder.k))) * amplitude(ladder.spaced(ladder.k))),
        "So all of its amplitude counts outside the band.",
        (free, large),
    )
    free_0 = p.use(
        OUTSIDE, {ladder.k: 0}, PLANES, why="The first spaced plane is outside the band, too."
    )
    treble = p.show(
        le(3 * ladder.floor, (1 - slow(ladder.spaced(0))) * amplitude(ladder.spaced(0))),
        "So all of its amplitude, three times the least, counts.",
        (free_0, TREBLE),
    )
    falls = over_planes(left * fall)
    sides = []
    for scope, way, why in (
        (
            lag.under(le(1, band_uniform.apart)),
            band_uniform.apart,
            "So the spaced planes hold the margin after the target.",
        ),
        (
            lag.under(le(band_uniform.apart, -1)),
            -band_uniform.apart,
            "So the spaced planes hold the margin before the target.",
        ),
    ):
        near = scope.show(
            within(way, 1, length - 1),
            "The distance of a lag within the window is between 1 and N - 1.",
            PLACE,
        )
        held = scope.apply(
            ladder.SLASH_SPACED.at(t=way),
            (
                outside.for_all(l),
                PLANES,
                CHOSEN,
                whole.for_all(ladder.k),
                treble,
                UNIT,
                RATIOS,
                near,
                WINDOW,
            ),
            why="If the last spaced plane turns forward, it turns at most as in N - 1 steps. If "
            "it turns backward, it turns by no positive angle. So the last spaced plane "
            "turns by at most half a turn. " + why,
            goal=le(credit * ladder.floor, falls),
        )
        sides.append(held)
    all_of_it = lag.show(
        p.goal.args[1].args[1],
        "So on either side the spaced planes fall enough. The gain is the fall minus the "
        "cost of the phases. So the lead at this lag is at least the bound.",
        (sides, gains, costs),
    )
    all_of_it.for_all(j, why="This holds at every other lag.")
