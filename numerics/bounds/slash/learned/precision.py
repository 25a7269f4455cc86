r"""Slash heads with rounded angles and tables: bounds of the change, and the rounded logits.

A model forms angles `p theta_l`, takes cosines and sines of them, and keeps these in tables. Angles
with a relative error `u` have an absolute error that grows with the position, so that the head loses the
lag; table entries that are off by `u` move a logit by little, whatever the position. Claim
`slash.precision`. Amplitudes are in logits, phases in radians, positions count from 0.

Many heads at once: leading axes of the arguments broadcast.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.bounds.slash.learned.scaling_survival import read_planes
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.formats import UNITS
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "UNITS",
    "angle_moves",
    "angle_unit",
    "round_to_type",
    "rounded_logits",
    "rounded_weights",
    "table_move",
    "table_unit",
]

Floats = NDArray[np.float64]
_TABLES = Stated("slash.precision", "2.above.own", {"unit": "u"})


def angle_unit(arithmetic: object) -> float:
    """The relative error `u` of an angle whose factors and product are rounded to a number type.

    `(1 + v)^3 - 1` with `v` the type's unit roundoff: position, frequency and product. Rounded up.

    >>> f"{angle_unit('bfloat16'):.5f}"
    '0.01176'

    Raises `InvalidArgument` unless `arithmetic` is a type of `UNITS`, by name or as torch's.
    """
    unit = UNITS[_name(arithmetic)]
    return unit * (3 + unit * (3 + unit)) * (1 + 2.0**-50)


def table_unit(arithmetic: object) -> float:
    """The error `u` of a table entry in `[-1, 1]` that is rounded to a number type.

    It is the type's unit roundoff.

    >>> table_unit("bfloat16") == 2.0**-8
    True

    Raises `InvalidArgument` as `angle_unit`.
    """
    return UNITS[_name(arithmetic)]


def angle_moves(
    amplitudes: ArrayLike,
    spec: RopeSpec,
    query_positions: ArrayLike,
    key_positions: ArrayLike,
    *,
    unit: float,
) -> Any:
    """`sum_l A_l min(2, u (i + j) theta_l)`, a bound of a logit's change by rounded angles.

    In logits, `(..., *positions)`: for a query at `i` and a key at `j`, if every angle is off by at most
    `u p theta_l`. `amplitudes` `(..., planes)`; the positions broadcast to `(*positions)`.

    >>> angle_moves([1.0, 0.0], RopeSpec(4, 10000), 100, 99, unit=2.0**-8).tolist()
    0.77734375

    Claim `slash.precision`. Raises `InvalidArgument` unless amplitudes, positions and `unit` are
    numbers >= 0.
    """
    sizes = _amplitudes(amplitudes, spec)
    places = _not_negative("query_positions", query_positions) + _not_negative(
        "key_positions", key_positions
    )
    turns = np.minimum(2.0, _unit(unit) * places[..., np.newaxis] * frequencies_float64(spec))
    result: Any = np.tensordot(sizes, turns, axes=(-1, -1))
    return result


def table_move(amplitude: ArrayLike, *, unit: float) -> Any:
    """`A (2 sqrt(2) u + 2 u^2)`, a bound of a logit's change by rounded tables at any position.

    In logits, the shape of `amplitude`, if every cosine and sine is off by at most `u`.

    >>> f"{table_move(21.0, unit=2.0**-8):.4f}"
    '0.2327'

    Claim `slash.precision`. Raises `InvalidArgument` unless both are numbers >= 0.
    """
    size, error = _not_negative("amplitude", amplitude), _unit(unit)
    result: Any = size * _TABLES.float64(unit=error)
    return result


def rounded_logits(
    amplitudes: ArrayLike,
    phases: ArrayLike,
    spec: RopeSpec,
    *,
    row: int,
    angles: object = "float64",
    tables: object = "float64",
) -> Floats:
    """The logits of row `row` (from 1) at each lag, `(..., row)`, with rounded angles or tables.

    Positions and frequencies are rounded to the type `angles`, their products again, then cosine
    and sine (in float64) to the type `tables`; all else is float64. `amplitudes` and `phases` are
    `(..., planes)`. Cost: a `(heads, 2 planes)` by `(2 planes, row)` product. Raises
    `InvalidArgument` on wrong shapes or types.
    """
    sizes, turns = _amplitudes(amplitudes, spec), read_planes("phases", phases, spec)
    row = read_integer("row", row, least=1)
    places = round_to_type(np.arange(row), angles)[:, np.newaxis]
    formed = round_to_type(places * round_to_type(frequencies_float64(spec), angles), angles)
    cosines, sines = (round_to_type(wave(formed), tables) for wave in (np.cos, np.sin))
    # a = A e^{i phi} z_query, and the logit is Re a conj(z_key).
    real = sizes * (np.cos(turns) * cosines[-1] - np.sin(turns) * sines[-1])
    imaginary = sizes * (np.cos(turns) * sines[-1] + np.sin(turns) * cosines[-1])
    by_position = real @ cosines.T + imaginary @ sines.T
    result: Floats = by_position[..., ::-1]
    return result


def rounded_weights(
    amplitudes: ArrayLike,
    phases: ArrayLike,
    offsets: ArrayLike,
    spec: RopeSpec,
    *,
    row: int,
    angles: object = "float64",
    tables: object = "float64",
) -> Any:
    """The attention weights at the offsets in row `row`, `(...)`, from `rounded_logits`.

    `offsets` is `(...)`.

    >>> head = [20.0, 1.0], [-1.0, -0.01]  # aligned at lag 1
    >>> exact = rounded_weights(*head, 1, RopeSpec(4, 10000), row=40)
    >>> rounded_weights(*head, 1, RopeSpec(4, 10000), row=40, tables="bfloat16") > exact - 0.1
    np.True_

    Other arguments and errors as in `rounded_logits`; `0 <= offset < row`.
    """
    values = rounded_logits(amplitudes, phases, spec, row=row, angles=angles, tables=tables)
    places = np.asarray(offsets)
    if places.dtype.kind not in "iu" or (places < 0).any() or (places >= row).any():
        raise InvalidArgument("offsets", offsets, f"integers from 0 to row - 1, {row - 1}")
    powers = np.exp(values - values.max(-1, keepdims=True))
    places = np.broadcast_to(places, values.shape[:-1])[..., np.newaxis]
    result: Any = np.take_along_axis(powers, places, -1)[..., 0] / powers.sum(-1)
    return result


def round_to_type(values: ArrayLike, arithmetic: object) -> Floats:
    """Numbers rounded to nearest in a number type, by way of float32, returned in float64.

    >>> round_to_type([1 / 3, 257.0], "bfloat16").tolist()
    [0.333984375, 256.0]

    Raises `InvalidArgument` unless `arithmetic` is a type of `UNITS`, by name or as torch's.
    """
    name, array = _name(arithmetic), np.array(values, dtype=np.float64)
    if name == "float64":
        return array
    single = array.astype(np.float32)
    if name == "float16":
        return single.astype(np.float16).astype(np.float64)
    if name == "bfloat16":
        bits = single.view(np.uint32)
        odd = (bits >> np.uint32(16)) & np.uint32(1)
        bits = (bits + np.uint32(0x7FFF) + odd) & np.uint32(0xFFFF0000)
        single = bits.view(np.float32)
    result: Floats = single.astype(np.float64)
    return result


def _name(arithmetic: object) -> str:
    name = str(arithmetic).removeprefix("torch.")
    if name not in UNITS:
        raise InvalidArgument("arithmetic", arithmetic, ", ".join(UNITS))
    return name


def _amplitudes(values: ArrayLike, spec: RopeSpec) -> Floats:
    sizes = read_planes("amplitudes", values, spec)
    if (sizes < 0).any():
        raise InvalidArgument("amplitudes", float(sizes.min()), "numbers >= 0")
    return sizes


def _not_negative(name: str, values: ArrayLike) -> Floats:
    array = np.asarray(values)
    if array.dtype.kind not in "fiu" or not np.isfinite(array).all() or (array < 0).any():
        raise InvalidArgument(name, values, "finite numbers >= 0")
    return array.astype(np.float64)


def _unit(value: float) -> float:
    return float(_not_negative("unit", value))
