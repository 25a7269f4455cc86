"""The slash score of queries and keys that read one direction, with rounding counted.

A query is near `c` times one query and a key near `u` times one key, where `c` and `u` are a token's
component along one direction. Claim `slash.one-direction`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.heads.slash.certify import (
    Projected,
    SlashBound,
    polar_error,
    rotated_norms,
    rounding_of,
)
from ropeproof.constructions.heads.slash.rounding import SLACK, Rounding
from ropeproof.numerics.core.lag_scan import logit_enclosure
from ropeproof.numerics.core.spec import amplitudes_and_phases
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["direction_bound", "read_interval"]

Floats = NDArray[np.float64]


def read_interval(lower: object, upper: object) -> tuple[float, float]:
    """The ends of an interval of components. Raises `InvalidArgument` unless `0 < lower <= upper`."""
    for name, value in (("lower", lower), ("upper", upper)):
        if isinstance(value, bool) or not isinstance(value, int | float | np.floating):
            raise InvalidArgument(name, value, "a positive number")
        if not 0 < value < math.inf:
            raise InvalidArgument(name, value, "a positive number")
    least, most = float(lower), float(upper)  # type: ignore[arg-type]
    if least > most:
        raise InvalidArgument("lower", lower, f"at most upper, {upper}")
    return least, most


def direction_bound(
    query: Projected,
    key: Projected,
    spec: RopeSpec,
    *,
    offset: int,
    length: int,
    lower: float,
    upper: float,
    rounding: Rounding | None,
    table: float = 0.0,
) -> SlashBound:
    """Bound the slash score at `offset` of every row whose components stay in an interval.

    `query` and `key` have one vector each, that of component 1, `(1, head_dim)`; `error` is how far a
    query or key may be from its multiple after rotation, `size` the largest `|| |W||x| ||` of an input.
    The row's own component is in `[lower, upper]`, its target's at least `lower`, all others' in
    `[0, upper]`. `rounding` and `table` as in `slash_bound`.

    In the result `margin` is the least lead `h` of the target over a lag and `competition` the sum of
    `e^{-h}` (`slash.one-direction`); a lag that the target does not lead over the whole interval leaves
    no guarantee. Cost: a certified scan of `length` lags. Raises `InvalidArgument`.
    """
    offset = read_integer("offset", offset, least=0)
    length = read_integer("length", length, least=max(2, offset + 1))
    least, most = read_interval(lower, upper)
    for name, side in (("query", query), ("key", key)):
        if side.vectors.shape != (1, spec.head_dim) or not np.isfinite(side.vectors).all():
            got = f"shape {side.vectors.shape}"
            raise InvalidArgument(name, got, f"finite numbers, (1, {spec.head_dim})")
    bars = query.vectors[0], key.vectors[0]
    scale = 1 / math.sqrt(spec.head_dim) * SLACK
    sizes = [most * float(rotated_norms(bar, spec)) * SLACK for bar in bars]
    moved = [query.error, key.error]
    leak = scale * (moved[0] * sizes[1] + sizes[0] * moved[1] + moved[0] * moved[1]) * SLACK
    error, factor, largest = rounding_of(sizes, moved, (query, key), spec, length, rounding, table)
    leads = _leads(*bars, spec, offset, length, least, most)
    least_lead = float(leads.min())
    loses = not least_lead >= 0
    return SlashBound(
        length=length,
        margin=-2 * largest if loses else least_lead,  # no logit is larger
        leak=leak,
        rounding=error,
        competition=math.inf if loses else float(np.exp(-leads).sum()) * SLACK,
        amplitude=largest,
        weight_factor=factor,
    )


def _leads(
    q: Floats, k: Floats, spec: RopeSpec, offset: int, length: int, least: float, most: float
) -> Floats:
    """`h(t) = a (a g(offset) - b max(g(t), 0))` at the lags but the offset, from below."""
    amplitudes, phases = amplitudes_and_phases(q, k, spec)
    off = polar_error(q, k, amplitudes, phases, spec)
    if not amplitudes.any():
        return np.zeros(length - 1)
    logits = logit_enclosure(amplitudes, phases, spec, lags=length)
    wide = (logits.radius + off) * SLACK
    ceilings = np.maximum(np.delete(logits.mid, offset) + wide, 0.0)
    target = float(logits.mid[offset]) - wide
    # Each of the few roundings is within 2^-53 of a number below this one.
    largest = most * most * (float(amplitudes.sum()) + off) * SLACK
    below: Floats = least * (least * target - most * ceilings) - 2.0**-49 * largest
    return below
