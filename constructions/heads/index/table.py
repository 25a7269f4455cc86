r"""Logits of a head at every lag, enclosed, with what a type does to them and to the weights.

The queries and keys of a vocabulary are few, and a logit depends on positions through the lag only
(`rope.relative`), so one table of distinct queries, distinct keys and lags has every logit of every
input. Weights and embeddings count as what they are after rounding to the type.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.head import Head
from ropeproof.constructions.heads.slash.certify import project, rotated_norms
from ropeproof.constructions.heads.slash.rounding import (
    SLACK,
    factors,
    round_to,
    rounding_in,
    table_error,
)
from ropeproof.numerics.core.lag_scan import logit_enclosure
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["LogitTable", "logit_table"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LogitTable:
    """Logits of a head's distinct queries and keys at the lags `0 <= t < lags`.

    - `query_of`, `key_of`: `(tokens,)`, the row of each token;
    - `scores(query)`: `(keys, lags)`, each within `deviation` logits of what the head computes in
      its type; `amplitude` bounds the exact logits;
    - `readout`: the factor `rho` of `ropeproof.constructions.heads.index.decoding`; `lags`: the number
      of keys of the row.
    """

    queries: NDArray[np.complex128]
    keys: NDArray[np.complex128]
    query_of: Integers
    key_of: Integers
    cosines: Floats
    sines: Floats
    lags: int
    deviation: float
    amplitude: float
    readout: float

    def scores(self, query: int) -> Floats:
        """The logits of one query, `(keys, lags)`. Cost: keys x planes x lags."""
        product = self.queries[query] * self.keys.conj()
        result: Floats = product.real @ self.cosines.T - product.imag @ self.sines.T
        return result


@functools.lru_cache(maxsize=256)
def _turns(spec: RopeSpec, plane: int, lags: int) -> tuple[Floats, Floats, float]:
    """Cosines and sines of `theta_l t`, `(lags,)` each, and their error."""

    def balls(bits: int) -> tuple[Any, ...]:
        return (frequencies_ball(spec, bits=bits)[plane],)

    even, odd = (logit_enclosure([1.0], [phase], balls, lags=lags) for phase in (0.0, -math.pi / 2))
    # The double next to pi/2 is off by less than 2^-53.
    return even.mid, odd.mid, max(even.radius, odd.radius) + 2.0**-53


class _Side(NamedTuple):
    """Distinct queries or keys after rotation by 0, and what rounding needs to know of them."""

    planes: NDArray[np.complex128]
    rows: Integers
    norm: float
    error: float
    size: float
    terms: int


def _side(x: Floats, weights: Floats, spec: RopeSpec) -> _Side:
    projected = project(x, weights, spec)
    # Products with 0 and sums with 0 are exact in every type: only the other terms round.
    counts = (weights != 0).astype(np.int64) @ (x != 0).astype(np.int64).T
    terms = max(1, int(counts.max()))
    distinct, rows = _distinct(projected.vectors)
    real, imaginary = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    planes = np.asarray((distinct[:, real] + 1j * distinct[:, imaginary]) * factors(spec))
    error = (terms + 4) * 2.0**-52 * projected.size * SLACK
    norm = (float(np.max(rotated_norms(distinct, spec))) + error) * SLACK
    return _Side(planes, rows, norm, error, projected.size, terms)


def _distinct(vectors: Floats) -> tuple[Floats, Integers]:
    """The distinct rows in the order in which they first occur, and the number of each row's."""
    numbers: dict[bytes, int] = {}
    # A sum with 0 makes every zero the positive one.
    of_row = [numbers.setdefault(row.tobytes(), len(numbers)) for row in vectors + 0.0]
    rows = np.array(of_row, dtype=np.int64)
    first = np.empty(len(numbers), dtype=np.int64)
    first[rows[::-1]] = np.arange(len(rows))[::-1]
    return vectors[first], rows


def logit_table(head: Head, embeddings: Floats, arithmetic: object, lags: int) -> LogitTable:
    """The table of a head on embeddings `(tokens, width)` at the lags below `lags`.

    `arithmetic` is a type's name or a torch dtype; None runs the weights exactly.
    Cost: a certified scan of the lags per plane in use, remembered. Raises `InvalidArgument`.
    """
    spec = head.spec
    rounding = None if arithmetic is None else rounding_in(arithmetic)
    kind = "float64" if rounding is None else rounding.name
    x = round_to(embeddings, kind)
    q, k = (_side(x, round_to(w, kind), spec) for w in (head.w_q, head.w_k))
    used = np.flatnonzero((q.planes != 0).any(0) & (k.planes != 0).any(0)).tolist() or [0]
    # One scan serves all lengths up to the next power of two.
    found = [_turns(spec, plane, 1 << (lags - 1).bit_length()) for plane in used]
    cosines = np.stack([turn[0][:lags] for turn in found], axis=1)
    sines = np.stack([turn[1][:lags] for turn in found], axis=1)
    scale = 1 / math.sqrt(spec.head_dim)
    largest = scale * q.norm * k.norm * SLACK
    # The float64 products below, the enclosures of the turns, and the projections in float64.
    off = largest * ((2 * len(used) + 24) * 2.0**-52 + 2 * max(turn[2] for turn in found)) * SLACK
    off += scale * (q.error * k.norm + q.norm * k.error) * SLACK
    readout = 1.0
    if rounding is not None:
        table = table_error(spec, lags, rounding)
        computed = [
            rounding.side(side.norm, side.size, width=side.terms, table=table) for side in (q, k)
        ]
        product = rounding.product(*computed, head_dim=2 * len(used))
        # The difference of two products loses a few units in the last place of the larger one.
        error = scale * (product - q.norm * k.norm + 2.0**-50 * product) * SLACK
        error = (error + rounding.input_error(largest + error)) * SLACK
        sums = lags * rounding.sums
        readout = rounding.weight_factor(lags, 2 * (largest + error))
        readout *= max(0.0, 1 - 2 * sums) * (1 - rounding.unit) ** 3 / SLACK
        off += error
    return LogitTable(
        queries=q.planes[:, used] * scale,
        keys=k.planes[:, used],
        query_of=q.rows,
        key_of=k.rows,
        cosines=cosines,
        sines=sines,
        lags=lags,
        deviation=off if math.isfinite(off) else 1e300,
        amplitude=largest,
        readout=readout,
    )
