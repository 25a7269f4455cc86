"""What the claims of the soft game share: probabilities on the lags, their entropy, and bounds."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, m, theta
from ropeproof.theory.topics.slash.ceiling.aligned_head import energy, total
from ropeproof.theory.topics.slash.lags import over_lags, side

upper = real("U")
y = real_function("y")
MEANINGS: Meanings = {
    **NOTATION,
    j: "a lag",
    side: "lags on each side of the target",
    upper: "most that one unit of amplitude earns against them in a plane",
    y: "probabilities on the lags",
}
fall = 1 - sp.cos(theta(l) * j)


@named("H", "H", "entropy of the weights on the lags")
def entropy() -> Term:
    """H(y) = -sum_t y_t ln y_t, with 0 ln 0 = 0."""
    return over_lags(-y(j) * sp.log(y(j)), 1, side)


def mean_fall() -> Term:
    """sum_t y_t E_t, the mean fall of an aligned head's logit under the weights."""
    return over_lags(y(j) * energy(j), 1, side)


def gain() -> Term:
    """sum_t y_t (1 - cos(theta_l t)), what one unit of amplitude in plane l earns."""
    return over_lags(y(j) * fall, 1, side)


def soft(exponent: Term) -> Term:
    """1/(1 + 2 exp(x)), the weight of a target beside two sums exp(x) of competitors."""
    return 1 / (1 + 2 * sp.exp(exponent))


by_mean, by_planes = soft(entropy() - mean_fall()), soft(entropy() - total() * upper)

WEIGHTS = Hypothesis("weights are not negative", every(j, 1, side, le(0, y(j))))
MASS = Hypothesis("weights add up to 1", eq(over_lags(y(j), 1, side), 1))
BOUNDED = Hypothesis("no plane earns more than U", every(l, 0, m - 1, le(gain(), upper)))
