"""Evidence for how a positional head fades: its weight on millions of positions against the limit."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.outcome import fails, holds
from ropeproof.proofs_check.profiles import Profile

__all__: list[str] = []

_ALONE, _TWO = (1.0,), (1.0, 2.0**0.5)
"""Angles that are algebraic and independent over the rationals, hence with 2 pi as well."""
_CASES = (
    (_ALONE, (0.5,)),
    (_ALONE, (2.0,)),
    (_ALONE, (5.0,)),
    (_TWO, (0.5, 1.0)),
    (_TWO, (2.0, 1.5)),
    (_TWO, (3.0, 2.0)),
)
_LENGTH = 4_000_000
_DIGITS = 0.5e-5
_APART = 1e-2


_Waves = dict[float, NDArray[np.float64]]


def _waves(angles: Iterable[float], length: int, place: int) -> _Waves:
    """cos(angle * lag) - 1 at each lag from the place, by angle."""
    lags = np.arange(length) - place
    return {angle: np.cos(angle * lags) - 1 for angle in angles}


def _weight(waves: _Waves, angles: tuple[float, ...], sizes: tuple[float, ...]) -> float:
    """The length times the target's weight."""
    logits = sum(b * waves[a] for a, b in zip(angles, sizes, strict=True))
    weights = np.exp(logits)
    return float(len(weights) / weights.sum())


def _limit(sizes: tuple[float, ...]) -> float:
    """`prod_l e^B_l / I_0(B_l)`."""
    return float(np.prod(np.exp(sizes) / np.i0(np.array(sizes))))


@evidence("index.weyl", "property", "one and two planes on 4 million positions, to 5 digits")
def weyl(how: Profile) -> Finding:
    """n times the target's weight is the limit to 5 digits wherever the target stands; at an angle
    that repeats itself, 2 pi/3, it is not.
    """
    domain = f"one and two planes, {_LENGTH} positions, target first, in the middle and last"
    count, worst = 0, 0.0
    for place in (0, _LENGTH // 2, _LENGTH - 1):
        waves = _waves(_TWO, _LENGTH, place)
        for angles, sizes in _CASES:
            off = abs(_weight(waves, angles, sizes) / _limit(sizes) - 1)
            worst, count = max(worst, off), count + 1
            if not off <= _DIGITS:
                where = {"angles": angles, "amplitudes": sizes, "place": place, "off": off}
                return Finding(fails("not the limit", where), domain, count)
    third = 2 * np.pi / 3
    repeating = _weight(_waves((third,), 3000, 0), (third,), (3.0,))
    if not abs(repeating / _limit((3.0,)) - 1) > _APART:
        return Finding(fails("a repeating angle has the limit too", {"is": repeating}), domain)
    return Finding(holds(f"{count} cases; relative error at most {worst:.1e}"), domain, count)
