"""Queries and keys in a cone: their distance from rank one and from their mean (`slash.cone`).

Embeddings are `a_i (u + xi_i)` with a unit `u`, `a_i > 0` and `xi_i` orthogonal to `u`, no longer
than the aperture `tan(alpha)`. A matrix `W` with `|W u| = sigma` and of norm at most `rho sigma` on the
vectors orthogonal to `u` makes queries or keys of them. All arguments are pure numbers, and so are the
values.
"""

from __future__ import annotations

from ropeproof.numerics.bounds.slash.balls import rational
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.enclosure import Enclosure

__all__ = ["cone_epsilon", "rank_one_share", "relative_radius"]

_EPSILON = Stated(
    "slash.cone", "1.right", {"spread": "rho", "aperture": "tan_alpha"}, hypothesis="epsilon"
)
_SHARE = Stated("slash.cone", "2.then.below", {"epsilon": "varepsilon"})
_RADIUS = Stated(
    "slash.cone", "4.body.then.then.above.own", {"epsilon": "varepsilon", "unevenness": "zeta"}
)


def cone_epsilon(spread: object, aperture: object) -> Enclosure:
    """`epsilon = rho tan(alpha)`, a bound of a query's relative distance from the mean direction.

    `spread` is `rho`, `aperture` is `tan(alpha)`. Raises `InvalidArgument` unless both are >= 0.
    """
    rho, tangent = rational("spread", spread, least=0), rational("aperture", aperture, least=0)
    return _EPSILON.enclose(spread=rho, aperture=tangent)


def rank_one_share(epsilon: object) -> Enclosure:
    """`1 - epsilon^2`, a lower bound of the share `r_1 = sigma_1^2/sum sigma_i^2` of the queries.

    Where `epsilon^2 <= 0.05`, `r_0.95 = 1`: one direction holds 95% of the squares.

    >>> rank_one_share(0.5)
    Enclosure(lower=0.75, upper=0.75)

    Claim `slash.cone`. Raises `InvalidArgument` unless `0 <= epsilon <= 1`.
    """
    return _SHARE.enclose(epsilon=rational("epsilon", epsilon, least=0, most=1))


def relative_radius(epsilon: object, unevenness: object) -> Enclosure:
    """`zeta + (1 + zeta) epsilon`, a bound of `|q_i - mean|/|mean|` for the mean `a W u`.

    `unevenness` is `zeta`, the largest `|a_i/a - 1|`.

    >>> relative_radius(0.25, 0)
    Enclosure(lower=0.25, upper=0.25)

    Claim `slash.cone`. Raises `InvalidArgument` unless `0 <= epsilon <= 1` and `unevenness >= 0`.
    """
    size = rational("epsilon", epsilon, least=0, most=1)
    zeta = rational("unevenness", unevenness, least=0)
    return _RADIUS.enclose(epsilon=size, unevenness=zeta)
