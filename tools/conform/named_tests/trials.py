"""The single comparisons that the named tests are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.diagnosis.guess import Observation
from ropeproof.tools.conform.expected.budget import allowed
from ropeproof.tools.conform.expected.exact import (
    CosSinTables,
    at_length,
    certified_tables,
    fast_tables,
    switches,
)
from ropeproof.tools.conform.record import Cause, Found, worst
from ropeproof.tools.conform.subjects.history import mistaken, of_type
from ropeproof.tools.conform.subjects.subject import Subject, SubjectRaised

__all__ = [
    "REFUSED",
    "Trial",
    "basis",
    "compare",
    "compare_basis",
    "in_rows",
    "refused",
    "signs",
    "turned",
]

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

REFUSED = (SubjectRaised, Unsupported)
"""A call is refused by an exception, or by a result that is no array of the shape of the vectors."""

_BATCH, _HEADS = 3, 2
_FIRST_PLACES = 64
_CHUNK = 1 << 14


def refused(name: str, error: Exception) -> Found:
    """The record of a test whose call was refused, with one of `REFUSED`: no number was wrong."""
    told = f"raises {error}" if isinstance(error, SubjectRaised) else str(error)
    return Found(name=name, result="unsupported", detail=told)


def basis(width: int, length: int, heads: int = 1) -> Floats:
    """Every basis vector at every place and in every head, `(width, heads, length, width)`."""
    return np.broadcast_to(np.eye(width)[:, None, None], (width, heads, length, width)).copy()


def signs(shape: tuple[int, ...], *, seed: int = 0) -> Floats:
    """Independent entries 1 and -1, the probe of `conform.probe`."""
    # The same draws as of choice([-1, 1]), which looks each of them up.
    found: Floats = np.random.default_rng(seed).integers(0, 2, size=shape).astype(np.float64)
    found *= 2
    found -= 1
    return found


def turned(x: Floats, tables: CosSinTables, spec: RopeSpec, *, backwards: bool = False) -> Floats:
    """The exact rotation of canonical vectors by tables `(batch or 1, length, planes)`."""
    re, im = _coordinates(spec)
    cosines, sines = tables.cosines[:, np.newaxis], tables.sines[:, np.newaxis]
    sines = -sines if backwards else sines
    out, first, second = np.empty_like(x), x[..., re], x[..., im]
    out[..., re] = first * cosines - second * sines
    out[..., im] = second * cosines + first * sines
    return out


def _coordinates(spec: RopeSpec) -> tuple[Any, Any]:
    """Real and imaginary coordinates of all planes as indices: slices, which copy nothing, if even."""
    found: list[Any] = []
    for part in zip(*spec.plane_coordinates(), strict=True):
        step = part[1] - part[0] if len(part) > 1 else 1
        even = step > 0 and part == tuple(range(part[0], part[0] + step * len(part), step))
        found.append(slice(part[0], part[-1] + 1, step) if even else list(part))
    return found[0], found[1]


def in_rows(spec: RopeSpec, positions: Places) -> Places:
    """Positions as `(batch or 1, length)`, with the spec's axes behind that if it has any."""
    least = 2 if spec.axes is None else 3
    return positions if positions.ndim == least else positions[np.newaxis]


