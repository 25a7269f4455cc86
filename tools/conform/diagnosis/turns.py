"""The positions or frequencies by which pairs that keep their length were rotated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.diagnosis.guess import Observation, start

__all__ = ["turns"]

Floats = NDArray[np.float64]

_NEAR = 1e-3
"""Radians, and positions: what is nearer is the same."""
_SHOWN = 4
_FEW_PLANES = 2


def turns(failing: Sequence[Observation]) -> str:
    """In words, positions, or else frequencies, that give every angle that was seen; else empty.

    `failing` are calls whose results are the right pairs, turned by some angles. What is said holds for
    every vector of all of them: one angle for each plane leaves no room for an accident.
    """
    calls = [s for s in failing if s.spec.axes is None and len(start(s).frequencies) > 1]
    if not calls or len(calls) < len(failing):
        return ""
    return _positions(calls) or _frequencies(calls)


def _angles(seen: Observation) -> Floats:
    """The angle by which each pair is rotated, `(batch, heads, length, planes)`, from -pi to pi."""
    right = start(seen)
    re, im = right.pairs.T
    with np.errstate(all="ignore"):
        turned = (seen.out[..., re] + 1j * seen.out[..., im]) / (
            seen.x[..., re] + 1j * seen.x[..., im]
        )
    return np.asarray(right.sign_im * np.angle(turned))


def _wrapped(angles: Floats) -> Floats:
    return np.asarray(np.mod(angles + np.pi, 2 * np.pi) - np.pi)


def _positions(calls: Sequence[Observation]) -> str:
    used = []
    for seen in calls:
        angles, thetas = _angles(seen), start(seen).frequencies
        slow, *others = np.argsort(thetas)
        found = angles[..., slow] / thetas[slow]
        # Each faster plane says the position more exactly, up to whole turns that the slower ones give.
        for plane in others:
            due = found * thetas[plane]
            found = found + _wrapped(angles[..., plane] - due) / thetas[plane]
        if not (np.abs(_wrapped(found[..., None] * thetas - angles)) < _NEAR).all():
            return ""
        used.append(found)
    ahead = [u - np.broadcast_to(s.places, u.shape) for s, u in zip(calls, used, strict=True)]
    off = np.concatenate([a[np.abs(a) > _NEAR] for a in ahead])
    if not off.size:
        return ""
    if np.ptp(off) < _NEAR:
        way = "ahead" if off[0] > 0 else "behind"
        return f"as at positions {_number(abs(float(off[0])))} {way}"
    return _example(calls, used, ahead)


def _example(calls: Sequence[Observation], used: list[Floats], ahead: list[Floats]) -> str:
    """In words, the first wrong places of the call that shows most of them."""
    many = [min(int((np.abs(a) > _NEAR).any((0, 1)).sum()), _SHOWN) for a in ahead]
    best = max(range(len(calls)), key=lambda n: (many[n], not calls[n].backwards, -calls[n].x.size))
    row, head = np.argwhere((np.abs(ahead[best]) > _NEAR).any(2))[0]
    columns = np.flatnonzero(np.abs(ahead[best][row, head]) > _NEAR)[:_SHOWN]
    places = np.broadcast_to(calls[best].places, used[best].shape)[row, head]
    seen = ", ".join(_number(float(used[best][row, head, n])) for n in columns)
    due = ", ".join(f"{places[n]:.0f}" for n in columns)
    where = f", row {row}" if len(calls[best].places) > 1 else ""
    where += f", head {head}" if np.ptp(ahead[best], 1).max() > _NEAR else ""
    return f"as at positions {seen} for {due} ({calls[best].test}{where})"


def _number(value: float) -> str:
    return f"{round(value):d}" if abs(value - round(value)) < _NEAR else f"{value:.4g}"


def _frequencies(calls: Sequence[Observation]) -> str:
    """In words, one frequency per plane that gives its angles at all positions; else empty."""
    widest = max(calls, key=lambda s: s.x.shape[2])
    places, angles = widest.places[0, 0], _angles(widest)[0, 0]
    found, known = None, 1.0
    for column in np.argsort(places, kind="stable"):
        place = float(places[column])
        if found is None:
            found = angles[column] if place == 1 else None
        elif known < place <= 16 * known:
            found, known = found + _wrapped(angles[column] - found * place) / place, place
    if found is None:
        return ""
    for seen in calls:
        due = seen.places[..., None] * found
        if not (np.abs(_wrapped(due - _angles(seen))) < _NEAR).all():
            return ""
    right = start(widest).frequencies
    off = np.flatnonzero(np.abs(found / right - 1) > _NEAR)
    if not off.size:
        return ""
    if len(off) <= _FEW_PLANES:
        own = (f"plane {n} by {found[n]:.6g} for {right[n]:.6g}" for n in off)
        return f"at each position {', '.join(own)}"
    ratios = found[off] / right[off]
    least, most = float(ratios.min()), float(ratios.max())
    few = f" in planes {off[0]} to {off[-1]}" if len(off) < len(right) else ""
    if np.abs(ratios).max() < _NEAR:
        return f"by frequency 0{few}"
    if most - least < _NEAR * abs(most):
        return f"by frequencies {np.median(ratios):.6g} times the right ones{few}"
    return f"by frequencies {least:.4g} to {most:.4g} times the right ones{few}"
