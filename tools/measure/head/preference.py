"""The expected preference of a head for similar tokens, as a function of the lag."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.bounds.posgen.vectors import plane_numbers, plane_scales, read_head
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["LagPreference", "lag_preference"]

Floats = NDArray[np.float64]
_BLOCK = 4096
"""Lags computed at once."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LagPreference:
    """The expected preference of a head for similar tokens at lags `0, 1, ...`, as three curves.

    The curves have shape `(lags,)`:

    - `similar`: logits, `s a^2 sum_l Var(q_l) cos(theta_l t)`, for a key that is the query plus noise;
    - `own`: logits, `s a^2 sum_l Re[Cov(q_l, k_l) e^(i theta_l t)]`, for the key of the query's token;
    - `uniform`: `sum_l cos(theta_l t)` over the number of planes, what the base criterion is about;
    - `similar_negative`, `own_negative`, `uniform_negative`: the first lag at which each curve is
      below 0, None where it never is.
    """

    similar: Floats
    own: Floats
    uniform: Floats
    similar_negative: int | None
    own_negative: int | None
    uniform_negative: int | None


def lag_preference(
    queries: ArrayLike,
    keys: ArrayLike,
    spec: RopeSpec,
    *,
    lags: int,
    scale: float | None = None,
) -> LagPreference:
    """The expected preference of a head for similar tokens at each lag, from its queries and keys.

    `queries` and `keys` are unrotated, `(tokens, head_dim)` each; moments are those of the tokens
    given, each as probable. `scale` is `s`, by default `1/sqrt(head_dim)`; the attention factor `a`
    is the spec's. In float64: signs within rounding of 0 are not certain, which
    `ropeproof.numerics.bounds.rope.base_criterion` settles for the uniform curve. Claims
    `rope.base-expectation`, `rope.base-criterion`.

    >>> import numpy as np
    >>> same = np.array([[1.0, 0.0], [-1.0, 0.0]])
    >>> found = lag_preference(same, same, RopeSpec(2, 10000), lags=4, scale=1.0)
    >>> found.similar.round(3).tolist(), found.similar_negative
    ([1.0, 0.54, -0.416, -0.99], 2)

    Cost: `lags` times planes cosines. Raises `InvalidArgument` unless both have one shape with two
    tokens or more and finite numbers, and `lags >= 1`.
    """
    count = read_integer("lags", lags, least=1)
    head = read_head(queries, keys, spec, scale)
    if len(head.queries) != len(head.keys) or len(head.keys) < 2:
        got = f"{len(head.queries)} queries and {len(head.keys)} keys"
        raise InvalidArgument("queries", got, "as many as keys, at least 2: one of each a token")
    own_moments = head.queries - head.queries.mean(0), head.keys - head.keys.mean(0)
    covariance = (own_moments[0] * own_moments[1].conj()).mean(0)
    bare = plane_numbers("queries", queries, spec, axes=2)
    variance = plane_scales(spec, scale) * (np.abs(bare - bare.mean(0)) ** 2).mean(0)
    similar, own, uniform = (np.empty(count) for _ in range(3))
    for first in range(0, count, _BLOCK):
        some = slice(first, min(first + _BLOCK, count))
        turns = np.exp(1j * np.outer(np.arange(some.start, some.stop), head.frequencies))
        similar[some] = turns.real @ variance
        own[some] = (turns @ covariance).real
        uniform[some] = turns.real.mean(1)
    return LagPreference(
        similar=similar,
        own=own,
        uniform=uniform,
        similar_negative=_first(similar),
        own_negative=_first(own),
        uniform_negative=_first(uniform),
    )


def _first(curve: Floats) -> int | None:
    negative = np.flatnonzero(curve < 0)
    return int(negative[0]) if len(negative) else None
