"""Compares the queries or keys of a dump with the exact rotation, vector by vector."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.diagnosis.guess import Observation
from ropeproof.tools.conform.dumps.part import DumpedPart
from ropeproof.tools.conform.expected.budget import allowed, underflow
from ropeproof.tools.conform.expected.exact import CosSinTables, certified_tables, fast_tables
from ropeproof.tools.conform.named_tests.trials import turned
from ropeproof.tools.conform.record import Found

__all__ = ["ComparedPart", "compared", "observation"]

_CERTIFIED = 2048
"""Most different positions whose tables are made by ball arithmetic."""
_FAST = 1 << 24
_ENTRIES = 1 << 22
"""Entries that are compared at once."""


@dataclass(frozen=True, eq=False)
class ComparedPart:
    """The record of a part of a dump, and which of its vectors are wrong, `(batch, heads, length)`."""

    part: DumpedPart
    spec: RopeSpec
    found: Found
    wrong: NDArray[np.bool_]


def _tables(spec: RopeSpec, positions: NDArray[np.int64]) -> CosSinTables:
    """Tables at positions `(rows, length)`, with coordinates last if the spec has axes."""
    if spec.axes is not None:
        return certified_tables(spec, positions)
    values, where = np.unique(positions, return_inverse=True)
    plain = len(values) > _CERTIFIED and values[0] >= 0 and values[-1] < _FAST
    found = (fast_tables if plain else certified_tables)(spec, values)
    where = where.reshape(positions.shape)
    return CosSinTables(found.cosines[where], found.sines[where], found.error)


def _slack(
    part: DumpedPart,
    spec: RopeSpec,
    x: NDArray[np.float64],
    columns: slice,
    angles: str,
    error: float,
) -> NDArray[np.float64]:
    """The allowed error of each coordinate, as `x` in shape; infinite where the vector is none."""
    places = part.positions[:, columns]
    share = allowed(spec, places, dtype=part.dtype, angles=angles)
    if part.turned is not None:  # the angle may be made of those of both positions
        before = allowed(spec, part.turned[:, columns], dtype=part.dtype, angles=angles)
        share = np.maximum(share, before) * 2
    share = share + error
    share[..., spec.rotary_planes :] = 0.0
    re, im = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    sizes = (np.abs(x[..., re]) + np.abs(x[..., im])) * share[:, np.newaxis]
    slack = np.empty_like(x)
    slack[..., re] = slack[..., im] = sizes + underflow(spec, part.dtype)
    return slack


def _unscaled(part: DumpedPart, spec: RopeSpec) -> NDArray[np.float64]:
    """Results with one attention factor: a cache that is turned again is not multiplied again."""
    if part.turned is None:
        return part.after
    factor = attention_factor_float64(spec)
    out = part.after.copy()
    turning = [c for pair in spec.plane_coordinates()[: spec.rotary_planes] for c in pair]
    out[..., turning] *= factor
    return out


def compared(part: DumpedPart, spec: RopeSpec, *, angles: str = "float32") -> ComparedPart:
    """The record of the comparison, named `rotation.queries` or `rotation.keys`.

    Residual and budget are those where the residual exceeds the budget most, or comes nearest to
    it, per unit of the largest entry of that vector; the position is the smallest one that fails.
    """
    batch, heads, length, width = part.before.shape
    wrong = np.zeros((batch, heads, length), dtype=bool)
    out = _unscaled(part, spec)
    step = max(1, _ENTRIES // max(batch * heads * width, 1))
    worst, pair, broken, cases = -1.0, (0.0, 0.0), False, 0
    planes: set[int] = set()
    first: tuple[int, ...] | None = None
    re, im = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    for begin in range(0, length, step):
        columns = slice(begin, min(begin + step, length))
        x, after = part.before[:, :, columns], out[:, :, columns]
        counted = part.compared[:, np.newaxis, columns] & np.isfinite(x).all(-1)
        cases += int(np.count_nonzero(counted)) * width
        if not counted.any():
            continue
        tables = _tables(spec, part.angles_of[:, columns])
        slack = _slack(part, spec, np.nan_to_num(x), columns, angles, tables.error)
        with np.errstate(invalid="ignore", over="ignore"):
            error = np.abs(turned(x, tables, spec) - after)
            off = ~(error <= slack) & counted[..., np.newaxis]
        wrong[:, :, columns] = off.any(-1)
        size = np.maximum(np.abs(x).max(-1, keepdims=True), np.finfo(float).tiny)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            excess = np.where(
                counted[..., np.newaxis], np.nan_to_num(error / slack, nan=np.inf), -1
            )
        at = np.unravel_index(int(excess.argmax()), excess.shape)
        if excess[at] > worst:
            worst = float(excess[at])
            of = (*at[:3], 0)
            pair = (float(error[at] / size[of]), float(slack[at] / size[of]))
            broken = bool(np.isnan(error[at]))
        if off.any():
            ahead = part.positions if spec.axes is None else part.positions.max(-1)
            rows = np.broadcast_to(ahead, (batch, length))
            places = np.argwhere(off)
            order = rows[places[:, 0], places[:, 2] + begin]
            row, head, column, _ = places[int(order.argmin())]
            mine = (int(order.min()), int(row), int(head), int(column) + begin)
            if first is None or mine < first:
                first = mine
                own = off[row, head, column]
                planes = {
                    l for l, (a, b) in enumerate(zip(re, im, strict=True)) if own[a] or own[b]
                }
    found = _record(part, wrong, pair, cases, first, min(planes, default=0), broken=broken)
    return ComparedPart(part, spec, found, wrong)


def _record(
    part: DumpedPart,
    wrong: NDArray[np.bool_],
    pair: tuple[float, float],
    cases: int,
    first: tuple[int, ...] | None,
    plane: int,
    *,
    broken: bool,
) -> Found:
    """The record of what was compared; `first` is position, row, head and index of the first failure."""
    name = f"rotation.{part.name}"
    if not cases:
        return Found(name=name, result="unsupported", detail="not checked: no finite vectors")
    if first is None:
        return Found(name=name, result="holds", residual=pair[0], budget=pair[1], cases=cases)
    place, row, head, column = first
    told = f"{int(wrong.any(1).sum())} of {int(part.compared.sum())} tokens"
    told += f", the first at index {column}"
    told += f" of row {row}" if len(wrong) > 1 else ""
    told += f", head {head}" if not wrong[row, :, column].all() else ""
    told += "; not a number" if broken else ""
    return Found(
        name=name,
        result="fails",
        residual=pair[0],
        budget=pair[1],
        position=place,
        plane=plane,
        cases=cases,
        detail=told,
    )


def observation(
    seen: ComparedPart,
    columns: NDArray[np.int64],
    *,
    heads: NDArray[np.int64] | None = None,
    context: int,
    angles: str = "float32",
) -> Observation:
    """Some of the tokens and heads of a part, as the diagnosis takes a call of an implementation.

    Each vector is divided by a power of two near its largest entry, and vectors that are not compared
    are left out with all others of their token.
    """
    part, spec = seen.part, seen.spec
    heads = np.arange(part.before.shape[1]) if heads is None else heads
    x = np.nan_to_num(part.before[:, heads][:, :, columns])
    out = _unscaled(part, spec)[:, heads][:, :, columns]
    kept = replace(
        part,
        positions=part.positions[:, columns],
        turned=None if part.turned is None else part.turned[:, columns],
    )
    tables = _tables(spec, kept.angles_of)
    slack = 2 * _slack(kept, spec, x, slice(None), angles, tables.error)
    largest = np.abs(x).max(-1, keepdims=True)
    size = 2.0 ** np.ceil(np.log2(np.where(largest > 0, largest, 1.0)))
    places = kept.angles_of
    return Observation(
        x / size,
        places if len(places) > 1 or spec.axes is not None else places[0],
        out / size,
        spec,
        part.dtype,
        context,
        test=seen.found.name,
        failed=bool(seen.wrong[:, heads][:, :, columns].any()),
        keys=part.keys,
        slack=slack / size,
        scaled=True,
    )
