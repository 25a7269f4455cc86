r"""Means `c_l` of each plane over a window of lags, and how additive random features are.

`c_l = 1/N sum_t e^{i theta_l t}` over the lags `0, ..., N - 1`. It is
`e^{i theta (N-1)/2} sin(N theta/2)/(N sin(theta/2))`: 1 on a slow plane, near 0 on a fast one.
The null of `posgen.null` is the mean of `|c_l|^2`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.bounds.posgen.vectors import read_spec
from ropeproof.numerics.bounds.slash.balls import BITS, enclosed
from ropeproof.numerics.core.arrays import real_array
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.spec import (
    attention_factor_float64,
    frequencies_ball,
    frequencies_float64,
)
from ropeproof.theory.rotary.exact import ball, read_integer
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "angle_means",
    "lag_means",
    "null_correlation",
    "null_r_squared",
    "null_r_squared_enclosed",
    "plane_weights",
]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]


def angle_means(angles: ArrayLike, length: int) -> Complexes:
    """`1/N sum_{t<N} e^{i theta t}` of any angles in radians, `(*angles,)` complex128.

    Off by at most about `2^-52 (8 + N |theta|)`. Raises `InvalidArgument` unless `length >= 1`.
    """
    count = read_integer("length", length, least=1)
    halves = np.remainder(real_array("angles", angles) + math.pi, 2 * math.pi) / 2 - math.pi / 2
    # Reduction costs digits of an angle that needs none, so small angles are left alone.
    halves = np.where(np.abs(np.asarray(angles)) <= math.pi, np.asarray(angles) / 2, halves)
    sines = np.sin(halves)
    tiny = np.abs(sines) < 2.0**-1000
    ratio = np.where(tiny, 1.0, np.sin(count * halves) / np.where(tiny, 1.0, count * sines))
    result: Complexes = ratio * np.exp(1j * (count - 1) * halves)
    return result


def lag_means(spec: RopeSpec, length: int) -> Complexes:
    """The mean `c_l` of every plane over the lags below `length`, `(planes,)`; 1 if unrotated.

    Complex128. Claim `posgen.anova`. Raises `InvalidArgument` unless `length >= 1`.
    """
    return angle_means(frequencies_float64(spec), length)


def plane_weights(spec: RopeSpec) -> Floats:
    """The share of each plane in the logits' variance for features of one size, `(planes,)`.

    `1/m` each, unless a scaling multiplies the rotated planes' logits by `a^2` and some planes do
    not rotate: then in proportion to `a^4` and 1.
    """
    sizes = np.ones(read_spec(spec).planes)
    sizes[: spec.rotary_planes] = attention_factor_float64(spec) ** 4
    result: Floats = sizes / sizes.sum()
    return result


def null_r_squared(spec: RopeSpec, length: int) -> float:
    """`R_0^2 = 1/m sum_l |c_l|^2`, the R^2 of the best additive fit to random features, float64.

    The share of variance that the best query-specific additive fit explains if keys are random,
    the same size on every plane, without a mean. Planes count by `plane_weights`.

    >>> round(null_r_squared(RopeSpec(128, 10000), 1000) ** 0.5, 3)
    0.585

    Claim `posgen.null`. Raises `InvalidArgument` unless `length >= 1`.
    """
    return float(plane_weights(spec) @ np.abs(lag_means(spec, length)) ** 2)


def null_r_squared_enclosed(spec: RopeSpec, length: int) -> Enclosure:
    """The value of `null_r_squared`, certified, from the exact frequencies.

    Cost: two ball-arithmetic sines per plane.
    """
    count = read_integer("length", length, least=1)
    frequencies = frequencies_ball(read_spec(spec), bits=BITS)
    with precision(BITS):
        return enclosed(_null(spec, frequencies, count))


def null_correlation(spec: RopeSpec, length: int) -> Enclosure:
    """`R_0`, the correlation of random features with their best additive fit, certified.

    A measured correlation means nothing unless it is compared with this one.

    >>> found = null_correlation(RopeSpec(128, 500000), 1000)
    >>> f"{found.lower:.3f} {found.upper:.3f}"
    '0.732 0.732'

    Claim `posgen.null`.
    """
    count = read_integer("length", length, least=1)
    frequencies = frequencies_ball(read_spec(spec), bits=BITS)
    with precision(BITS):
        return enclosed(_null(spec, frequencies, count).sqrt())


def _null(spec: RopeSpec, frequencies: tuple[Any, ...], count: int) -> Any:
    factor = ball(spec.attention_factor(), bits=BITS)
    square = factor * factor
    total, weights = arb(0), arb(0)
    for plane, theta in enumerate(frequencies):
        weight = square * square if plane < spec.rotary_planes else arb(1)
        sine, wide = (theta / 2).sin(), (count * theta / 2).sin()
        # A plane of frequency 0 does not turn; other sines are not 0 (`rope.nonresonant`).
        share = arb(1) if theta == 0 else wide * wide / (count * count * sine * sine)
        total, weights = total + weight * share, weights + weight
    return total / weights
