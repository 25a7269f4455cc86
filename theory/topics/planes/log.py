"""A logarithmic number of planes gives a margin of any share of the amplitude."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, n
from ropeproof.theory.library.exponential.exp_log import EXP_LOG_POSITIVE, exp_of_log, exponentials
from ropeproof.theory.library.sums.series.cycle import around, lag
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.topics.planes import choice
from ropeproof.theory.topics.planes.choice import PLANES_MANY, place, z

h = integer("h")
epsilon = real("varepsilon")
MEANINGS: Meanings = {**choice.MEANINGS, epsilon: "share of the margin that is given away"}
enough = le((1 - epsilon) * m, sp.Sum(1 - around(place(l), lag), (l, 0, m - 1)))
every_lag = every(lag, 1, n - 1, enough)

POSITIONS = Hypothesis("two positions", le(2, n))
POSITIVE = Hypothesis("epsilon is positive", lt(0, epsilon))
ENOUGH = Hypothesis("enough planes", lt(2 * sp.log(n), m * epsilon**2))


@theorem(
    "planes.log",
    needs="PTX",
    hypotheses=(POSITIONS, POSITIVE, ENOUGH),
    conclusion=Some((place(z),), every_lag),
    attack=Attack(
        {"no plane moves": every(lag, 1, n - 1, le((1 - epsilon) * m, 0)), "any planes": every_lag},
        at={
            "no plane moves": {n: 2, m: 7, epsilon: sp.Rational(1, 2)},
            "any planes": (
                *where({n: 2, m: 7, epsilon: sp.Rational(1, 2)}),
                every(l, 0, 6, eq(place(l), 0)),
            ),
        },
        idle={POSITIONS: "with one position there is no lag"},
        without={POSITIVE: {n: 2, m: 1, epsilon: -2}},
        unshown={
            ENOUGH: (
                "at 6 positions one plane has no margin of 9/10, whatever its frequency: each integer "
                "has to be tried, up to multiples of 6, of which z3 knows nothing (`planes.upper`)"
            )
        },
    ),
)
def PLANES_LOG(p: Proof) -> None:
    r"""A logarithmic number of planes gives a large margin

    If $m>\frac{2\ln n}{\varepsilon^2}$ then some $m$ frequencies $2\pi\kappa_l/n$ of equal
    amplitudes $A/m$ have $E_t\ge(1-\varepsilon)A$ for all $1\le t<n$. The converse is
    `planes.log-needed`.
    """
    together = sp.Sum(around(place(l), lag), (l, 0, m - 1))
    at_lag = p.under(within(lag, 1, n - 1))

    log = p.lemma(
        EXP_LOG_POSITIVE.at(x=n),
        POSITIONS,
        why="The logarithm of n is positive, as n is at least 2.",
    )
    planes = p.show(
        lt(0, m), "So m exceeds a positive number, and there are planes.", ENOUGH, log, POSITIVE
    )
    many = p.lemma(
        PLANES_MANY.at(lambda_=epsilon),
        (POSITIONS, POSITIVE, planes),
        why="Choose the frequencies by the previous theorem at the rate epsilon.",
    )

    counted = sp.exp(epsilon * sp.Sum(around(place(h), l + 1), (h, 0, m - 1)))
    member = at_lag.lemma(
        SUMS_MEMBER.at(f=sp.Lambda(l, counted), k=lag - 1, m=n - 1),
        why="The term of every lag is an exponential, so it is not negative. So the term of one "
        "lag is at most the sum over all lags.",
    )
    chosen = at_lag.under(many.formula.args[1])
    below = exponentials(
        p,
        sp.log(n),
        m * (epsilon**2 / 2),
        "As m epsilon^2 / 2 exceeds log n, its exponential exceeds that of log n.",
        ENOUGH,
        strict=True,
    )
    itself = exp_of_log(p, n, "The exponential of log n is n.", POSITIONS)
    too_large = p.under(lt(m * epsilon, together))
    large = too_large.show(
        le(m * epsilon * epsilon, epsilon * together),
        "Suppose that the cosines sum to more than m epsilon, and multiply by epsilon.",
        POSITIVE,
    ).image(sp.exp, "Then the term is at least exp(m epsilon^2).")
    everywhere = chosen.show(
        enough,
        "So the term of each lag is at most the bound of the sum. This exceeds the bound of "
        "the term, so the cosines sum to at most m epsilon. So the planes fall together by "
        "at least m (1 - epsilon) at this lag.",
        (member, below, itself, large, POSITIONS, planes),
    ).for_all(lag, why="The lag was arbitrary, so this holds at every lag.")
    these = everywhere.scope.witness(
        p.goal, {place: place}, everywhere, why="So these frequencies are as claimed."
    )
    p.choose(many, these, "Such frequencies exist, and the conclusion does not depend on them.")
