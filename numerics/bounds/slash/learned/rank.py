r"""How close the queries and keys of a head are to rank one, and the bounds of attention from it.

Everything here is float64 without a proven error: measurements of given queries and keys. The
bounds of `sandwich` are those of claim `slash.sandwich`, evaluated in float64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.rope.rope import cosine_logits, norm_bound
from ropeproof.numerics.bounds.slash.game import bands
from ropeproof.numerics.core.arrays import as_numpy
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.spec import amplitudes_and_phases
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "BandShares",
    "MeanFit",
    "RankStatistics",
    "Sandwich",
    "band_shares",
    "mean_fit",
    "rank_statistics",
    "read_matrix",
    "sandwich",
]

Floats = NDArray[np.float64]
_DEVIATION = Stated(
    "slash.logit-close", "above.own", {"query_radius": "varepsilon_q", "key_radius": "varepsilon_k"}
)


@dataclass(frozen=True, eq=False)
class RankStatistics:
    """The singular values of an uncentred matrix, `(min(length, head_dim),)`, decreasing."""

    singular_values: Floats

    @property
    def r1(self) -> float:
        """The share of the best rank-one fit, `sigma_1^2 / sum sigma_i^2`, from `1/rank` to 1."""
        return float(self.shares[0])

    @property
    def r095(self) -> int:
        """The rank at level 0.95, `rank_at(0.95)`, the statistic of the paper."""
        return self.rank_at(0.95)

    @property
    def shares(self) -> Floats:
        """The share of each singular value's square, `sigma_i^2 / sum sigma_j^2`, decreasing."""
        # Scaled by a power of two first, so that squares neither overflow nor vanish.
        squares = np.ldexp(self.singular_values, -np.frexp(self.singular_values[0])[1]) ** 2
        result: Floats = squares / squares.sum()
        return result

    def rank_at(self, level: float) -> int:
        """The least `r` with `sigma_1^2 + ... + sigma_r^2 >= level sum sigma_i^2`.

        Raises `InvalidArgument` unless `0 < level <= 1`.
        """
        wanted = float(read_rational("level", level))
        if not 0 < wanted <= 1:
            raise InvalidArgument("level", level, "0 < number <= 1")
        reached = np.cumsum(self.shares)
        # The whole sum is 1 by definition, whatever the rounding.
        reached[-1] = 1.0
        return int(np.flatnonzero(reached >= wanted)[0]) + 1


@dataclass(frozen=True, eq=False)
class MeanFit:
    """The mean query and the mean key of a head, and the largest relative deviations from them.

    - `mean_query`, `mean_key`: the means over the tokens, `(head_dim,)`.
    - `epsilon_query`: `max_i |q_i - mean| / |mean|`, `epsilon_key` likewise: the deviations of
      claim `slash.sandwich`.
    """

    mean_query: Floats
    mean_key: Floats
    epsilon_query: float
    epsilon_key: float

    def amplitudes_and_phases(
        self, spec: RopeSpec, *, scale: float | None = None
    ) -> tuple[Floats, Floats]:
        """Amplitudes `A_l` in logits and phases `phi_l` in radians of the mean head, `(planes,)`.

        Its logit at lag `t` is `g(t) = sum_l A_l cos(theta_l t + phi_l)` (claim `rope.toeplitz`).
        """
        return amplitudes_and_phases(self.mean_query, self.mean_key, spec, scale=scale)

    def eta(self, spec: RopeSpec, *, scale: float | None = None) -> float:
        """A bound of the distance of any logit from the mean head's logit at its lag, in logits.

        `s |q||k| (eps_q + eps_k + eps_q eps_k)` with `q` and `k` the means. With an attention factor `a > 1`
        the rotated planes, and so this bound, are `a^2` times as large.
        """
        size = float(norm_bound(self.mean_query, self.mean_key, spec, scale=scale))
        radii = {"query_radius": self.epsilon_query, "key_radius": self.epsilon_key}
        return size * float(_DEVIATION.float64(**radii))


@dataclass(frozen=True, eq=False)
class Sandwich:
    """Bounds of the weights `S_{i, i - offset}` of a head, `(length - offset,)` each.

    One entry for each row that has that key: entry `r` is for the row at position `offset + r`, counted from
    0. `mean` is the weight in the mean head itself. `lower <= S <= upper` in exact arithmetic (claim
    `slash.sandwich`).
    """

    offset: int
    eta: float
    lower: Floats
    mean: Floats
    upper: Floats

    @property
    def score_bounds(self) -> tuple[float, float]:
        """Lower and upper bound of the prompt's slash score at `offset`: means over the rows."""
        return float(self.lower.mean()), float(self.upper.mean())


@dataclass(frozen=True)
class BandShares:
    """The share of a head's amplitude in each band, of sum 1; bands as in `slash.game-bands`."""

    high: float
    medium: float
    low: float
    unrotated: float


def rank_statistics(matrix: Any) -> RankStatistics:
    """Rank statistics of the uncentred queries or keys of one head, `(length, head_dim)`.

    Take them before the rotation, which does not change them for a rank-one matrix only. A NumPy
    array or torch tensor; computed in float64. Definition `slash.rank-statistics`.

    >>> found = rank_statistics(np.diag([3.0, 1.0]))
    >>> found.r1, found.r095, found.rank_at(0.9)
    (0.9, 2, 1)

    Raises `InvalidArgument` if the matrix is 0 or empty or has numbers that are not finite.
    """
    values = read_matrix("matrix", matrix)
    if not values.any():
        raise InvalidArgument("matrix", "zeros", "a matrix with a number that is not 0")
    return RankStatistics(np.linalg.svd(values, compute_uv=False).astype(np.float64))


