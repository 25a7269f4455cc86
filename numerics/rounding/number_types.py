"""The number types that models compute in, and rounding to the nearest number of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.formats import UNITS
from ropeproof.theory.errors import InvalidArgument

__all__ = ["NUMBER_TYPES", "FloatType", "number_type", "rounded", "spacing"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FloatType:
    """A floating-point type with binary digits.

    - `unit`: the largest relative error of rounding a normal number to nearest.
    - `step`: the largest relative error of one operation of PyTorch in this type. Operations on the
      two short types are carried out in float32 and rounded again, which adds float32's unit.
    - `least`: the smallest positive number, subnormal; `normal`: the smallest normal number.
    - `largest`: the largest finite number.
    """

    name: str
    unit: float
    normal: float
    largest: float

    @property
    def short(self) -> bool:
        """Whether PyTorch carries out its operations in float32."""
        return self.name in ("float16", "bfloat16")

    @property
    def step(self) -> float:
        """The largest relative error of one operation, rounding twice where the type is short."""
        wide = UNITS["float32"]
        return self.unit + wide + self.unit * wide if self.short else self.unit

    @property
    def least(self) -> float:
        """The smallest positive number of the type."""
        return max(self.normal * 2 * self.unit, 2.0**-1074)


def _made(name: str, low: int, high: int) -> FloatType:
    unit = UNITS[name]
    return FloatType(name, unit, 2.0**low, 2.0 ** (high - 1) * (2 - 2 * unit))


NUMBER_TYPES: Mapping[str, FloatType] = MappingProxyType(
    {
        "float64": _made("float64", -1022, 1024),
        "float32": _made("float32", -126, 128),
        "float16": _made("float16", -14, 16),
        "bfloat16": _made("bfloat16", -126, 128),
    }
)
"""The floating-point types by name."""


def number_type(name: str) -> FloatType:
    """The floating-point type of this name. Raises `InvalidArgument` for any other."""
    if name not in NUMBER_TYPES:
        raise InvalidArgument("dtype", name, ", ".join(NUMBER_TYPES))
    return NUMBER_TYPES[name]


def rounded(values: NDArray[Any], dtype: str) -> Floats:
    """Each value rounded to the nearest number of a type, ties to even, as float64.

    Values above the largest number become infinite. The short types are reached by way of float32,
    as PyTorch reaches them. Where `values` are the float64 sum, difference, product, quotient or
    square root of two numbers of a type other than float64, the result is that of the type's own
    operation: its digits are fewer than half of float64's, so that rounding twice does no harm.
    """
    number_type(dtype)
    whole = np.asarray(values, dtype=np.float64)
    if dtype == "float64":
        return whole
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        single = whole.astype(np.float32)
        if dtype == "float16":
            return single.astype(np.float16).astype(np.float64)
        if dtype == "bfloat16":
            bits = single.view(np.uint32)
            odd = (bits >> np.uint32(16)) & np.uint32(1)
            short = (bits + np.uint32(0x7FFF) + odd) & np.uint32(0xFFFF0000)
            single = np.where(np.isnan(single), single, short.view(np.float32))
        return single.astype(np.float64)


def spacing(values: Floats, dtype: str) -> Floats:
    """The unit in the last place of each value in a type: the gap between the type's numbers there."""
    own = number_type(dtype)
    _, exponent = np.frexp(np.maximum(np.abs(values), own.normal))
    found: Floats = np.ldexp(2 * own.unit, exponent - 1)
    return found
