"""Strategies for queries and keys: without structure, of rank one, or in a cone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from ropeproof.numerics.strategies.arguments import even, finite_positive, integer
from ropeproof.numerics.strategies.sizes import Floats, Strategy, array, floats, size_bound
from ropeproof.theory.errors import InvalidArgument

__all__ = ["Cone", "RankOne", "cone", "generic", "queries_and_keys", "rank_one"]


@dataclass(frozen=True, eq=False)
class RankOne:
    """Vectors `a_i v`: `vectors` `(tokens, head_dim)`, `sizes` `a`, `(tokens,)`, `direction` `v`.

    Sizes may be negative: rank one alone does not give a cone (`slash.rank-not-enough`).
    """

    vectors: Floats
    sizes: Floats
    direction: Floats


@dataclass(frozen=True, eq=False)
class Cone:
    """Embeddings in a cone, and the queries or keys that a matrix makes of them (`slash.cone`).

    `embeddings[i] = sizes[i] (direction + deviations[i])`, shape `(tokens, width)`, with a unit
    `direction`, deviations orthogonal to it and sizes > 0. `matrix` is `(head_dim, width)` and
    `vectors = embeddings @ matrix.T`. Measured on these arrays:

    - `aperture`: `tan(alpha)`, the largest length of a deviation;
    - `spread`: `rho`, the norm of the matrix off the direction over its length on it;
    - `epsilon = rho tan(alpha)`, less than 1;
    - `unevenness`: `zeta`, the largest `|a_i/a - 1|` for the middle size `a`;
    - `mean`: `a W u`, `(head_dim,)`;
    - `relative_radius`: `zeta + (1 + zeta) epsilon`, which bounds `|q_i - mean| / |mean|`.
    """

    embeddings: Floats
    matrix: Floats
    direction: Floats
    sizes: Floats
    deviations: Floats
    aperture: float
    spread: float
    unevenness: float
    mean: Floats

    @property
    def vectors(self) -> Floats:
        """The queries or keys, `(tokens, head_dim)`."""
        result: Floats = self.embeddings @ self.matrix.T
        return result

    @property
    def epsilon(self) -> float:
        """`epsilon = rho tan(alpha)`, the cone's bound of `slash.cone`."""
        return self.spread * self.aperture

    @property
    def relative_radius(self) -> float:
        """`epsilon_q = zeta + (1 + zeta) epsilon`, a bound of `|q_i - mean| / |mean|`."""
        return self.unevenness + (1 + self.unevenness) * self.epsilon


def generic(*, head_dim: int, tokens: int, bound: float = 8.0) -> Strategy[Floats]:
    """A strategy for queries or keys without structure, `(tokens, head_dim)`.

    Entries are of a size up to `bound`.
    """
    shape = (integer("tokens", tokens, least=1), even("head_dim", head_dim))
    return array(shape, size_bound(bound))


def rank_one(*, head_dim: int, tokens: int, bound: float = 8.0) -> Strategy[RankOne]:
    """A strategy for queries or keys that are multiples, of either sign, of one direction."""
    size, count = even("head_dim", head_dim), integer("tokens", tokens, least=1)
    return _rank_one(size, count, size_bound(bound))


@lru_cache(maxsize=256)
def _rank_one(size: int, count: int, bound: float) -> Strategy[RankOne]:
    def build(sizes: Floats, direction: Floats) -> RankOne:
        return RankOne(np.outer(sizes, direction), sizes, direction)

    return st.builds(build, array((count,), bound), array((size,), bound))


def cone(
    *,
    head_dim: int,
    tokens: int,
    width: int | None = None,
    largest_epsilon: float = 0.5,
    largest_unevenness: float = 0.5,
) -> Strategy[Cone]:
    """A strategy for embeddings in a cone, with queries or keys close to rank one.

    `epsilon < largest_epsilon <= 1` and `unevenness <= largest_unevenness < 1`, both up to
    rounding. `width` is `head_dim` unless given, at least 2.
    """
    rows, count = even("head_dim", head_dim), integer("tokens", tokens, least=1)
    columns = integer("width", rows if width is None else width, least=2)
    epsilon = finite_positive("largest_epsilon", largest_epsilon)
    uneven = finite_positive("largest_unevenness", largest_unevenness)
    if epsilon > 1:
        raise InvalidArgument("largest_epsilon", largest_epsilon, "0 < number <= 1")
    if uneven >= 1:
        raise InvalidArgument("largest_unevenness", largest_unevenness, "0 < number < 1")

    return _cones(rows, count, columns, epsilon, uneven)


