"""Logits of the classes of queries and keys of a composed network, and the margins between them.

Queries and keys of the constructions take few values, so a layer is certified by the table of their
logits at every lag. It is formed in float64 with its own rounding bounded, as in
`ropeproof.constructions.heads.slash.rounding`: cosines and sines within two units in the last place.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.heads.slash.certify import rotated_norms
from ropeproof.constructions.heads.slash.rounding import ROUNDINGS, SLACK, factors, table_error
from ropeproof.constructions.networks.plan import Plan
from ropeproof.numerics.core.spec import rotation_tables
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Margins", "class_logits", "class_margins", "induction_margins"]

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
    - `amplitude`: no logit is larger;
    - `shared`: what one more in all coordinates of a register adds to a logit, at most: in the
      query's, in the key's, and in both; `key_sum`: the length of the sum of all keys. None where
      the lengths above are counted instead.
    """

    match: Floats
    other: Floats
    query_norm: float
    key_norm: float
    query_sum: float
    amplitude: float
    shared: tuple[float, float, float] | None = None
    key_sum: float = 0.0

    def least(self, length: int) -> float:
        """A lower bound of the margin at this length, in logits."""
        return float((self.match[:, length - 1] - self.other[:, length - 1]).min())


def class_logits(queries: Floats, keys: Floats, spec: RopeSpec, lags: Floats) -> Floats:
    """Logits `(classes of queries, classes of keys, lags)` of vectors `(classes, head_dim)`."""
    real, imaginary = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    q = queries[:, real] + 1j * queries[:, imaginary]
    k = keys[:, real] + 1j * keys[:, imaginary]
    scale = factors(spec) / math.sqrt(spec.head_dim)
    weights = (q[:, None] * k.conj()[None] * scale).reshape(-1, spec.planes)
    used = weights.any(0)
    # Rotation tables carry the attention factor once, `scale` the other time.
    turns = _turns(spec, lags.tobytes())[np.tile(used, 2)]
    found = np.concatenate((weights[:, used].real, -weights[:, used].imag), 1) @ turns
    return np.asarray(found, dtype=np.float64).reshape(len(q), len(k), len(lags))


@functools.lru_cache(maxsize=8)
def _turns(spec: RopeSpec, lags: bytes) -> Floats:
    """Cosines and then sines of the planes at float64 lags, `(2 planes, lags)`, read-only."""
    tables = rotation_tables(spec, np.frombuffer(lags, dtype=np.float64))
    found: Floats = np.concatenate([table.T for table in tables])
    found.flags.writeable = False
    return found


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


def induction_margins(
    number: int, queries: Floats, keys: Floats, spec: RopeSpec, *, limit: int
) -> Margins:
    """The margins of a layer of induction whose classes have these vectors, `(classes, head_dim)`.

    - Layer 0 has one query and one key: the key one place back should be found.
    - Layer 1 has a query for each token, and last what the constant adds to each of them; keys
      likewise, of the tokens before. Of the keys with the query's token the latest should be found.
      `match` is the smallest lead over what should not be found, and `other` 0: a lead between two
      lags is no difference of a smallest and a largest logit.

    Cost: a product `(classes of queries times keys, planes)` by `(planes, limit)`.
    """
    shared, sums = None, (queries.sum(0, keepdims=True), keys.sum(0, keepdims=True))
    if number:
        sums = queries[:-1].sum(0, keepdims=True), keys[:-1].sum(0, keepdims=True)
        queries, keys = queries[:-1] + queries[-1], keys[:-1] + keys[-1]
    norms = [float(rotated_norms(side, spec).max()) * SLACK for side in (queries, keys)]
    common = [float(rotated_norms(side, spec)[0]) for side in sums]
    common = [
        (length + 2.0**-48 * len(side) * norm) * SLACK
        for length, side, norm in zip(common, (queries, keys), norms, strict=True)
    ]
    scale = SLACK / math.sqrt(spec.head_dim)
    amplitude = norms[0] * norms[1] * scale
    # Relative to the product of norms; sums of rows are formed with an error of their own.
    rounding = 2 * table_error(spec, limit, ROUNDINGS["float64"])
    rounding = (rounding + (2 * spec.planes + 2 * len(queries) + 16) * 2.0**-52) * SLACK
    off = amplitude * rounding * SLACK
    found, rivals = (np.empty((len(queries), limit)) for _ in range(2))
    largest = np.zeros(3)
    own = np.eye(len(queries), dtype=bool)[:, :, None]
    for first in range(0, limit, _BLOCK // 8):
        lags = np.arange(first, min(first + _BLOCK // 8, limit))
        moments = lags.astype(np.float64)
        logits = class_logits(queries, keys, spec, moments)
        if not number:
            found[:, lags] = rivals[:, lags] = logits[:, 0]
            continue
        found[:, lags] = np.where(own, logits, -np.inf).max(1)
        rivals[:, lags] = np.where(own, -np.inf, logits).max(1)
        sides = ((sums[0], keys), (queries, sums[1]), sums)
        tables = [np.abs(class_logits(q, k, spec, moments)).max() for q, k in sides]
        largest = np.maximum(largest, tables)
    if number:
        least = np.minimum.accumulate(found, 1)
        lead = np.full_like(found, np.inf)
        lead[:, 1:] = least[:, :-1] - found[:, 1:]
        lead = np.minimum.accumulate(lead, 1)
        match = np.minimum(lead, least - np.maximum.accumulate(rivals, 1)) - 2 * off
        other = np.zeros_like(match)
        counts = len(queries) * norms[0], len(keys) * norms[1]
        sizes = counts[0] * norms[1], norms[0] * counts[1], counts[0] * counts[1]
        by_query, by_key, by_both = (
            float(value + size * scale * rounding) * SLACK
            for value, size in zip(largest, sizes, strict=True)
        )
        shared = by_query, by_key, by_both
    else:
        rivals[:, 1] = -np.inf
        match = np.repeat(found[:, 1:2], limit, 1) - off
        other = np.maximum.accumulate(rivals, 1) + off
    return Margins(match, other, norms[0], norms[1], common[0], amplitude, shared, common[1])
