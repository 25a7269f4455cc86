r"""Tables of points `e^{i theta t}`, built by angle addition, with proven errors.

**Representation.** A point is kept as `head + tail` per component, `head` a multiple of `2^-26`
with `|head| <= 1`, `|tail| <= 2^-27 (1 + 2^-20)`. In a product `z w` of two such points the
combination of heads, for example `cos_head cos_head' - sin_head sin_head'`, and both its terms
are multiples of `2^-52` of size at most 2, hence computed without error. The rest is four
products of a tail with a number of size at most about 1, three sums of size below `2^-25`, and
the rounding of the new tail. Together they are off by less than `2^-76` in modulus, for which
`2^-75` is charged. So if `z` and `w` are within `e` and `f` of points of the unit circle, the
computed product is within `e (1 + f) + f + 2^-75` of the product of those points.

**Doubling.** The points for `0 <= v < 2^{k+1}` are those for `v < 2^k` and their products with the
seed `e^{i theta 2^k}`, one Arb value per plane. A seed's error is measured from its ball. No
distance to a multiple of pi enters: Arb reduces an angle with as many bits as it needs.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.rotary.precision import precision

__all__ = ["Points", "seed", "table", "turn"]

_TURN_ERROR = 2.0**-75
_MOST_KEPT = 2**16
"""Entries of a table that is kept: 2 MiB in its four parts."""


class Points(NamedTuple):
    """Points `e^{i angle}`, `(rows, planes)`, in two parts per coordinate, each within `error`."""

    cos_head: Floats
    cos_tail: Floats
    sin_head: Floats
    sin_tail: Floats
    error: float

    def split(self, heads: int) -> Points:
        """One row of points as `(heads, 1, planes)`: one row for each of several heads."""
        parts = [part.reshape(heads, 1, -1) for part in self[:4]]
        return Points(parts[0], parts[1], parts[2], parts[3], self.error)


_SHIFTER = 1.5 * 2.0**26
"""Adding and subtracting it rounds a number below 2**25 to a multiple of 2**-26."""


def seed(angles: Sequence[Any], bits: int) -> Points:
    """The points `e^{i angle}` of the given angles (balls, radians), as one row, at `bits` bits."""
    parts = np.empty((4, 1, len(angles)))
    error = 0.0
    with precision(bits):
        for plane, angle in enumerate(angles):
            sine, cosine = angle.sin_cos()
            for row, ball in ((0, cosine), (2, sine)):
                head = (float(ball) + _SHIFTER) - _SHIFTER
                rest = ball - head
                parts[row, 0, plane] = head
                parts[row + 1, 0, plane] = float(rest)
                error = max(error, float(rest.rad()))
    # Per component: the ball's radius, and one ulp of a tail below 2**-26. Then sqrt(2) < 1.5.
    bound = 1.5 * (error * (1 + 2.0**-20) + 2.0**-78)
    return Points(parts[0], parts[1], parts[2], parts[3], bound)


def turn(z: Points, w: Points) -> Points:
    """The products of the points `z` and `w`, shapes broadcast."""
    cos_main = z.cos_head * w.cos_head - z.sin_head * w.sin_head
    sin_main = z.sin_head * w.cos_head + z.cos_head * w.sin_head
    cosine, sine = w.cos_head + w.cos_tail, w.sin_head + w.sin_tail
    cos_rest = z.cos_head * w.cos_tail + z.cos_tail * cosine
    cos_rest -= z.sin_head * w.sin_tail + z.sin_tail * sine
    sin_rest = z.sin_head * w.cos_tail + z.sin_tail * cosine
    sin_rest += z.cos_head * w.sin_tail + z.cos_tail * sine
    cos_head = (cos_main + cos_rest + _SHIFTER) - _SHIFTER
    sin_head = (sin_main + sin_rest + _SHIFTER) - _SHIFTER
    cos_rest += cos_main - cos_head
    sin_rest += sin_main - sin_head
    # The factor covers the rounding of this line.
    error = (z.error * (1 + w.error) + w.error + _TURN_ERROR) * (1 + 2.0**-40)
    return Points(cos_head, cos_rest, sin_head, sin_rest, error)


class _Same:
    """Frequencies that are equal if they are the very same balls, which it keeps from being freed."""

    def __init__(self, frequencies: Sequence[Any]) -> None:
        self.frequencies = tuple(frequencies)
        self.identities = tuple(map(id, self.frequencies))

    def __hash__(self) -> int:
        return hash(self.identities)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.identities == other.identities


def table(frequencies: Sequence[Any], stride: int, size: int, bits: int) -> Points:
    """The points `e^{i theta_l stride v}` for `0 <= v < size`, `size` a power of two; read-only.

    Small tables are kept for other heads whose frequencies are the same balls.
    """
    if size * len(frequencies) > _MOST_KEPT:
        return _built(frequencies, stride, size, bits)
    return _kept(_Same(frequencies), stride, size, bits)


@functools.lru_cache(maxsize=16)
def _kept(same: _Same, stride: int, size: int, bits: int) -> Points:
    return _built(same.frequencies, stride, size, bits)


def _built(frequencies: Sequence[Any], stride: int, size: int, bits: int) -> Points:
    one, zero = np.ones((1, len(frequencies))), np.zeros((1, len(frequencies)))
    rows = Points(one, zero, zero, zero, 0.0)
    reach = 1
    while reach < size:
        with precision(bits):
            angles = [frequency * (stride * reach) for frequency in frequencies]
        more = turn(rows, seed(angles, bits))
        parts = [np.concatenate(pair) for pair in zip(rows[:4], more[:4], strict=True)]
        rows = Points(parts[0], parts[1], parts[2], parts[3], more.error)
        reach *= 2
    for part in rows[:4]:
        part.flags.writeable = False
    return rows
