"""Additive fits on the causal triangle, in blocks: at most `block` rows of logits exist at once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen.axes import AdditiveParts, solve_axes
from ropeproof.numerics.bounds.posgen.bounds import noise_floor
from ropeproof.numerics.bounds.posgen.fit import KINDS, AdditiveFit, Kind, negligible, record
from ropeproof.numerics.bounds.posgen.grid import grid_moments
from ropeproof.numerics.bounds.posgen.terms import bounds_of, optimal_phasors, reference_phasors
from ropeproof.numerics.bounds.posgen.triangle_sums import (
    FitSums,
    LagKeySum,
    RowSums,
    Totals,
    inner,
    prefix_sums,
    square,
)
from ropeproof.numerics.bounds.posgen.vectors import ComplexHead
from ropeproof.numerics.core.spare import give_back, take

if TYPE_CHECKING:
    import torch

__all__ = [
    "FitSums",
    "LagKeySum",
    "TriangleRows",
    "Where",
    "toeplitz",
    "triangle_fits",
]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]


class Where(NamedTuple):
    """The device on which blocks of logits are formed, and whether they are float32."""

    device: str = "cpu"
    single: bool = False


def _tensor(x: Any, where: Where) -> torch.Tensor:
    """A NumPy array as a tensor on the device of the blocks; complex planes become real vectors."""
    import torch

    both = np.concatenate((x.real, x.imag), -1) if np.iscomplexobj(x) else np.asarray(x)
    tensor = torch.from_numpy(np.ascontiguousarray(both)).to(where.device)
    return tensor.float() if where.single else tensor


def _spans(length: int, block: int) -> Iterator[tuple[int, int]]:
    for first in range(0, length, block):
        yield first, min(length, first + block)


class TriangleRows:
    """The sums over the logits that the four triangle fits need, gathered block by block.

    The fit `reference` is taken at the reference lag; at the middle of the lags it is the
    two-axis sum of `posgen.two-axis`.
    """

    def __init__(
        self, head: ComplexHead, *, reference: float, weights: Floats, where: Where
    ) -> None:
        length = len(head.keys)
        self.head, self.where, self._weights = head, where, weights
        of_rows, two, three = _axes(head)
        axes: dict[Kind, AdditiveParts] = {"query-free": two, "three-axis": three}
        far, _ = reference_phasors(head.frequencies, reference, length)
        means, _ = optimal_phasors(head.frequencies, length)
        self._phasors: dict[Kind, Complexes] = {"reference": far, "optimal": means}
        self._bounds = bounds_of(head, reference, length)
        self._limits: dict[Kind, list[torch.Tensor]] = {}
        self._turned: dict[Kind, list[torch.Tensor]] = {}
        sums = RowSums(head)
        self.centre = _mean(three)
        self._rows = of_rows - self.centre * np.arange(1.0, length + 1)
        self.square = 0.0
        self.totals: dict[Kind, FitSums] = {}
        for kind, u in self._phasors.items():
            kept = np.flatnonzero(u)  # planes without a phasor add nothing
            sides = head.queries[:, kept] * u[kept], (head.keys - head.mean_key)[:, kept]
            self._turned[kind] = [_tensor(x, where) for x in sides]
            bound = self._bounds[kind]
            self._limits[kind] = [_tensor(x, where) for x in (bound.queries, bound.keys)]
            lost = self.centre * np.arange(1.0, length + 1)
            self.totals[kind] = FitSums(sums.phasors(u) - lost)
        self._flat: dict[Kind, list[torch.Tensor]] = {}
        for name, fitted in axes.items():
            flat = LagKeySum.of(fitted)
            self.totals[name] = flat.sums(self.centre)
            self._flat[name] = [_tensor(x, where) for x in flat]
        self._sizes: dict[Kind, float] = {}
        self._scratch: list[torch.Tensor] = []
        self._later: tuple[torch.Tensor, torch.Tensor] | None = None

    @property
    def logits(self) -> float:
        """The sum of all logits less `centre` each; `square` is the sum of their squares."""
        return float(self._rows.sum())

    def add(self, first: int, logits: torch.Tensor, gaps: torch.Tensor, near: Any = None) -> None:
        """Add the rows from `first` on: their logits, and `gaps`, the logits less `f(q, t)`.

        Both are `(rows, first + rows)`. `near` is the reference fit's `Re sum q_l conj(k_l - mean_l) u_l`, if
        it is known. Entries of later keys are ignored; the arguments are not changed.
        """
        import torch

        rows, last = logits.shape
        if self._later is None or len(self._later[0]) != rows:
            self._later = _later(rows, logits)
        later = self._later
        values, rest, other = self._room(logits)
        _masked(torch.sub(logits, self.centre, out=values), later)
        self.square += square(values)
        for kind, (queries, keys) in self._turned.items():
            if kind == "reference" and near is not None:
                torch.sub(gaps, near, out=rest)
            else:
                factors = queries[first:last], keys[:last].T
                torch.addmm(gaps, *factors, alpha=-1, out=rest)
            _masked(rest, later)
            fit, total = torch.sub(values, rest, out=other), self.totals[kind]
            total.fit += square(fit)
            total.both += float(fit.flatten().dot(rest.flatten()))
            total.take(rest)
            limits = self._limits[kind]
            bound = torch.mm(limits[0][first:last], limits[1][:last].T, out=other)
            total.bound = max(total.bound, float(_masked(bound, later).max()))
            total.bounds += square(bound)
            if kind == "reference":
                total.excess = max(total.excess, float(rest.abs_().sub_(bound).max()))
        for name, (query, key, lag) in self._flat.items():
            fit = toeplitz(lag, first, last, other).add_(key[:last]).add_(query[first:last, None])
            self.totals[name].take(_masked(torch.sub(logits, fit, out=rest), later))

    def _room(self, like: torch.Tensor) -> list[torch.Tensor]:
        """Three scratch arrays of the shape of `like`, in the same memory for all blocks."""
        if not self._scratch or self._scratch[0].numel() < like.numel():
            most = len(like) * len(self.head.keys)
            self._scratch = [take(most, like) for _ in range(3)]
        return [x[: like.numel()].view(like.shape) for x in self._scratch]

    def bound_size(self, kind: Kind, block: int) -> float:
        """The root mean square of a fit's bound over the causal pairs, once all rows are added.

        Computed again in float64, `block` rows at a time, unless the rows were in float64 themselves.
        """
        if kind not in self._sizes:
            length = len(self.head.keys)
            if kind in self._limits and not self.where.single:
                mean = self.totals[kind].bounds / (length * (length + 1) / 2)
                self._sizes[kind] = math.sqrt(mean)
            else:
                self._sizes[kind] = self._bounds[kind].on_triangle(block)
        return self._sizes[kind]

    def fits(self, *, block: int) -> tuple[AdditiveFit, ...]:
        """All four fits, pooled and row-centred, once all rows are added.

        Bounds are formed `block` rows at a time.
        """
        give_back(*self._scratch)
        self._scratch = []
        sizes = {kind: self.bound_size(kind, block) for kind in self._bounds}
        totals = {
            kind: Totals.of(self.square, self._rows, total) for kind, total in self.totals.items()
        }
        single = self.where.single
        return _records(self.head, totals, sizes, self._phasors, self._weights, single=single)


def _axes(head: ComplexHead) -> tuple[Floats, AdditiveParts, AdditiveParts]:
    """The sums of the logits over rows, and the fits with two and with three axes.

    Sums over rows, keys and lags come from prefix sums and correlations: row `i` sums to the turned query
    times the sum of the turned keys up to it, and likewise a key; a lag to the correlation of turned queries
    with turned keys that far behind.
    """
    length = len(head.keys)
    queries, keys = head.turned
    of_keys, of_queries = prefix_sums(keys), prefix_sums(queries)
    rows = inner(queries, of_keys)
    columns = inner(of_queries[-1] - of_queries + queries, keys)
    # Turned planes meet without a turn at every lag, so that one spectrum is for all of them.
    size = scipy.fft.next_fast_len(2 * length)
    spectra = [scipy.fft.fft(x, size, axis=0) for x in (queries, keys)]
    lags = scipy.fft.ifft(np.einsum("wl,wl->w", spectra[0], spectra[1].conj()))[:length].real
    return rows, solve_axes(rows, columns, lags, axes=2), solve_axes(rows, columns, lags)


def triangle_fits(
    head: ComplexHead, *, reference: float, weights: Floats, block: int, where: Where
) -> tuple[AdditiveFit, ...]:
    """All four fits of a head on the causal triangle, pooled and row-centred, in one pass."""
    found = TriangleRows(head, reference=reference, weights=weights, where=where)
    queries, keys, mean_key = (
        _tensor(x, where) for x in (*head.turned, head.mean_key * head.all_turns())
    )
    for first, last in _spans(len(head.keys), block):
        logits = queries[first:last] @ keys[:last].T
        found.add(first, logits, logits - queries[first:last] @ mean_key[:last].T)
    return found.fits(block=block)


def toeplitz(
    values: torch.Tensor, start: int, stop: int, out: torch.Tensor | None = None
) -> torch.Tensor:
    """`values[i - j]` for the rows `start <= i < stop` and `j < stop`, a new tensor or `out`.

    `values` has an entry for every lag below `stop`; where `j > i` the entry means nothing.
    """
    import torch

    rows = stop - start
    padded = torch.cat((values[:stop].flip(0), values.new_zeros(rows - 1)))
    # Window k begins with lag stop - 1 - k; the last row has the first. (`flip` would keep columns
    # together in memory, and all that comes after would be slow.)
    order = torch.arange(rows - 1, -1, -1, device=values.device)
    return torch.index_select(padded.unfold(0, stop, 1), 0, order, out=out)


def _later(rows: int, like: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The limits for `clamp` that set the entries of later keys in a block's last square to 0."""
    import torch

    free = torch.full((rows, rows), math.inf).to(like)
    return (-free).tril_(), free.tril_()


