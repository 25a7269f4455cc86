r"""The attention weight on a target by its place: largest at the ends, or largest in the middle.

**Index** with `0 < theta < 2 pi/n`: the target at place `l` of `0 .. n - 1` has the weight
`1/sum_j e^{beta (cos(theta (j - l)) - 1)}`. Moving it one place on changes the sum by
`e^{beta cos(theta (l + 1))} - e^{beta cos(theta (n - 1 - l))}` over `e^beta`: the weight falls while
`l + 1 < n - 1 - l` and rises after.

**Symbols** of two types on a circle, with `theta = pi/n`: the target's logit is `sin(pi l/n)`, that of
the others the negative of theirs, so with `nu(j) = e^{-beta sin(pi j/n)}`, `S = sum_j nu(j)`, the
target's weight is `1/(1 + S nu(l) - nu(l)^2)`, largest in the middle. Claim `task.u-shape`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy
from flint import arb

from ropeproof.numerics.bounds.planes.aligned import exact_angle
from ropeproof.numerics.bounds.slash.balls import BITS, enclosed, number
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import ball, read_integer, sign
from ropeproof.theory.rotary.precision import precision

__all__ = ["WeightByPlace", "index_weight_by_place", "symbol_weight_by_place"]

_MOST_LENGTH = 1 << 16


@dataclass(frozen=True, eq=False)
class WeightByPlace:
    """Certified bounds of the target's weight at the places `0 .. n - 1`, `(length,)` each."""

    lower: Floats
    upper: Floats

    @property
    def mid(self) -> Floats:
        """The midpoints of the bounds, for a plot."""
        return (self.lower + self.upper) / 2

    def at(self, place: int) -> Enclosure:
        """The weight at one place, enclosed. Raises `InvalidArgument` outside `0 .. n - 1`."""
        where = read_integer("place", place, least=0)
        if where >= len(self.lower):
            raise InvalidArgument("place", place, f"an integer from 0 to {len(self.lower) - 1}")
        return Enclosure(lower=float(self.lower[where]), upper=float(self.upper[where]))


def index_weight_by_place(
    length: int, *, angle: object, inverse_temperature: object = 1
) -> WeightByPlace:
    """The weight of the index construction's target at each place, from the exact formula in balls.

    >>> import sympy
    >>> curve = index_weight_by_place(8, angle=sympy.pi / 8)
    >>> [f"{w:.4f}" for w in curve.mid[:4]]
    ['0.2405', '0.2025', '0.1817', '0.1726']

    Claim `task.u-shape`. Raises `InvalidArgument` unless `length >= 1`, `inverse_temperature >= 0`
    and `0 < angle < 2 pi/length`; `Unsupported` above `2^16` places.
    """
    n = _length(length)
    theta = exact_angle("angle", angle)
    if sign(theta) <= 0 or sign(2 * sympy.pi / n - theta) <= 0:
        allowed = f"0 < angle < {2 * sympy.pi / n}, in radians per position"
        raise InvalidArgument("angle", angle, allowed)
    beta = number("inverse_temperature", inverse_temperature, least=0)
    step = ball(theta, bits=BITS + n.bit_length())
    with precision(BITS):
        sizes = []
        for t in range(n):
            sine = (step * t / 2).sin()
            sizes.append((-2 * beta * sine * sine).exp())
        # Running sums over the lags on one side of the target.
        sides = [arb(0)]
        for size in sizes[1:]:
            sides.append(sides[-1] + size)
        found = [enclosed(1 / (1 + sides[place] + sides[n - 1 - place])) for place in range(n)]
    return _curve(found)


def symbol_weight_by_place(length: int, *, inverse_temperature: object = 1) -> WeightByPlace:
    """`1/(1 + S nu(l) - nu(l)^2)`, the weight of a target among two symbols at each place `l`.

    From the exact formula, in ball arithmetic; `nu` and `S` as in the module's docstring.

    >>> curve = symbol_weight_by_place(8)
    >>> [f"{w:.4f}" for w in curve.mid[:5]]
    ['0.2216', '0.2768', '0.3354', '0.3797', '0.3961']

    Claim `task.u-shape`. Raises `InvalidArgument` unless `length >= 1` and
    `inverse_temperature >= 0`; `Unsupported` above `2^16` places.
    """
    n = _length(length)
    beta = number("inverse_temperature", inverse_temperature, least=0)
    with precision(BITS):
        nus = [(-beta * (arb(j) / n).sin_pi()).exp() for j in range(n)]
        total = sum(nus, arb(0))
        found = [enclosed(1 / (1 + nu * (total - nu))) for nu in nus]
    return _curve(found)


def _length(length: int) -> int:
    n = read_integer("length", length, least=1)
    if n > _MOST_LENGTH:
        raise Unsupported(f"a curve of {n} places: at most 2^16")
    return n


def _curve(found: list[Enclosure]) -> WeightByPlace:
    lower, upper = np.array([e.lower for e in found]), np.array([e.upper for e in found])
    lower.flags.writeable = upper.flags.writeable = False
    return WeightByPlace(lower, upper)
