"""`slash.cone` on queries and keys as they are, the matrix of the claim being the identity.

With `v` the direction of the mean, every vector is `a_i (v + z_i)`, `z_i` orthogonal to `v`; the
tangent of the cone is the largest `|z_i|`, and the mean is `a v` with `a` its length.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.cone import rank_one_share, relative_radius
from ropeproof.tools.measure.verdicts.record import (
    Verdict,
    at_least,
    at_most,
    conclude,
    condition,
    taken,
)
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["cone_verdicts"]

Floats = NDArray[np.float64]
_ROUNDING = 2.0**-40
"""Relative rounding of singular values and norms: thousands of operations of `2^-53` each."""
_WIDEST = 1e300


def cone_verdicts(study: Study) -> Iterator[Verdict]:
    """`slash.cone` on queries and keys: share of one direction, rank, distance to the mean."""
    measure, vectors = study.measure, study.vectors
    fit = measure.fit
    if fit is None:
        return
    for name, values, statistics, epsilon in (
        ("queries", vectors.queries, measure.query_rank, fit.epsilon_query),
        ("keys", vectors.keys, measure.key_rank, fit.epsilon_key),
    ):
        if statistics is None:
            continue
        mean = values.mean(0)
        size = float(np.linalg.norm(mean))
        along = values @ (mean / size)
        across = np.linalg.norm(values - np.outer(along, mean / size), axis=1)
        least = float(along.min()) / size
        tangent = float((across / along).max()) if least > 0 else _WIDEST
        uneven = float(np.abs(along / size - 1).max())
        cone = [condition(f"least size of {name} along their mean", least, ">=", 2.0**-40)]
        # Vectors that point away from the mean have no cone, and no tangent.
        thin = list(cone)
        if cone[0].met:
            cone.append(condition("tangent of the cone", tangent, "<=", 1.0))
            limit = math.sqrt(0.05) * (1 - _ROUNDING)
            thin.append(condition("tangent of the cone", tangent, "<=", limit))
        share = rank_one_share(tangent).lower if tangent <= 1 else 0.0
        yield conclude(
            "slash.cone",
            study.prompt,
            f"r1 of {name}",
            cone,
            at_least(share, "share of squares", says=share > 1 / min(values.shape)),
            statistics.r1,
            rounding=_ROUNDING,
        )
        yield conclude(
            "slash.cone",
            study.prompt,
            f"r095 of {name}",
            thin,
            at_most(1.0, "dimensions", says=True),
            float(statistics.r095),
            rounding=0.0,
        )
        radius = relative_radius(tangent, uneven).upper if tangent <= 1 else _WIDEST
        yield conclude(
            "slash.cone",
            study.prompt,
            f"largest distance of {name} to their mean over its length",
            [*cone, taken("unevenness of sizes", uneven)],
            at_most(radius, "lengths of the mean", says=True),
            epsilon,
            rounding=_ROUNDING * (1 + radius),
        )
