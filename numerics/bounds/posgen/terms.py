r"""Terms of the query-specific fits of a head, and the proved bounds of their residuals.

A query-specific fit is `f(q, t) = w(t, q, kbar)` and `g(q, k) = Re sum_l q_l conj(kappa_l) u_l`
with one complex number `u_l` per plane: `e^{i theta_l r}` on planes slow enough for the reference
lag `r`, 0 on the others; or `c_l`. Each plane's residual is at most
`|q_l||kappa_l||e^{i theta_l t} - u_l|`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen.fit import Kind
from ropeproof.numerics.bounds.posgen.vectors import ComplexHead
from ropeproof.numerics.bounds.posgen.window import angle_means

__all__ = ["ResidualBound", "bounds_of", "optimal_phasors", "reference_phasors"]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class ResidualBound:
    """A bound of the residual of each pair, the scalar product of `queries[i]` and `keys[j]`.

    Both are `(tokens, parts)`.
    """

    queries: Floats
    keys: Floats

    def on_grid(self) -> float:
        """The root mean square of the bound over all pairs of a query and a key."""
        left = self.queries.T @ self.queries / len(self.queries)
        right = self.keys.T @ self.keys / len(self.keys)
        return float(np.sqrt((left * right).sum()))

    def on_triangle(self, block: int) -> float:
        """The root mean square of the bound over the causal pairs.

        Memory: `parts^2` numbers for each block of `block` rows.
        """
        count, parts = self.keys.shape
        blocks = -(-count // block)
        # Rows of zeros at the end add nothing.
        rows, columns = np.zeros((2, blocks * block, parts))
        rows[:count], columns[:count] = self.queries, self.keys
        rows, columns = (x.reshape(blocks, block, parts) for x in (rows, columns))
        near = np.tril(rows @ columns.swapaxes(1, 2))
        # All keys before a block are seen by all of its queries.
        of_rows, of_keys = (x.swapaxes(1, 2) @ x for x in (rows, columns))
        before = np.cumsum(of_keys[:-1], 0)
        total = float(np.vdot(of_rows[1:], before) + np.vdot(near, near))
        return float(np.sqrt(total / (count * (count + 1) / 2)))

    def block(self, first: int, last: int) -> Floats:
        """The bounds of the queries `first, ..., last - 1` with the keys below `last`."""
        result: Floats = self.queries[first:last] @ self.keys[:last].T
        return result


def reference_phasors(
    frequencies: Floats, reference: float, length: int
) -> tuple[Complexes, Floats]:
    """Phasors `u_l` of a reference lag, and bounds of `|e^{i theta_l t} - u_l|`, `(planes,)` each.

    With `D` the largest distance of a lag `0 <= t < length` to the reference: a plane is slow if
    `theta_l D <= 1`, and the bound is `min{1, theta_l D}` (`posgen.two-axis`; there `D = t_0`).
    """
    far = max(abs(reference), abs(length - 1 - reference))
    limits = np.minimum(1.0, frequencies * far)
    turns = np.exp(1j * frequencies * reference)
    return np.where(frequencies * far <= 1, turns, 0j), limits


def optimal_phasors(frequencies: Floats, length: int) -> tuple[Complexes, Floats]:
    """The means `c_l` and the largest `|e^{i theta_l t} - c_l|` in the window, `(planes,)` each."""
    return _optimal_phasors(np.ascontiguousarray(frequencies).tobytes(), length)


@lru_cache(maxsize=4)
def _optimal_phasors(shown: bytes, length: int) -> tuple[Complexes, Floats]:
    frequencies = np.frombuffer(shown)
    means = angle_means(frequencies, length)
    largest = np.zeros(len(frequencies))
    for first in range(0, length, 1024):
        lags = np.arange(first, min(length, first + 1024))[:, np.newaxis]
        distances = np.abs(np.exp(1j * lags * frequencies) - means)
        largest = np.maximum(largest, distances.max(0))
    for shared in (means, largest):
        shared.setflags(write=False)
    return means, largest


@lru_cache(maxsize=1)
def bounds_of(head: ComplexHead, reference: float, length: int) -> dict[Kind, ResidualBound]:
    """The residual bound of each kind of fit of a head, cached; the result must not be changed.

    A least squares fit has a mean square residual of at most that of the sums of `posgen.three-axis` (for
    `query-free` without the query's own term), whose planes may each be at `c_l` or at the middle of the
    window.
    """
    _, near = reference_phasors(head.frequencies, reference, length)
    _, middle = reference_phasors(head.frequencies, (length - 1) / 2, length)
    _, widest = optimal_phasors(head.frequencies, length)
    best = np.minimum(middle, widest)
    queries = np.abs(head.queries)
    mean_query, mean_key = np.abs(head.mean_query), np.abs(head.mean_key)
    moved = np.abs(head.queries - head.mean_query)
    keys = np.abs(head.keys - head.mean_key)
    ones_q, ones_k = np.ones((len(queries), 1)), np.ones((len(keys), 1))
    from_key = (keys @ (mean_query * best))[:, np.newaxis]
    from_query = (moved @ (mean_key * best))[:, np.newaxis]
    return {
        "reference": ResidualBound(queries * near, keys),
        "optimal": ResidualBound(queries * widest, keys),
        "query-free": ResidualBound(
            np.hstack((moved, ones_q)), np.hstack((keys + mean_key, from_key))
        ),
        "three-axis": ResidualBound(
            np.hstack((moved, from_query, ones_q)), np.hstack((keys, ones_k, from_key))
        ),
    }
