r"""How far rounding can move a logit and an attention weight, for each type that a head is run in.

The bound counts operations: with unit roundoff `u`, a sum of `n` products in any order is off by at
most `gamma_n = n u/(1 - n u)` times the sum of their absolute values, with or without fused
multiply-add. The errors of a query `q = W x`, and of a key likewise, add up to

- `gamma` of the width, in the accumulator's unit, times `|| |W||x| ||`, and one rounding of `q`;
- the rotation: `sqrt(2) gamma_2`, and `sqrt(2)` times the error of an entry of its tables.

If these are at most `dq` and `dk`, the computed logit is within
`s ((|q| + dq)(|k| + dk)(1 + e) - |q||k|)` of the exact one, with `s` the scale and `e` the dot
product's own error: `gamma` of the head's dimension, its rounding, and two roundings of the scale.

Weights and embeddings count as what they are after rounding to the type, so nothing is left out
and nothing is counted twice. Not covered: float32 products done in a narrower type
(`torch.set_float32_matmul_precision` other than `"highest"`), and sums in bfloat16.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.bounds.rope.rope import largest_frequency
from ropeproof.numerics.bounds.slash.learned.precision import round_to_type
from ropeproof.numerics.core.formats import UNITS
from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "ROUNDINGS",
    "SLACK",
    "Rounding",
    "factors",
    "gamma",
    "round_to",
    "rounding_in",
    "table_error",
]

Floats = NDArray[np.float64]

_DOUBLE, _SINGLE, _BRAIN = UNITS["float64"], UNITS["float32"], UNITS["bfloat16"]
SLACK = 1 + 2.0**-30
"""Makes a float64 sum or product of at most `2^22` non-negative numbers an upper bound."""
_FEW = 1 + 2.0**-44
"""`SLACK` for at most `2^8` numbers, where a difference is taken afterwards."""


@dataclass(frozen=True, kw_only=True)
class Rounding:
    """Unit roundoffs of the steps from an embedding to an attention weight.

    `unit`: results of projections and rotations; `sums`: their accumulators; `logit`, `logit_sums`:
    the same for the product of queries and keys; `softmax`: inside softmax; `weight`: its result.
    """

    name: str
    unit: float
    sums: float
    logit: float
    logit_sums: float
    softmax: float
    weight: float

    def side(self, norm: float, size: float, *, width: int, table: float) -> float:
        """An upper bound of the computed length of a rotated query or key.

        `norm` is its exact length, `size` that of `|W||x|`, `width` the number of terms; `table`
        is the error of a cosine or sine over the attention factor.
        """
        summed = norm + gamma(width, self.sums) * size
        turned = math.sqrt(2) * (gamma(2, self.unit) * (1 + 2 * table) + table)
        # It may be rounded to the type of the logits first.
        return summed * (1 + self.unit) * (1 + turned) * (1 + self.logit) * _FEW

    def product(self, query: float, key: float, *, head_dim: int) -> float:
        """An upper bound of a computed logit over the scale, for lengths as `side` gives them."""
        own = (1 + gamma(head_dim, self.logit_sums)) * (1 + self.logit) ** 3
        return query * key * own * _FEW

    def input_error(self, amplitude: float) -> float:
        """Rounding of a logit of at most `amplitude` to the type of softmax, in logits."""
        return self.softmax * amplitude * SLACK

    def weight_factor(self, length: int, spread: float) -> float:
        """A lower bound of a computed weight over the exact one of equal logits; 0 if unknown.

        `spread` bounds the distance of two logits: an exponential sees an argument rounded to it.
        Exponentials may be off by 20 units in the last place, as torch's fastest are.
        """
        inside = self.softmax * (length + spread + 96) * SLACK
        return max(0.0, (1 - inside) * (1 - self.weight) / SLACK)


def _plain(name: str, unit: float, sums: float) -> Rounding:
    return Rounding(
        name=name, unit=unit, sums=sums, logit=unit, logit_sums=sums, softmax=sums, weight=unit
    )


ROUNDINGS: Mapping[str, Rounding] = MappingProxyType(
    {
        "float64": _plain("float64", _DOUBLE, _DOUBLE),
        "float32": _plain("float32", _SINGLE, _SINGLE),
        # Torch sums products of bfloat16 in float32 and rounds the result.
        "bfloat16": _plain("bfloat16", _BRAIN, _SINGLE),
    }
)
"""The roundings of `HeadModule`, by type."""


def rounding_in(arithmetic: object) -> Rounding:
    """The rounding of a type by its name or torch dtype. Raises `InvalidArgument`."""
    name = str(arithmetic).removeprefix("torch.")
    if name not in ROUNDINGS:
        raise InvalidArgument("arithmetic", arithmetic, ", ".join(ROUNDINGS))
    return ROUNDINGS[name]


def round_to(values: ArrayLike, arithmetic: object) -> Floats:
    """Float64 numbers rounded to a type as `torch.Tensor.to` does it, in float64 again.

    >>> round_to([1 / 3, 2.0], "bfloat16").tolist()
    [0.333984375, 2.0]
    """
    return round_to_type(values, rounding_in(arithmetic).name)


def table_error(spec: RopeSpec, length: int, rounding: Rounding) -> float:
    """Error of an entry of `rotation_tables` at positions below `length`, per attention factor.

    Angles are formed in float64: `2^-52 p theta`; the functions, the factor and the rounding to
    the type follow.
    """
    angle = 2.0**-52 * length * largest_frequency(spec).upper
    return (angle + 2.0**-51 + rounding.unit) * SLACK


def factors(spec: RopeSpec) -> Any:
    """The factor by which rotation multiplies the length of each plane's vector, `(planes,)`."""
    result = np.ones(spec.planes)
    result[: spec.rotary_planes] = attention_factor_float64(spec)
    return result


def gamma(terms: int, unit: float) -> float:
    """`n u/(1 - n u)`, the relative error of a sum of `n` terms at unit roundoff `u`, at most.

    Infinite if `n u` is 1/2 or more.
    """
    return terms * unit / (1 - terms * unit) if terms * unit < 0.5 else math.inf
