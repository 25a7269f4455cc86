"""Standard frequencies: every r-th plane is spaced, and few of them reach a long window."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.library.order import ORDER_TIMES
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.spaced import ladder, uniform
from ropeproof.theory.topics.slash.spaced.ladder import (
    PLANES,
    SLASH_SPACED,
    chosen,
    credit,
    floor,
    half_more,
    k,
    thrice,
)
from ropeproof.theory.topics.slash.spaced.uniform import base

stride, reach = integer("r N")
MEANINGS: Meanings = {
    **uniform.MEANINGS,
    **ladder.MEANINGS,
    stride: "the stride: every r-th plane is spaced",
}
root = sp.log(base) / m
turns = sp.log(base) / m * stride

A_STRIDE = Hypothesis("the stride is at least 1", le(1, stride))
FITS = Hypothesis("the spaced planes are planes", le(stride * (chosen - 1), m - 1))
EVENLY = Hypothesis(
    "each of them has some amplitude", every(k, 0, chosen - 1, le(floor, amplitude(stride * k)))
)
FIRST = Hypothesis("plane 0 has three times as much", le(3 * floor, amplitude(0)))
STANDARD = Hypothesis("standard frequencies", every(l, 0, m - 1, eq(theta(l), sp.exp(-root * l))))
STEP = Hypothesis("a stride is a factor 3/2 to 3", within(turns, sp.log(half_more), sp.log(thrice)))
WINDOW = Hypothesis(
    "the window is not too long", le(reach - 1, sp.pi * sp.exp(turns * (chosen - 1)))
)
fall_at = 1 - sp.cos(theta(l) * j)
kept_at_lags = over_planes(amplitude(l) * fall_at)


# Base 4 and two planes: frequencies 1 and 1/2, a stride is a factor 2.
_BASE_4 = {
    **{m: 2, base: 4, stride: 1, chosen: 2, floor: 1, amplitude(0): 3, amplitude(1): 1},
    reach: 7,
}
_BASE_1 = {m: 1, base: 2, stride: 1, chosen: 1, floor: 1, amplitude(0): 3, reach: 4}


@theorem(
    "slash.spaced-standard",
    needs="PCTXW",
    hypotheses=(
        NOT_NEGATIVE, PLANES, A_STRIDE, FITS, EVENLY, FIRST, STANDARD, STEP, WINDOW,
    ),
    conclusion=every(j, 1, reach - 1, le(credit * floor, kept_at_lags)),
    attack=Attack(
        {
            "four times": every(j, 1, reach - 1, le(4 * (1 - sp.cos(1)) * floor, kept_at_lags)),
            "ten lags more": every(j, 1, reach + 9, le(credit * floor, kept_at_lags)),
        },
        at={"four times": {**_BASE_1, reach: 2}, "ten lags more": _BASE_4},
        without={
            NOT_NEGATIVE: {**_BASE_4, chosen: 1, amplitude(1): -10, reach: 4},
            PLANES: {**_BASE_1, m: -1, base: frac(2, 3), stride: 2, chosen: 0, reach: 2},
            A_STRIDE: {
                **_BASE_1,
                base: frac(1, 2),
                stride: -1,
                chosen: 2,
                amplitude(-1): 1,
                reach: 7,
            },
            FITS: {**_BASE_1, chosen: 2, amplitude(1): 1, reach: 7},
            STANDARD: {**_BASE_1, theta(0): frac(1, 2), reach: 2},
            EVENLY: {**_BASE_4, amplitude(1): 0},
            FIRST: {**_BASE_1, amplitude(0): 1, reach: 2},
            STEP: {**_BASE_4, base: 36, reach: 7},
            WINDOW: {**_BASE_1, reach: 8},
        },
    ),
)  # fmt: skip
def SLASH_SPACED_STANDARD(p: Proof) -> None:
    r"""Every r-th plane of standard frequencies is enough

    $\theta_l=b^{-l/m}$, a stride $r$ with $\frac32\le b^{r/m}\le3$, and $N-1\le\pi b^{r(K-1)/m}$.
    If the planes $0,r,\dots,(K-1)r$ have amplitudes at least $A_-$, plane 0 at least $3A_-$, and
    all others any $A_l\ge0$, then $\sum_lA_l(1-\cos\theta_lj)\ge3(1-\cos1)A_-$ at every lag $1\le
    j<N$.
    """
    number = p.under(within(k, 0, chosen - 1))
    place = number.show(
        within(stride * k, 0, m - 1),
        "No spaced plane lies after the last one. So every spaced plane is one of the m planes.",
        (A_STRIDE, FITS),
    )
    at_0 = p.under(le(1, m)).use(STANDARD, {l: 0}, why="The frequency of plane 0 is standard.")
    some = p.use(place.for_all(k), {k: 0}, PLANES, why="Plane 0 is one of the spaced planes.")
    unit = p.show(
        eq(theta(0), 1),
        "So there is at least one plane. So the frequency of plane 0 is 1.",
        (at_0, some),
    )
    own = number.use(
        STANDARD, place, why="The frequencies of the spaced planes are powers of one number."
    )
    pair = p.under(within(k, 0, chosen - 2))
    following = pair.use(
        own.for_all(k),
        {k: k + 1},
        why="The frequency of the next spaced plane is such a power, too.",
    )
    least = exponentials(
        p, sp.log(half_more), turns, "So the factor b^(r/m) is at least 3/2.", STEP
    )
    most = exponentials(p, turns, sp.log(thrice), "The factor b^(r/m) is at most 3.", STEP)
    ratios = pair.show(
        within(
            theta(stride * k), half_more * theta(stride * (k + 1)), thrice * theta(stride * (k + 1))
        ),
        "The exponential of a sum is the product of the exponentials. The exponential of the "
        "next exponent is positive. So each spaced plane is 3/2 to 3 times as fast as the "
        "next.",
        (own, following, least, most),
    )
    last = p.use(
        own.for_all(k),
        {k: chosen - 1},
        PLANES,
        why="The frequency of the last spaced plane is the inverse of b^(r(K-1)/m).",
    )
    far_power, near_power = sp.exp(turns * (chosen - 1)), sp.exp(-turns * (chosen - 1))
    ends = p.show(
        eq(kept(sp.Mul, far_power, near_power), 1),
        "The product of this power and its inverse is 1.",
    )
    lag = p.under(within(j, 1, reach - 1))
    scaled = lag.apply(
        ORDER_TIMES,
        WINDOW,
        why="The inverse is not negative. A lag of the window is at most pi b^(r(K-1)/m). "
        "Multiply this bound by the inverse.",
        goal=le(j * near_power, kept(sp.Mul, sp.pi * far_power, near_power)),
    )
    turned = lag.show(
        le(j * near_power, sp.pi), "So the lag times the inverse is at most pi.", scaled, ends
    )
    slowest = lag.show(
        le(j * theta(stride * (chosen - 1)), sp.pi),
        "So the last spaced plane turns by at most pi at this lag.",
        (turned, last),
    )
    shown = lag.apply(
        SLASH_SPACED,
        (NOT_NEGATIVE, PLANES, place.for_all(k), EVENLY, FIRST, unit, ratios.for_all(k), slowest),
        why="So the planes are spaced as required and hold the margin.",
        goal=p.goal.args[1].args[1],
    )
    shown.for_all(j, why="This holds at every lag of the window.")
