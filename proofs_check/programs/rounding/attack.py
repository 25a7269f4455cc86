"""Runs an implementation on drawn cases and on a search for the worst, to see how tight a bound is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.numerics.rounding.exact_turns import phases
from ropeproof.numerics.rounding.number_types import rounded
from ropeproof.proofs_check.programs.judging.calls import CallSetting, Setup
from ropeproof.proofs_check.programs.rounding.record import Decade, RoundingBound
from ropeproof.tools.conform.arrays import read, write
from ropeproof.tools.conform.expected.exact import at_length

__all__ = ["Attacked", "attack", "measured"]

Floats = NDArray[Any]
Ints = NDArray[np.int64]

_TOKENS = 2048
_KEPT = 24


@dataclass(frozen=True)
class Attacked:
    """What a decade of positions showed.

    - `bound`: the largest bound of a coordinate, per norm of the plane, of tables absolutely.
    - `drawn`, `searched`: the largest error among drawn cases, and of the search, as `bound` is.
    - `cases`: how many vectors of a plane were drawn.
    - `exceeded`: how many errors were larger than the bound of their coordinate.
    """

    first: int
    last: int
    bound: float
    drawn: float
    searched: float
    cases: int
    exceeded: int

    @property
    def ratio(self) -> float:
        """The bound over the worst that was seen; 1 if both are 0."""
        worst = max(self.drawn, self.searched)
        if worst == 0:
            return 1.0 if self.bound == 0 else np.inf
        return float(self.bound / worst)


def _turns(setup: Setup, positions: Ints) -> tuple[Floats, Floats]:
    """Exact cosines and sines in the longest type of the machine."""
    spec = setup.spec
    turned = phases(spec, positions).astype(np.int64).astype(np.longdouble)
    tau = 2 * np.arccos(np.longdouble(-1))
    angle = turned * (tau * np.longdouble(2.0) ** -64)
    factor = attention_factor_float64(spec)
    return factor * np.cos(angle), factor * np.sin(angle)


def measured(setup: Setup, dtype: str, vectors: Floats, positions: Ints) -> Floats:
    """The errors of an implementation, `(tokens, head_dim)`, of tables `(2, tokens, columns)`.

    `vectors` are `(tokens, head_dim)`, numbers of the type `dtype`, one for each of `positions`;
    every coordinate of a position has the same value. Tables need no vectors.
    """
    spec, count = setup.spec, len(positions)
    places = positions if spec.axes is None else np.stack([positions] * len(spec.axes.names), -1)
    places = places[np.newaxis] if setup.rows else places
    p = write(np.ascontiguousarray(places), setup.array, None)
    c, s = _turns(setup, positions)
    planes = np.arange(spec.rotary_planes)
    if setup.form == "tables":
        tables = [read(t)[0].reshape(count, -1) for t in setup.call(p)]
        width = tables[0].shape[-1]
        if width != len(planes):
            both = np.zeros(width, np.int64)
            for plane, pair in enumerate(spec.plane_coordinates()[: len(planes)]):
                both[[n - spec.rotary_start for n in pair]] = plane
            planes = both
        return np.stack(
            [np.abs(t - r[:, planes]) for t, r in zip(tables, (c, s), strict=True)]
        ).astype(np.float64)
    setting = CallSetting(1, 1, count, rows=setup.rows, dtype=dtype)
    native = setup._native(vectors.reshape(1, 1, count, -1))
    given = [write(native.copy(), setup.array, dtype) for _ in setup.vectors()]
    found = setup.whole()(*given, p)
    results = list(found) if isinstance(found, tuple | list) else [found]
    flat: list[Floats] = []
    complexes = []
    for result in results:
        is_complex = "complex" in str(result.dtype)
        complexes.append(is_complex)
        parts = (result.real, result.imag) if is_complex else (result,)
        flat += [read(part)[0].reshape(-1) for part in parts]
    layouts = setup.layouts(setting, [tuple(r.shape) for r in results], complexes)
    worst = np.zeros((count, spec.head_dim))
    wanted = vectors.astype(np.longdouble).copy()
    pairs = np.array(spec.plane_coordinates()[: spec.rotary_planes], np.int64).reshape(-1, 2)
    re, im = pairs[:, 0], pairs[:, 1]
    x, y = wanted[:, re].copy(), wanted[:, im].copy()
    wanted[:, re], wanted[:, im] = c * x - s * y, c * y + s * x
    for layout, first in layouts:
        node = first + layout.parts
        seen = np.zeros(layout.outputs.shape)
        for n in np.unique(node):
            mask = node == n
            seen[mask] = flat[int(n)][layout.outputs[mask]]
        off = np.abs(seen[0, 0].astype(np.longdouble) - wanted)
        worst = np.maximum(worst, off.astype(np.float64))
    return worst


def _norms(setup: Setup, vectors: Floats) -> Floats:
    """For each coordinate the norm of its plane, of one that is not rotated its size."""
    found = np.abs(vectors)
    for re, im in setup.spec.plane_coordinates()[: setup.spec.rotary_planes]:
        found[:, re] = found[:, im] = np.hypot(vectors[:, re], vectors[:, im])
    return np.maximum(found, 1e-300)


def attack(
    setup: Setup,
    dtype: str,
    bound: RoundingBound,
    *,
    cases: int = 1_000_000,
    rounds: int = 8,
    seed: int = 0,
) -> Iterator[Attacked]:
    """Draw `cases` vectors of planes and search for the worst, decade by decade of a bound.

    The search keeps the vectors and positions with the largest errors, starts from the positions
    where the bound is largest, and changes both a little, down to the last places of an entry, in
    `rounds` rounds.
    """
    context = bound.decades[-1].last + 1
    own = replace(setup, spec=at_length(setup.spec, context))
    drawn = np.random.default_rng(seed)
    share = -(-cases // len(bound.decades))
    for decade in bound.decades:
        if setup.form == "tables":
            yield _of_tables(own, dtype, decade, share, drawn)
        else:
            yield _of_vectors(own, dtype, decade, share, rounds, drawn)


def _of_tables(
    setup: Setup, dtype: str, decade: Decade, cases: int, drawn: np.random.Generator
) -> Attacked:
    count = max(1, cases // max(setup.spec.rotary_planes, 1))
    every = decade.last - decade.first + 1
    positions = np.arange(decade.first, decade.last + 1)
    if every > count:
        positions = np.unique(drawn.integers(decade.first, decade.last + 1, count))
    worst, seen, exceeded = np.zeros(2), 0, 0
    for turn, chosen in enumerate((positions, np.unique(decade.positions))):
        for start in range(0, len(chosen), 4 * _TOKENS):
            part = np.asarray(chosen[start : start + 4 * _TOKENS], np.int64)
            off = measured(setup, dtype, np.zeros(0), part)
            worst[turn] = max(worst[turn], off.max(initial=0.0))
            exceeded += int((off > decade.fixed).sum())
            seen += off[0].size if turn == 0 else 0
    bound = float(decade.fixed.max(initial=0.0))
    return Attacked(
        decade.first, decade.last, bound, float(worst[0]), float(worst[1]), seen, exceeded
    )


def _of_vectors(
    setup: Setup, dtype: str, decade: Decade, cases: int, rounds: int, drawn: np.random.Generator
) -> Attacked:
    d, planes = setup.spec.head_dim, max(setup.spec.rotary_planes, 1)
    exceeded, seen, worst = 0, 0, np.zeros(2)

    def tried(vectors: Floats, positions: Ints, turn: int) -> Floats:
        nonlocal exceeded
        off = measured(setup, dtype, vectors, positions)
        norms = _norms(setup, vectors)
        exceeded += int((off > decade.share * norms + decade.fixed).sum())
        share = np.maximum(off - decade.fixed, 0.0) / norms
        worst[turn] = max(worst[turn], share.max(initial=0.0))
        return share

    while seen < cases:
        positions = drawn.integers(decade.first, decade.last + 1, _TOKENS)
        tried(rounded(drawn.standard_normal((_TOKENS, d)), dtype), positions, 0)
        seen += _TOKENS * planes
    # The search: tokens at the worst positions of the bound, then around the worst of them.
    positions = drawn.choice(decade.positions, _TOKENS)
    elsewhere = drawn.random(_TOKENS) < 0.5
    anywhere = drawn.integers(decade.first, decade.last + 1, _TOKENS)
    positions = np.where(elsewhere, anywhere, positions).astype(np.int64)
    vectors = rounded(drawn.standard_normal((_TOKENS, d)), dtype)
    best: list[tuple[float, int, Floats]] = []
    for turn in range(rounds):
        share = tried(vectors, positions, 1).max(1)
        order = np.argsort(-share)[:_KEPT]
        best += [(float(share[n]), int(positions[n]), vectors[n]) for n in order]
        best = sorted(best, key=lambda one: -one[0])[:_KEPT]
        picked = drawn.integers(0, len(best), _TOKENS)
        positions = np.array([best[n][1] for n in picked], np.int64)
        moved = drawn.random(_TOKENS) < 0.25
        positions[moved] = drawn.integers(decade.first, decade.last + 1, int(moved.sum()))
        base = np.stack([best[n][2] for n in picked])
        size = 2.0 ** -drawn.integers(1, 6 + 3 * turn, (_TOKENS, 1)).astype(float)
        vectors = rounded(base * (1 + size * drawn.standard_normal((_TOKENS, d))), dtype)
    bound = float(decade.share.max(initial=0.0))
    return Attacked(
        decade.first, decade.last, bound, float(worst[0]), float(worst[1]), seen, exceeded
    )
