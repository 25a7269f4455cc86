r"""The expected weight of every lag of a row of independent tokens, enclosed: one query token, one head.

The row has N keys. That of lag 0 is the query's own token; at the other lags keys are drawn independently
from a law of K tokens with integer counts. With the rates `E_t = e^{w_t}` the weight of lag t is
`E_t/(E_t + Z)`, Z the sum of the others. K N exact rates are too many for a sum of exponentials at every
point of time, so that they are put into bins first, each lag's by the counts `P` and the summed rates `M`
of each bin:

1. `E_t/(E_t + Z)` is concave in `E_t`. Where each rate is moved to the two ends of its bin so that its
   mean stays (`M` decides by how much), the expected weight of lag t can only fall.
2. For that law, `softmax.race`: for every `0 = v_0 < ... < v_G` and `m_k >= (v_{k-1} + v_k)/2`, with
   `L'_t(v)` its transform,

       low_t = sum_k [L'_t(v_{k-1}) - L'_t(v_k)] prod_{u != t} L_u(m_k)   <=   E S_t,

   and each factor may be replaced by a lower bound. `e^{-vE}` is convex in E: its tangent at a point c of
   the bin bounds it from below, `e^{-vc} (1 - v (E - c))`, and the sum over the bin needs `P` and `M`
   alone.
3. The weights of a row add up to 1: `E S_t <= 1 - sum_{u != t} low_u`.

Both bins and cells are in proportion to the rates and times, so that one table of exponentials serves every
query and head. The distance between the two bounds is the same at every lag, `1 - sum_u low_u`, and of
second order in the widths of bins (`STEP`, in logits) and cells.

**The error.** Let u = 2^-53. `exp` is assumed to be within 4 units in the last place (relative error 8u),
sums and products obey the standard model in any order.

- Logits. With the errors of vectors of `first_layer`, tables of cosines and sines within `r` (ball
  arithmetic) and a sum of d products, the computed logit is within
  `eps = 1.02 scale [dq (|k| + dk) + |q| dk + |q| |k| (1.5 r + 8u + (d + 2)u)]` of the exact one. Logits
  that are off by at most eps change the odds of every weight by a factor of at most `e^{2 eps}`: the
  lower bounds are multiplied by `1 - 2 eps`, before the upper ones are formed from them. The relative
  error of `E = exp(w)` counts as 8u more of eps, so that computed rates are exact from here on.
- Bins. STEP is a power of two, so that the bin of a computed logit is exact; its ends and rates are
  exponentials within 8u, and the ends are moved outwards by 2^-48. Counts are integers, `P` is exact; `M`
  has a relative error of at most (K + 12)u, a scaling of rates included.
- Transforms. As `x e^{-x} <= .37`, the error of M moves a transform by at most `.5 (K + 12)u`,
  exponentials and products by 16u, the sums over `2 B` bins by `(4 B + 4)u`: in all by less than `e = (K
  + 8 B + 64)u`. (The lowest bin is `[0, z]`, with v z < 1e-4 for every time v: what is summed up in it
  counts for nothing there.)
- A fall is at least `fl(difference) - 3 e`, a factor at least `fl - e`; products of N factors, and sums
  of G + 1 products, lose a factor `1 - 2 (N + G + 8)u`, and 1e-290 for what may underflow.
- The sum of all lower bounds is off by at most `(N + 2)u` of itself, which is taken off, too.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.certificate.first_layer import UNIT, FirstLayer, TokenVectors
from ropeproof.tools.certificate.law import TokenLaw
from ropeproof.tools.conform.expected.exact import certified_tables

__all__ = ["Expected", "LawRows", "logit_error", "turned"]

Floats = NDArray[np.float64]

STEP = 2.0**-3
"""The width of a bin, in logits."""
MOST = 300.0
"""The largest logit for which bounds are given."""

_OUTWARDS = 2.0**-48
_BLOCK = 1 << 18


class Reach(NamedTuple):
    """The range of bins and of times, relative to the row's mean sum of rates.

    Rates from `e^-below` to `e^above` times that sum have bins of their own, smaller ones share one;
    times go from `2^-octaves` to `2^octaves` times its inverse, in `cells` cells after the first.
    """

    below: int
    above: int
    octaves: int
    cells: int


_USUAL, _FAR = Reach(16, 12, 9, 112), Reach(70, 50, 84, 1050)
_ENOUGH = 5e-3
"""A row with more slack is bounded with the far reach, too; the better bound of each lag is taken."""


class Expected(NamedTuple):
    """Lower bounds of the expected weights, `(lags,)`, and the distance of the upper ones from them."""

    lower: Floats
    slack: float

    @property
    def upper(self) -> Floats:
        """The upper bounds of the expected weights, `(lags,)`."""
        return np.minimum(1.0, self.lower + self.slack)


class BinExponentials(NamedTuple):
    """Exponentials of every bin at every time: at its ends, `(2 B, G + 1)`, and for tangents, `(2 B, G)`."""

    left: Floats
    right: Floats
    points: Floats
    spread: Floats
    tangent: Floats


@functools.lru_cache(maxsize=4)
def _tables(reach: Reach) -> BinExponentials:
    steps = np.arange(-round(reach.below / STEP), round(reach.above / STEP) + 1)
    edges = np.exp(STEP * steps)
    left = np.concatenate([[0.0], edges[:-1]]) * (1 - _OUTWARDS)
    right = edges * (1 + _OUTWARDS)
    points = (left + right) / 2
    times = np.concatenate(
        [[0.0], np.exp2(np.linspace(-reach.octaves, reach.octaves, reach.cells + 1))]
    )
    middles = (times[:-1] + times[1:]) / 2 * (1 + 2.0**-49)
    with np.errstate(under="ignore"):
        spread = np.exp(-np.concatenate([left, right])[:, None] * times)
        at_points = np.exp(-points[:, None] * middles)
        tangent = np.concatenate([at_points, at_points * middles])
    return BinExponentials(left, right, points, spread, tangent)


def turned(layer: FirstLayer, lags: int) -> tuple[NDArray[np.complex128], float]:
    """`scale a_l^2 e^{i theta_l t}`, `(lags, planes)`, and the error of an entry before the scale.

    The tables have the attention factor once, as those of a library; queries and keys have it both.
    """
    found = certified_tables(layer.spec, np.arange(lags, dtype=np.int64))
    factor = float(layer.spec.attention_factor())
    again = np.ones(layer.spec.planes)
    again[: layer.spec.rotary_planes] = factor
    size = max(1.0, factor)
    turns = np.empty(found.cosines.shape, dtype=np.complex128)
    turns.real = layer.scale * (found.cosines * again)
    turns.imag = layer.scale * (found.sines * again)
    return turns, size * (found.error + (0.0 if factor == 1 else 4 * UNIT * size))


def logit_error(
    layer: FirstLayer, queries: TokenVectors, keys: TokenVectors, table_error: float
) -> Floats:
    """How far a computed logit may be from the exact one, for any key, `(heads, queries)`."""
    which = [layer.key_head(head) for head in range(layer.heads)]
    norms, errors = keys.norms.max(-1)[which, None], keys.errors.max(-1)[which, None]
    rounding = 1.5 * table_error / layer.gain + (layer.spec.head_dim + 10) * UNIT
    result: Floats = (1.02 * layer.scale * layer.gain) * (
        queries.errors * (norms + errors)
        + queries.norms * errors
        + queries.norms * norms * rounding
    )
    return result


@dataclass(frozen=True, eq=False)
class LawRows:
    """Rows of `lags` keys drawn from a law, in every head of a first layer.

    `every_head(token)` encloses the expected weight of every lag behind a query token.
    """

    layer: FirstLayer
    law: TokenLaw
    lags: int

    def __post_init__(self) -> None:
        if self.lags < 2:
            raise InvalidArgument("lags", self.lags, "an integer >= 2")
        if self.layer.window is not None and self.lags > self.layer.window:
            allowed = f"at most {self.layer.window}, the window of the layer"
            raise InvalidArgument("lags", self.lags, allowed)
        if self.law.tokens.max() >= self.layer.vocabulary:
            allowed = f"ids below {self.layer.vocabulary}, the vocabulary of {self.layer.name}"
            raise InvalidArgument("law", f"the token {self.law.tokens.max()}", allowed)

    @functools.cached_property
    def keys(self) -> TokenVectors:
        """The keys of the law's tokens."""
        return self.layer.keys(self.law.tokens)

    @functools.cached_property
    def _flat_keys(self) -> Floats:
        """The keys of the law's tokens with real coordinates, `(key heads, 2 planes, tokens)`."""
        planes = self.keys.planes
        return np.ascontiguousarray(
            np.concatenate([planes.real, planes.imag], -1).transpose(0, 2, 1)
        )

    @functools.cached_property
    def _turns(self) -> tuple[NDArray[np.complex128], float]:
        return turned(self.layer, self.lags)

    @functools.cached_property
    def _counts(self) -> Floats:
        return self.law.counts.astype(np.float64)

    def every_head(self, token: int) -> list[Expected]:
        """Enclosures of the expected weights behind one query token, one for each head.

        Raises `InvalidArgument` if a logit may exceed `MOST`.
        """
        tokens = np.array([token], dtype=np.int64)
        queries, own = self.layer.queries(tokens), self.layer.keys(tokens)
        turns, table_error = self._turns
        errors = np.maximum(
            logit_error(self.layer, queries, self.keys, table_error),
            logit_error(self.layer, queries, own, table_error),
        )
        found = []
        for head in range(self.layer.heads):
            back = queries.planes[head, 0] * turns
            flat = np.concatenate([back.real, back.imag], -1)
            key = self.layer.key_head(head)
            mine = own.planes[key, 0]
            self_logit = float(flat[0] @ np.concatenate([mine.real, mine.imag]))
            norms = max(self.keys.norms[key].max(), own.norms[key, 0])
            found.append(
                self._enclosed(
                    flat,
                    self._flat_keys[key],
                    self_logit,
                    largest=float(queries.norms[head, 0] * norms)
                    * self.layer.scale
                    * self.layer.gain
                    * 1.01,
                    error=float(errors[head, 0]),
                )
            )
        return found

    def _enclosed(
        self, queries: Floats, keys: Floats, own: float, *, largest: float, error: float
    ) -> Expected:
        """The enclosure from the turned queries `(lags, d)`, keys `(d, K)` and the query's own logit."""
        if not largest <= MOST:
            raise InvalidArgument("model", f"logits up to {largest:g}", f"at most {MOST:g}")
        count, sums, first = self._binned(queries, keys, own, math.floor(largest / STEP) + 1)
        total = self.law.total
        shrink = 1 - 2 * (error + 8 * UNIT) - 4 * UNIT
        lower, slack = np.zeros(len(queries)), 1.0
        for reach in (_USUAL, _FAR):
            found = _lower(count, sums, first, total, len(self.law.tokens), reach)
            lower = np.maximum(lower, found * shrink)
            slack = 1 - float(lower.sum()) * (1 - (len(lower) + 4) * UNIT) + 4 * UNIT
            if slack <= _ENOUGH:
                break
        return Expected(lower, slack)

    def _binned(
        self, queries: Floats, keys: Floats, own: float, most: int
    ) -> tuple[Floats, Floats, int]:
        """Counts and summed rates by lag and bin, `(lags, bins)`, and the number of the first bin."""
        bins, lags, width = 2 * most + 1, len(queries), keys.shape[1]
        count, sums = np.empty((lags, bins)), np.empty((lags, bins))
        block = max(1, _BLOCK // width)
        weights = np.tile(self._counts, (min(block, lags), 1))
        for start in range(0, lags, block):
            part = slice(start, min(start + block, lags))
            logits = queries[part] @ keys
            rows = len(logits)
            places = np.floor(logits * (1 / STEP)).astype(np.intp)
            places += (most + bins * np.arange(rows))[:, None]
            flat = places.reshape(-1)
            shares = weights[:rows]
            rates = np.exp(logits, out=logits)
            rates *= shares
            size = rows * bins
            count[part] = np.bincount(flat, shares.reshape(-1), size).reshape(rows, bins)
            sums[part] = np.bincount(flat, rates.reshape(-1), size).reshape(rows, bins)
        place = math.floor(own / STEP) + most
        count[0], sums[0] = 0.0, 0.0
        count[0, place] = self.law.total
        sums[0, place] = self.law.total * math.exp(own)
        return count, sums, -most


def _lower(
    count: Floats, sums: Floats, first: int, total: int, values: int, reach: Reach
) -> Floats:
    """Lower bounds of the expected weights by `softmax.race`, `(lags,)`, from sums by bin."""
    tables = _tables(reach)
    bins = len(tables.left)
    # The bin in which the mean sum of rates is, which comes to 1; rates above all bins move it up.
    mean = math.log(float(sums.sum()) / total)
    top = int(np.flatnonzero(count.any(0))[-1]) + first
    unit = max(round(mean / STEP), top + 1 - round(reach.above / STEP))
    lowest = unit - round(reach.below / STEP)  # bin 0 has all below it
    cut = min(max(lowest - first, 0), count.shape[1])
    scaled = sums * math.exp(-unit * STEP)
    counts, rates = np.zeros((len(count), bins)), np.zeros((len(count), bins))
    counts[:, 0], rates[:, 0] = count[:, :cut].sum(1), scaled[:, :cut].sum(1)
    begin = first + cut - lowest + 1
    kept = count[:, cut : cut + bins - begin]
    counts[:, begin : begin + kept.shape[1]] = kept
    rates[:, begin : begin + kept.shape[1]] = scaled[:, cut : cut + bins - begin]
    right_share = (rates - counts * tables.left) / (tables.right - tables.left)
    right_share = np.clip(right_share, 0.0, counts)
    spread = np.concatenate([counts - right_share, right_share], 1) / total
    tangents = np.concatenate([counts, counts * tables.points - rates], 1) / total
    error = (values + 8 * bins + 64) * UNIT
    falls = np.maximum(-np.diff(spread @ tables.spread, axis=1) - 3 * error, 0.0)
    factors = np.clip(tangents @ tables.tangent - error, 0.0, 1.0)
    with np.errstate(under="ignore"):
        others = np.ones_like(factors)
        np.cumprod(factors[:-1], 0, out=others[1:])
        after = np.cumprod(factors[:0:-1], 0)[::-1]
        others[:-1] *= after
        shrink = 1 - 2 * (len(count) + reach.cells + 8) * UNIT
        terms = falls * np.maximum(others * shrink - 1e-290, 0.0)
    result: Floats = np.maximum(terms.sum(1) * shrink, 0.0)
    return result
