r"""Confidence intervals for the score of a head whose target logits and competitors are sampled.

**What is exact.** `slash.law`, `slash.quantiles` and `slash.moments` hold for any two
distributions, so also for the two empirical ones: their bounds contain the mean of
`sigma(X - ln Z)` over all pairs of the sample (`law.independent_score`) without any doubt but
rounding.

**What is statistical.** That mean is an unbiased estimate of `E S` of the distributions from which
`n` values of `X` and `r` values of `ln Z` were drawn independently. It is a two-sample
U-statistic with values in `[0, 1]`, hence by Hoeffding (1963, section 5b) it is below, or above,
`E S` by more than `e` with a probability of at most `exp(-2 min(n, r) e^2)`. So bounds that contain it,
widened by `e = sqrt(ln(2/alpha) / (2 min(n, r)))`, contain `E S` with confidence `1 - alpha`.

**What no sample says.** Draws must be independent. Keys drawn at random from the keys of a text
are, and the statement is then one about positions drawn independently from *that pool* of keys;
tokens of a running text are not, and `slash.contextual` calls the difference between their score and
this one the contextual share.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational

__all__ = ["distribution_radius", "mean_radius", "sample_radius"]


def mean_radius(draws: int, confidence: float, *, comparisons: int = 1) -> float:
    """`sqrt(ln(2 comparisons/(1 - confidence)) / (2 draws))`, Hoeffding's radius of a mean.

    The mean is of numbers in `[0, 1]`. `draws` is the number of independent draws: `min(n, r)` for one row or
    for rows that share their draws, `rows min(n, r)` for the mean over rows that have draws of their own;
    where one of the two distributions is known exactly, the draws of the other. `comparisons` intervals hold
    at once with this confidence (union bound): give the number of heads or offsets among which one
    was chosen by looking at the data.

    >>> round(mean_radius(1000, 0.99), 4)
    0.0515

    Raises `InvalidArgument` unless `draws >= 1`, `0 < confidence < 1` and `comparisons >= 1`.
    """
    count, level = _read(draws, confidence)
    many = read_integer("comparisons", comparisons, least=1)
    return math.sqrt(math.log(2 * many / (1 - level)) / (2 * count))


def sample_radius(values: Any, confidence: float) -> float:
    """A confidence radius for the mean of independent numbers in `[0, 1]`.

    The smaller of Hoeffding's radius and the empirical Bernstein bound of Maurer and Pontil (2009,
    theorem 11), `sqrt(2 V ln(4/alpha)/n) + 7 ln(4/alpha)/(3 (n - 1))` with `V` the sample's variance, at
    `alpha/2` on each side for both. The numbers need not have one distribution.

    >>> round(sample_radius(np.full(512, 0.3), 0.99), 4), round(mean_radius(512, 0.99), 4)
    (0.0305, 0.0719)

    Raises `InvalidArgument` unless `0 < confidence < 1` and all numbers are in `[0, 1]`.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or not ((sample >= 0) & (sample <= 1)).all():
        raise InvalidArgument("values", f"shape {sample.shape}", "numbers from 0 to 1, shape (n,)")
    # Each of the two bounds takes half of the probability.
    count, level = _read(len(sample), confidence)
    half = (1 + level) / 2
    plain = mean_radius(count, half)
    if count < 2:
        return plain
    chance = math.log(4 / (1 - half))
    spread = math.sqrt(2 * float(sample.var(ddof=1)) * chance / count)
    return min(plain, spread + 7 * chance / (3 * (count - 1)))


def distribution_radius(draws: int, confidence: float) -> float:
    """`sqrt(ln(2/(1 - confidence)) / (2 draws))`, a confidence radius for a distribution function.

    By Dvoretzky, Kiefer, Wolfowitz and Massart no value of the distribution function is further
    from the empirical one, so that the expectation of *every* monotone function with values in
    `[0, 1]` is that close: `E S` for all offsets, rows and thresholds chosen later that use the
    same draws. For two drawn distributions add the radii, each of confidence `(1 + confidence)/2`.

    >>> distribution_radius(1000, 0.99) == mean_radius(1000, 0.99)
    True

    Raises `InvalidArgument` unless `draws >= 1` and `0 < confidence < 1`.
    """
    count, level = _read(draws, confidence)
    return math.sqrt(math.log(2 / (1 - level)) / (2 * count))


def _read(draws: int, confidence: float) -> tuple[int, float]:
    count = read_integer("draws", draws, least=1)
    level = float(read_rational("confidence", confidence))
    if not 0 < level < 1:
        raise InvalidArgument("confidence", confidence, "0 < number < 1")
    return count, level
