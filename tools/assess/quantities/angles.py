r"""Angles that are formed in a number type: how wrong they are at a length.

A position, a frequency and their product, each rounded to the type: $\alpha_l(p)$. No model forms them
better in that type, so what is found here is the least that the type costs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.spec import frequencies_ball, frequencies_float64
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.quantities.types import (
    read_length,
    read_type,
    rounded,
    rounded_frequencies,
)

__all__ = ["AngleErrors", "angle_errors"]

Floats = NDArray[np.float64]
_BLOCK = 1 << 16
_BITS = 192


@dataclass(frozen=True)
class AngleErrors:
    """Errors of the angles of all planes that rotate, at positions below a length.

    - `planes`: of each plane the largest error in radians, enclosed, `(rotary_planes,)`;
    - `positions`: a position of each plane where the error is at least the lower end;
    - `same`: the first position of each plane whose angle is that of the next, None without one;
    - `mistaken`: of each plane whether some angle is further from its own exact one than half a
      step, so that it is nearer to a neighbour's; None where that is not decided;
    - `logit`: `mean_l min(2, 2 e_l)` with the errors `e_l`, rounded up: a bound of the change of any logit of
      a head with the same amplitude on each rotated plane, per unit amplitude;
    - `worst_logit`: `max_l min(2, 2 e_l)`, rounded up: the same for any head.

    Both sides of a logit turn by an angle and a cosine is no steeper than 1, as in `slash.precision`.
    """

    dtype: str
    length: int
    planes: tuple[Enclosure, ...]
    positions: tuple[int, ...]
    same: tuple[int | None, ...]
    mistaken: tuple[bool | None, ...]
    logit: float
    worst_logit: float

    @property
    def worst(self) -> int:
        """The number of the plane whose angles have the largest error."""
        return max(range(len(self.planes)), key=lambda plane: self.planes[plane].upper)


def angle_errors(spec: RopeSpec, *, length: int, dtype: str) -> AngleErrors:
    """The errors of angles formed in a type, at the positions `0 .. length - 1`, certified.

    >>> found = angle_errors(RopeSpec(128, 10000), length=4096, dtype="bfloat16")
    >>> found.worst, f"{found.planes[0].upper:.0f}", found.same[0]
    (1, '8', 256)

    Cost: a pass over positions and planes. Raises `InvalidArgument`.
    """
    kind, count = read_type(dtype), read_length(length)
    near = rounded_frequencies(spec, kind)
    exact = frequencies_float64(spec)
    planes: list[Enclosure] = []
    positions: list[int] = []
    same: list[int | None] = []
    mistaken: list[bool | None] = []
    for plane in range(spec.rotary_planes):
        theta = float(exact[plane])
        if theta == 0:  # proportional RoPE: a plane that is still by design
            planes.append(Enclosure(lower=0.0, upper=0.0))
            positions.append(0)
            same.append(None)
            mistaken.append(False)
            continue
        # Products of two such numbers are doubles. The exact angle as a double is off by two
        # roundings, and the difference by one.
        spare = count * theta * 2.0**-51
        worst, where, first = -1.0, 0, None
        last = math.nan
        for start in range(0, count, _BLOCK):
            places = np.arange(start, min(start + _BLOCK, count), dtype=np.float64)
            angles = rounded(rounded(places, kind) * float(near[plane]), kind)
            errors = np.abs(angles - places * theta)
            top = int(errors.argmax())
            if errors[top] > worst:
                worst, where = float(errors[top]), start + top
            if first is None:
                chain = np.concatenate(([last], angles))
                equal = np.flatnonzero(chain[1:] == chain[:-1])
                first = start - 1 + int(equal[0]) if len(equal) else None
            last = float(angles[-1])
        found = _enclosed(spec, plane, where, kind.name, worst * (1 + 2.0**-50) + spare)
        planes.append(found)
        positions.append(where)
        same.append(first)
        mistaken.append(_more_than_half(spec, plane, found))
    moves = [min(2.0, 2 * found.upper) for found in planes]
    mean = math.fsum(moves) / max(len(moves), 1) * (1 + 2.0**-50)
    return AngleErrors(
        dtype,
        count,
        tuple(planes),
        tuple(positions),
        tuple(same),
        tuple(mistaken),
        min(2.0, mean),
        max(moves),
    )


def _enclosed(spec: RopeSpec, plane: int, place: int, dtype: str, upper: float) -> Enclosure:
    """The largest error as an enclosure: from one position's error to a bound for all positions."""
    kind = read_type(dtype)
    near = float(rounded_frequencies(spec, kind)[plane])
    formed = float(rounded(rounded(np.array([float(place)]), kind) * near, kind)[0])
    with precision(_BITS):
        true = frequencies_ball(spec, bits=_BITS)[plane] * place
        error = abs(arb(formed) - true)
        lower = Enclosure.of(error, error).lower
    return Enclosure(lower=min(max(lower, 0.0), upper), upper=upper)


def _more_than_half(spec: RopeSpec, plane: int, error: Enclosure) -> bool | None:
    """Whether an angle's error is more than half of the plane's frequency; None where that is not certain."""
    with precision(_BITS):
        half = frequencies_ball(spec, bits=_BITS)[plane] / 2
        if arb(error.lower) > half:
            return True
        return False if arb(error.upper) < half else None