@dataclass
class Trial:
    """An implementation under test, what it is compared with, and what was observed so far.

    `length` fixes the length whose frequencies are expected; None means that of each sequence, its
    last position plus one. `exact` has the types in which every basis vector was rotated
    correctly. Where the implementation refuses part of the grid of positions, only the rest is tested: with
    `runs` runs of consecutive positions, with `most` calls of at most so many vectors, and calls of at least
    `heads` heads. `sized` is the cause of a failure if it is the size of entries.
    """

    subject: Subject
    spec: RopeSpec
    context: int
    angles: str
    length: int | None
    contiguous: bool
    explain: bool
    seen: list[Observation] = field(default_factory=list)
    exact: list[str] = field(default_factory=list)
    runs: int | None = None
    most: int | None = None
    heads: int = 1
    sized: Cause | None = None

    def expected(self, positions: Places) -> RopeSpec:
        """The spec that a sequence with these positions must follow."""
        own = int(positions.max(initial=0)) + 1
        return at_length(self.spec, own if self.length is None else self.length)

    def run(self, x: NDArray[np.floating[Any]], positions: Places, dtype: str) -> Floats:
        """The implementation's results; raises `SubjectRaised` and `Unsupported` as `Subject.apply`."""
        return self.subject.apply(x, positions, dtype)

    def probe(
        self, name: str, positions: Places, dtype: str = "float32", *, heads: int = _HEADS
    ) -> Found:
        """Test one call on vectors of signs, or a call for each row if it takes no batches."""
        if positions.ndim == 2 and "b" not in self.subject.axes:
            return worst([self.probe(name, row, dtype, heads=heads) for row in positions])
        rows, count = self.subject.sizes(_BATCH, heads)
        rows = positions.shape[0] if positions.ndim >= 2 else rows
        length = positions.shape[1] if positions.ndim == 3 else positions.shape[-1]
        # Equal sizes let tables of rows broadcast along the heads, and a function that takes none is accused.
        while count > 1 and count in (rows, length):
            count += 1
        x = signs((rows, count, length, self.spec.head_dim))
        try:
            out = self.run(x, positions, dtype)
        except REFUSED as error:
            return refused(name, error)
        return self.judge(name, x, positions, out, dtype)

    def judge(
        self,
        name: str,
        x: Floats,
        positions: Places,
        out: Floats,
        dtype: str,
        *,
        backwards: bool = False,
        explain: bool = True,
        of: Places | None = None,
        beside: int | None = None,
        readings: tuple[tuple[str, Floats], ...] = (),
    ) -> Found:
        """Compare results with the exact rotation, and keep them for the diagnosis.

        For the diagnosis `x` must have entries of size 1. `of` are the positions of the whole call where
        these are only its first ones, `beside` the number of heads of the other vectors of a pair,
        `readings` as in `Observation`.
        """
        spec = self.expected(positions if of is None else of)
        positions = self.subject.lifted(positions)
        tables = certified_tables(spec, in_rows(spec, positions))
        found = compare(
            name, x, positions, out, spec, tables, dtype, angles=self.angles, backwards=backwards
        )
        if not (self.explain and explain):
            return found
        part = allowed(spec, in_rows(spec, positions), dtype=dtype, angles=self.angles)
        part[..., spec.rotary_planes :] = 0.0
        slack = np.zeros((len(part), 1, *out.shape[2:]))
        for coordinate in (0, 1):
            taken = [pair[coordinate] for pair in spec.plane_coordinates()]
            slack[..., taken] = 2 * (part + tables.error)[:, np.newaxis]
        calls = self.subject.calls if of is None else []
        self.seen.append(
            Observation(
                x,
                positions,
                out,
                spec,
                dtype,
                self.context,
                backwards=backwards,
                test=name,
                failed=found.result == "fails",
                keys=self.subject.part == 1,
                slack=slack,
                vectors=None if of is None else len(of),
                stale=mistaken(calls),
                first_type=of_type(calls),
                lengths=tuple(c.length for c in self.subject.calls),
                beside=beside,
                order=self.subject.order,
                readings=readings,
            )
        )
        return found

    def judge_basis(
        self, name: str, x: Floats, positions: Places, out: Floats, dtype: str
    ) -> Found:
        """Compare the results of the vectors of `basis`, `x`, with the exact rotation, as `judge` does."""
        spec, places = self.expected(positions), self.subject.lifted(positions)
        tables = certified_tables(spec, in_rows(spec, places))
        found = compare_basis(name, places, out, spec, tables, dtype, angles=self.angles)
        if found is not None:
            return found
        return compare(name, x, places, out, spec, tables, dtype, angles=self.angles)

    def every(self, name: str, dtype: str) -> Found:
        """Test one vector of signs at every position below the context."""
        x = signs((1, 1, self.context, self.spec.head_dim), seed=1)
        positions = np.arange(self.context, dtype=np.int64)
        spec = self.expected(positions)
        try:
            out = self.run(x, positions, dtype)
        except REFUSED as error:
            return refused(name, error)
        farthest: Found | None = None
        for start in range(0, self.context, _CHUNK):
            part = slice(start, min(start + _CHUNK, self.context))
            places = self.subject.lifted(positions)[part]
            tables = fast_tables(spec, places[np.newaxis])
            found = compare(
                name,
                x[:, :, part],
                places,
                out[:, :, part],
                spec,
                tables,
                dtype,
                angles=self.angles,
            )
            if farthest is None or farthest.result == "holds":
                failed = found.result == "fails"
                least = -1.0 if farthest is None or failed else farthest.residual or 0.0
                farthest = found if (found.residual or 0.0) > least else farthest
        assert farthest is not None
        if farthest.result == "holds" and self.explain and switches(self.spec) is not None:
            # Its first places tell a length that is counted in vectors from a scaling that is missing.
            few = positions[:_FIRST_PLACES]
            self.judge(name, x[:, :, : len(few)], few, out[:, :, : len(few)], dtype, of=positions)
        cases = self.context * self.spec.head_dim
        return replace(farthest, cases=cases)


