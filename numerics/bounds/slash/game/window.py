"""A window of displacements around a target, and a head's gaps on it, certified or in float64.

A displacement `e` is a lag minus the target's lag, `-before <= e <= after`. A plane of unit
amplitude with phase `phi` has the gap `cos(phi) - cos(theta e + phi)` to the target there, which is
`Re(w (1 - e^{i theta e}))` for `w = e^{i phi}`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.numerics.core.enclosure import Extremum
from ropeproof.numerics.core.lag_scan import logit_blocks, minimum_gap
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Integers", "Window", "balls_of"]

Integers = NDArray[np.int64]
_TURN_BITS = 192
_MOST_KEPT = 2**17


@functools.lru_cache(maxsize=64)
def balls_of(spec: RopeSpec, bits: int) -> tuple[Any, ...]:
    """`frequencies_ball` of a spec, cached."""
    return frequencies_ball(spec, bits=bits)


@functools.lru_cache(maxsize=16)
def _half_turns(spec: RopeSpec) -> tuple[int, ...]:
    """The fractions `theta_l / (4 pi)` of a turn, as integers in units of `2**-192`."""
    with precision(2 * _TURN_BITS):
        scale = arb(2) ** _TURN_BITS / (4 * arb.pi())
        return tuple(int((ball * scale).mid().floor().unique_fmpz()) for ball in _wide(spec))


@functools.lru_cache(maxsize=8)
def _near_half_angles(spec: RopeSpec, planes: tuple[int, ...], reach: int) -> Floats:
    """`Window.half_angles` of the displacements `1, ..., reach`, `(reach, planes)`, read-only."""
    turns = _half_turns(spec)
    unit, half = 1 << _TURN_BITS, 1 << (_TURN_BITS - 1)
    places = np.arange(1, reach + 1).astype(object)[:, np.newaxis]
    steps = np.array([turns[plane] for plane in planes], dtype=object)
    # The remainder nearest to zero keeps the relative precision of small angles.
    turned: Any = (((places * steps + half) % unit) - half) / unit
    angles: Floats = turned.astype(np.float64)
    angles *= 2 * np.pi
    angles.flags.writeable = False
    return angles


@functools.lru_cache(maxsize=8)
def _near_gaps(spec: RopeSpec, planes: tuple[int, ...], reach: int) -> tuple[Floats, Floats]:
    """The gaps of planes at the phases 0 and pi/2, `(reach, planes)` each, read-only."""
    half = _near_half_angles(spec, planes, reach)
    sine = np.sin(half)
    found = 2 * sine * sine, 2 * sine * np.cos(half)
    for part in found:
        part.flags.writeable = False
    return found


def _wide(spec: RopeSpec) -> tuple[Any, ...]:
    return balls_of(spec, 2 * _TURN_BITS)


@dataclass(frozen=True)
class Window:
    """The displacements `-before <= e <= after`, `e != 0`, and the planes that may be used.

    In a symmetric window every displacement stands for both its signs, so that only positive ones
    are scanned and the best phases are 0 (claim `slash.ceiling`).
    """

    spec: RopeSpec
    before: int
    after: int
    planes: tuple[int, ...]

    @property
    def symmetric(self) -> bool:
        """Whether both sides have the same number of positions."""
        return self.before == self.after

    @property
    def _small(self) -> bool:
        """Whether the angles of all displacements are computed once and kept, in at most 1 MiB."""
        return max(self.before, self.after) * len(self.planes) <= _MOST_KEPT

    def frequencies(self) -> Callable[[int], tuple[Any, ...]]:
        """The frequencies of the window's planes as a function of bits, for a lag scan."""
        return lambda bits: tuple(balls_of(self.spec, bits)[plane] for plane in self.planes)

    def half_angles(self, displacements: Integers) -> Floats:
        """Half the angles, `theta_l e / 2` modulo 2 pi in radians, `(displacements, planes)`.

        Accurate to about an ulp. Float64 would lose digits of `theta_l e` at distant lags, so turns are
        counted in integers.
        """
        reach, apart = max(self.before, self.after), np.abs(displacements)
        if self._small and ((apart >= 1) & (apart <= reach)).all():
            near = _near_half_angles(self.spec, self.planes, reach)
            found: Floats = near[apart - 1] * np.sign(displacements)[:, np.newaxis]
            return found
        turns = _half_turns(self.spec)
        unit, half = 1 << _TURN_BITS, 1 << (_TURN_BITS - 1)
        angles = np.empty((len(displacements), len(self.planes)))
        for column, plane in enumerate(self.planes):
            step = turns[plane]
            # The remainder nearest to zero keeps the relative precision of small angles.
            rests = [((step * e + half) % unit) - half for e in displacements.tolist()]
            angles[:, column] = [rest / unit for rest in rests]
        angles *= 2 * np.pi
        return angles

    def slopes(self, displacements: Integers, weights: Floats) -> NDArray[np.complex128]:
        """The dual sums `sum_e y_e (1 - e^{i theta_l e})`, `(planes,)`; real if symmetric."""
        half = self.half_angles(displacements)
        sine = np.sin(half)
        real = 2 * (weights @ (sine * sine))
        slopes = np.zeros(len(self.planes), dtype=np.complex128)
        slopes.real = real
        if not self.symmetric:
            slopes.imag = -2 * (weights @ (sine * np.cos(half)))
        return slopes

    def dual_bound(self, displacements: Integers, weights: Floats) -> Any:
        """An upper bound of the best margin per unit amplitude from one dual, as a ball.

        `max_l |sum_e y_e (1 - e^{i theta_l e})|` with `y` the given doubles divided by their exact sum, by
        `slash.game` and `slash.game-one-sided`.
        """
        bits = 192 + max(self.before, self.after).bit_length()
        best = arb(0)
        with precision(bits):
            places = [(int(e), arb(float(w))) for e, w in zip(displacements, weights, strict=True)]
            total = sum((w for _, w in places), arb(0))
            for theta in self.frequencies()(bits):
                real, imaginary = arb(0), arb(0)
                for e, weight in places:
                    sine, cosine = (theta * e / 2).sin_cos()
                    real += 2 * weight * (sine * sine)
                    if not self.symmetric:
                        imaginary -= 2 * weight * (sine * cosine)
                size = real if self.symmetric else (real * real + imaginary * imaginary).sqrt()
                best = best.max(size / total)
        return best

    def margin(self, amplitudes: Floats, phases: Floats) -> Extremum:
        """The certified smallest gap of a head per unit amplitude, from `(planes,)` arrays.

        `amplitudes` and `phases` are those of the window's planes; the amplitudes are divided by their exact
        sum. The lag of the result is a displacement, with its sign; in a symmetric window the positive one.
        """
        sides = [(phases, self.after, 1)]
        if not self.symmetric:
            sides.append((-phases, self.before, -1))
        elif self._rising(amplitudes):
            # Every plane's gap grows up to half a wavelength, so the nearest displacement is worst,
            # also where gaps are far below the scan's radius.
            sides = [(phases, 1, 1)]
        found = [
            (minimum_gap(amplitudes, angles, self.frequencies(), target=0, lags=reach + 1), sign)
            for angles, reach, sign in sides
            if reach
        ]
        lower = min(gap.lower for gap, _ in found)
        upper = min(gap.upper for gap, _ in found)
        alive = [(gap, sign) for gap, sign in found if gap.lower <= upper]
        ties = tuple(sorted(sign * lag for gap, sign in alive for lag in gap.ties))
        lag = min(ties, key=lambda e: (abs(e), e))
        certified = len(alive) == 1 and alive[0][0].certified
        omitted = sum(gap.omitted for gap, _ in alive)
        with precision(2400):  # so wide that the sum of doubles is exact
            total = sum((arb(a) for a in amplitudes.tolist()), arb(0))
            ends = arb(lower) / total, arb(upper) / total
        return Extremum.of(*ends, lag=lag, ties=ties, certified=certified, omitted=omitted)

    def _rising(self, amplitudes: Floats) -> bool:
        """Whether `theta_l after < pi` for every plane of positive amplitude, certified."""
        with precision(192):
            used = zip(self.frequencies()(192), amplitudes.tolist(), strict=True)
            return all(theta * self.after < arb.pi() for theta, a in used if a > 0)

    def violated(
        self, amplitudes: Floats, phases: Floats, below: float, most: int
    ) -> tuple[Integers, Floats]:
        """The displacements at local minima of the gap that are under `below`, and their gaps.

        At most `most` of them, the deepest, from each side of the window. Uncertified: it only
        proposes rows.
        """
        target = float(np.sum(amplitudes * np.cos(phases)))
        places, gaps = [], []
        sides = [(phases, self.after, 1)]
        if not self.symmetric:
            sides.append((-phases, self.before, -1))
        for angles, reach, sign in sides:
            if not reach:
                continue
            lags, values = self._minima(amplitudes, angles, reach, target, below, most)
            places.append(sign * lags)
            gaps.append(values)
        return np.concatenate(places), np.concatenate(gaps)

    def _minima(
        self, amplitudes: Floats, phases: Floats, reach: int, target: float, below: float, most: int
    ) -> tuple[Integers, Floats]:
        found_lags: list[Integers] = []
        found_gaps: list[Floats] = []
        for first, gap in self._gaps(amplitudes, phases, reach, target):
            low = gap < below
            # Ends of a block count as minima: at worst a row too many.
            low[1:] &= gap[1:] <= gap[:-1]
            low[:-1] &= gap[:-1] <= gap[1:]
            index = np.flatnonzero(low)
            if len(index) > most:
                index = index[np.argpartition(gap[index], most)[:most]]
            found_lags.append(index.astype(np.int64) + first)
            found_gaps.append(gap[index])
        lags, gaps = np.concatenate(found_lags), np.concatenate(found_gaps)
        if len(lags) > most:
            kept = np.argpartition(gaps, most)[:most]
            lags, gaps = lags[kept], gaps[kept]
        return lags, gaps

    def _gaps(
        self, amplitudes: Floats, phases: Floats, reach: int, target: float
    ) -> Iterator[tuple[int, Floats]]:
        if self._small:
            near = _near_gaps(self.spec, self.planes, max(self.before, self.after))
            still, turned = (part[:reach] for part in near)
            yield 1, still @ (amplitudes * np.cos(phases)) + turned @ (amplitudes * np.sin(phases))
            return
        blocks = logit_blocks(amplitudes, phases, self.frequencies(), lags=reach, first=1)
        for block in blocks:
            yield block.first, np.subtract(target, block.mid)
