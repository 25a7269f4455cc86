"""Additive fits on the causal triangle, streamed: no array has more than `block` rows of logits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.posgen.axes import Axes, solve_axes, triangle_sums
from ropeproof.numerics.posgen.bounds import noise_floor
from ropeproof.numerics.posgen.fit import KINDS, AdditiveFit, Kind, Sums, negligible, record
from ropeproof.numerics.posgen.grid import grid_moments
from ropeproof.numerics.posgen.terms import bounds_of, optimal_phasors, reference_phasors
from ropeproof.numerics.posgen.vectors import Head

__all__ = ["triangle_axes", "triangle_fits"]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]
_PARTS = 4  # deviations of the logits, of the fit, their product, the residual


@dataclass(frozen=True, eq=False)
class _Rotated:
    """The rotated head as real vectors `(tokens, 2 planes)`: logits are scalar products."""

    head: Head
    queries: Floats
    keys: Floats

    @classmethod
    def of(cls, head: Head) -> _Rotated:
        turns = head.turns(np.arange(len(head.keys)))
        return cls(head, _real(head.queries * turns), _real(head.keys * turns))

    def with_keys(self, keys: Complexes) -> Floats:
        """These keys, `(tokens, planes)` or one, at their positions, as real vectors."""
        return _real(keys * self.head.turns(np.arange(len(self.keys))))


def _real(x: Complexes) -> Floats:
    return np.concatenate((x.real, x.imag), -1)


def _spans(length: int, block: int) -> Iterator[tuple[int, int]]:
    for first in range(0, length, block):
        yield first, min(length, first + block)


@dataclass
class _Totals:
    """Sums of the four products over the pairs, and over the rows of their means."""

    plain: Floats = field(default_factory=lambda: np.zeros(_PARTS))
    rows: Floats = field(default_factory=lambda: np.zeros(_PARTS))
    first: Floats = field(default_factory=lambda: np.zeros(2))
    largest: float = 0.0
    largest_bound: float = 0.0

    def add(self, logits: Floats, fit: Floats, counts: Floats) -> None:
        """One block, both already without the mean of all logits and 0 off the triangle."""
        rest = logits - fit
        self.plain += _products(logits, fit, rest)
        means = [x.sum(1) / np.sqrt(counts) for x in (logits, fit, rest)]
        self.rows += _products(*means)
        self.first += [float(x @ np.sqrt(counts)) for x in means[:2]]
        self.largest = max(self.largest, float(rest.max()), -float(rest.min()))

    def sums(self, pairs: int, *, centred: bool) -> Sums:
        """The moments per pair."""
        values = self.plain - self.rows if centred else self.plain.copy()
        if not centred:
            a, b = self.first
            values[:3] -= np.array([a * a, b * b, a * b]) / pairs
        logits, fit, both, residual = (values / pairs).tolist()
        return Sums(logits=logits, fit=fit, both=both, residual=residual)


def _products(logits: Floats, fit: Floats, rest: Floats) -> Floats:
    pairs = ((logits, logits), (fit, fit), (logits, fit), (rest, rest))
    return np.array([np.vdot(x, y) for x, y in pairs])


def triangle_axes(head: Head, *, block: int) -> tuple[Axes, Axes]:
    """The least squares fits with two and with three axes; one pass over the logits."""
    return _axes(_Rotated.of(head), block)


def _axes(rotated: _Rotated, block: int) -> tuple[Axes, Axes]:
    length = len(rotated.keys)
    rows, keys, lags = (np.zeros(length) for _ in range(3))
    buffer = np.empty(block * (2 * block + length))
    for first, last in _spans(length, block):
        values = _causal(rotated.queries[first:last] @ rotated.keys[:last].T)
        rows[first:last] = values.sum(1)
        keys[:last] += values.sum(0)
        lags[:last] += triangle_sums(values, first, buffer)
    return solve_axes(rows, keys, lags, axes=2), solve_axes(rows, keys, lags)


def triangle_fits(
    head: Head, *, reference: float, weights: Floats, block: int
) -> tuple[AdditiveFit, ...]:
    """All four fits on the causal triangle, pooled and row-centred; two passes over the logits."""
    length = len(head.keys)
    rotated = _Rotated.of(head)
    axes = dict(zip(("query-free", "three-axis"), _axes(rotated, block), strict=True))
    far, _ = reference_phasors(head.frequencies, reference, length)
    means, _ = optimal_phasors(head.frequencies, length)
    phasors: dict[Kind, Complexes] = {"reference": far, "optimal": means}
    bounds = bounds_of(head, reference, length)
    totals: dict[Kind, _Totals] = {kind: _Totals() for kind in KINDS}
    mean_key = rotated.with_keys(np.broadcast_to(head.mean_key, head.keys.shape))
    deviations = _real(head.keys - head.mean_key)
    turned = {kind: _real(head.queries * u) for kind, u in phasors.items()}
    centre = _mean(axes["three-axis"])
    for first, last in _spans(length, block):
        counts = np.arange(first + 1.0, last + 1)
        rows = rotated.queries[first:last]
        values = rows @ rotated.keys[:last].T
        values -= centre
        _causal(values)
        of_mean = rows @ mean_key[:last].T - centre
        for kind, total in totals.items():
            if kind in turned:
                fit = turned[kind][first:last] @ deviations[:last].T
                fit += of_mean
                limits = _causal(bounds[kind].block(first, last))
                total.largest_bound = max(total.largest_bound, float(limits.max()))
            else:
                fit = axes[kind].rows(first, last)
                fit -= centre
            total.add(values, _causal(fit), counts)
    sizes = {kind: bound.on_triangle(block) for kind, bound in bounds.items()}
    return _records(head, totals, sizes, phasors, weights)


def _causal(block: Floats) -> Floats:
    """The block itself, 0 where a key comes after the query; its last columns are a square."""
    rows, last = block.shape
    block[:, last - rows :][np.triu_indices(rows, 1)] = 0.0
    return block


def _mean(axes: Axes) -> float:
    """The mean of a fit over the triangle, which is that of what it was fitted to."""
    length = axes.length
    up = np.arange(1.0, length + 1)
    total = axes.query @ up + (axes.key + axes.lag) @ up[::-1]
    return axes.constant + float(total / up.sum())


def _records(
    head: Head,
    totals: dict[Kind, _Totals],
    bounds: dict[Kind, float],
    phasors: dict[Kind, Complexes],
    weights: Floats,
) -> tuple[AdditiveFit, ...]:
    length = len(head.keys)
    pairs = length * (length + 1) // 2
    least = negligible(head)
    moments = grid_moments(head, length)
    found = []
    for centred in (False, True):
        means = _law_means(head.frequencies, length, centred=centred)
        # A query's row is one number less after its mean is gone.
        floors = {n: float(noise_floor(length, axes=n, centred=centred)) for n in (2, 3)}
        for kind in KINDS:
            # Row means are free after centring, so both least squares fits are the same.
            source: Kind = "three-axis" if centred and kind == "query-free" else kind
            total = totals[source]
            sums = total.sums(pairs, centred=centred)
            own = source in phasors
            floor = 0.0 if own else floors[2 if source == "query-free" else 3]
            # Logits of random features are uncorrelated, so least squares takes them for noise.
            null = floor, float(np.sqrt(floor))
            if own:
                null = _null(phasors[source], means, weights, length)
            found.append(
                record(
                    sums,
                    kind=kind,
                    domain="triangle",
                    centred=centred,
                    observations=pairs,
                    null=null,
                    floor=floor,
                    predicted=moments.predicted(centred=centred) if sums.logits > least else None,
                    bound=bounds[source],
                    least=least,
                    largest=(total.largest, total.largest_bound if own else None),
                )
            )
    return tuple(found)


def _law_means(frequencies: Floats, length: int, *, centred: bool) -> Complexes:
    """`E e^{i theta_l t}` over the triangle's lags, `(planes,)`; row means take their share out."""
    rows = np.arange(1.0, length + 1)
    shares = (rows - 1) / rows if centred else np.ones(length)
    law = np.cumsum(shares[::-1])[::-1]
    result = np.zeros(len(frequencies), dtype=np.complex128)
    for first, last in _spans(length, 1024):
        lags = np.arange(first, last)
        result += law[first:last] @ np.exp(1j * lags[:, np.newaxis] * frequencies)
    result /= law.sum()
    return result


def _null(
    phasors: Complexes, means: Complexes, weights: Floats, length: int
) -> tuple[float, float]:
    """R^2 and correlation of random features, up to terms of order `1/length`."""
    mean, rest = 1 / length, 1 - 1 / length
    both = mean + rest * float(weights @ (means * phasors.conj()).real)
    size = mean + rest * float(weights @ np.abs(phasors) ** 2)
    return 2 * both - size, float(both / np.sqrt(size))