_SHARES = st.floats(0.0, 1.0, exclude_max=True)
_MIDDLES = floats(bound=4.0, positive=True).filter(lambda x: x >= 2.0**-6)


@lru_cache(maxsize=256)
def _cones(*how: Any) -> Strategy[Cone]:
    return _cone(*how)


@st.composite
def _cone(
    draw: st.DrawFn, rows: int, count: int, columns: int, epsilon: float, uneven: float
) -> Cone:
    direction = _unit(draw(array((columns,), 1.0)))
    matrix = draw(array((rows, columns), 2.0))
    raw = draw(array((count, columns), 1.0))
    share = draw(_SHARES)
    middle = draw(_MIDDLES)
    shift = draw(array((count,), uneven))
    return _cone_of(direction, matrix, raw, share * epsilon * (1 - 2.0**-40), middle, shift)


def _cone_of(
    direction: Floats, matrix: Floats, raw: Floats, epsilon: float, middle: float, shift: Floats
) -> Cone:
    """The cone around a unit direction, up to rounding of that `epsilon` or a smaller one.

    `raw` are the tokens' deviations before they are made orthogonal to the direction and scaled.
    """
    if np.linalg.norm(matrix @ direction) < 2.0**-6:
        # Move the direction's image away from 0 without touching the rest of the matrix.
        matrix = matrix + np.outer(np.ones(len(matrix)), direction)
    deviations = raw - np.outer(raw @ direction, direction)
    tilt = np.linalg.norm(deviations, axis=1).max()
    spread = _spread(matrix, direction)
    if tilt > 0 and spread > 0:
        # Where one of them may be rounding alone, as of a matrix of rank one, nothing is made larger.
        factor, known = epsilon / (spread * tilt), min(tilt, spread) > 2.0**-12
        deviations = deviations * (factor if known else min(factor, 1.0))
    sizes = middle * (1 + shift)
    return Cone(
        embeddings=sizes[:, np.newaxis] * (direction + deviations),
        matrix=matrix,
        direction=direction,
        sizes=sizes,
        deviations=deviations,
        aperture=float(np.linalg.norm(deviations, axis=1).max()),
        spread=spread,
        unevenness=float(np.abs(sizes / middle - 1).max()),
        mean=middle * (matrix @ direction),
    )


def queries_and_keys(
    *, head_dim: int, tokens: int, kinds: Sequence[str] = ("generic", "rank_one", "cone")
) -> Strategy[tuple[Floats, Floats]]:
    """A strategy for pairs of queries and keys, `(tokens, head_dim)` each, of the given kinds."""
    if isinstance(kinds, str) or not kinds or not set(kinds) <= set(_KINDS):
        raise InvalidArgument("kinds", kinds, f"some of {', '.join(_KINDS)}")
    size, count = even("head_dim", head_dim), integer("tokens", tokens, least=1)
    return _queries_and_keys(size, count, tuple(kinds))


_KINDS: dict[str, Callable[[int, int], Strategy[Floats]]] = {
    "generic": lambda size, count: generic(head_dim=size, tokens=count),
    "rank_one": lambda size, count: rank_one(head_dim=size, tokens=count).map(lambda r: r.vectors),
    "cone": lambda size, count: cone(head_dim=size, tokens=count).map(lambda c: c.vectors),
}


@lru_cache(maxsize=256)
def _queries_and_keys(
    size: int, count: int, kinds: tuple[str, ...]
) -> Strategy[tuple[Floats, Floats]]:
    vectors = st.one_of([_KINDS[kind](size, count) for kind in kinds])
    return st.tuples(vectors, vectors)


def _unit(vector: Floats) -> Floats:
    length = np.linalg.norm(vector)
    if length < 2.0**-10:
        vector, length = np.zeros_like(vector), np.float64(1)
        vector[0] = 1.0
    result: Floats = vector / length
    return result


def _spread(matrix: Floats, direction: Floats) -> float:
    image = matrix @ direction
    rest = matrix - np.outer(image, direction)
    return float(np.linalg.norm(rest, 2) / np.linalg.norm(image))
