"""Evidence for fading: a head's weight on its target over millions of positions, and its limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.index import log_mean, mean_error, plane_groups
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.kernel.outcome import fails, holds
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
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


_BLOCK = 4000
"""The lags of a row: a block of so many rows of them stays in a processor's cache."""
_ROWS = 8


def _cosines(angles: Iterable[float], phases: Iterable[float], place: int) -> Iterator[Floats]:
    """`cos(angle lag + phase)` at each lag relative to the target's place, block by block.

    A block is `(planes, lags)`, by addition of angles: `cos(x + y) = cos x cos y - sin x sin y`, `x` a
    whole number of blocks away from the place. That is off by a few units in the last place, as a cosine
    of `angle lag` itself is by half a unit of its argument.
    """
    turns, starts = np.array([*angles])[:, np.newaxis], np.array([*phases])[:, np.newaxis]
    fine = turns * np.arange(_BLOCK)
    first = np.arange(0, _LENGTH, _BLOCK) - place
    coarse = turns * first + starts
    right = np.stack((np.cos(fine), np.sin(fine)), axis=1)
    left = np.stack((np.cos(coarse), -np.sin(coarse)), axis=2)
    for row in range(0, len(first), _ROWS):
        yield np.matmul(left[:, row : row + _ROWS], right).reshape(len(turns), -1)


def _weights(
    angles: tuple[float, ...], phases: Iterable[float], sizes: Iterable[Floats], place: int
) -> Floats:
    """The length times the target's attention weight for each of several heads of the same angles.

    `sizes` are the amplitudes of each head. The logits are those of all planes less the target's.
    """
    given, starts = np.array([*sizes]), [*phases]
    own = given @ np.cos(starts)
    total = np.zeros(len(given))
    for waves in _cosines(angles, starts, place):
        logits = given @ waves
        logits -= own[:, np.newaxis]
        total += np.exp(logits, out=logits).sum(1)
    found: Floats = _LENGTH / total
    return found


def _limit(sizes: tuple[float, ...]) -> float:
    """The limit `prod_l e^B_l / I_0(B_l)` of the length times the target's weight."""
    return float(np.prod(np.exp(sizes) / np.i0(np.array(sizes))))


@evidence("index.weyl", "property", "one and two planes on 4 million positions, to 5 digits")
def weyl(how: Profile) -> Finding:
    """n times the target's weight agrees with its limit to 5 digits wherever the target stands.

    At 2 pi/3, a rational part of a turn, it does not.
    """
    domain = f"one and two planes, {_LENGTH} positions, target first, in the middle and last"
    count, worst = 0, 0.0
    for place in (0, _LENGTH // 2, _LENGTH - 1):
        # One head has no second plane: its amplitude there is 0.
        heads = [np.append(sizes, np.zeros(len(_TWO) - len(sizes))) for _, sizes in _CASES]
        found = _weights(_TWO, (0.0, 0.0), heads, place).tolist()
        for seen, (angles, sizes) in zip(found, _CASES, strict=True):
            off = abs(seen / _limit(sizes) - 1)
            worst, count = max(worst, off), count + 1
            if not off <= _DIGITS:
                where = {"angles": angles, "amplitudes": sizes, "place": place, "off": off}
                return Finding(fails("not the limit", where), domain, count)
    third = 2 * np.pi / 3
    repeating = 3000 / float(np.exp(3 * (np.cos(third * np.arange(3000)) - 1)).sum())
    if not abs(repeating / _limit((3.0,)) - 1) > _APART:
        return Finding(fails("a repeating angle has the limit too", {"is": repeating}), domain)
    return Finding(holds(f"{count} cases; relative error at most {worst:.1e}"), domain, count)


_SPECS = (RopeSpec(4, 10), RopeSpec(4, 100), RopeSpec(4, 10_000), RopeSpec(8, 100))
"""Independent planes; a group of frequencies 10 and 1, of 100 and 1; and two groups of two planes."""
_PHASES = ((0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (0.3, 0.7))
"""The phases of each half of the planes, in half turns."""
_SIZES = (0.5, 3.0, 20.0)
_FAR = 0.15
_USEFUL = 0.05
"""The largest useful bound on the error: a larger one would not exclude independent planes' limit."""
_ROUNDING = 2.0**-51 * _LENGTH
"""Four times the rounding error of a cosine in float64: half as many radians, and an inexact angle."""


@evidence("index.weyl-groups", "property", "dependent planes and phases on 4 million positions")
def weyl_groups(how: Profile) -> Finding:
    """With dependent planes n times the target's weight is within `mean_error` of its limit.

    That holds at every phase. With amplitude 20 on each of two planes, one turning 10 times as fast, the
    limit is some 16 % off that of independent planes.
    """
    domain = f"two and four planes, {_LENGTH} positions, target in the middle"
    count, worst, bound = 0, 0.0, 0.0
    for spec in _SPECS:
        groups, angles = plane_groups(spec), frequencies_float64(spec)
        for halves in _PHASES:
            phases = np.pi * np.repeat(halves, len(angles) // 2)
            chosen = _SIZES if len(angles) == 2 else _SIZES[:2]
            heads = [np.full(len(angles), size) for size in chosen]
            found = _weights(tuple(angles), phases, heads, _LENGTH // 2).tolist()
            for size, sizes, seen in zip(chosen, heads, found, strict=True):
                own = size * np.cos(phases).sum()
                foreseen = float(np.exp(own - log_mean(sizes, phases, groups)))
                error = mean_error(sizes, phases, groups, angles, length=_LENGTH)
                room = error / (1 - error) + _ROUNDING * size * len(angles)
                off = abs(seen / foreseen - 1)
                worst, bound, count = max(worst, off), max(bound, room), count + 1
                if not (0 <= error < 1 and off <= room <= _USEFUL):
                    where = {"base": spec.base, "phases": halves, "size": size}
                    where |= {"off": off, "bound": room}
                    return Finding(fails("not the limit", where), domain, count)
    ten = _SPECS[1]
    alone = 2 * np.log(np.i0(20.0))
    for turned, sign in ((0.0, 1), (np.pi, -1)):
        change = float(np.exp(log_mean((20.0, 20.0), (turned, 0.0), plane_groups(ten)) - alone)) - 1
        if not sign * change > _FAR:
            return Finding(fails("phases do not matter", {"change": change}), domain, count)
    return Finding(
        holds(f"{count} cases; relative error {worst:.1e} at most, bounds {bound:.1e}"),
        domain,
        count,
    )
