"""A cache whose keys were moved to other positions by code with frequencies of its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.scaling import Linear
from ropeproof.tools.conform.diagnosis.guess import Observation, altered, start

__all__ = ["shifted_cache"]

Floats = NDArray[np.float64]

_FARTHEST = 1 << 16
_BASES = (10_000, 500_000, 1_000_000)
_LEAST = 2
"""Fewest tokens that must all be turned too far by the same angles."""


def shifted_cache(seen: Observation, wrong: NDArray[np.bool_]) -> tuple[str, str] | None:
    """An id and a text if wrong tokens are all off by the angles of one shift at other frequencies.

    `wrong` is `(rows, length)`. A key that was turned rightly to `p - n` and then by `n` at frequencies
    `t'` is off by `n (t' - t)` in each plane, wherever it stands. Numbers `n` to 65,536 either way are
    tried with the frequencies without the scaling, of a linear one, and of usual bases.
    """
    right = start(seen)
    if right.axis is not None or np.count_nonzero(wrong) < _LEAST or not len(right.pairs):
        return None
    off = _constant(seen, wrong)
    if off is None:
        return None
    thetas = right.frequencies
    steps = np.arange(1, _FARTHEST + 1)
    for text, others in _frequencies(seen):
        rates = others - thetas
        if np.abs(rates).max() < 1e-9:
            continue
        turns = np.exp(1j * off)
        for sign in (1, -1):
            scores = np.empty(len(steps))
            for begin in range(0, len(steps), 1 << 13):
                part = steps[begin : begin + (1 << 13), np.newaxis] * (sign * rates)
                scores[begin : begin + len(part)] = (np.exp(-1j * part) * turns).real.sum(1)
            for n in (int(k) for k in np.argsort(-scores)[:4]):
                moved = sign * int(steps[n])
                if _explains(seen, wrong, moved * rates):
                    way = "ahead" if moved > 0 else "back"
                    told = f"keys were turned to other positions first, and then shifted {abs(moved)} {way}"
                    told += f" by code other than the rotation, with {text}"
                    return "cache-shift", told
    return None


def _frequencies(seen: Observation) -> Iterator[tuple[str, Floats]]:
    """Frequencies that the code of a shift may have, with what they are."""
    spec = seen.spec
    rotated = spec.rotary_planes
    plain = spec if spec.scaling is None else spec.changed(scaling=None)
    unscaled = frequencies_float64(plain)[:rotated]
    if spec.scaling is not None:
        yield "the frequencies without the scaling", unscaled
        factor = float(getattr(spec.scaling, "factor", None) or 1)
        if factor != 1 and not isinstance(spec.scaling, Linear):
            yield "the frequencies of linear scaling", unscaled / factor
    for base in _BASES:
        if base != spec.base:
            other = plain.changed(base=base)
            yield f"base {base} and no scaling", frequencies_float64(other)[:rotated]


def _constant(seen: Observation, wrong: NDArray[np.bool_]) -> Floats | None:
    """The angle by which each plane of the wrong tokens is turned too far; None if it is not one."""
    right = start(seen)
    due = right.apply(seen.x)
    re, im = right.pairs[:, 0], right.pairs[:, 1]
    with np.errstate(all="ignore"):
        turns = np.conj(due[..., re] + 1j * due[..., im]) * (
            seen.out[..., re] + 1j * seen.out[..., im]
        )
    turns = turns.swapaxes(1, 2)[wrong]  # (tokens, heads, planes)
    whole = turns.sum((0, 1))
    if not np.isfinite(whole).all() or (np.abs(whole) == 0).any():
        return None
    off = np.angle(whole if right.sign_im > 0 else np.conj(whole))
    return off if _explains(seen, wrong, off) else None


def _explains(seen: Observation, wrong: NDArray[np.bool_], off: Floats) -> bool:
    """Whether every wrong token is turned as it should be and by these angles beside."""
    right = start(seen)
    angles = right.used() * right.frequencies + off
    more = altered(right, turning=angles)
    with np.errstate(all="ignore"):
        off_by = np.abs(more.apply(seen.x) - seen.out)
        near: NDArray[np.bool_] = np.asarray(off_by <= 2 * more.tolerance_for(seen))
    found = np.asarray(near.all(-1)).swapaxes(1, 2)[wrong]
    return bool(found.all())
