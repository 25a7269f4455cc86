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

__all__ = ["UNITS", "allowed", "unit"]

Floats = NDArray[np.float64]

_ROUNDINGS = 6
"""Of a coordinate: sine or cosine, its factor, its cast to the type, the product, the sum, the cast."""

_POWER = 8
"""Units of a frequency from a quotient, a power, a reciprocal and the product with the position."""
_EXPONENT = 3
"""Units per unit of the exponent: of its quotient, of the logarithm, of their product."""
_BLEND = 12
"""Units of a scaling's own operations."""


def unit(dtype: str, *, name: str = "dtype") -> float:
    """The unit of a type's rounding; raises `InvalidArgument` with the name for a type not known."""
    if dtype not in UNITS:
        raise InvalidArgument(name, dtype, ", ".join(UNITS))
    return UNITS[dtype]


def allowed(
    spec: RopeSpec, positions: NDArray[np.int64], *, dtype: str, angles: str = "float32"
) -> Floats:
    """What a rotated coordinate may be off by, `(*positions, planes)`, per `|x_re| + |x_im|`.

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
