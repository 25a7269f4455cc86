r"""Closed forms for additive logits: what they guarantee, and how well noise is fitted.

Scalars count as the exact values that they denote; results are enclosed by ball arithmetic. Functions of
arrays are float64, with a stated error. Claims `posgen.pearson`, `posgen.noise-floor`,
`posgen.transposition`, `posgen.length`, `posgen.length-near`, `posgen.bounded-capacity`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpz
from numpy.typing import ArrayLike

from ropeproof.numerics.bounds.posgen.vectors import plane_numbers, plane_scales, read_spec
from ropeproof.numerics.bounds.slash.balls import BITS, enclosed, number, rational
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.arrays import real_array
from ropeproof.numerics.core.compiled import Stated, sharp
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import ball, read_integer, read_rational
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "capacity_bound",
    "displacement_tilt",
    "effective_length",
    "effective_length_bound",
    "near_output_bound",
    "noise_floor",
    "output_spread_bound",
    "pearson_bound",
    "transposition_bound",
    "triangle_rank",
]

_PEARSON = Stated("posgen.pearson", "1.below", terms={"rest": "noise", "whole": "spread"})
_SQUARES = Stated("posgen.effective-length", "above", {"length": "n", "bound": "B"})
_NEAR = Stated("posgen.length-near", "1.above", {"rest": "epsilon", "diameter": "diam"})
_CELLS = Stated(
    "posgen.bounded-capacity", "below", {"amplitude": "S"}, hypothesis="G cells are enough"
)


def pearson_bound(ratio: object) -> Enclosure:
    r"""`sqrt(1 - (eps/sigma)^2)`, a lower bound of the correlation of a sum with its larger part.

    `w = what + r`, `ratio` the standard deviation of `r` over that of `what`. Attained if `r` and
    `w` are uncorrelated. Claim `posgen.pearson`.

    >>> round(pearson_bound("0.283").lower, 3)
    0.959

    Raises `InvalidArgument` unless `0 <= ratio < 1`.
    """
    value = rational("ratio", ratio, least=0, below=1)
    return _PEARSON.enclose(rest=value * value, whole=1)


def triangle_rank(length: int, *, axes: int = 3) -> int:
    """The rank of the additive design on the causal triangle of `length` tokens.

    Three axes (query, key, lag): `3n - 3`, as the three constants are one and the linear trend
    of the lag is that of the query minus that of the key. Two axes: `2n - 1`. One token has rank
    1. Claim `posgen.gauge`. Raises `InvalidArgument` unless `length >= 1` and `axes` is 2 or 3.
    """
    count = read_integer("length", length, least=1)
    if axes not in (2, 3) or isinstance(axes, bool):
        raise InvalidArgument("axes", axes, "2 or 3")
    return 1 if count == 1 else 3 * count - 3 if axes == 3 else 2 * count - 1


def noise_floor(length: int, *, axes: int = 3, centred: bool = False) -> Fraction:
    """The expected R^2 of a least squares fit of pure noise on the causal triangle, exact.

    `(rank - 1)/(pairs - 1)`: `(3n - 4)/(n (n+1)/2 - 1)` for three axes. With `centred` every row's mean is
    subtracted first: `(2n - 3)/(n (n - 1)/2)` for both numbers of axes, since row means are free then.

    >>> noise_floor(100), noise_floor(2)
    (Fraction(296, 5049), Fraction(1, 1))

    Claim `posgen.noise-floor`. Raises `InvalidArgument` unless `length >= 2` and `axes` is 2 or 3.
    """
    count = read_integer("length", length, least=2)
    if not isinstance(centred, bool):
        raise InvalidArgument("centred", centred, "True or False")
    rank = triangle_rank(count, axes=axes)
    if centred:
        return Fraction(2 * (2 * count - 3), count * (count - 1))
    return Fraction(rank - 1, count * (count + 1) // 2 - 1)


def displacement_tilt(
    query: ArrayLike,
    keys: ArrayLike,
    spec: RopeSpec,
    *,
    displacement: object,
    scale: float | None = None,
) -> float:
    """`eps = s max_j sum_l |q_l||k_jl| min{2, theta_l Delta}`, in logits, rounded up.

    An upper bound of the change of any logit of this query, `(head_dim,)`, with one of these keys,
    `(keys, head_dim)`, if the key is displaced by at most `displacement` positions. Float64 with a factor of
    `1 + 2^-44` on top, which covers the rounding of up to 64 planes and more.
    Claim `posgen.transposition`. Raises `InvalidArgument` unless `displacement >= 0`.
    """
    far = float(rational("displacement", displacement, least=0))
    factors = np.abs(plane_scales(spec, scale)) * np.minimum(2.0, frequencies_float64(spec) * far)
    sizes = np.abs(plane_numbers("query", query, spec, axes=1)) * factors
    tilts = np.abs(plane_numbers("keys", keys, spec, axes=2)) @ sizes
    return float(tilts.max() * (1 + 2.0**-44))


def transposition_bound(mass: object, tilt: object) -> Enclosure:
    """`min{mu (e^eps - 1), tanh(eps/2)}`, a bound of the total variation that displaced keys cause.

    `mass` (`mu`) is the attention on the displaced keys before, `tilt` (`eps`) a result of
    `displacement_tilt`.

    >>> round(transposition_bound("0.01", 1).upper, 4), round(transposition_bound(1, 1).upper, 4)
    (0.0172, 0.4621)

    Claim `posgen.transposition`. Raises `InvalidArgument` unless `0 <= mass <= 1`, `tilt >= 0`.
    """
    part, whole = softmax.distance_bound_partial(mass, tilt), softmax.distance_bound(tilt)
    return Enclosure(lower=min(part.lower, whole.lower), upper=min(part.upper, whole.upper))


def effective_length(logits: ArrayLike) -> float:
    """`n_eff = 1/sum_t pi_t^2` of the weights `pi` of one row of logits `f(q, t)`, `(lags,)`.

    From 1 (one lag has all the weight) to the number of lags (`f` constant). Relative error at
    most `2^-50 (lags + D + 4)` with `D` the spread of the logits. Claim `posgen.effective-length`.

    >>> effective_length([0.5, 0.5, 0.5])
    3.0

    Raises `InvalidArgument` unless the logits are one row of finite numbers.
    """
    row = real_array("logits", logits)
    if row.ndim != 1 or row.size == 0:
        raise InvalidArgument("logits", f"shape {row.shape}", "shape (lags,), lags >= 1")
    sizes = np.exp(row - row.max())
    return float(sizes.sum() ** 2 / (sizes @ sizes))


def effective_length_bound(length: int, bound: object) -> Enclosure:
    """`n e^{-2B}`, a lower bound of the effective length of `n` logits in `[-B, B]`.

    Claim `posgen.effective-length`. Raises `InvalidArgument` unless `length >= 1`, `bound >= 0`.
    """
    count, size = read_integer("length", length, least=1), rational("bound", bound, least=0)
    return sharp(lambda: 1 / _SQUARES.ball(length=count, bound=size))


def near_output_bound(rest: object, diameter: object) -> Enclosure:
    """`tanh(eps/2) diam`, how far an output is at most from that of the additive head on the same row.

    `rest` (`eps`) bounds, in logits, what a sum of a position's and a key's part leaves of each of the
    row's logits; `diameter` is the largest distance of two of the row's values. Claim `posgen.length-near`.

    >>> round(near_output_bound(1, 2).upper, 4)
    0.9242

    Raises `InvalidArgument` unless both are numbers >= 0.
    """
    most = rational("rest", rest, least=0)
    return _NEAR.enclose(rest=most, diameter=rational("diameter", diameter, least=0))


def output_spread_bound(second_moment: object, key_bound: object, effective: object) -> Enclosure:
    """`e^{2B} E[e^{2g} |v - mu|^2]/n_eff`, a bound of an output's mean squared distance to `mu`.

    `mu = E[e^g v]/E[e^g]`, `|g| <= B = key_bound` for every key, `second_moment` the expectation
    over one key and value. The weighted sum of `e^g (v - mu)` has mean 0 and variance the
    second moment over `n_eff`; the denominator is at least `e^{-B}`. Neither `f` nor the length
    enters other than through `n_eff`: claim `posgen.length`.

    Raises `InvalidArgument` unless the first two are `>= 0` and `effective >= 1`.
    """
    moment = number("second_moment", second_moment, least=0)
    size = number("key_bound", key_bound, least=0)
    count = number("effective", effective, least=1)
    with precision(BITS):
        return enclosed((2 * size).exp() * moment / count)


def capacity_bound(
    spec: RopeSpec, *, query_norm: object, key_norm: object, gap: object, scale: object = None
) -> int:
    r"""`ceil(2 pi s |q||k|/sqrt(eps))^m`, a bound of the number of lags pairwise `eps` apart.

    Apart means `E (w_t - w_t')^2 >= eps = gap`, in squared logits, over any queries and keys of
    at most these norms. `m` counts the planes that rotate (others do not see the lag), and `s` is
    multiplied by the square of the attention factor. At least 1: one lag is apart from no other.

    >>> capacity_bound(RopeSpec(4, 100), query_norm=1, key_norm=1, gap=1)
    16

    Claim `posgen.bounded-capacity`. Raises `InvalidArgument` unless the norms are `>= 0`,
    `gap > 0` and `scale` is a finite number; `Unsupported` if a ceiling stays open.
    """
    turning = sum(theta != 0 for theta in read_spec(spec).frequencies())
    size = number("query_norm", query_norm, least=0) * number("key_norm", key_norm, least=0)
    least = number("gap", gap, above=0)
    factor = None if scale is None else number("scale", abs(read_rational("scale", scale)))
    stretch = ball(spec.attention_factor(), bits=BITS)
    with precision(BITS):
        chosen = 1 / arb(spec.head_dim).sqrt() if factor is None else factor
        parts = _ceiling((_CELLS.ball(amplitude=chosen * stretch * stretch * size) / least).sqrt())
    result: int = max(1, parts) ** int(turning)
    return result


def _ceiling(value: Any) -> int:
    whole: fmpz | None = value.ceil().unique_fmpz()
    if whole is None:
        raise Unsupported(f"the integer above {value} is not decided at {BITS} bits")
    return int(whole)