def mean_fit(queries: Any, keys: Any) -> MeanFit:
    """The mean query and key of one head, unrotated, and the relative deviations from them.

    `queries` and `keys` are `(tokens, head_dim)`, NumPy arrays or torch tensors, not necessarily
    of as many tokens. Float64. Used by claims `slash.cone` and `slash.sandwich`.

    >>> fit = mean_fit(np.array([[1.0, 0.0], [3.0, 0.0]]), np.array([[2.0, 2.0]]))
    >>> fit.epsilon_query, fit.epsilon_key
    (0.5, 0.0)

    Raises `InvalidArgument` if a mean is 0 (rank one alone does not prevent it,
    `slash.rank-not-enough`), and on wrong shapes or values.
    """
    q, k = read_matrix("queries", queries), read_matrix("keys", keys)
    if q.shape[1] != k.shape[1]:
        raise InvalidArgument("keys", f"shape {k.shape}", f"{q.shape[1]} columns, as queries")
    (mean_q, epsilon_q), (mean_k, epsilon_k) = _deviation("queries", q), _deviation("keys", k)
    return MeanFit(mean_q, mean_k, epsilon_q, epsilon_k)


def sandwich(
    queries: Any, keys: Any, spec: RopeSpec, offset: int, *, scale: float | None = None
) -> Sandwich:
    r"""Bounds of the weights `S_{i, i - offset}` of one causal head from its means and deviations.

    `(1 + e^{2 eta} Z_i)^{-1} <= S_{i, i - offset} <= (1 + e^{-2 eta} Z_i)^{-1}` with
    `Z_i = sum_{t < i, t != offset} e^{g(t) - g(offset)}` (claim `slash.sandwich`; `i` from 1).
    `queries` and `keys` are unrotated, `(length, head_dim)`.

    Cost: `length` by `planes` cosines. Raises `InvalidArgument` as `mean_fit`, and unless both
    have one length and `0 <= offset < length`.
    """
    from scipy.special import expit

    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    q, k = read_matrix("queries", queries, spec), read_matrix("keys", keys, spec)
    length = len(q)
    if len(k) != length:
        raise InvalidArgument("keys", f"shape {k.shape}", f"{length} rows, as queries")
    lag = read_integer("offset", offset, least=0)
    if lag >= length:
        raise InvalidArgument("offset", offset, f"a lag below the length, {length}")
    fit = mean_fit(q, k)
    sizes, phases = fit.amplitudes_and_phases(spec, scale=scale)
    gaps = cosine_logits(sizes, phases, spec, np.arange(length))
    gaps = gaps - gaps[lag]
    gaps[lag] = -np.inf
    # ln Z of every row that has the key; the row without competitors has Z = 0.
    sums = np.logaddexp.accumulate(gaps)[lag:]
    eta = fit.eta(spec, scale=scale)
    bounds: list[Floats] = [expit(-(sums + shift)) for shift in (2 * eta, 0.0, -2 * eta)]
    return Sandwich(lag, eta, *bounds)


def band_shares(amplitudes: Any, spec: RopeSpec, length: int) -> BandShares:
    """The shares of a head's amplitude in its high, medium, low and unrotated planes.

    `amplitudes` is `(planes,)` in any unit. By wavelength `2 pi / theta` in positions: at most 16
    is high, above `2 length` is low, else medium (`ropeproof.numerics.bounds.slash.game.bands`).

    >>> band_shares([1.0, 1.0, 2.0, 0.0], RopeSpec(8, 10000), 100)
    BandShares(high=0.25, medium=0.25, low=0.5, unrotated=0.0)

    Raises `InvalidArgument` unless amplitudes are finite, not negative and not all 0.
    """
    of_plane = bands(spec, length)
    sizes = np.asarray(as_numpy(amplitudes))
    if sizes.shape != (spec.planes,) or sizes.dtype.kind not in "fiu":
        raise InvalidArgument("amplitudes", f"shape {sizes.shape}", f"shape ({spec.planes},)")
    sizes = sizes.astype(np.float64)
    if not (np.isfinite(sizes).all() and (sizes >= 0).all() and sizes.any()):
        raise InvalidArgument("amplitudes", amplitudes, "finite numbers >= 0, one of them > 0")
    shares = sizes / sizes.max()
    shares /= shares.sum()
    names = np.array(of_plane)
    parts = {band: float(shares[names == band].sum()) for band in ("high", "medium", "low")}
    return BandShares(**parts, unrotated=float(shares[names == "unrotated"].sum()))


def _deviation(name: str, vectors: Floats) -> tuple[Floats, float]:
    mean = vectors.mean(0)
    size = float(np.linalg.norm(mean))
    # A mean of nothing but rounding has no direction.
    if not size > 2.0**-50 * float(np.abs(vectors).max()):
        raise InvalidArgument(name, "vectors of mean 0", "vectors whose mean is not 0")
    return mean, float(np.linalg.norm(vectors - mean, axis=1).max()) / size


def read_matrix(name: str, values: Any, spec: RopeSpec | None = None) -> Floats:
    """An argument as a finite float64 array `(length, head_dim)`. Raises `InvalidArgument`."""
    array = np.asarray(as_numpy(values))
    columns = "head_dim" if spec is None else str(spec.head_dim)
    right = array.ndim == 2 and array.size > 0 and array.dtype.kind == "f"
    if not right or (spec is not None and array.shape[1] != spec.head_dim):
        got = f"shape {array.shape}, dtype {array.dtype}"
        raise InvalidArgument(name, got, f"floating numbers of shape (length, {columns})")
    if not np.isfinite(array).all():
        raise InvalidArgument(name, "a value that is not finite", "finite numbers")
    return array.astype(np.float64)
