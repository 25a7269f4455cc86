"""Tables of cosines and sines in a number type: which neighbouring positions have equal rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.numerics.core.lag_scan import logit_enclosure
from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_ball
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.quantities.types import read_length, read_type, rounded
from ropeproof.tools.conform.expected.exact import turn_balls
from ropeproof.tools.conform.golden.rounding import NumberType

__all__ = ["BlindTables", "blind_tables"]

Floats = NDArray[np.float64]
_BITS = 128
_LAST_BITS = 1 << 12


@dataclass(frozen=True)
class BlindTables:
    """How many pairs of neighbouring positions have the same table entries, for each rotated plane.

    `pairs`, `(rotary_planes,)`, counts those of the `length - 1` pairs that have the same cosine and the same
    sine; `first` is the first such position of each plane, None without one. Planes of frequency 0 count as
    having none. Entries are `a cos(p theta_l)` and `a sin(p theta_l)`, each correctly rounded to the type.
    """

    dtype: str
    length: int
    pairs: tuple[int, ...]
    first: tuple[int | None, ...]


def blind_tables(spec: RopeSpec, *, length: int, dtype: str) -> BlindTables:
    """Which planes do not tell neighbours apart in tables of a type, certified.

    >>> found = blind_tables(RopeSpec(128, 10000), length=4096, dtype="bfloat16")
    >>> sum(count > 0 for count in found.pairs), found.pairs[0]
    (58, 0)

    Every entry's rounding is certain: those that float64 leaves open are settled by Arb. Cost: two
    lag scans per plane. Raises `InvalidArgument`; `Unsupported` if Arb leaves one open.
    """
    kind, count = read_type(dtype), read_length(length)
    pairs: list[int] = []
    first: list[int | None] = []
    for plane in range(spec.rotary_planes):
        if spec.frequencies()[plane] == 0:  # proportional RoPE: a plane that is still by design
            pairs.append(0)
            first.append(None)
            continue
        waves = [_entries(spec, plane, part, count, kind) for part in (0, 1)]
        equal = np.logical_and(*(wave[1:] == wave[:-1] for wave in waves))
        places = np.flatnonzero(equal)
        pairs.append(len(places))
        first.append(int(places[0]) if len(places) else None)
    return BlindTables(dtype, count, tuple(pairs), tuple(first))


def _entries(spec: RopeSpec, plane: int, part: int, count: int, kind: NumberType) -> Floats:
    """The cosines (`part` 0) or sines (1) of a plane, correctly rounded, `(count,)`."""
    size = attention_factor_float64(spec)
    theta = frequencies_ball(spec, bits=_BITS)[plane]
    found = logit_enclosure([size], [-np.pi / 2 if part else 0.0], [theta], lags=count)
    # The factor is off by a rounding, and so is pi/2.
    spare = found.radius * (1 + 2.0**-50) + size * 2.0**-51
    low, high = (rounded(found.mid + side, kind) for side in (-spare, spare))
    for place in np.flatnonzero(low != high).tolist():
        low[place] = _settled(spec, plane, part, place, kind)
    return low


def _settled(spec: RopeSpec, plane: int, part: int, place: int, kind: NumberType) -> float:
    if place == 0 and part == 1:
        return 0.0
    bits = _BITS
    while bits <= _LAST_BITS:
        value: Any = turn_balls(spec, place, bits=bits)[plane][part]
        found = kind.of_ball(value)
        if found is not None:
            return found
        bits *= 2
    with precision(_LAST_BITS):
        told = arb(value).str(5)
    raise Unsupported(f"the rounding of {told}, position {place}, plane {plane}, to {kind.name}")
