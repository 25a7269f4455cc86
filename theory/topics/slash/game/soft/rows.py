"""What the claims about many rows share: rows by their number, probabilities, what a plane earns."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import cosine_logit, j, l, m, theta
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.lags import offset, over_lags

k, count = integer("k r")
upper = real("U")
y, slope = real_function("y"), real_function("s")
MEANINGS: Meanings = {
    **lags.MEANINGS,
    j: "a lag",
    k: "a row, by its number",
    count: "number of rows that have weights",
    upper: "most that one unit of amplitude earns against them in a plane",
    y: "probabilities on the lags, by row and lag",
    slope: "slopes of the lines, by row",
}
turn = theta(l) * (j - offset)


def over_rows(term: Term) -> Term:
    """The sum of a term in `k` over the first r rows with a target, which have Delta + k keys."""
    return sp.Sum(term, (k, 1, count))


def over_keys(term: Term | int) -> Any:
    """The sum of a term in `j` over the lags of row number k."""
    return over_lags(term, 0, offset + k - 1)


def averaged(term: Term) -> Term:
    """The sum over rows of their slopes times the average of a term in the lag `j`."""
    return over_rows(slope(k) * over_keys(y(k, j) * term))


def fall(lag: Term = j) -> Term:
    """How far the logit at a lag lies below the target's."""
    return cosine_logit(offset) - cosine_logit(lag)


aligned, crossed = averaged(1 - sp.cos(turn)), averaged(sp.sin(turn))

BOUNDED = Hypothesis(
    "no plane earns more than U", every(l, 0, m - 1, le(aligned**2 + crossed**2, upper**2))
)
