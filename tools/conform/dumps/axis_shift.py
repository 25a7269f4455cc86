"""Coordinates that are shifted by a number each, also where slow planes cannot tell it exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.diagnosis.guess import Observation, altered, start

__all__ = ["shifted_axes"]

_FARTHEST = 256
_SOME = 48
"""Tokens on which all shifts are tried; what they leave is compared on all wrong ones."""


def shifted_axes(seen: Observation, wrong: NDArray[np.bool_]) -> tuple[str, str] | None:
    """An id and a text if each coordinate of wrong tokens is off by a number of its own; else None.

    `wrong` is `(rows, length)`. Shifts to 256 either way are tried, coordinate by coordinate, since each has
    planes of its own. Where several explain all that was seen, the best and the range of them are told; a
    coordinate that no shift but 0 is needed for counts as right.
    """
    right = start(seen)
    if right.axis is None or seen.spec.axes is None or not wrong.any():
        return None
    at = np.argwhere(wrong)
    at = at[np.unique(np.linspace(0, len(at) - 1, _SOME).astype(int))]
    due = right.apply(seen.x)[at[:, 0], :, at[:, 1]]  # (tokens, heads, head_dim)
    out = seen.out[at[:, 0], :, at[:, 1]]
    slack = np.broadcast_to(right.tolerance_for(seen), seen.out.shape)[at[:, 0], :, at[:, 1]]
    steps = np.arange(-_FARTHEST, _FARTHEST + 1)
    fits: list[NDArray[np.int64]] = []
    best: list[int] = []
    for axis in range(len(seen.spec.axes.names)):
        planes = np.flatnonzero(right.axis == axis)
        if not planes.size:
            fits.append(steps)
            best.append(0)
            continue
        re, im = right.pairs[planes].T
        first, last = due[..., re] + 1j * due[..., im], out[..., re] + 1j * out[..., im]
        near = 2 * np.minimum(slack[..., re], slack[..., im])
        good, off = [], []
        for step in steps:
            turn = np.exp(1j * right.sign_im * step * right.frequencies[planes])
            error = first * turn - last
            good.append(bool(((np.abs(error.real) <= near) & (np.abs(error.imag) <= near)).all()))
            off.append(float(np.abs(error).sum()))
        if not any(good):
            return None
        fits.append(steps[good])
        best.append(int(steps[int(np.argmin(np.where(good, off, np.inf)))]))
    chosen = [0 if 0 in fit else own for fit, own in zip(fits, best, strict=True)]
    common = set.intersection(*(set(fit.tolist()) for fit in fits)) - {0}
    exact = [n for n in common if any(len(fit) == 1 and fit[0] == n for fit in fits)]
    if exact and not _in_all(fits, 0):
        chosen = [exact[0]] * len(chosen)
    if not any(chosen) or not _explains(seen, wrong, chosen):
        return None
    if len(set(chosen)) == 1:
        return "mrope-shift", f"all coordinates of M-RoPE: {_shift(chosen[0])}"
    told = [
        f"{name}: {_shift(step)}{_range(fit)}"
        for name, step, fit in zip(seen.spec.axes.names, chosen, fits, strict=True)
        if step
    ]
    return "mrope-shift", f"coordinates of M-RoPE: {'; '.join(told)}"


def _in_all(fits: list[NDArray[np.int64]], step: int) -> bool:
    return all(step in fit for fit in fits)


def _shift(step: int) -> str:
    """In words, a shift of every token, as for positions of one coordinate."""
    ahead = f"{abs(step)} {'ahead' if step > 0 else 'behind'}"
    told = {1: "one", -1: "minus one", 2: "two", -2: "minus two"}.get(step)
    if told is not None:
        return f"offset of {told}: constant shift, every token {ahead}"
    return f"constant shift: every token is turned as at a position {ahead}"


def _range(fit: NDArray[np.int64]) -> str:
    if len(fit) == 1:
        return ""
    return f" (from {fit.min()} to {fit.max()} are within the rounding: its planes turn slowly)"


def _explains(seen: Observation, wrong: NDArray[np.bool_], steps: list[int]) -> bool:
    """Whether all wrong tokens are turned as at coordinates that are so much ahead."""
    right = start(seen)
    moved = tuple(c + step for c, step in zip(right.coordinates, steps, strict=True))
    guess = altered(right, coordinates=moved)
    off = np.abs(guess.apply(seen.x) - seen.out)
    near = np.asarray((off <= 2 * guess.tolerance_for(seen)).all(-1)).swapaxes(1, 2)
    return bool(near[wrong].all())
