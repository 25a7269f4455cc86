"""Cosine and sine at exact angles: what decides whether an implementation is right.

Both functions form `p theta_l` from the exact frequency and not from a rounded one, and state a
bound of their own error, far below what any number type of a model resolves.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import frequencies_ball, plane_positions
from ropeproof.theory.rotary.exact import ball
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.scaling import Dynamic, LongRope
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "CosSinTables",
    "at_length",
    "certified_tables",
    "fast_tables",
    "switches",
    "turn_balls",
]

Floats = NDArray[np.float64]

_BITS = 160
_TURN = 64


class CosSinTables(NamedTuple):
    """`a cos(p theta_l)` and `a sin(p theta_l)`, `(*positions, planes)` each, and their error.

    `a` is the attention factor on rotated planes; the others have cosine 1 and sine 0. No entry is
    further than `error` from the true value. Positions of a spec with axes have these as their last
    axis, which the tables have not.
    """

    cosines: Floats
    sines: Floats
    error: float


def switches(spec: RopeSpec) -> int | None:
    """The length beyond which sequences have other frequencies; None if these never change."""
    scaling = spec.scaling
    return scaling.original_length if isinstance(scaling, Dynamic | LongRope) else None


def at_length(spec: RopeSpec, length: int) -> RopeSpec:
    """The spec of a sequence of `length` positions; the same object where it does not matter."""
    if switches(spec) is None or spec.length == length:
        return spec
    return spec.changed(length=length)


def certified_tables(spec: RopeSpec, positions: NDArray[np.int64]) -> CosSinTables:
    """Cosines and sines at some positions by ball arithmetic, each entry within `error` for certain.

    Cost: about two microseconds an entry; results are kept, so treat them as read-only.
    """
    if spec.axes is not None:
        return _by_axes(spec, positions)
    found = _certified(spec, tuple(positions.reshape(-1).tolist()))
    shape = (*positions.shape, spec.planes)
    return CosSinTables(found.cosines.reshape(shape), found.sines.reshape(shape), found.error)


def _by_axes(spec: RopeSpec, positions: NDArray[np.int64]) -> CosSinTables:
    """Certified tables of a spec with axes: each plane reads the coordinate of its own axis."""
    values, where = np.unique(positions, return_inverse=True)
    found = _certified(spec, tuple(values.tolist()))
    rows = plane_positions(spec, where.reshape(positions.shape))
    planes = np.arange(spec.planes)
    return CosSinTables(found.cosines[rows, planes], found.sines[rows, planes], found.error)


def turn_balls(spec: RopeSpec, place: int, *, bits: int) -> tuple[tuple[arb, arb], ...]:
    """`(a cos(p theta_l), a sin(p theta_l))` as balls that hold them, one pair per rotated plane.

    Computed at `bits` bits from frequencies as accurate as that: a radius is near
    `2**-bits (1 + |p| theta_l)`.
    """
    with precision(bits):
        factor = _factor(spec, bits)
        found = []
        for theta in frequencies_ball(spec, bits=bits)[: spec.rotary_planes]:
            sine, cosine = (theta * place).sin_cos()
            found.append((factor * cosine, factor * sine))
    return tuple(found)


@functools.lru_cache(maxsize=64)
def _factor(spec: RopeSpec, bits: int) -> arb:
    return ball(spec.attention_factor(), bits=bits)


@functools.lru_cache(maxsize=4096)
def _row(spec: RopeSpec, place: int) -> tuple[Floats, Floats, float]:
    """Cosines and sines of one position, `(planes,)` each, and the largest radius of their balls.

    It is kept: the calls of a check have most of their positions in common.
    """
    cosines, sines = np.ones(spec.planes), np.zeros(spec.planes)
    widest = arb(0)
    for plane, (cosine, sine) in enumerate(turn_balls(spec, place, bits=_BITS)):
        widest = widest.max(arb(sine.rad())).max(arb(cosine.rad()))
        cosines[plane], sines[plane] = float(cosine.mid()), float(sine.mid())
    return cosines, sines, float(widest.upper())


@functools.lru_cache(maxsize=64)
def _certified(spec: RopeSpec, places: tuple[int, ...]) -> CosSinTables:
    with precision(_BITS):
        kept = {place: _row(spec, place) for place in dict.fromkeys(places)}
        size = math.nextafter(float(abs(_factor(spec, _BITS)).upper()), math.inf)
    shape = (len(places), spec.planes)
    cosines, sines = (np.array([kept[p][n] for p in places]).reshape(shape) for n in (0, 1))
    # The radius, and the rounding of a middle to a double.
    error = max((kept[p][2] for p in places), default=0.0) + size * 2.0**-52
    for table in (cosines, sines):
        table.setflags(write=False)
    return CosSinTables(cosines, sines, error)


@functools.lru_cache(maxsize=64)
def _turns(spec: RopeSpec) -> tuple[NDArray[np.uint64], float]:
    """`theta_l / 2 pi` modulo 1 in units of `2**-64`, and the attention factor."""
    found = []
    with precision(4 * _TURN):
        for theta in frequencies_ball(spec, bits=4 * _TURN)[: spec.rotary_planes]:
            unit = (theta / (2 * arb.pi()) * arb(2) ** _TURN).mid()
            mantissa, exponent = (int(part) for part in unit.man_exp())
            found.append(round(Fraction(mantissa) * Fraction(2) ** exponent) % 2**_TURN)
        factor = float(ball(spec.attention_factor(), bits=_BITS).mid())
    return np.array(found, dtype=np.uint64), factor


def fast_tables(spec: RopeSpec, positions: NDArray[np.int64]) -> CosSinTables:
    """Cosines and sines at many positions, `0 <= p < 2**24`, from exactly reduced angles.

    The angle is a count of `2**-64` turns modulo a turn, in which multiplication wraps exactly; only
    the frequency's own rounding remains, `p 2**-65` turns. The error counts on NumPy's sine and
    cosine being good to two units in the last place.
    """
    unit, factor = _turns(spec)
    places = plane_positions(spec, positions.astype(np.uint64))
    places = places if spec.axes is None else places[..., : spec.rotary_planes]
    phases = places * unit
    angles = phases.astype(np.int64).astype(np.float64) * (2 * math.pi * 2.0**-_TURN)
    shape = (*phases.shape[:-1], spec.planes)
    cosines, sines = np.ones(shape), np.zeros(shape)
    cosines[..., : spec.rotary_planes] = factor * np.cos(angles)
    sines[..., : spec.rotary_planes] = factor * np.sin(angles)
    farthest = int(positions.max(initial=0))
    return CosSinTables(cosines, sines, factor * (farthest * 2.0**-62 + 2.0**-49))
