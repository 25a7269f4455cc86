"""A logit with slope lambda: the weight is at most tanh(lambda/2)/(1 - r) on a two-sided row."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.library.sums.series.geometric import SUMS_TWO_SIDED_DECAY, distance
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_LIPSCHITZ
from ropeproof.theory.topics.rope.lipschitz import FREQUENCIES, NOT_NEGATIVE
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE
from ropeproof.theory.topics.slash.lags import OFFSET, offset, over_lags, weight

MEANINGS: Meanings = lags.MEANINGS

slope = over_planes(amplitude(l) * theta(l))  # lambda
decay = sp.exp(-slope)
bound = over_lags(sp.exp(-slope * distance), 0, i - 1)
limit = (1 - decay) / (1 + decay)  # tanh(lambda/2)
ends = 2 * sp.exp(-slope * (offset + 1))
reached = weight(cosine_logit)
TWO_SIDED = eq(i, 2 * offset + 1)


@theorem(
    "slash.lipschitz-ceiling",
    needs="PTX",
    hypotheses=(OFFSET, NOT_NEGATIVE, FREQUENCIES),
    conclusion=Both(
        le(reached, 1 / bound), If(TWO_SIDED, le(reached * (1 - ends / (1 + decay)), limit))
    ),
    attack=Attack(
        {
            "twice the slope": le(reached, 1 / over_lags(sp.exp(-slope * distance / 2), 0, i - 1)),
            "the limit itself bounds short rows": If(TWO_SIDED, le(reached, limit)),
        },
        without={
            OFFSET: (),
            FREQUENCIES: (
                *where({m: 1, i: 2, offset: 0}),
                every(l, 0, 0, eq(theta(l), -2)),
                every(l, 0, 0, eq(phase(l), 3)),
                every(l, 0, 0, eq(amplitude(l), 1)),
            ),
        },
        idle={
            OFFSET: "a target outside the row obeys the same inequality; no row of it has length 2 "
            "Delta + 1 unless it is empty"
        },
    ),
)
def SLASH_LIPSCHITZ_CEILING(p: Proof) -> None:
    r"""A logit with slope λ: the weight is at most tanh(λ/2)/(1 − r) on a two-sided row

    With $\lambda=\sum_lA_l\theta_l$, $\theta_l\ge0$: $S_{i,i-\Delta}\le\big[\sum_{0\le
    t<i}e^{-\lambda|t-\Delta|}\big]^{-1}$. On the two-sided row $i=2\Delta+1$:
    $S_{i,i-\Delta}(1-r)\le\tanh(\lambda/2)$, $r=2e^{-\lambda(\Delta+1)}/(1+e^{-\lambda})$.
    """
    plane = p.under(*INSIDE)
    positive = plane.use(NOT_NEGATIVE, why="Amplitudes are not negative.")
    turning = plane.use(FREQUENCIES, why="Frequencies are not negative.")
    here, there = theta(l) * offset + phase(l), theta(l) * j + phase(l)
    change = sp.cos(here) - sp.cos(there)
    cosine = p.lemma(
        TRIG_COSINE_LIPSCHITZ.at(x=here, y=there), why="A cosine changes by no more than its angle."
    )
    total = plane.show(
        le(amplitude(l) * change, amplitude(l) * theta(l) * distance),
        "The change of the angle is theta times the distance. As the frequency is not "
        "negative, this holds for the sizes. So a plane's logit falls by at most A_l theta_l "
        "times the distance.",
        (cosine, turning, positive),
    ).summed(l, 0, m - 1, "Sum this bound over the planes.")
    _fall, _whole = total.formula.args
    lowest = cosine_logit(offset) - slope * distance
    power = p.show(
        le(lowest, cosine_logit(j)),
        "The left side is the fall of the logit. The right side is lambda times the "
        "distance. So no competitor lies lower than lambda times its distance.",
        total,
    ).image(sp.exp, "So the exponential of its logit is at least that of this bound.")
    floor = sp.exp(cosine_logit(offset)) * sp.exp(-slope * distance)
    row = p.show(
        le(floor, sp.exp(cosine_logit(j))),
        "So it is at least the target's times exp(-lambda |t - Delta|).",
        power,
    ).summed(j, 0, i - 1, "Sum this bound over the lags of the row.")
    factor = p.show(
        eq(row.formula.lhs, sp.exp(cosine_logit(offset)) * bound),
        "The target's exponential is a common factor of the left side.",
    )
    sum_positive = p.show(
        lt(0, sp.exp(-slope * distance)), "The terms exp(-lambda |t - Delta|) are positive."
    ).summed(j, 0, i - 1, "So the sum of these terms over the row is positive.", OFFSET)

    symmetric = p.under(TWO_SIDED)
    length = symmetric.given(TWO_SIDED, "Let i = 2 Delta + 1.")
    closed = p.lemma(
        SUMS_TWO_SIDED_DECAY.at(lamda=slope, Delta=offset),
        OFFSET,
        why="On the two-sided row the sum has a closed form.",
    )
    same_row = symmetric.rewrite(
        eq(bound, over_lags(sp.exp(-slope * distance), 0, 2 * offset)),
        "With i = 2 Delta + 1 the bound is the sum of the symmetric row.",
        length,
    )
    steep = plane.show(
        le(0, amplitude(l) * theta(l)),
        "The slope A_l theta_l of a plane is not negative.",
        (positive, turning),
    ).summed(l, 0, m - 1, "So the slope lambda of all planes is not negative.")
    decays = exponentials(p, -slope, 0, "So exp(-lambda) is at most 1.", steep)
    both_sides = symmetric.show(
        le(reached * (1 + decay - ends), 1 - decay),
        "Divide by this sum and by the normaliser. Multiply the first bound by the sum, "
        "which is positive. Multiply by 1 - exp(-lambda), which is not negative. Put in the "
        "closed form of the sum over the two-sided row.",
        (row, factor, sum_positive, decays, same_row, closed),
    )
    p.qed(
        "Divide by 1 + exp(-lambda): the bound is (1 - exp(-lambda))/(1 + exp(-lambda)). "
        "This proves the bound of any row and that of the two-sided row.",
        (row, factor, sum_positive, both_sides),
    )
