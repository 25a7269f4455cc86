"""Logits of one call, what they should be, and how far rounding may take them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.expected.budget import allowed, unit
from ropeproof.tools.conform.expected.exact import at_length, fast_tables
from ropeproof.tools.conform.logits.rule import LogitRule
from ropeproof.tools.conform.named_tests.trials import turned

__all__ = ["LogitCall", "Norm", "at_positions", "grouped", "products", "tolerance", "turned_pair"]

Floats = NDArray[np.float64]
Places = NDArray[np.int64]
Norm = Callable[[Floats], Floats]
"""A norm of queries or keys: vectors `(batch, heads, length, head_dim)`, float64, to such vectors."""

_MARGIN = 2.0
_SUM = 16
"""Units, beside one for each coordinate, that a sum of products may be off by."""


@dataclass(frozen=True, eq=False)
class LogitCall:
    """One call: queries `(batch, heads, queries, head_dim)`, keys with as many heads or a divisor of it.

    Positions are `(1 or batch, length)`, without an axis of coordinates. `logits` are `(batch, heads,
    queries, keys)`, `compared` says which of them count. `norms` are those of queries and of keys, or None.
    """

    name: str
    q: Floats
    k: Floats
    q_positions: Places
    k_positions: Places
    logits: Floats
    compared: NDArray[np.bool_]
    dtype: str = "float32"
    norms: tuple[Norm, Norm] | None = None

    @property
    def last(self) -> int:
        """The last position of the call."""
        return int(max(self.q_positions.max(initial=0), self.k_positions.max(initial=0)))


def grouped(k: Floats, heads: int, *, tiled: bool = False) -> Floats:
    """Keys of fewer heads for each of `heads` queries: each for as many neighbours, or `tiled`."""
    times = heads // k.shape[1]
    return np.tile(k, (1, times, 1, 1)) if tiled else np.repeat(k, times, axis=1)


def at_positions(x: Floats, positions: Places, spec: RopeSpec) -> Floats:
    """Vectors turned as they should be at these positions, `(1 or batch, length)`."""
    return turned(x, fast_tables(spec, positions), spec) if spec.rotary_planes else x


def turned_pair(call: LogitCall, rule: LogitRule, order: str | None) -> tuple[Floats, Floats]:
    """Queries and keys as they are multiplied: normed before or after the rotation, or not (None)."""
    spec = at_length(rule.spec, call.last + 1)
    found = []
    norms = call.norms if order is not None else None
    for side, (x, places) in enumerate(((call.q, call.q_positions), (call.k, call.k_positions))):
        first = x if norms is None or order != "before" else norms[side](x)
        made = at_positions(first, places, spec)
        found.append(made if norms is None or order != "after" else norms[side](made))
    return found[0], found[1]


def products(q: Floats, k: Floats, *, tiled: bool = False) -> Floats:
    """The products of turned vectors, `(batch, heads, queries, keys)`, without any scale."""
    return np.asarray(q @ np.swapaxes(grouped(k, q.shape[1], tiled=tiled), -1, -2))


def tolerance(call: LogitCall, rule: LogitRule, q: Floats, k: Floats) -> Floats:
    """How far a product of turned vectors may be off by rounding, of vectors of these sizes.

    A coordinate is off by what a rotation may be (`budget.allowed`), in the type of the vectors; the sum and
    its scale add a unit for each coordinate, and the result is rounded to the type.
    """
    spec = at_length(rule.spec, call.last + 1)
    re, im = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    k = grouped(k, q.shape[1])
    sizes = [np.hypot(x[..., re], x[..., im]) * 2**0.5 for x in (q, k)]
    factor = np.ones(spec.planes)
    factor[: spec.rotary_planes] = max(attention_factor_float64(spec), 1e-9)
    off = [
        allowed(spec, p, dtype=call.dtype)[:, np.newaxis] / factor + 8 * unit(call.dtype)
        for p in (call.q_positions, call.k_positions)
    ]
    own = max(unit(call.dtype), unit("float32"))
    first = (sizes[0] * off[0]) @ np.swapaxes(sizes[1], -1, -2)
    second = sizes[0] @ np.swapaxes(sizes[1] * off[1], -1, -2)
    whole = sizes[0] @ np.swapaxes(sizes[1], -1, -2)
    summed = whole * (unit("float32") * (spec.head_dim + _SUM) + 4 * own)
    return np.asarray(_MARGIN * (first + second + summed))
