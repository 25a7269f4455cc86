"""A cache whose keys were moved to other positions by code with frequencies of its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.scaling import Linear
from ropeproof.tools.conform.diagnosis.causes import axes
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
    tried with the frequencies without the scaling, of a linear one, and of usual bases. Where positions
    have coordinates, a shift whose planes read other coordinates is tried first, such as sections that are
    interleaved in the shift and contiguous in the rotation; then one shift of all coordinates.
    """
    right = start(seen)
    if np.count_nonzero(wrong) < _LEAST or not len(right.pairs):
        return None
    off = _constant(seen, wrong)
    if off is None:
        return None
    if right.axis is not None and (of_axes := _other_axes(seen, wrong, off)) is not None:
        return of_axes
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
                    told = f"{_TWICE} {abs(moved)} {way}"
                    told += f" by code other than the rotation, with {text}"
                    return "cache-shift", told
    return None


_TWICE = "keys were turned to other positions first, and then shifted"
_ARRANGED = ("sections-arrangement", "sections-order", "sections-coordinates", "axes-order")
"""Fault models of which coordinate a plane reads, that a shift may have."""


def _other_axes(seen: Observation, wrong: NDArray[np.bool_], off: Floats) -> tuple[str, str] | None:
    """An id and a text if the angles `off` are those of a shift whose planes read other coordinates.

    A plane that reads coordinate `b` in the shift and `a` in the rotation is off by the difference of the two
    coordinates' shifts; all planes of one such pair must have one difference, whatever it is.
    """
    right = start(seen)
    assert right.axis is not None
    assert seen.spec.axes is not None
    names = seen.spec.axes.names
    for way in axes.WAYS:
        if way.id not in _ARRANGED:
            continue
        for text, other in way.changes(right, seen):
            if other.axis is None or len(other.axis) != len(right.axis):
                continue
            pairs = sorted({(b, a) for b, a in zip(other.axis, right.axis, strict=True) if b != a})
            made, told = np.zeros(len(off)), []
            for b, a in pairs:
                planes = np.flatnonzero((other.axis == b) & (right.axis == a))
                by = _difference(off[planes], right.frequencies[planes])
                made[planes] = by * right.frequencies[planes]
                told += [f"{names[b]} {by:+d} from {names[a]}"] if by else []
            if told and _explains(seen, wrong, made):
                which = f"{_TWICE} by code other than the rotation, with {text}"
                return "cache-shift", f"{which} (shifts that differ: {', '.join(told)})"
    return None


def _difference(off: Floats, thetas: Floats) -> int:
    """The whole number, the smallest of equals, whose angles at these frequencies are nearest to `off`."""
    steps = np.arange(1, _FARTHEST + 1)
    steps = np.concatenate(([0], np.stack((steps, -steps), -1).reshape(-1)))
    scores = np.empty(len(steps))
    for begin in range(0, len(steps), 1 << 13):
        part = steps[begin : begin + (1 << 13), np.newaxis] * thetas
        scores[begin : begin + len(part)] = np.cos(part - off).sum(1)
    return int(steps[int(np.argmax(scores))])


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
