"""What can be said of wrong numbers whose cause is not known: by how much, and where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.conform.diagnosis.guess import Observation, start

__all__ = ["facts", "where"]

Mask = NDArray[np.bool_]


def facts(failing: Sequence[Observation], holding: Sequence[Observation]) -> str:
    """By which factor, in which planes, heads, rows and from which position on numbers are wrong."""
    told = [_multiple(failing), _planes(failing)]
    masks = [np.asarray(_off(s).any(-1)) for s in failing]
    told.append(where(failing, masks, holding))
    return "; ".join(t for t in told if t)


def _off(seen: Observation) -> Mask:
    right = start(seen)
    slack = right.tolerance(seen.dtype) if seen.slack is None else seen.slack
    with np.errstate(all="ignore"):
        return np.asarray(~(np.abs(right.apply(seen.x) - seen.out) <= slack))


def _multiple(failing: Sequence[Observation]) -> str:
    """The number that the right result is multiplied by, the same in all failing tests."""
    found = []
    for seen in failing:
        right = start(seen).apply(seen.x)
        scale = float(np.vdot(right, seen.out) / max(float(np.vdot(right, right)), 1e-300))
        rest = np.abs(seen.out - scale * right)
        slack = start(seen).tolerance(seen.dtype) if seen.slack is None else seen.slack
        if not (rest <= 2 * max(1.0, abs(scale)) * slack).all():
            return ""
        found.append(scale)
    spread = max(found) - min(found)
    # Of coarse types a multiple is not known better than to their unit.
    fine = [s for s, seen in zip(found, failing, strict=True) if seen.dtype in _FINE] or found
    return f"result = {fine[0]:.6g} times the right one" if spread <= 0.02 * abs(fine[0]) else ""


_FINE = ("float32", "float64")


def _planes(failing: Sequence[Observation]) -> str:
    """The planes, and the coordinates outside them, that are off in any test."""
    spec = failing[0].spec
    off = np.zeros(spec.head_dim, dtype=bool)
    for seen in failing:
        off |= _off(seen).any((0, 1, 2))
    pairs = spec.plane_coordinates()
    planes = [l for l, (re, im) in enumerate(pairs) if off[re] or off[im]]
    turning = [l for l in planes if l < spec.rotary_planes]
    if not turning and planes:
        return "only coordinates that do not rotate"
    if len(planes) == spec.planes or not planes:
        return ""
    if len(planes) == 1:
        return f"plane {planes[0]} only"
    if planes == list(range(planes[0], planes[-1] + 1)):
        return (
            f"planes {planes[0]} to {planes[-1]} only" if len(turning) < spec.rotary_planes else ""
        )
    return ""


def where(
    failing: Sequence[Observation], masks: Sequence[Mask], holding: Sequence[Observation]
) -> str:
    """Which heads, rows or positions are off, if that is a plain statement; else an empty text.

    `masks` say for each failing call which vectors are off, `(batch, heads, length)`.
    """
    told = [_heads(masks), _rows(masks), _positions(failing, masks, holding)]
    plain = [t for t in told if t]
    return ", ".join(plain) if plain else _places(masks)


def _heads(masks: Sequence[Mask]) -> str:
    sizes = {m.shape[1] for m in masks}
    parts = [_indices(m.any((0, 2))) for m in masks if m.shape[1] > 1]
    if not any(parts) or any(m.shape[1] == 1 and m.any() and max(sizes) == 1 for m in masks):
        return ""
    if all(p == (m.shape[1] - 1,) for p, m in _wide(parts, masks, 1)):
        return "only in the second of two heads" if max(sizes) == 2 else "only in the last head"
    if all(p == (0,) for p in parts):
        return "only in the first head"
    least = min(p[0] for p in parts if p)
    starts = all(p == tuple(range(least, m.shape[1])) for p, m in _wide(parts, masks, 1))
    return f"only in heads from {least} on" if starts and least > 0 else ""


def _indices(off: Any) -> tuple[int, ...]:
    return tuple(int(k) for k in np.flatnonzero(off))


def _wide(
    parts: Sequence[tuple[int, ...]], masks: Sequence[Mask], axis: int
) -> list[tuple[tuple[int, ...], Mask]]:
    return list(zip(parts, (m for m in masks if m.shape[axis] > 1), strict=True))


def _rows(masks: Sequence[Mask]) -> str:
    parts = [_indices(m.any((1, 2))) for m in masks if m.shape[0] > 1]
    if not any(parts):
        return ""
    least = min(p[0] for p in parts if p)
    starts = all(p == tuple(range(least, m.shape[0])) for p, m in _wide(parts, masks, 0))
    return f"only in rows of the batch from {least} on" if starts and least > 0 else ""


def _positions(
    failing: Sequence[Observation], masks: Sequence[Mask], holding: Sequence[Observation]
) -> str:
    wrong, right = [], []
    for seen, mask in zip(failing, masks, strict=True):
        places = np.broadcast_to(seen.places[:, 0], (mask.shape[0], mask.shape[2]))
        off = mask.any(1)
        wrong += places[off].tolist()
        right += places[~off].tolist()
    right += [p for seen in holding for p in np.ravel(seen.places).tolist()]
    if wrong and right and min(wrong) > max(*right, 2.0):
        return f"from position {int(min(wrong))} on"
    # A position that is sometimes right may be insensitive there: half of those behind must be wrong.
    first = int(min(wrong)) if wrong else 0
    behind = [p for p in right if p > first]
    if first > 2 and len(wrong) > 2 * len(behind):
        return f"from position {first} on"
    return ""


def _places(masks: Sequence[Mask]) -> str:
    """Places of a call behind its last full block."""
    for block in (128, 64, 32, 16, 8):
        right = all(
            not m[:, :, : m.shape[2] // block * block].any()
            and (m[:, :, m.shape[2] // block * block :].any())
            for m in masks
        )
        if right and any(m.shape[2] > block for m in masks):
            return f"only behind the last full block of {block} places"
    return ""
