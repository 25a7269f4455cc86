"""The number of lags that a head distinguishes, against what bounded features can distinguish.

Claim `posgen.bounded-capacity`: at most `ceil(2 pi s |q||k|/sqrt(eps))^m` lags are pairwise apart,
`E (w_t - w_t')^2 >= eps`, whatever the distribution of queries and keys of at most these norms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen.bounds import capacity_bound
from ropeproof.numerics.bounds.posgen.vectors import ComplexHead, read_head
from ropeproof.numerics.core.arrays import real_array
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["LagsApart", "lags_apart"]

Floats = NDArray[np.float64]
_UP = 1 + 2.0**-44


@dataclass(frozen=True, eq=False)
class LagsApart:
    """Lags below `length` that a greedy search finds pairwise `gap` apart, in squared logits.

    `lags` are those found, `(found,)` integers (a larger set may exist); `bound` is the largest number of
    such lags that any head of these norms can have.
    """

    length: int
    gap: float
    lags: NDArray[np.int64]
    bound: int

    @property
    def holds(self) -> bool:
        """Whether at most `bound` lags are found; the claim is proved, so False would be a bug."""
        return len(self.lags) <= self.bound


def lags_apart(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    *,
    length: int,
    gap: float,
    scale: float | None = None,
) -> LagsApart:
    """Lags that one head distinguishes, for independent, equally likely queries and keys.

    `queries` is `(queries, head_dim)`, `keys` `(keys, head_dim)`, unrotated. Two lags are apart if
    the mean of `(w_t - w_t')^2` over all pairs of a query and a key is at least `gap`. The search visits
    the lags in the order of the fastest plane's angles and keeps each that is apart from all kept before.
    The bound is computed with the largest norms of a query and of a key.

    Cost: `length * found * 2 planes`. Claim `posgen.bounded-capacity`. Raises `InvalidArgument`
    unless `length >= 1` and `gap > 0`, on wrong shapes and on numbers that are not finite.
    """
    head = read_head(queries, keys, spec, scale)
    count = read_integer("length", length, least=1)
    least = float(read_rational("gap", gap))
    if not least > 0:
        raise InvalidArgument("gap", gap, "a number > 0")
    features = _features(head, count)
    order = np.argsort(np.remainder(np.arange(count) * head.frequencies[0], 2 * np.pi))
    chosen: list[int] = []
    for lag in order.tolist():
        gaps = ((features[chosen] - features[lag]) ** 2).sum(1)
        # Only what is apart beyond rounding counts.
        if (gaps >= least * (1 + 2.0**-30)).all():
            chosen.append(lag)
    norms = [
        float(np.linalg.norm(real_array(name, x), axis=1).max()) * _UP
        for name, x in (("queries", queries), ("keys", keys))
    ]
    bound = capacity_bound(spec, query_norm=norms[0], key_norm=norms[1], gap=least, scale=scale)
    return LagsApart(count, least, np.array(sorted(chosen), dtype=np.int64), bound)


def _features(head: ComplexHead, length: int) -> Floats:
    """Features of the lags, `(length, 2 planes)`, with squared distances `E (w_t - w_t')^2`.

    `w_t = Re sum_l z_l e^{i theta_l t}` with `z_l = q_l conj(k_l)`: a linear function of cosines and
    sines, of which only the second moments over the pairs matter.
    """
    turns = head.turns(np.arange(length))
    waves = np.hstack((turns.real, -turns.imag))
    plain = (head.queries.T @ np.conj(head.queries)) * np.conj(head.keys.T @ np.conj(head.keys))
    paired = (head.queries.T @ head.queries) * np.conj(head.keys.T @ head.keys)
    pairs = len(head.queries) * len(head.keys)
    # Second moments of real and imaginary parts from E z conj(z)^T and E z z^T.
    real = np.real(plain + paired) / 2
    imaginary = np.real(plain - paired) / 2
    mixed = np.imag(paired - plain) / 2
    moments = np.block([[real, mixed], [mixed.T, imaginary]]) / pairs
    sizes, directions = np.linalg.eigh(moments)
    result: Floats = waves @ (directions * np.sqrt(np.maximum(sizes, 0.0)))
    return result
