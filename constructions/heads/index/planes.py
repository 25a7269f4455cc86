"""Specs with any angles, queries and keys with any amplitudes and phases, and reading of arguments.

What the constructions of heads that decode have in common before there is a head.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Sized
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.heads.slash.rounding import factors
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import LongRope, RopeSpec

__all__ = ["angles_spec", "exact_angle", "plane_vectors", "read_names", "read_temperature"]

Floats = NDArray[np.float64]
MOST_NAMES = 10_000
"""Directions of a residual stream: the weights of one head with more take over 2 GiB."""


def angles_spec(angles: Sequence[object], *, unrotated: int = 0) -> RopeSpec:
    """A spec with one plane per angle, radians per position, and some unrotated planes.

    An angle counts as the exact value it denotes (a float is its binary value). It is written as a
    per-plane division of the frequencies of base `2^planes`, with attention factor 1.

    >>> angles_spec([0.5, "0.1"], unrotated=1).frequencies()
    (1/2, 1/10, 0)

    Raises `InvalidArgument` unless there is an angle and all are positive.
    """
    exact = [exact_angle("angles", angle) for angle in angles]
    free = read_integer("unrotated", unrotated, least=0)
    if not exact or not all(angle > 0 for angle in exact):
        raise InvalidArgument("angles", angles, "a list of numbers > 0")
    planes = len(exact)
    divisors = tuple(1 / (2**plane * angle) for plane, angle in enumerate(exact))
    scaling = LongRope(
        short_factor=divisors, long_factor=divisors, original_length=2, factor=1, attention=1
    )
    dim = 2 * (planes + free)
    return RopeSpec(dim, 2**planes, rotary_dim=2 * planes, layout="interleaved", scaling=scaling)


def exact_angle(name: str, value: object) -> Any:
    """An angle as an exact rational. Raises `InvalidArgument` unless it is a number >= 0."""
    angle = read_rational(name, value)
    if angle < 0:
        raise InvalidArgument(name, value, "numbers >= 0, in radians per position")
    return angle


def plane_vectors(spec: RopeSpec, amplitudes: ArrayLike, turns: ArrayLike) -> Floats:
    """Queries or keys with given angles, `(..., head_dim)`, from angles `(..., planes)`.

    Each side of a pair gets the square root of the amplitudes, `(planes,)` in logits, so that a
    pair's logit at lag `t` is `sum_l A_l cos(theta_l t + query turn - key turn)`.
    """
    sizes, angles = np.asarray(amplitudes, np.float64), np.asarray(turns, np.float64)
    radii = np.sqrt(sizes * math.sqrt(spec.head_dim)) / factors(spec)
    real, imaginary = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    result = np.zeros((*np.broadcast_shapes(angles.shape, radii.shape)[:-1], spec.head_dim))
    result[..., real], result[..., imaginary] = radii * np.cos(angles), radii * np.sin(angles)
    return result


def read_names(
    name: str, values: object, *, most: int = MOST_NAMES, cost: str = ""
) -> tuple[str, ...]:
    """Distinct names from a list, or from their number: `A` to `Z`, or else `L1`, `L2`, ...

    >>> read_names("letters", 3)
    ('A', 'B', 'C')

    Raises `InvalidArgument`, also for more than `most`; `cost` says what those would cost.
    """
    size = len(values) if isinstance(values, Sized) else values
    if isinstance(size, Integral) and int(size) > most:
        told = cost or "each name is a direction, and weights are the square of their number"
        raise InvalidArgument(name, size, f"at most {most} names: {told}")
    if isinstance(values, Integral) and not isinstance(values, bool) and int(values) >= 1:
        count = int(values)
        return tuple(chr(65 + n) if count <= 26 else f"L{n + 1}" for n in range(count))
    if isinstance(values, Iterable) and not isinstance(values, str | bytes):
        names = tuple(values)
        if names and all(isinstance(x, str) and x for x in names) and len({*names}) == len(names):
            return names
    raise InvalidArgument(name, values, "distinct non-empty names, or how many")


def read_temperature(value: object) -> float:
    """An inverse temperature. Raises `InvalidArgument` unless it is a number > 0."""
    beta = float(read_rational("inverse_temperature", value))
    if not 0 < beta < 2.0**500:
        raise InvalidArgument("inverse_temperature", value, "a number > 0")
    return beta
