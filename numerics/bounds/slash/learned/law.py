r"""The expected slash score under noise of queries and keys, from two distributions per row.

One row, its query fixed, its keys drawn independently, one per position. The target's logit `X`
is then independent of `ln Z`, `Z` the sum of `e^w` over the row's other lags, and the expected
weight at the offset is `E S = E sigma(X - ln Z)`, `sigma` the logistic function. Every function
here takes

- `target`: values of `X` in logits, `(..., n)`, each of probability `1/n`;
- `rest`: values of `ln Z`, `(..., r)`, each of probability `1/r` (`-inf` where there is no other lag);

the leading axes (rows, heads) broadcast, and the result has their shape. NumPy arrays or torch
tensors; float64 without a proven error. **What is exact:** the bounds are theorems about these two
distributions, whichever numbers they hold. If `target` and `rest` are a sample from others,
`ropeproof.numerics.bounds.slash.learned.confidence` bounds the distance to those.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.arrays import real_array
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = [
    "ScoreBounds",
    "independent_score",
    "law_bounds",
    "moment_bounds",
    "quantile_bounds",
    "typical_bound",
    "typical_score",
]

Floats = NDArray[np.float64]

_LEVELS = np.logspace(-12, np.log10(0.5), 241)
"""Where the parabolas of `slash.moments` touch the logistic function: any of them is a bound."""


class ScoreBounds(NamedTuple):
    """Lower and upper bounds of an expected attention weight, `(...)` each, from 0 to 1."""

    lower: Floats
    upper: Floats


def independent_score(target: Any, rest: Any) -> Floats:
    """The expected weight `E S`, the mean of `sigma(X - ln Z)` over all pairs of samples, `(...)`.

    It is the score on independently drawn positions that `slash.law` bounds.

    >>> float(independent_score([0.0, 0.0], [0.0]))
    0.5

    Cost: `n r` exponentials per row, `n` times the memory of `rest`. Raises `InvalidArgument` on
    numbers that are not finite (`-inf` is allowed in `rest`) and on shapes that do not broadcast.
    """
    values, others = _samples(target, rest)
    result: Floats = _weight(values[..., :, None] - others[..., None, :]).mean((-2, -1))
    return result


def law_bounds(target: Any, rest: Any, *, thresholds: Any = None, cells: int = 64) -> ScoreBounds:
    r"""Bounds of `E S`, `(...)`: the lower and upper sum of `slash.law` on a grid of thresholds.

    With thresholds `x_0 <= ... <= x_r` and `x_{r+1} = inf`,
    `sum_k P(x_k <= X < x_{k+1}) E sigma(x_k - ln Z) <= E S <= P(X < x_0) E sigma(x_0 - ln Z) +
    sum_k P(x_k <= X < x_{k+1}) E sigma(x_{k+1} - ln Z)`.

    `thresholds` are logits, increasing, `(r + 1,)` or with leading axes that broadcast; by default
    the `cells + 1` quantiles of `target` at `0, 1/cells, ..., 1`.

    >>> bounds = law_bounds([0.0, 2.0], [1.0], thresholds=[0.0, 1.0])
    >>> [round(float(bound), 3) for bound in bounds]
    [0.384, 0.75]

    Cost: `(r + 1)(n + |rest|)` operations per row. Raises `InvalidArgument` as `independent_score`,
    on thresholds that fall, and unless `cells >= 1`.
    """
    values, others = _samples(target, rest)
    if thresholds is None:
        grid = _quantiles(values, read_integer("cells", cells, least=1), ends=True)
    else:
        grid = real_array("thresholds", thresholds)
        if (np.diff(grid) < 0).any():
            raise InvalidArgument("thresholds", thresholds, "logits that increase")
    reached = (values[..., None, :] >= grid[..., :, None]).mean(-1)
    there = _weight(grid[..., :, None] - others[..., None, :]).mean(-1)
    chance = reached - np.concatenate([reached[..., 1:], np.zeros_like(reached[..., :1])], -1)
    after = np.concatenate([there[..., 1:], np.ones_like(there[..., :1])], -1)
    lower = (chance * there).sum(-1)
    upper = (chance * after).sum(-1) + (1 - reached[..., 0]) * there[..., 0]
    return ScoreBounds(lower, upper)


def quantile_bounds(target: Any, rest: Any, *, cells: int = 16) -> ScoreBounds:
    r"""Bounds of `E S` from `cells - 1` quantiles of `X` and as many of `ln Z`, `(...)`.

    With `x_k`, `z_j` the quantiles at `k/K`, `j/K` and `T = sum_{k,j} sigma(x_k - z_j)`:
    `T/K^2 <= E S <= (T + 2K - 1)/K^2`, whatever the noise. Claim `slash.quantiles`.

    >>> quantile_bounds([0.0], [0.0], cells=2)
    ScoreBounds(lower=np.float64(0.125), upper=np.float64(0.875))

    Raises `InvalidArgument` as `independent_score` and unless `cells >= 1`.
    """
    count = read_integer("cells", cells, least=1)
    values, others = _samples(target, rest)
    x, z = _quantiles(values, count), _quantiles(others, count)
    total = _weight(x[..., :, None] - z[..., None, :]).sum((-2, -1))
    return ScoreBounds(total / count**2, (total + 2 * count - 1) / count**2)


def moment_bounds(
    target_mean: Any, target_variance: Any, rest_mean: Any, rest_variance: Any
) -> ScoreBounds:
    r"""Bounds of `E S`, `(...)`, from the means and variances of `X` and of `ln Z`.

    With `mu = E X - E ln Z`, `V` the sum of the variances, any `0 < y <= 1/2` and
    `a = ln(y/(1-y))`: `E S >= y + y(1-y)[mu - a - y(1+y)/4 (V + (mu-a)^2)]`, and the best over a grid of
    `y` is used; the upper bound is 1 less the lower one at `-mu`. Never vacuous: the lower bound is
    positive at any noise. Claim `slash.moments`.

    >>> [round(float(bound), 3) for bound in moment_bounds(1.0, 16.0, 0.0, 16.0)]
    [0.29, 0.868]

    Raises `InvalidArgument` on numbers that are not finite, and on a negative variance.
    """
    means = real_array("target_mean", target_mean) - real_array("rest_mean", rest_mean)
    spreads = (
        real_array("target_variance", target_variance),
        real_array("rest_variance", rest_variance),
    )
    for name, spread in zip(("target_variance", "rest_variance"), spreads, strict=True):
        if (spread < 0).any():
            raise InvalidArgument(name, "a negative number", "numbers >= 0")
    variance = spreads[0] + spreads[1]
    return ScoreBounds(_touching(means, variance), 1 - _touching(-means, variance))


def typical_bound(target: Any, rest: Any) -> Floats:
    r"""`1/(1 + E e^{-X} E Z)`, `(...)`, the lower bound of `E S` by `slash.emergence-typical`.

    In the claim's notation `E e^{-X} = e^{-g(Delta)} E e^{-n_Delta}`, and `E Z` is the sum of
    `e^{g(t)} E e^{n_t}` over the other lags.

    >>> float(typical_bound([0.0], [0.0, 0.0]))
    0.5

    Raises `InvalidArgument` as `independent_score`.
    """
    values, others = _samples(target, rest)
    return _weight(-(_log_mean(-values) + _log_mean(others)))


def typical_score(gaps: Any, noise: Any = 0.0) -> Floats:
    r"""`1/(1 + e^{sigma^2} Z_g)`, `(...)`, the score that the mean head and its noise guarantee.

    `gaps` are `g(Delta) - g(t)` in logits over the row's other lags, `(..., lags)`; `noise` is
    `sigma`, in logits, with `E e^{+-n_t} <= e^{sigma^2/2}`. Claim `slash.emergence-typical`.

    >>> float(typical_score([0.0]))
    0.5

    Raises `InvalidArgument` on numbers that are not finite or a negative `noise`.
    """
    leads, sigma = real_array("gaps", gaps), real_array("noise", noise)
    if leads.ndim < 1:
        raise InvalidArgument("gaps", "a number", "shape (..., lags)")
    if (sigma < 0).any():
        raise InvalidArgument("noise", "a negative number", "numbers >= 0")
    return _weight(-(sigma**2 + np.logaddexp.reduce(-leads, -1)))


def _touching(mean: Floats, variance: Floats) -> Floats:
    """The largest expectation among parabolas that lie below the logistic function, `(...)`."""
    y = _LEVELS
    gap = mean[..., None] - np.log(y / (1 - y))
    square = y * (1 + y) / 4 * (variance[..., None] + gap**2)
    result: Floats = (y + y * (1 - y) * (gap - square)).max(-1)
    return result


def _quantiles(values: Floats, count: int, *, ends: bool = False) -> Floats:
    """Quantiles `v` with `P(V <= v) >= k/count`, `P(V >= v) >= 1 - k/count`, `0 < k < count`.

    With `ends` also the least and the largest value.
    """
    size = values.shape[-1]
    # Whole numbers: rounding of k/count could miss the value by one place.
    places = [-(-k * size // count) - 1 for k in range(1, count)]
    places = [0, *places, size - 1] if ends else places
    return np.sort(values, -1)[..., places]


def _weight(gap: Any) -> Floats:
    from scipy.special import expit  # here: the scan of measured heads starts without SciPy

    return np.asarray(expit(gap), dtype=np.float64)


def _log_mean(values: Floats) -> Floats:
    result: Floats = np.logaddexp.reduce(values, -1) - np.log(values.shape[-1])
    return result


def _samples(target: Any, rest: Any) -> tuple[Floats, Floats]:
    values, others = real_array("target", target), real_array("rest", rest, least=-np.inf)
    for name, sample in (("target", values), ("rest", others)):
        if sample.ndim < 1 or sample.shape[-1] < 1:
            raise InvalidArgument(name, f"shape {sample.shape}", "shape (..., n), n >= 1")
    try:
        np.broadcast_shapes(values.shape[:-1], others.shape[:-1])
    except ValueError:
        allowed = f"leading axes that broadcast with target's, {values.shape}"
        raise InvalidArgument("rest", f"shape {others.shape}", allowed) from None
    return values, others
