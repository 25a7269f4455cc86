"""Sums over the causal triangle: of blocks of residuals, and of axes without forming any logit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen.axes import AdditiveParts
from ropeproof.numerics.bounds.posgen.fit import SecondMoments
from ropeproof.numerics.bounds.posgen.vectors import ComplexHead

if TYPE_CHECKING:
    import torch

__all__ = ["FitSums", "LagKeySum", "RowSums", "Totals", "inner", "prefix_sums", "square"]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]


@dataclass
class FitSums:
    """Sums and largest values of one fit over the causal triangle, in logits.

    - `fit`, `rest`, `both`: sums of the squares of the fit less the mean of all logits, of the logits
      less the fit, and of their product;
    - `fit_rows`: the fit's sums over the keys of each row, `(length,)`;
    - `largest`, `bound`: the largest residual and the largest bound of a pair; `excess`: the largest
      residual less its own bound; `bounds`: the sum of the squares of the bounds.
    """

    fit_rows: Floats
    fit: float = 0.0
    rest: float = 0.0
    both: float = 0.0
    largest: float = 0.0
    bound: float = 0.0
    excess: float = -math.inf
    bounds: float = 0.0

    def take(self, rest: torch.Tensor) -> None:
        """Add the squares of a block of residuals and update the largest; later keys must be 0."""
        self.rest += square(rest)
        least, largest = rest.aminmax()
        self.largest = max(self.largest, float(largest), -float(least))


class LagKeySum(NamedTuple):
    """A sum `query_i + key_j + lag_{i-j}` over the triangle, in logits, `(length,)` each."""

    query: Floats
    key: Floats
    lag: Floats

    @classmethod
    def of(cls, axes: AdditiveParts) -> LagKeySum:
        """The sum of a least squares fit, with its constant in the queries' term."""
        return cls(axes.query + axes.constant, axes.key, axes.lag)

    def sums(self, centre: float) -> FitSums:
        """The sum's squares and row sums, less the constant `centre`, by prefix sums."""
        up = np.arange(1.0, len(self.key) + 1)
        query = self.query - centre
        of_keys, of_lags = np.cumsum(self.key), np.cumsum(self.lag)
        squares = query**2 @ up + (self.key**2 + self.lag**2) @ up[::-1]
        # Each query meets the first keys and lags; key j the lags below length - j.
        mixed = query @ (of_keys + of_lags) + self.key @ of_lags[::-1]
        rows = query * up + of_keys + of_lags
        return FitSums(rows, fit=max(0.0, float(squares + 2 * mixed)))


class RowSums:
    """Sums over the keys that each query sees, `(length,)`, by prefix sums: no logit is formed."""

    def __init__(self, head: ComplexHead) -> None:
        self.head = head
        self._mean = inner(head.turned[0], head.mean_key * head.turn_sums())
        self._moved = prefix_sums(head.keys - head.mean_key)

    def phasors(self, u: Complexes) -> Floats:
        """The row sums of the query-specific fit whose key deviations are turned by `u`."""
        return self._mean + inner(self.head.queries, self._moved * u.conj())


def prefix_sums(x: Complexes) -> Complexes:
    """Cumulative sums of the rows of `x`, `(length, planes)`, twice as fast as NumPy's `cumsum`."""
    import torch

    result: Complexes = torch.from_numpy(x).cumsum(0).numpy()
    return result


def inner(x: Complexes, y: Complexes) -> Floats:
    """`Re sum_l x_l conj(y_l)` of each row, `(length,)`."""
    whole: Floats = np.einsum("il,il->i", x.real, y.real)
    whole += np.einsum("il,il->i", x.imag, y.imag)
    return whole


@dataclass
class Totals:
    """Sums of squares of logits, fit and residual over all pairs, and of their row means."""

    plain: Floats
    rows: Floats
    first: Floats
    largest: float
    largest_bound: float

    @classmethod
    def of(cls, square: float, rows: Floats, found: FitSums) -> Totals:
        """The totals of one fit from the sums of squares and row sums of the centred logits."""
        roots = np.sqrt(np.arange(1.0, len(rows) + 1))
        sides = rows / roots, found.fit_rows / roots, (rows - found.fit_rows) / roots
        return cls(
            plain=np.array([square, found.fit, found.rest]),
            rows=np.array([float(x @ x) for x in sides]),
            first=np.array([float(rows.sum()), float(found.fit_rows.sum())]),
            largest=found.largest,
            largest_bound=found.bound,
        )

    def sums(self, pairs: int, *, centred: bool) -> SecondMoments:
        """The second moments per pair, of pooled or of row-centred logits."""
        values = self.plain - self.rows if centred else self.plain.copy()
        logits, fit, residual = values.tolist()
        both = (logits + fit - residual) / 2
        if not centred:
            a, b = self.first / math.sqrt(pairs)
            logits, fit, both = logits - a * a, fit - b * b, both - a * b
        parts = (max(0.0, logits), max(0.0, fit), both, max(0.0, residual))
        logits, fit, both, residual = (part / pairs for part in parts)
        return SecondMoments(logits=logits, fit=fit, both=both, residual=residual)


def square(x: torch.Tensor) -> float:
    """The sum of the squares of a tensor's entries."""
    flat = x.flatten()
    return float(flat.dot(flat))