_BLOCK = 1 << 15
"""Entries of vectors that are compared at once: few enough for the cache of a processor."""


def _blocks(shape: tuple[int, ...], rows: int) -> Iterator[tuple[slice, slice, slice]]:
    """Yield blocks of rows, heads and tokens, at most `_BLOCK` entries each, that make up all vectors.

    Where the `rows` of the positions are those of the batch, a block has one of them.
    """
    batch, heads, length, width = shape
    tokens = max(1, min(length, _BLOCK // max(width, 1)))
    some = max(1, min(heads, _BLOCK // max(tokens * width, 1)))
    many = max(1, _BLOCK // max(tokens * some * width, 1)) if rows == 1 else 1
    for row in range(0, batch, many):
        for head in range(0, heads, some):
            for token in range(0, length, tokens):
                yield (
                    slice(row, row + many),
                    slice(head, head + some),
                    slice(token, token + tokens),
                )


def compare_basis(
    name: str,
    positions: Places,
    out: Floats,
    spec: RopeSpec,
    tables: CosSinTables,
    dtype: str,
    *,
    angles: str,
) -> Found | None:
    """Compare results of the vectors of `basis` with the exact rotation; None if one of them is off.

    Of a basis vector only the two coordinates of its plane may be other than 0, so that these alone are
    compared with what is allowed, and all others counted. `out` is `(head_dim, heads, length, head_dim)`.
    """
    re, im = _coordinates(spec)
    own, other = np.arange(spec.head_dim)[re], np.arange(spec.head_dim)[im]
    part = allowed(spec, in_rows(spec, positions), dtype=dtype, angles=angles) + tables.error
    part[..., spec.rotary_planes :] = 0.0
    if len(part) > 1:
        return None
    due = {(0, 0): 1, (0, 1): 1, (1, 0): -1, (1, 1): 1}  # signs of what each gives each
    counted, near = 0, (-1.0, 0.0, 0.0)
    for (came, went), sign in due.items():
        ends = (own, other)
        seen = out[ends[came], :, :, ends[went]]  # (planes, heads, length)
        table = tables.cosines if came == went else sign * tables.sines
        error = np.abs(seen - table[0].T[:, np.newaxis])
        budget = part[0].T[:, np.newaxis]
        if not (error <= budget).all():
            return None
        counted += int(np.count_nonzero(seen))
        ratio = np.divide(error, budget, out=np.zeros_like(error), where=budget > 0)
        at = np.unravel_index(int(ratio.argmax()), ratio.shape)
        size = float(np.broadcast_to(budget, error.shape)[at])
        near = max(near, (float(ratio[at]), float(error[at]), size))
    if counted != np.count_nonzero(out):
        return None
    return Found(name=name, result="holds", residual=near[1], budget=near[2], cases=int(out.size))


def _off(
    x: Floats,
    out: Floats,
    spec: RopeSpec,
    tables: CosSinTables,
    part: Floats,
    floor: Floats,
    block: tuple[slice, ...],
    *,
    backwards: bool,
) -> tuple[Floats, Floats]:
    """How far each plane of a block is off, the larger of both coordinates, and how far it may be.

    `part` is what is allowed per unit of a pair, `(rows, length, planes)`, and `floor` what is allowed
    beside that, `(batch, heads, length, 1)`. No block, `()`, is all vectors.
    """
    re, im = _coordinates(spec)
    if block:
        row, _, token = block
        x, out, floor = x[block], out[block], floor[block]
        part = part[row if len(part) > 1 else slice(None), token]
        own = row if len(tables.cosines) > 1 else slice(None)
        tables = CosSinTables(tables.cosines[own, token], tables.sines[own, token], tables.error)
    whole = np.abs(x)
    budget = part[:, np.newaxis] * (whole[..., re] + whole[..., im])
    budget += floor
    with np.errstate(invalid="ignore"):
        both = turned(x, tables, spec, backwards=backwards)
        both -= out
        np.abs(both, out=both)
        return np.maximum(both[..., re], both[..., im]), budget


def compare(
    name: str,
    x: Floats,
    positions: Places,
    out: Floats,
    spec: RopeSpec,
    tables: CosSinTables,
    dtype: str,
    *,
    angles: str,
    backwards: bool = False,
    floor: float | Floats = 0.0,
) -> Found:
    """Compare results with the exact rotation of canonical vectors, coordinate by coordinate.

    `floor` is allowed beside what is relative to the size of a pair, of all coordinates or of each
    vector: `budget.underflow`.

    The residual and budget reported are those where the residual exceeds the budget most, or comes
    nearest to it; the position and plane are the smallest position that fails and a plane there.
    """
    places = in_rows(spec, positions)
    part = allowed(spec, places, dtype=dtype, angles=angles) + tables.error
    part[..., spec.rotary_planes :] = 0.0
    spare = np.broadcast_to(floor, (*x.shape[:-1], 1))
    near = (-1.0, 0.0, 0.0)
    for block in _blocks(x.shape, len(part)):
        error, budget = _off(x, out, spec, tables, part, spare, block, backwards=backwards)
        if not (error <= budget).all():
            break
        ratio = np.divide(error, budget, out=np.zeros_like(error), where=budget > 0)
        at = np.unravel_index(int(ratio.argmax()), ratio.shape)
        near = max(near, (float(ratio[at]), float(error[at]), float(budget[at])))
    else:
        return Found(
            name=name, result="holds", residual=near[1], budget=near[2], cases=int(out.size)
        )
    error, budget = _off(x, out, spec, tables, part, spare, (), backwards=backwards)
    fails = ~(error <= budget)
    ahead = places if spec.axes is None else places.max(-1)
    where = np.broadcast_to(ahead[:, np.newaxis, :, np.newaxis], error.shape)
    first = int(where[fails].min())
    planes = np.argwhere(fails & (where == first))[:, -1]
    excess = np.where(fails, np.where(np.isnan(error), np.inf, error - budget), -np.inf)
    at = np.unravel_index(int(excess.argmax()), excess.shape)
    return Found(
        name=name,
        result="fails",
        residual=float(error[at]),
        budget=float(budget[at]),
        position=first,
        plane=int(planes.min()),
        cases=int(out.size),
        detail="not a number" if np.isnan(error[at]) else "",
    )
