"""Facts about wrong numbers whose cause is not known: how far they are off, and where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.conform.diagnosis.guess import Observation, start
from ropeproof.tools.conform.diagnosis.turns import turns

__all__ = ["facts", "tail", "where"]

Mask = NDArray[np.bool_]


def facts(failing: Sequence[Observation], holding: Sequence[Observation]) -> str:
    """In words, by which factor, in which planes, heads, rows and positions numbers are wrong."""
    told = [_multiple(failing), _planes(failing)]
    masks = [np.asarray(_off(s).any(-1)) for s in failing]
    told += dict.fromkeys((where(failing, masks, holding), _every_second(masks)))
    if not told[0]:
        told += [_exchanged(failing), _small(failing), _norms(failing)]
    return "; ".join(t for t in told if t)


def _off(seen: Observation) -> Mask:
    right = start(seen)
    slack = right.tolerance_for(seen) if seen.slack is None else seen.slack
    with np.errstate(all="ignore"):
        return np.asarray(~(np.abs(right.apply(seen.x) - seen.out) <= slack))


def _multiple(failing: Sequence[Observation]) -> str:
    """In words, the number that the right result is multiplied by in failing tests; else empty."""
    found = []
    for seen in failing:
        right = start(seen).apply(seen.x)
        scale = float(np.vdot(right, seen.out) / max(float(np.vdot(right, right)), 1e-300))
        rest = np.abs(seen.out - scale * right)
        slack = start(seen).tolerance_for(seen) if seen.slack is None else seen.slack
        if not (rest <= 2 * max(1.0, abs(scale)) * slack).all():
            return ""
        found.append(scale)
    spread = max(found) - min(found)
    # Of coarse types a multiple is not known better than to their unit.
    fine = [s for s, seen in zip(found, failing, strict=True) if seen.dtype in _FINE] or found
    return f"result = {fine[0]:.6g} times the right one" if spread <= 0.02 * abs(fine[0]) else ""


_FINE = ("float32", "float64")
_SMALL = 0.05
"""An error up to this is a rounding: larger ones are another rotation."""


def _fine(failing: Sequence[Observation]) -> list[Observation]:
    """The calls in types fine enough to tell small errors; all of them if there is none."""
    return [s for s in failing if s.dtype in _FINE] or list(failing)


def _small(failing: Sequence[Observation]) -> str:
    """In words, the largest error if all are small, as of rounded tables or angles; else empty."""
    errors = [np.abs(start(s).apply(s.x) - s.out) for s in _fine(failing)]
    most = max(float(np.nan_to_num(e, nan=np.inf).max(initial=0.0)) for e in errors)
    if not 0 < most < _SMALL:
        return ""
    bits = int(-np.log2(most / 2))
    return f"off by at most {most:.2g}, as of tables or angles that hold about {bits} bits"


def _norms(failing: Sequence[Observation]) -> str:
    """In words, which lengths are kept: that of each pair, of the whole vector, or none."""
    pairs, whole = True, True
    for seen in _fine(failing):
        right = start(seen).apply(seen.x)
        with np.errstate(all="ignore"):
            re, im = start(seen).pairs.T
            near = _allowed(seen)
            own = np.hypot(seen.out[..., re], seen.out[..., im])
            due = np.hypot(right[..., re], right[..., im])
            pairs &= bool((np.abs(own - due) <= near[..., None]).all())
            still = np.setdiff1d(np.arange(seen.spec.head_dim), np.concatenate((re, im)))
            rest = np.abs(seen.out[..., still] - right[..., still])
            pairs &= bool((rest <= near[..., None]).all())
            sizes = np.linalg.norm(seen.out, axis=-1) - np.linalg.norm(right, axis=-1)
            whole &= bool((np.abs(sizes) <= near * seen.spec.head_dim**0.5).all())
    if pairs:
        told = turns(_fine(failing))
        return f"each pair keeps its length: turned by other angles{told and f', {told}'}"
    if whole:
        return "vectors keep their length and pairs do not: other pairs"
    return f"vectors do not keep their length{_stretched(_fine(failing))}"


def _stretched(failing: Sequence[Observation]) -> str:
    """In words, how much longer or shorter pairs of the right angles are; empty for other angles."""
    least, most = np.inf, 0.0
    for seen in failing:
        right = start(seen)
        re, im = right.pairs.T
        due = right.apply(seen.x)
        with np.errstate(all="ignore"):
            size = (seen.out[..., re] + 1j * seen.out[..., im]) / (due[..., re] + 1j * due[..., im])
            near = _allowed(seen)[..., None]
            if not (np.abs(size.imag) <= near * np.abs(size)).all() or not (size.real > 0).all():
                return ""
        least, most = min(least, float(size.real.min())), max(most, float(size.real.max()))
    return f": pairs are turned by the right angles and multiplied by {least:.4g} to {most:.4g}"


def _allowed(seen: Observation) -> NDArray[np.float64]:
    slack = start(seen).tolerance_for(seen) if seen.slack is None else seen.slack
    return np.asarray(2 * np.broadcast_to(slack, seen.out.shape).max(-1))


def _exchanged(failing: Sequence[Observation]) -> str:
    """In words, the other order in which all calls have the right coordinates; else empty."""
    d = failing[0].spec.head_dim
    order: NDArray[np.int64] | None = None
    for seen in [s for s in failing if not s.backwards] or failing:  # a gradient turns, then orders
        right = start(seen).apply(seen.x).reshape(-1, d)
        out = seen.out.reshape(-1, d)
        if order is None:
            some = np.linspace(0, len(out) - 1, min(len(out), 64)).astype(int)
            off = np.abs(out[some][:, :, None] - right[some][:, None, :]).sum(0)
            order = off.argmin(1)
            if len(set(order.tolist())) < d or (order == np.arange(d)).all():
                return ""
        slack = np.broadcast_to(_allowed(seen)[..., None], seen.out.shape).reshape(-1, d)
        with np.errstate(all="ignore"):
            if not (np.abs(out - right[:, order]) <= slack).all():
                return ""
    assert order is not None
    first = ", ".join(str(int(n)) for n in order[:4])
    return f"right numbers in another order of coordinates: {first}, ... stand at 0, 1, 2, 3, ..."


def _every_second(masks: Sequence[Mask]) -> str:
    """In words, whether every second place of a call is off, or all but the last, or only the last."""
    long = [m for m in masks if m.shape[2] > 2 and m.any()]
    if not long or len(long) < len([m for m in masks if m.any()]) / 2:
        return ""
    for begin in (0, 1):
        if all(not m[:, :, 1 - begin :: 2].any() and _most(m[:, :, begin::2]) for m in long):
            return f"only every second place of a call, from place {begin} on"
    if all(not m[:, :, -1].any() and _most(m[:, :, :-1]) for m in long):
        return "all places of a call but the last"
    if all(m[:, :, -1].any() and not m[:, :, :-1].any() for m in long):
        return "only the last place of a call"
    return ""


def _most(mask: Mask) -> bool:
    """Whether at least half of the places are off."""
    off = np.atleast_1d(mask.any((0, 1)))
    return bool(off.any() and 2 * np.count_nonzero(off) >= off.size)


def _planes(failing: Sequence[Observation]) -> str:
    """In words, the planes or unrotated coordinates that are off in any test; empty if all are."""
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
    if planes == list(range(planes[0], spec.rotary_planes, 2)):
        return f"only every second plane, from plane {planes[0]} on"
    if planes == list(range(planes[0], planes[-1] + 1)):
        return (
            f"planes {planes[0]} to {planes[-1]} only" if len(turning) < spec.rotary_planes else ""
        )
    return ""


def where(
    failing: Sequence[Observation], masks: Sequence[Mask], holding: Sequence[Observation]
) -> str:
    """In words, which heads, rows or positions are off, if that is a plain statement; else empty.

    `masks` say for each failing call which vectors are off, `(batch, heads, length)`.
    """
    told = [_heads(masks), _rows(masks), _positions(failing, masks, holding)]
    plain = [t for t in told if t]
    behind = tail(failing, masks, holding)
    return behind or ", ".join(plain) or _places(masks) or _every_second(masks)


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
    if not any(parts) or any(m.shape[0] == 1 and m.any() for m in masks):
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


def tail(
    failing: Sequence[Observation], masks: Sequence[Mask], holding: Sequence[Observation]
) -> str:
    """In words, whether the vectors behind the last full group of each call are off; else empty.

    Vectors are numbered as they follow each other in memory, heads and rows counted as well. Only groups
    are told that fit the calls that hold: the group divides the number of their vectors or is larger, or
    what is behind it stands at position 0.
    `masks` are as for `where`.
    """
    if any(s.vectors is not None for s in (*failing, *holding)) or not masks:
        return ""  # of calls of which some vectors are kept, the last ones are not known
    lines = [_in_memory(m, s) for m, s in zip(masks, failing, strict=True)]
    if all(m.shape[0] * m.shape[1] == 1 for m in masks):
        return ""
    for group in (2, 3, 4, 8, 16, 32, 64, 128):
        begins = [len(line) // group * group for line in lines]
        if not all(
            begin
            and line[begin:].any()
            and not line[:begin].any()
            and _most(line[None, None, begin:])
            for begin, line in zip(begins, lines, strict=True)
        ):
            continue
        if not any(_turns_behind(s, group) for s in holding):
            if group == 2:
                return "only of the last vector of calls of an odd number of vectors"
            return f"only of vectors behind the last full group of {group}, heads and rows counted"
    return ""


def _turns_behind(seen: Observation, group: int) -> bool:
    """Whether a call has full groups of vectors and behind them one that turns: not at position 0."""
    shape = seen.x.shape[:3]
    line = _in_memory(np.broadcast_to(np.max(seen.coordinates, 0) != 0, shape), seen)
    begin = len(line) // group * group
    return begin > 0 and bool(line[begin:].any())


def _in_memory(mask: Mask, seen: Observation) -> Mask:
    """Which vectors are off, as they follow each other in memory, for `mask` `(batch, heads, length)`."""
    order = [a for a in (seen.order or "bhld") if a in "bhl"]
    missing = [a for a in "bhl" if a not in order]  # of one index
    return np.asarray(mask.transpose(["bhl".index(a) for a in (*missing, *order)])).reshape(-1)


def _places(masks: Sequence[Mask]) -> str:
    """In words, whether only places behind the last full block of each call are off; else empty."""
    for block in (128, 64, 32, 16, 8):
        right = all(
            not m[:, :, : m.shape[2] // block * block].any()
            and (m[:, :, m.shape[2] // block * block :].any())
            for m in masks
        )
        # Behind the block most are wrong, in calls that are shorter than it as well.
        right = right and all(_most(m[:, :, m.shape[2] // block * block :]) for m in masks)
        if right and any(m.shape[2] > block for m in masks):
            return f"only behind the last full block of {block} places"
    return ""