def _masked(block: torch.Tensor, later: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """The block, changed in place to 0 where a key comes after the query."""
    block[:, block.shape[1] - len(later[0]) :].clamp_(*later)  # much faster than a mask
    return block


def _mean(axes: AdditiveParts) -> float:
    """The mean of a least squares fit over the triangle, equal to the mean of the fitted logits."""
    length = axes.length
    up = np.arange(1.0, length + 1)
    total = axes.query @ up + (axes.key + axes.lag) @ up[::-1]
    return axes.constant + float(total / up.sum())


def _records(
    head: ComplexHead,
    totals: dict[Kind, Totals],
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
    """The cached means of `_shared_law_means`, shared by all heads with the same rotation."""
    return _shared_law_means(frequencies.tobytes(), length, centred)


@lru_cache(maxsize=8)
def _shared_law_means(shown: bytes, length: int, centred: bool) -> Complexes:
    """`E e^{i theta_l t}` over the lags of the triangle, `(planes,)`.

    With `centred` each lag counts less by its share in the row means that are subtracted.
    """
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
    """R^2 and correlation of a fit to random features, up to terms of order `1/length`."""
    mean, rest = 1 / length, 1 - 1 / length
    both = mean + rest * float(weights @ (means * phasors.conj()).real)
    size = mean + rest * float(weights @ np.abs(phasors) ** 2)
    return 2 * both - size, float(both / np.sqrt(size))
