r"""Least squares on the causal triangle: one number per query, per key and per lag.

The logits `w_ij`, `j <= i`, are fitted by `constant + query_i + key_j + lag_{i-j}`. The normal
equations need the sums of the logits over rows, columns and diagonals only, and their matrix
couples two axes through indicators such as `1 if j <= i`, whose products are prefix sums. So conjugate
gradients cost `O(n)` a step and no array of `n^2` entries; after division by the counts the
eigenvalues other than 0 lie between about 1/3 and 3, so that some tens of steps suffice.

**Gauge** (`posgen.gauge`). A constant can move between axes, and so can the linear trend of the
lag, since `i - j - (i - j) = 0`. Both are fixed: every axis has mean 0, and the lag axis no trend.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.arrays import real_array
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["AdditiveParts", "fit_axes", "solve_axes", "triangle_sums"]

Floats = NDArray[np.float64]
_TOLERANCE = 2.0**-48
_ROUNDING = 2.0**-80
_MOST_STEPS = 400


@dataclass(frozen=True, kw_only=True, eq=False)
class AdditiveParts:
    """An additive fit `constant + query_i + key_j + lag_{i-j}`, in logits, `(length,)` each.

    Each axis has mean 0; with three axes the lag has no linear trend, with two `query` is 0.
    """

    constant: float
    query: Floats
    key: Floats
    lag: Floats

    @property
    def length(self) -> int:
        """The number of tokens."""
        return len(self.key)

    def rows(self, first: int, last: int) -> Floats:
        """The fit at rows `first, ..., last - 1`, `(last - first, last)`; causal entries only.

        Entry `(i - first, j)` is that of query `i` and key `j`; where `j > i` it means nothing.
        """
        padded = np.concatenate((self.lag[::-1], np.zeros(last - first)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, last)
        starts = self.length - 1 - np.arange(first, last)
        result: Floats = windows[starts] + self.key[:last]
        result += (self.constant + self.query[first:last])[:, np.newaxis]
        return result

    def matrix(self) -> Floats:
        """The whole fit, `(length, length)`, 0 above the diagonal."""
        return np.tril(self.rows(0, self.length))


def triangle_sums(block: Floats, first: int, buffer: Floats) -> Floats:
    """The sums along the lags `0, 1, ...` of a block of rows that begins at row `first`.

    `block` is `(rows, first + rows)` with entries 0 above the diagonal; `buffer` is scratch of at least
    `rows (2 rows - 1 + first)` numbers.
    Returns `(first + rows,)`.
    """
    rows, last = block.shape
    pad, width = rows - 1, rows - 1 + last
    flat = buffer[: rows * width]
    table = flat.reshape(rows, width)
    table[:, :pad] = 0.0
    table[:, pad:] = block
    # Read with rows one number longer, the buffer has one lag per column.
    seen = first + rows
    strides = (flat.itemsize * (width + 1), flat.itemsize)
    slanted = np.lib.stride_tricks.as_strided(flat, (rows, seen), strides, writeable=False)
    # Column u holds lag first + pad - u.
    result: Floats = slanted.sum(0)[::-1]
    return result


def fit_axes(logits: Any, *, axes: int = 3) -> AdditiveParts:
    """The least squares fit of a square matrix of logits on its causal triangle.

    `logits` is `(length, length)`, row `i` those of query `i`; entries above the diagonal are ignored, and
    may be `-inf`. `axes` is 3, or 2 for key and lag only.

    >>> table = fit_axes(np.tril(np.add.outer([1.0, 2.0, 4.0], [0.0, 3.0, 9.0]))).matrix()
    >>> np.round(table, 9).tolist()
    [[1.0, 0.0, 0.0], [2.0, 5.0, 0.0], [4.0, 7.0, 13.0]]

    Claim `posgen.gauge`. Raises `InvalidArgument` unless there are 2 rows or more of finite
    numbers on the triangle.
    """
    array = np.asarray(logits)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or len(array) < 2:
        allowed = "shape (length, length), length >= 2"
        raise InvalidArgument("logits", f"shape {array.shape}", allowed)
    if array.dtype.kind not in "fiu":
        raise InvalidArgument("logits", f"dtype {array.dtype}", "real numbers")
    length = len(array)
    below = real_array("logits", np.where(np.tri(length, dtype=bool), array, 0))
    lags = triangle_sums(below, 0, np.empty(length * (2 * length - 1)))
    return solve_axes(below.sum(1), below.sum(0), lags, axes=axes)


def solve_axes(rows: Floats, keys: Floats, lags: Floats, *, axes: int = 3) -> AdditiveParts:
    """The least squares fit from the sums of the logits over rows, keys and lags, `(length,)` each.

    Cost: some tens of steps of `O(length)`. Raises `Unsupported` if they do not converge.
    """
    if read_integer("axes", axes, least=2) > 3:
        raise InvalidArgument("axes", axes, "2 or 3")
    length = len(rows)
    # Row i has i + 1 keys, key j is seen by length - j rows, lag t occurs length - t times.
    up, down = np.arange(1.0, length + 1), np.arange(float(length), 0, -1)
    counts = np.stack((up, down, down))
    constant = float(rows.sum() / up.sum())
    sums = np.stack((rows, keys, lags)) - constant * counts
    if axes == 2:
        sums[0] = 0.0
    solution = _conjugate_gradients(sums, counts, with_queries=axes == 3)
    query, key, lag = solution
    if axes == 3:
        # query_i + key_j + lag_{i-j} is the same after this for any slope.
        places = np.arange(length) - (length - 1) / 2
        slope = float(places @ lag / (places @ places))
        steps = slope * np.arange(length)
        query, key, lag = query + steps, key - steps, lag - steps
    constant += float(query.mean() + key.mean() + lag.mean())
    return AdditiveParts(
        constant=constant, query=query - query.mean(), key=key - key.mean(), lag=lag - lag.mean()
    )


def _coupled(x: Floats, counts: Floats) -> Floats:
    """The normal matrix times `x`, the stacked terms of query, key and lag, `(3, length)`."""
    _, before_keys, before_lags = before = x.cumsum(1)
    after_queries = x[0, ::-1].cumsum()[::-1]
    result: Floats = counts * x
    # Key j meets the lags t <= n - 1 - j, and lag t the keys j <= n - 1 - t.
    result[0] += before_keys
    result[0] += before_lags
    result[1:] += after_queries
    result[1:] += before[:0:-1, ::-1]
    return result


def _conjugate_gradients(sums: Floats, counts: Floats, *, with_queries: bool) -> Floats:
    """A solution of the singular but consistent normal equations, `(3, length)`."""
    solution = np.zeros_like(sums)
    left = sums.copy()
    if not with_queries:
        left[0] = 0.0
    scaled = left / counts
    direction = scaled
    size = float(np.vdot(left, scaled))
    goal, rounding = size * _TOLERANCE**2, size * _ROUNDING
    best, least = solution, size
    for _ in range(_MOST_STEPS):
        # Where the sums are lost in rounding, a further step can only go along directions that the
        # design does not see: then the residual grows again.
        if not size > goal or (least <= rounding and size > least):
            return best
        image = _coupled(direction, counts)
        if not with_queries:
            image[0] = 0.0
        curvature = float(np.vdot(direction, image))
        if not curvature > 0:
            return best
        step = size / curvature
        solution = solution + step * direction
        left = left - step * image
        scaled = left / counts
        before, size = size, float(np.vdot(left, scaled))
        if size < least:
            best, least = solution, size
        direction = scaled + size / before * direction
    raise Unsupported(f"least squares on {sums.shape[1]} tokens: no convergence")
