"""How far a correct implementation may be from the exact rotation.

Two kinds of rounding are distinguished. What the number type of the vectors does to a product and a sum is
bounded by its unit, whatever the position. What the type of the *angles* does grows with the position:
an angle `p theta_l` whose frequency has a relative error of `c` units is off by `c u p theta_l`
radians. Models form angles in float32, so that much is allowed by default; with angles in the type of
a bfloat16 vector the second part is 65,536 times as large, and that is what is found.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.formats import UNITS
from ropeproof.numerics.core.spec import (
    attention_factor_float64,
    exponents_float64,
    frequencies_float64,
    plane_positions,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.scaling import Linear
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["UNITS", "allowed", "largest", "smallest_normal", "underflow", "unit"]

Floats = NDArray[np.float64]

_ROUNDINGS = 6
"""Roundings of a coordinate: sine or cosine, its factor, its cast, the product, the sum, the last cast."""

_POWER = 8
"""Units of a frequency from a quotient, a power, a reciprocal and the product with the position."""
_EXPONENT = 3
"""Units per unit of the exponent: of its quotient, of the logarithm, of their product."""
_BLEND = 12
"""Units of a scaling's own operations."""
_EXPONENTS = {"float64": (-1022, 1024), "float32": (-126, 128), "float16": (-14, 16)}
_EXPONENTS["bfloat16"] = _EXPONENTS["float32"]
"""The exponent of the smallest normal number, and the one from which on there is no number."""
_FRACTIONS = {"float32": 23, "float16": 10, "bfloat16": 7}
"""Bits behind the point."""


def unit(dtype: str, *, name: str = "dtype") -> float:
    """The unit of a type's rounding; raises `InvalidArgument`, about `name`, for an unknown type."""
    if dtype not in UNITS:
        raise InvalidArgument(name, dtype, ", ".join(UNITS))
    return UNITS[dtype]


def allowed(
    spec: RopeSpec, positions: NDArray[np.int64], *, dtype: str, angles: str = "float32"
) -> Floats:
    """The allowed error of a rotated coordinate, `(*positions, planes)`, per `|x_re| + |x_im|`.

    `dtype` is the type of the vectors, `angles` that in which angle, cosine and sine are formed.
    A correct implementation in these types stays within it: with `u` the larger unit, six roundings
    give `(1 + u)**6 - 1`, and the angle adds at most `c u_angles |p| theta_l` (a cosine is no
    steeper than 1), where `c` counts the operations on the frequency: 8, three times
    `log(theta_0 / theta_l)` for the rounding of its exponent, and 12 under a scaling other than
    linear. Multiplied by the attention factor; 0 on planes that do not rotate.
    """
    own, formed = unit(dtype), unit(angles)
    rotated = spec.rotary_planes
    thetas = frequencies_float64(spec)[:rotated]
    depth = exponents_float64(spec) * math.log(float(spec.base))
    scaled = 0 if spec.scaling is None or isinstance(spec.scaling, Linear) else _BLEND
    units = (_POWER + scaled + _EXPONENT * depth) * formed
    places = plane_positions(spec, np.abs(positions.astype(np.float64)))
    turned = (places if spec.axes is None else places[..., :rotated]) * thetas
    # In float64 itself 1 + u is 1.
    rounding = math.expm1(_ROUNDINGS * math.log1p(max(own, formed)))
    found = np.zeros((*turned.shape[:-1], spec.planes))
    factor = attention_factor_float64(spec)
    found[..., :rotated] = factor * (rounding + np.minimum(2.0, turned * units))
    return found


def smallest_normal(dtype: str) -> float:
    """The smallest number that the type holds with all of its bits; of float64 that of float32.

    A right implementation may turn vectors in float32 whatever they come in. Raises
    `InvalidArgument` for a type not known.
    """
    unit(dtype)
    return 2.0 ** max(_EXPONENTS[dtype][0], _EXPONENTS["float32"][0])


def largest(spec: RopeSpec, dtype: str, *, own: bool = False) -> float:
    """The size of entries up to which no step of a rotation overflows, in the type of the vectors.

    A coordinate of the result is at most `a sqrt(2)` times as large as the entries, with the
    attention factor `a`, and a product of complex numbers by three products adds the two entries
    first. float64 counts as float32, as which it may be turned; `own=True` gives the bound for
    float64 itself. Raises `InvalidArgument` for a type not known.
    """
    unit(dtype)
    _, over = _EXPONENTS[dtype if own or dtype != "float64" else "float32"]
    most = 2.0 ** (over - 1) * (2 - 2.0**-7)  # less than the largest number of each type
    return most / (2 * math.sqrt(2) * max(attention_factor_float64(spec), 1.0))


def underflow(spec: RopeSpec, dtype: str, *, gradual: bool = False) -> float:
    """The error that underflow in a type may add, whatever the size of the entries.

    Six roundings, each of which loses at most the smallest normal number where the processor sets
    subnormal numbers to 0 (`torch.set_flush_denormal`), or one unit of the subnormal numbers where it
    does not: `gradual`, and float16 always, to which no processor does that unless it is set to for
    that type alone.
    """
    least = smallest_normal(dtype)
    if gradual or dtype == "float16":
        least *= 2.0 ** -_FRACTIONS.get(dtype, _FRACTIONS["float32"])
    return _ROUNDINGS * max(attention_factor_float64(spec), 1.0) * least
