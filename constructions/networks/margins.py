"""Logits of the classes of queries and keys of a composed network, and the margins between them.

Queries and keys of the constructions take few values, so a layer is certified by the table of their
logits at every lag. It is formed in float64 with its own rounding bounded, as in
`ropeproof.constructions.heads.slash.rounding`: cosines and sines within two units in the last place.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.heads.slash.certify import rotated_norms
from ropeproof.constructions.heads.slash.rounding import ROUNDINGS, SLACK, factors, table_error
from ropeproof.constructions.networks.plan import Plan
from ropeproof.numerics.core.spec import rotation_tables
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Margins", "class_logits", "class_margins"]

Floats = NDArray[np.float64]
_BLOCK = 4096


@dataclass(frozen=True, eq=False)
class Margins:
    """The best and worst logits of one layer, for every length up to a limit; all in logits.

    - `match`, `other`: `(classes of queries, limit)`; column `n - 1` is for sequences of `n`
      tokens. No key that should be found has a logit below `match`, no other one above `other`.
      Where a class has nothing to find within the length, `match` is infinite;
    - `query_norm`, `key_norm`: the longest query and key after rotation; `query_sum`: the length of
      the sum of all queries, which is what an error common to all coordinates adds;
    - `amplitude`: no logit is larger.
    """

    match: Floats
    other: Floats
    query_norm: float
    key_norm: float
    query_sum: float
    amplitude: float

    def least(self, length: int) -> float:
        """The margin at this length, in logits, at least."""
        return float((self.match[:, length - 1] - self.other[:, length - 1]).min())


def class_logits(queries: Floats, keys: Floats, spec: RopeSpec, lags: Floats) -> Floats:
    """Logits `(classes of queries, classes of keys, lags)` of vectors `(classes, head_dim)`."""
    real, imaginary = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    q = queries[:, real] + 1j * queries[:, imaginary]
    k = keys[:, real] + 1j * keys[:, imaginary]
    scale = factors(spec) / math.sqrt(spec.head_dim)
    weights = (q[:, None] * k.conj()[None] * scale).reshape(-1, spec.planes)
    used = weights.any(0)
    cosines, sines = (table[:, used].T for table in rotation_tables(spec, lags))
    # Rotation tables carry the attention factor once, `scale` the other time.
    found = weights[:, used].real @ cosines - weights[:, used].imag @ sines
    return np.asarray(found, dtype=np.float64).reshape(len(q), len(k), len(lags))


def class_margins(
    plan: Plan, queries: Floats, keys: Floats, spec: RopeSpec, *, limit: int
) -> Margins:
    """The margins of a layer whose classes have these queries and keys, `(classes, head_dim)`.

    Cost: a product `(classes of queries times keys, planes)` by `(planes, limit)`.
    """
    norms = [float(rotated_norms(side, spec).max()) * SLACK for side in (queries, keys)]
    amplitude = norms[0] * norms[1] / math.sqrt(spec.head_dim) * SLACK
    off = 2 * table_error(spec, limit, ROUNDINGS["float64"]) + (2 * spec.planes + 8) * 2.0**-52
    off = amplitude * off * SLACK
    match = np.full((len(queries), limit), np.inf)
    other = np.full((len(queries), limit), -np.inf)
    classes, found = np.arange(len(queries)), np.arange(len(keys))
    for first in range(0, limit, _BLOCK):
        lags = np.arange(first, min(first + _BLOCK, limit))
        logits = class_logits(queries, keys, spec, lags.astype(np.float64))
        if plan.task == "number":
            wanted = np.broadcast_to((lags == classes[:, None])[:, None], logits.shape)
        else:
            wanted = np.broadcast_to((classes[:, None] == found)[:, :, None], logits.shape)
        match[:, lags] = np.where(wanted, logits, np.inf).min(1)
        other[:, lags] = np.where(wanted, -np.inf, logits).max(1)
    match, other = np.minimum.accumulate(match, 1), np.maximum.accumulate(other, 1)
    common = float(rotated_norms(queries.sum(0), spec)) + 2.0**-48 * len(queries) * norms[0]
    return Margins(match - off, other + off, norms[0], norms[1], common * SLACK, amplitude)
