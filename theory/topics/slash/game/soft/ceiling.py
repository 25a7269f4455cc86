"""Probabilities on the lags of a window bound the weight of every head."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential.exp_log import exp_of_log, exponentials
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.ceiling.aligned_head import ceiling, energy, total
from ropeproof.theory.topics.slash.ceiling.symmetric import SLASH_CEILING
from ropeproof.theory.topics.slash.game.soft import terms
from ropeproof.theory.topics.slash.game.soft.mean_fall import SLASH_MEAN_FALL
from ropeproof.theory.topics.slash.game.soft.terms import *
from ropeproof.theory.topics.slash.lags import WINDOW, offset, over_lags, side, weight
from ropeproof.theory.topics.softmax import gibbs

MEANINGS = {**lags.MEANINGS, **terms.MEANINGS, i: "number of keys of the row"}

falls = over_lags(sp.exp(-energy(j)), 1, side)
below, above = entropy() - mean_fall(), entropy() - total() * upper


def gibbs_on_window(p: Scope, lag: Fact) -> Fact:
    """exp(H(y) - sum_t y_t E_t) is at most the sum of the exp(-E_t), for a window with a lag."""
    term = sp.exp(-energy(j))
    positive = p.show(lt(0, term), "The exponential exp(-E_t) is positive.")
    inequality = p.lemma(
        gibbs.SOFTMAX_GIBBS.at(a=1, b=side, p=y, z=sp.Lambda(j, term)),
        (WEIGHTS, MASS, positive),
        why="By Gibbs' inequality the entropy and the average of -E_t are at most ln of the sum.",
    )
    sign = positive.summed(
        j, 1, side, "So the sum of the exp(-E_t) is positive, as there is a lag.", lag
    )
    order = p.show(
        le(below, sp.log(falls)),
        "So H(y) less the mean fall is at most ln of the sum of the exp(-E_t).",
        inequality,
    )
    grown = exponentials(p, below, sp.log(falls), "Take exponentials of both sides.", order)
    undone = exp_of_log(p, falls, "The exponential of this logarithm is the sum itself.", sign)
    return p.show(
        le(sp.exp(below), falls), "So exp(H - mean fall) is at most this sum.", grown, undone
    )


def a_lag(p: Scope) -> Fact:
    """The window has a lag, as weights on its lags add up to 1."""
    short = p.given(lt(side, 1), "Suppose that the window has no lags.")
    empty = short.scope.show(
        eq(over_lags(y(j), 1, side), 0), "Then it has no weights to sum.", short
    )
    return p.show(le(1, side), "As the weights add up to 1, there is a lag.", empty, MASS)


@theorem(
    "slash.soft-ceiling",
    role="main result",
    needs="PTX",
    hypotheses=(WINDOW, NOT_NEGATIVE, WEIGHTS, MASS, BOUNDED),
    conclusion=Both(le(weight(cosine_logit), by_mean), le(by_mean, by_planes)),
    attack=Attack(
        {
            "twice the entropy": le(weight(cosine_logit), soft(2 * entropy() - mean_fall())),
            "half the fall": le(weight(cosine_logit), soft(entropy() - mean_fall() / 2)),
            "half of what planes earn": le(by_mean, soft(entropy() - total() * upper / 2)),
        },
        without={
            WEIGHTS: {
                **{i: 17, offset: 8, side: 8, upper: 0},
                m: 0,
                **{y(lag): sp.Rational(9, 25) for lag in range(1, 8)},
                y(8): -sp.Rational(38, 25),
            }
        },
    ),
)
def SLASH_SOFT_CEILING(p: Proof) -> None:
    r"""Probabilities on the lags bound every head's weight

    Let the row have at least $M\ge1$ lags on each side of the target. For every probability vector $y$
    on the lags $1..M$ and any phases (with $0\ln0=0$):
    $S_{i,i-\Delta}\le\big[1+2e^{H(y)-\sum_ty_tE_t}\big]^{-1} \le\big[1+2e^{H(y)-AU}\big]^{-1}$ with the
    entropy $H(y)=-\sum_ty_t\ln y_t$ and any $U\ge\max_l\sum_ty_t(1-\cos\theta_lt)$.
    """
    lag = a_lag(p)
    sums = gibbs_on_window(p, lag)
    none = p.show(le(0, side), "In particular M is not negative.", lag)
    most = p.apply(
        SLASH_CEILING,
        (none, WINDOW, NOT_NEGATIVE),
        why="No phases beat the aligned ones on a symmetric window.",
        goal=le(weight(cosine_logit), ceiling()),
    )
    earned = p.apply(
        SLASH_MEAN_FALL,
        (NOT_NEGATIVE, BOUNDED),
        why="The mean fall is at most U A.",
        goal=le(mean_fall(), total() * upper),
    )
    grown = exponentials(p, above, below, "So exp(H - U A) is at most exp(H - mean fall).", earned)
    p.qed(
        "The exponential exp(H - mean fall) is positive. A larger sum of competitors leaves "
        "less weight. The exponential exp(H - U A) is positive. Again the larger sum leaves "
        "less weight. This proves both bounds of the weight.",
        (most, sums, grown),
    )
