"""Additive fits on the causal triangle, streamed: no array has more than `block` rows of logits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from ropeproof.numerics.posgen.axes import Axes, solve_axes
from ropeproof.numerics.posgen.bounds import noise_floor
from ropeproof.numerics.posgen.fit import KINDS, AdditiveFit, Kind, Sums, negligible, record
from ropeproof.numerics.posgen.grid import grid_moments
from ropeproof.numerics.posgen.terms import bounds_of, optimal_phasors, reference_phasors
from ropeproof.numerics.posgen.vectors import Head

if TYPE_CHECKING:
    import torch

__all__ = ["Where", "triangle_axes", "triangle_fits"]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]
_PARTS = 3  # squares of the logits, of the fit, of the residual


@dataclass(frozen=True, eq=False)
class _Rotated:
    """The rotated head as real vectors `(tokens, 2 planes)`: logits are scalar products."""

    head: Head
    where: Where
    queries: torch.Tensor
    keys: torch.Tensor

    @classmethod
    def of(cls, head: Head, where: Where) -> _Rotated:
        turns = head.all_turns()
        sides = (_tensor(x * turns, where) for x in (head.queries, head.keys))
        return cls(head, where, *sides)

    def with_keys(self, keys: Complexes) -> torch.Tensor:
        """These keys, `(tokens, planes)` or one, at their positions, as real vectors."""
        return _tensor(keys * self.head.all_turns(), self.where)


class Where(NamedTuple):
    """The device on which blocks are formed, and whether in float32."""

    device: str = "cpu"
    single: bool = False


def _tensor(x: Any, where: Where) -> torch.Tensor:
    """Complex planes as real vectors, or real numbers, where blocks are formed."""
    import torch

    both = np.concatenate((x.real, x.imag), -1) if np.iscomplexobj(x) else np.asarray(x)
    tensor = torch.from_numpy(np.ascontiguousarray(both)).to(where.device)
    return tensor.float() if where.single else tensor


def _spans(length: int, block: int) -> Iterator[tuple[int, int]]:
    for first in range(0, length, block):
        yield first, min(length, first + block)


@dataclass
class _Totals:
    """Sums of the squares over the pairs, and over the rows of their means."""

    plain: Floats = field(default_factory=lambda: np.zeros(_PARTS))
    rows: Floats = field(default_factory=lambda: np.zeros(_PARTS))
    first: Floats = field(default_factory=lambda: np.zeros(2))
    largest: float = 0.0
    largest_bound: float = 0.0

    def add(self, logits: _Logits, fit: torch.Tensor) -> None:
        """One block, without the mean of all logits and 0 off the triangle; changes the fit."""
        of_fit = fit.sum(1)
        squares = _square(fit)
        rest = fit.sub_(logits.values)
        self.plain += np.array([logits.square, squares, _square(rest)])
        means = logits.sums / logits.roots, of_fit / logits.roots
        each = (*means, (logits.sums - of_fit) / logits.roots)
        self.rows += np.array([_square(x) for x in each])
        self.first += np.array([float(x.sum()) for x in (logits.sums, of_fit)])
        self.largest = max(self.largest, float(rest.max()), -float(rest.min()))

    def sums(self, pairs: int, *, centred: bool) -> Sums:
        """The moments per pair."""
        values = self.plain - self.rows if centred else self.plain.copy()
        logits, fit, residual = values.tolist()
        both = (logits + fit - residual) / 2
        if not centred:
            a, b = self.first / math.sqrt(pairs)
            logits, fit, both = logits - a * a, fit - b * b, both - a * b
        parts = (max(0.0, logits), max(0.0, fit), both, max(0.0, residual))
        logits, fit, both, residual = (part / pairs for part in parts)
        return Sums(logits=logits, fit=fit, both=both, residual=residual)


class _Logits:
    """One block of logits less their mean, 0 off the triangle, with what every fit needs of it."""

    def __init__(self, values: torch.Tensor, first: int) -> None:
        import torch

        counts = torch.arange(first + 1, first + 1 + len(values), device=values.device)
        self.values, self.roots = values, counts.to(values.dtype).sqrt()
        self.sums, self.square = values.sum(1), _square(values)


def _square(x: torch.Tensor) -> float:
    flat = x.flatten()
    return float(flat.dot(flat))


def triangle_axes(head: Head) -> tuple[Axes, Axes]:
    """The least squares fits with two and with three axes; no logit is formed."""
    return _axes(head)


def _axes(head: Head) -> tuple[Axes, Axes]:
    """From the sums over rows, keys and lags, which prefix sums and correlations give.

    Row `i` sums to the turned query times the sum of the turned keys up to it, and likewise a key;
    a lag to the planes' turns times the correlation of queries with keys that far behind.
    """
    length = len(head.keys)
    turns = head.all_turns()
    queries, keys = head.queries * turns, head.keys * turns
    rows = (queries * np.cumsum(keys, 0).conj()).sum(1).real
    columns = (np.cumsum(queries[::-1], 0)[::-1] * keys.conj()).sum(1).real
    size = scipy.fft.next_fast_len(2 * length)
    spectra = [scipy.fft.fft(x, size, axis=0) for x in (head.queries, head.keys)]
    spectra[0] *= spectra[1].conj()
    met = scipy.fft.ifft(spectra[0], axis=0)[:length]
    lags = (met * turns).sum(1).real
    return solve_axes(rows, columns, lags, axes=2), solve_axes(rows, columns, lags)


def triangle_fits(
    head: Head, *, reference: float, weights: Floats, block: int, where: Where
) -> tuple[AdditiveFit, ...]:
    """All four fits on the causal triangle, pooled and row-centred; one pass over the logits."""
    length = len(head.keys)
    rotated = _Rotated.of(head, where)
    axes = dict(zip(("query-free", "three-axis"), _axes(head), strict=True))
    far, _ = reference_phasors(head.frequencies, reference, length)
    means, _ = optimal_phasors(head.frequencies, length)
    phasors: dict[Kind, Complexes] = {"reference": far, "optimal": means}
    bounds = bounds_of(head, reference, length)
    limits = {
        kind: [_tensor(x, where) for x in (bounds[kind].queries, bounds[kind].keys)]
        for kind in phasors
    }
    totals: dict[Kind, _Totals] = {kind: _Totals() for kind in KINDS}
    mean_key = rotated.with_keys(np.broadcast_to(head.mean_key, head.keys.shape))
    turned = {}
    for kind, u in phasors.items():
        kept = np.flatnonzero(u)  # planes without a phasor add nothing
        sides = head.queries[:, kept] * u[kept], (head.keys - head.mean_key)[:, kept]
        turned[kind] = [_tensor(x, where) for x in sides]
    centre = _mean(axes["three-axis"])
    flat = {kind: _LagKey.of(fit, centre, where) for kind, fit in axes.items()}
    for first, last in _spans(length, block):
        later = _later(last - first, where.device)
        rows = rotated.queries[first:last]
        values = _masked(rows @ rotated.keys[:last].T - centre, later)
        logits = _Logits(values, first)
        of_mean = (rows @ mean_key[:last].T).sub_(centre)
        for kind, total in totals.items():
            if kind in turned:
                fit = turned[kind][0][first:last] @ turned[kind][1][:last].T
                fit += of_mean
                most = _masked(limits[kind][0][first:last] @ limits[kind][1][:last].T, later)
                total.largest_bound = max(total.largest_bound, float(most.max()))
            else:
                fit = flat[kind].rows(first, last)
            total.add(logits, _masked(fit, later))
    sizes = {kind: bound.on_triangle(block) for kind, bound in bounds.items()}
    return _records(head, totals, sizes, phasors, weights, single=where.single)


@dataclass(frozen=True, eq=False)
class _LagKey:
    """Least squares axes less a constant, as tensors."""

    query: torch.Tensor
    key: torch.Tensor
    lag: torch.Tensor

    @classmethod
    def of(cls, axes: Axes, centre: float, where: Where) -> _LagKey:
        rows = axes.query + (axes.constant - centre)
        return cls(*(_tensor(x, where) for x in (rows[:, np.newaxis], axes.key, axes.lag)))

    def rows(self, first: int, last: int) -> torch.Tensor:
        """As `Axes.rows`."""
        import torch

        padded = torch.cat((self.lag[:last].flip(0), self.lag.new_zeros(last - first - 1)))
        # Window k begins with lag last - 1 - k; the last row has the first.
        order = torch.arange(last - first - 1, -1, -1, device=padded.device)
        windows = padded.unfold(0, last, 1).index_select(0, order)
        return windows.add_(self.key[:last]).add_(self.query[first:last])


def _later(rows: int, device: str) -> torch.Tensor:
    """Which entries of the last square of a block are of later keys."""
    import torch

    return torch.ones(rows, rows, dtype=torch.bool, device=device).triu_(1)


def _masked(block: torch.Tensor, later: torch.Tensor) -> torch.Tensor:
    """The block itself, 0 where a key comes after the query."""
    block[:, block.shape[1] - len(later) :].masked_fill_(later, 0.0)
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
    *,
    single: bool,
) -> tuple[AdditiveFit, ...]:
    length = len(head.keys)
    pairs = length * (length + 1) // 2
    least = negligible(head, single=single)
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
    """`_shared_law_means`, once for all heads of a rotation."""
    return _shared_law_means(frequencies.tobytes(), length, centred)


@lru_cache(maxsize=8)
def _shared_law_means(shown: bytes, length: int, centred: bool) -> Complexes:
    """`E e^{i theta_l t}` over the triangle's lags, `(planes,)`; row means take their share out."""
    frequencies = np.frombuffer(shown)
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
