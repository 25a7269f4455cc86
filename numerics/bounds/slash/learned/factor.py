r"""Queries or keys as scalars times one direction: the rank-one factor, with signs.

`x_i = a_i u + e_i` with `u` of length 1, the first right singular vector of the uncentred matrix, and
`a_i = x_i . u`: the best rank-one approximation. The mean does not enter, so that vectors of both signs
have a factor where they have no mean. Claims `slash.factor`, `slash.factor-emergence`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.learned.rank import read_matrix

__all__ = ["LEVELS", "RankOneFit", "rank_one"]

Floats = NDArray[np.float64]
LEVELS = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
"""The levels of the scalars' quantiles in a report."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RankOneFit:
    """The best rank-one approximation of a head's queries or keys.

    - `direction`: `u`, `(head_dim,)`, of length 1, turned so that the scalars' sum is not negative;
    - `scalars`: `a_i`, `(tokens,)`, with their signs;
    - `rests`: `|x_i - a_i u|`, `(tokens,)`;
    - `outside`: the share of energy in the rests, `1 - r1`;
    - `singular_values`: of the vectors, `(min(tokens, head_dim),)`, decreasing; their squares are off
      by some `2^-48` of the largest.
    """

    direction: Floats
    scalars: Floats
    rests: Floats
    outside: float
    singular_values: Floats

    @property
    def negative(self) -> float:
        """The share of scalars below 0, at most about one half unless few are large."""
        return float((self.scalars < 0).mean())

    @property
    def mean_over_size(self) -> float:
        """The ratio `|mean a| / sqrt(mean a^2)`: 1 for equal scalars, 0 for balanced signs."""
        size = float(np.abs(self.scalars).max())
        scaled = self.scalars / size if size > 0 else self.scalars
        square = float((scaled**2).mean())
        return float(scaled.mean()) / square**0.5 if square > 0 else 0.0

    def quantiles(self) -> Floats:
        """The scalars' quantiles at `LEVELS`, `(7,)`."""
        result: Floats = np.quantile(self.scalars, LEVELS)
        return result


def rank_one(matrix: Any) -> RankOneFit:
    """The rank-one fit of unrotated queries or keys of one head, `(tokens, head_dim)`, float64.

    >>> found = rank_one(np.array([[3.0, 4.0], [-6.0, -8.0], [9.0, 12.0]]))
    >>> [round(x, 12) for x in found.scalars.tolist()], found.outside < 1e-15, round(found.negative, 3)
    ([5.0, -10.0, 15.0], True, 0.333)

    Of two equal singular values either direction is the best. A matrix of zeros has the first
    coordinate's direction and scalars 0. Cost: one product of `tokens head_dim^2`. Raises
    `InvalidArgument` for numbers that are not finite and for anything but such a matrix.
    """
    values = read_matrix("matrix", matrix)
    # Scaled by a power of two, so that squares neither overflow nor vanish.
    power = np.frexp(np.abs(values).max())[1]
    scaled = np.ldexp(values, -power)
    squares, directions = np.linalg.eigh(scaled.T @ scaled)
    direction = directions[:, -1]
    scalars = scaled @ direction
    if scalars.sum() < 0:
        direction, scalars = -direction, -scalars
    left = scaled - np.outer(scalars, direction)
    lost = np.einsum("ij,ij->i", left, left)
    total = float(np.vdot(scaled, scaled))
    sizes = np.sqrt(squares[::-1][: len(values)].clip(0.0))
    return RankOneFit(
        direction=direction,
        scalars=np.ldexp(scalars, power),
        rests=np.ldexp(np.sqrt(lost), power),
        outside=float(lost.sum()) / total if total > 0 else 0.0,
        singular_values=np.ldexp(sizes, power),
    )
