"""The exponentials of the cosines around a cycle add up to little more than n."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.exponential.convex import EXP_CHORD
from ropeproof.theory.library.exponential.exp_log import exp_of_log, exponentials
from ropeproof.theory.library.exponential.hoeffding import EXP_HOEFFDING
from ropeproof.theory.library.sums.series.cycle import FORWARD, INSIDE, SUMS_CYCLE, around, k, lag
from ropeproof.theory.library.sums.series.cycle import MEANINGS as OF_CYCLE

b = real("b")
rate = real("lambda_")
MEANINGS: Meanings = {**OF_CYCLE, rate: "a factor"}
growth = sp.exp(rate**2 / 2)
cosine = around(k, lag)
whole = sp.Sum(sp.exp(rate * cosine), (k, 0, n - 1))
RATE = Hypothesis("the rate is not negative", le(0, rate))


@theorem(
    "sums.cycle-exponentials",
    hypotheses=(FORWARD, INSIDE, RATE),
    conclusion=le(whole, n * growth),
    attack=Attack(
        {"quarter": le(whole, n * sp.exp(rate**2 / 5)), "n": le(whole, n)},
        at={"quarter": {n: 2, lag: 1, rate: 1}, "n": {n: 3, lag: 1, rate: 1}},
        without={FORWARD: {n: 3, lag: 0, rate: 1}, INSIDE: {n: 2, lag: 2, rate: 1}},
        idle={RATE: "the cosine of the opposite place has the other sign on average as well"},
    ),
)
def SUMS_CYCLE_EXPONENTIALS(p: Proof) -> None:
    r"""The exponentials of the cosines around a cycle

    $\frac1n\sum_{k<n}e^{\lambda\cos(2\pi kt/n)}\le e^{\lambda^2/2}$ for $1\le t<n$ and
    $\lambda\ge0$.
    """
    part = (1 + cosine) / 2
    even, odd = (sp.exp(rate) + sp.exp(-rate)) / 2, (sp.exp(rate) - sp.exp(-rate)) / 2

    chord = p.lemma(
        EXP_CHORD.at(lambda_=part, x=rate, y=-rate),
        why="A cosine lies between -1 and 1, so half of 1 plus it lies between 0 and 1. The "
        "exponential is convex, so it lies below its chord from -lambda to lambda.",
    )
    terms = p.show(
        le(sp.exp(rate * cosine), even + cosine * odd),
        "Lambda times the cosine is a weighted mean of lambda and -lambda. Take the "
        "exponential of both sides. So each term is at most the value of the chord.",
        chord,
    ).summed(k, 0, n - 1, "Sum this inequality over all n terms.")
    cycle = p.apply(SUMS_CYCLE, FORWARD, INSIDE, why="The cosines over a full cycle sum to 0.")

    hoeffding = p.apply(
        EXP_HOEFFDING.at(u=0),
        RATE,
        why="By Hoeffding's lemma the logarithm of cosh lambda is at most half of lambda squared.",
    )
    log = p.show(
        le(sp.log(even, evaluate=False), rate**2 / 2),
        "Hoeffding's lemma at u = 0 is this bound.",
        hoeffding,
    )
    order = exponentials(
        p,
        sp.log(even, evaluate=False),
        rate**2 / 2,
        "Take the exponential of both sides, which is monotone.",
        log,
    )
    undo = exp_of_log(p, even, "The exponential undoes the logarithm.")
    p.qed(
        "The chord's constant is summed n times, and its slope multiplies the cosines' sum. "
        "Multiply this inequality by n, which is positive. Combine the chord's bound, the "
        "sum of the cosines and Hoeffding's bound.",
        (terms, FORWARD, INSIDE, cycle, order, undo),
    )
