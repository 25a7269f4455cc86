"""Cosines and sines at exact angles, at millions of positions, to the accuracy of float64 itself."""

from __future__ import annotations

import functools
import math
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_ball
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["MOST_POSITIONS", "TURN_ERROR", "TurnsInARow", "exact_turns", "phases"]

Floats = NDArray[np.float64]

MOST_POSITIONS = 2**32
"""Positions that are below this have exact angles here."""

TURN_ERROR = 2.0**-52 + 2.0**-60
"""How far cosine and sine of `exact_turns` may be from the true ones, per unit of the factor.

Two units in the last place of NumPy's sine and cosine below 1, which is an assumption, and the
rounding of the angle and of the last sum.
"""

_WORD = 64
_KEPT = 21
_LOW_BITS = np.int64((1 << 29) - 1)


@functools.lru_cache(maxsize=64)
def _units(spec: RopeSpec) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """`theta_l / 2 pi` modulo 1 in units of `2**-128`, as the upper and the lower word."""
    found = []
    bits = 8 * _WORD
    with precision(bits):
        for theta in frequencies_ball(spec, bits=bits)[: spec.rotary_planes]:
            middle = (theta / (2 * arb.pi()) * arb(2) ** (2 * _WORD)).mid()
            mantissa, exponent = (int(part) for part in middle.man_exp())
            found.append(round(Fraction(mantissa) * Fraction(2) ** exponent) % 2 ** (2 * _WORD))
    upper = np.array([n >> _WORD for n in found], dtype=np.uint64)
    lower = np.array([n % 2**_WORD for n in found], dtype=np.uint64)
    return upper, lower


def phases(spec: RopeSpec, positions: NDArray[Any]) -> NDArray[np.uint64]:
    """`p theta_l / 2 pi` modulo 1 in units of `2**-64`, `(positions, rotary planes)`.

    Off by less than two units: the frequency is known to `2**-128` turns, and a position is below
    `2**32`. Raises `InvalidArgument` for positions outside that.
    """
    whole = np.asarray(positions)
    if whole.size and not (whole.min() >= 0 and whole.max() < MOST_POSITIONS):
        raise InvalidArgument("positions", (whole.min(), whole.max()), "0 <= p < 2**32")
    places = whole.astype(np.uint64)[:, np.newaxis]
    upper, lower = _units(spec)
    half = np.uint64(32)
    low = places * (lower & np.uint64(0xFFFFFFFF))
    carried = (places * (lower >> half) + (low >> half)) >> half
    found: NDArray[np.uint64] = places * upper + carried
    return found


def exact_turns(spec: RopeSpec, positions: NDArray[Any]) -> tuple[Floats, Floats, float]:
    """`a cos(p theta_l)` and `a sin(p theta_l)`, `(positions, rotary planes)` each, and their error.

    `a` is the spec's attention factor, the frequencies are exact, and a position counts on every
    plane's own axis. No entry is further from the true value than the third result, which counts
    on NumPy's float64 sine and cosine being good to two units in the last place. The angle is
    reduced exactly to an eighth of a turn and carried as the sum of two doubles.
    """
    turned = phases(spec, positions)
    quarter = (turned + np.uint64(1 << 61)) >> np.uint64(62)
    rest = (turned - (quarter << np.uint64(62))).astype(np.int64)
    coarse = (rest & ~_LOW_BITS).astype(np.float64)
    fine = (rest & _LOW_BITS).astype(np.float64)
    whole = math.tau * 2.0**-_WORD
    mantissa, exponent = math.frexp(whole)
    kept = math.ldexp(math.floor(mantissa * 2**_KEPT), exponent - _KEPT)  # times `coarse` is exact
    tail = whole - kept + _TAU_TAIL * 2.0**-_WORD
    first, second = coarse * kept, coarse * tail + fine * whole
    angle = first + second
    left = second - (angle - first)
    cosine, sine = np.cos(angle), np.sin(angle)
    cosine, sine = cosine - sine * left, sine + cosine * left
    swap, turns = (quarter & np.uint64(1)).astype(bool), quarter & np.uint64(3)
    factor = attention_factor_float64(spec)
    c = np.where(swap, sine, cosine) * np.where((turns == 1) | (turns == 2), -factor, factor)
    s = np.where(swap, cosine, sine) * np.where(turns >= 2, -factor, factor)
    return c, s, factor * TURN_ERROR + (0.0 if factor == 1 else factor * 2.0**-52)


class TurnsInARow:
    """Cosines and sines at up to `rows` positions in a row, from any first one, by one turn more.

    The turns from 0 to `rows` are computed once, and every other by adding an angle: a tenth of the
    cost of `exact_turns`, and an error that is five times as large.
    """

    def __init__(self, spec: RopeSpec, rows: int) -> None:
        self.spec = spec
        factor = attention_factor_float64(spec)
        c, s, self.error = exact_turns(spec, np.arange(rows))
        self.offsets = (c / factor, s / factor)

    def at(self, first: int, count: int) -> tuple[Floats, Floats, float]:
        """`a cos(p theta_l)` and `a sin(p theta_l)` from `p = first`, `(count, planes)`, and their error."""
        c, s, error = exact_turns(self.spec, np.array([first]))
        near, up = (o[:count] for o in self.offsets)
        size = max(abs(attention_factor_float64(self.spec)), 1.0)
        return near * c - up * s, up * c + near * s, 4 * error + size * 2.0**-50


_TAU_TAIL = 2.4492935982947064e-16
"""`2 pi` less the double nearest to it, to the double's accuracy."""
