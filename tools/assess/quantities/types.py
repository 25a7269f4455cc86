"""Rounding of whole arrays to a number type, and checks of arguments that are types or lengths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.golden.rounding import TYPES, NumberType

__all__ = ["DTYPES", "MOST_LENGTH", "read_length", "read_type", "rounded", "rounded_frequencies"]

Floats = NDArray[np.float64]

DTYPES = ("float32", "bfloat16")
"""The types in which angles and tables are judged."""
MOST_LENGTH = 2**22
"""The longest context: up to here every position is an exact float32, and a scan takes seconds."""
_LAST_BITS = 1 << 12


def read_type(dtype: str) -> NumberType:
    """The number type of that name; raises `InvalidArgument` unless it is one of `DTYPES`."""
    if dtype not in DTYPES:
        raise InvalidArgument("dtype", dtype, ", ".join(DTYPES))
    return TYPES[dtype]


def read_length(length: object, *, name: str = "length") -> int:
    """A number of positions from 2 to `MOST_LENGTH`; raises `InvalidArgument` with the name."""
    return read_integer(name, length, least=2, most=MOST_LENGTH, cost="every lag is looked at")


def rounded(values: Floats, kind: NumberType) -> Floats:
    """Doubles rounded to nearest even in a number type, for values that are normal in both types.

    >>> rounded(np.array([257.0, 1 / 3]), TYPES["bfloat16"]).tolist()
    [256.0, 0.333984375]
    """
    mantissas, exponents = np.frexp(values)
    # Both steps are exact, and rint goes to the even integer.
    result: Floats = np.ldexp(np.rint(np.ldexp(mantissas, kind.bits)), exponents - kind.bits)
    return result


def rounded_frequencies(spec: RopeSpec, kind: NumberType) -> Floats:
    """`theta_l` correctly rounded to a type, `(planes,)`.

    Raises `Unsupported` if a rounding stays open.
    """
    return np.array([_rounded(spec, plane, kind) for plane in range(spec.planes)])


def _rounded(spec: RopeSpec, plane: int, kind: NumberType) -> float:
    if plane >= spec.rotary_planes:
        return 0.0
    bits = 128
    while bits <= _LAST_BITS:
        found = kind.of_ball(frequencies_ball(spec, bits=bits)[plane])
        if found is not None:
            return found
        bits *= 2
    raise Unsupported(f"the frequency of plane {plane} lies between two values of {kind.name}")
