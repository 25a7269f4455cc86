"""Queries and keys in a cone: how close to rank one, and how close to their mean. `slash.cone`.

Embeddings are `a_i (u + xi_i)` with a unit `u`, `a_i > 0` and `xi_i` orthogonal to `u`, no longer
than the aperture `tan(alpha)`. A matrix of length `sigma` on `u` and of norm at most `rho sigma`
off it makes queries or keys of them. All arguments are pure numbers, and so are the values.
"""

from __future__ import annotations

from ropeproof.numerics.bounds.slash.balls import BITS, enclosed, number
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.rotary.precision import precision

__all__ = ["cone_epsilon", "rank_one_share", "relative_radius"]


def cone_epsilon(spread: object, aperture: object) -> Enclosure:
    """`epsilon = rho tan(alpha)`: no query is further than this off the mean direction, per size.

    `spread` is `rho`, `aperture` is `tan(alpha)`. Raises `InvalidArgument` unless both are >= 0.
    """
    rho, tangent = number("spread", spread, least=0), number("aperture", aperture, least=0)
    with precision(BITS):
        return enclosed(rho * tangent)


def rank_one_share(epsilon: object) -> Enclosure:
    """`1 - epsilon^2`, which `r_1 = sigma_1^2/sum sigma_i^2` of the queries is never below.

    From `epsilon^2 <= 0.05` on, `r_0.95 = 1`: one direction holds 95% of the squares.

    >>> rank_one_share(0.5)
    Enclosure(lower=0.75, upper=0.75)

    Claim `slash.cone`. Raises `InvalidArgument` unless `0 <= epsilon < 1`.
    """
    size = number("epsilon", epsilon, least=0, below=1)
    with precision(BITS):
        return enclosed(1 - size * size)


def relative_radius(epsilon: object, unevenness: object) -> Enclosure:
    """`zeta + (1 + zeta) epsilon`, which bounds `|q_i - mean|/|mean|` for the mean `a W u`.

    `unevenness` is `zeta`, the largest `|a_i/a - 1|`.

    >>> relative_radius(0.25, 0)
    Enclosure(lower=0.25, upper=0.25)

    Claim `slash.cone`. Raises `InvalidArgument` unless `0 <= epsilon < 1` and `unevenness >= 0`.
    """
    size = number("epsilon", epsilon, least=0, below=1)
    zeta = number("unevenness", unevenness, least=0)
    with precision(BITS):
        return enclosed(zeta + (1 + zeta) * size)
