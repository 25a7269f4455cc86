"""Golden vectors: what a right rotation gives, to the last bit of every number type."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from flint import arb, fmpq
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.expected.budget import allowed, unit
from ropeproof.tools.conform.expected.exact import turn_balls
from ropeproof.tools.conform.golden import rounding
from ropeproof.tools.conform.golden.places import Place, read_places

__all__ = ["MOST_VALUES", "Golden", "RoundedValues", "TypeVectors", "golden"]

Floats = NDArray[np.float64]

MOST_VALUES = 4_000_000
"""The largest number of values in one set of golden vectors, over all types."""

_FIRST_BITS = 128
_LAST_BITS = 1 << 14
_STEP = 64
"""Inputs are multiples of 1/64 of size below 2, which every type here holds."""


@dataclass(frozen=True)
class RoundedValues:
    """Values of one number type, each the nearest of the type to the true value.

    `error` is a certified upper bound of how far any of them is from it.
    """

    values: Floats
    error: float


@dataclass(frozen=True)
class TypeVectors:
    """The golden vectors of one number type.

    - `cosines`, `sines`: `(positions, planes)`, times the attention factor; 1 and 0 on planes that
      do not rotate;
    - `rotated`: `(heads, positions, head_dim)`, rounded once from the exact rotation;
    - `allowed`: `(positions, planes)`, the allowed error of a correct implementation in this type per
      `|x_re| + |x_im|`, from `ropeproof.tools.conform.expected.budget.allowed`.
    """

    dtype: str
    cosines: RoundedValues
    sines: RoundedValues
    rotated: RoundedValues
    allowed: Floats


@dataclass(frozen=True)
class Golden:
    """Inputs, positions, and what the rotation of `spec` makes of them in some number types.

    `positions` is `(positions,)` int64, or `(positions, axes)` where the spec has axes; `inputs` is
    `(heads, positions, head_dim)`, values that all types hold exactly. `angles` is the type whose
    angles `allowed` counts on, and `precision` the largest number of bits that a rounding took to be
    decided.
    """

    spec: RopeSpec
    positions: NDArray[np.int64]
    inputs: Floats
    types: tuple[TypeVectors, ...]
    seed: int
    angles: str
    precision: int


def golden(
    spec: RopeSpec,
    *,
    positions: Iterable[int | Sequence[int]] | None = None,
    heads: int = 1,
    dtypes: Sequence[str] = tuple(rounding.TYPES),
    seed: int = 0,
    angles: str = "float32",
) -> Golden:
    """Make the golden vectors of a spec.

    `positions` are integers of `0 .. 2**53 - 1`, each once, by default those of
    `expected.grid` below the spec's length (4096 without one), the first 12 dense. Where the spec
    has axes each is a tuple of coordinates, or an integer for equal ones (`read_places`). Inputs are
    drawn by Python's own generator, the same for a seed everywhere.

    Every value is correctly rounded: both ends of a ball around the true value round to it, at a
    precision that is raised until they do.

    Raises `InvalidArgument` for arguments outside these, `Unsupported` if a value overflows a type
    or its rounding stays open. Cost: about ten microseconds per value.
    """
    if not dtypes or len(set(dtypes)) != len(dtypes):
        raise InvalidArgument(
            "dtype", list(dtypes), f"one or more of {', '.join(rounding.TYPES)}, each once"
        )
    kinds = tuple(map(rounding.number_type, dtypes))
    unit(angles, name="angles")
    heads = read_integer("heads", heads, least=1)
    seed = read_integer("seed", seed, least=0)
    places = read_places(spec, positions)
    turning = (*_axis_of(spec), *((0,) * (spec.planes - spec.rotary_planes)))
    count = len(kinds) * len(places) * (heads * spec.head_dim + 2 * spec.planes)
    if count > MOST_VALUES:
        told = f"{len(places)} positions of {heads} heads in {len(kinds)} types: {count:,} values"
        raise InvalidArgument("positions", told, f"at most {MOST_VALUES:,} values in all")
    inputs = _inputs(heads, len(places), spec.head_dim, seed)
    shapes = {
        "cosines": (len(places), spec.planes),
        "sines": (len(places), spec.planes),
        "rotated": inputs.shape,
    }
    values = {(k.name, n): np.empty(shape) for k in kinds for n, shape in shapes.items()}
    errors = dict.fromkeys(values, 0.0)
    precision = _FIRST_BITS

    def put(name: str, where: tuple[int, ...], decided: _Decided) -> None:
        nonlocal precision
        precision = max(precision, decided.bits)
        for kind, value, error in zip(kinds, decided.values, decided.errors, strict=True):
            values[kind.name, name][where] = value
            errors[kind.name, name] = max(errors[kind.name, name], error)

    for row, place in enumerate(places):
        for plane, (real, imaginary) in enumerate(spec.plane_coordinates()):
            turn = _turn(spec, place[turning[plane]], plane)
            put("cosines", (row, plane), _decide(turn, 1, 0, kinds))
            put("sines", (row, plane), _decide(turn, 0, 1, kinds))
            for head in range(heads):
                # Multiples of 1/64 are exact as integers, which are divided at the end.
                x, y = (int(_STEP * inputs[head, row, c]) for c in (real, imaginary))
                put("rotated", (head, row, real), _decide(turn, x, -y, kinds, over=_STEP))
                put("rotated", (head, row, imaginary), _decide(turn, y, x, kinds, over=_STEP))
    where = np.array(places, dtype=np.int64)
    where = where if spec.axes is not None else where[:, 0]
    types = []
    for kind in kinds:
        parts = (RoundedValues(values[kind.name, n], errors[kind.name, n]) for n in shapes)
        cosines, sines, rotated = parts
        budget = allowed(spec, where, dtype=kind.name, angles=angles)
        types.append(TypeVectors(kind.name, cosines, sines, rotated, budget))
    return Golden(spec, where, inputs, tuple(types), seed, angles, precision)


def _axis_of(spec: RopeSpec) -> Place:
    """For each rotated plane, the number of the coordinate that rotates it."""
    return (0,) * spec.rotary_planes if spec.axes is None else spec.axes.planes


def _inputs(heads: int, positions: int, width: int, seed: int) -> Floats:
    draw = random.Random(seed)  # `random()` is the same in every version of Python
    most = 2 * _STEP - 1
    count = heads * positions * width
    found = [math.floor(draw.random() * (2 * most + 1)) - most for _ in range(count)]
    return np.array(found, dtype=np.float64).reshape(heads, positions, width) / _STEP


@dataclass(frozen=True)
class _Decided:
    """A real number rounded to each type: values, bounds of their errors, bits that it took."""

    values: tuple[float, ...]
    errors: tuple[float, ...]
    bits: int


Turn = Callable[[int], Any]
"""Cosine and sine times the factor: a pair of balls at so many bits, exact rationals at 0 bits."""


def _turn(spec: RopeSpec, place: int, plane: int) -> Turn:
    """Cosine and sine of one plane at one position, exactly where they are rational."""
    if plane >= spec.rotary_planes:
        return lambda bits: (Fraction(1), Fraction(0))
    factor = spec.attention_factor()
    still = place == 0 or spec.frequencies()[plane] == 0
    if still and isinstance(factor, sympy.Rational):
        # A ball around a rational could straddle the middle of two values for ever.
        return lambda bits: (Fraction(int(factor.p), int(factor.q)), Fraction(0))
    return lambda bits: _kept_turns(spec, place, bits)[plane]


@functools.lru_cache(maxsize=16)
def _kept_turns(spec: RopeSpec, place: int, bits: int) -> tuple[tuple[Any, Any], ...]:
    return turn_balls(spec, place, bits=bits)


def _decide(
    turn: Turn, x: int, y: int, kinds: tuple[rounding.NumberType, ...], over: int = 1
) -> _Decided:
    """`(x cos + y sin) / over`, correctly rounded to each type."""
    bits = _FIRST_BITS
    while bits <= _LAST_BITS:
        cosine, sine = turn(bits)
        if isinstance(cosine, Fraction):
            return _exactly((x * cosine + y * sine) / over, kinds)
        if x == 0 and y == 0:
            return _exactly(Fraction(0), kinds)
        with precision(bits):
            # `over` is a power of two, and a product with an exact 0 is one.
            true = (cosine * x + sine * y) / over
            values = [kind.of_ball(true) for kind in kinds]
            if None not in values:
                decided = tuple(v for v in values if v is not None)
                errors = tuple(_above(abs(arb(v) - true).upper()) for v in decided)
                return _Decided(decided, errors, bits)
        bits *= 2
    raise Unsupported(f"a value whose rounding is open at {_LAST_BITS} bits")


def _exactly(true: Fraction, kinds: tuple[rounding.NumberType, ...]) -> _Decided:
    values = tuple(kind.nearest(true.numerator, true.denominator) for kind in kinds)
    errors = tuple(_bound(abs(Fraction(v) - true)) for v in values)
    return _Decided(values, errors, _FIRST_BITS)


def _bound(size: Fraction) -> float:
    return _above(arb(fmpq(size.numerator, size.denominator)).upper())


def _above(point: arb) -> float:
    """A double that is no less than an exact number, 0 for 0."""
    return 0.0 if point == 0 else math.nextafter(float(point), math.inf)
