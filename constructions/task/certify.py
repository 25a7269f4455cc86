r"""What a composed network decodes on every input, by bounds carried through its layers.

Read are the numbers that are stored (weights, embeddings, read-out, after rounding to the type they
are run in), and the wiring they must have. Then, layer by layer, for every input:

1. **Norm.** The state of position `p` is multiplied by a factor `f_p`, the same for all its
   coordinates; the factors lie in an interval that follows from the size of the states.
2. **Attention.** A query is `c` times one of few vectors, up to a bounded deviation, and a key
   `f_j` times one of few. With `m` the smallest logit of a match and `w` the largest of the rest,
   `gap >= c (f_min m - f_max w) - 2 (deviation + rounding)`, and `softmax.margin` bounds the
   weight of the matches from below, so the mass `delta` elsewhere from above.
3. **States.** What is fetched differs from the matching token's register by at most `delta` times
   the largest entry; sums and roundings follow. For the number task the bounds are kept for every
   number of hops a position may have, because the residual stream keeps adding.

At the end the read-out must prefer the right token to every other one by more than rounding.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.slash.rounding import SLACK, Rounding
from ropeproof.constructions.task.margins import Margins
from ropeproof.constructions.task.plan import Plan
from ropeproof.numerics.softmax import weight_bound
from ropeproof.theory.errors import InvalidArgument

__all__ = ["NetworkBound", "Norm", "Transport", "network_bound"]

Floats = NDArray[np.float64]
_LARGEST = 700.0


@dataclass(frozen=True, kw_only=True)
class Norm:
    """The norm before every layer and before the read-out.

    - `kind`: `"root mean square"` (Llama) or `"layer"` (GPT-J), weight 1 and bias 0;
    - `hidden`: coordinates of the stream; `epsilon`: what is added to the mean square;
    - `unit`: unit roundoff inside it;
    - `constant`: the size of the constant coordinate; under a layer norm there is a second one of
      the opposite sign and a coordinate that balances the sum of the others.

    Nothing else of the code is assumed than that the mean square and the mean are formed with a
    relative error of `4 (hidden + 8)` roundings of their terms, in any order, and that every
    coordinate is then rounded at most four times inside and twice to the type.
    """

    kind: str
    hidden: int
    epsilon: float
    unit: float
    constant: float

    @property
    def centred(self) -> bool:
        """Whether a mean is subtracted."""
        return self.kind == "layer"

    @property
    def nominal(self) -> float:
        """The factor of a state that is nothing but the constant: what weights are divided by."""
        constants = 2 if self.centred else 1
        return math.sqrt(self.hidden / constants) / self.constant


@dataclass(frozen=True, kw_only=True)
class Transport:
    """From value to residual stream: the product of value and output weights of a layer.

    `least`, `most`: its gains, times the norm's nominal factor; `imbalance`: the largest sum of a
    column of the output weights with the balance coordinate included, relative to the gain;
    `terms`: the number of terms of the longest sum.
    """

    least: float
    most: float
    imbalance: float
    terms: int


@dataclass(frozen=True, kw_only=True)
class NetworkBound:
    """What is guaranteed of a composed network on every input of at most `length` tokens.

    - `gap`: the read-out prefers the right token by that much in units of one register entry,
      rounding subtracted, at least; positive is a guarantee, anything else none;
    - `margin`: the smallest gap of a layer's matching logit to the others, in logits, deviation and
      rounding subtracted; `margins`: of every layer;
    - `weight`: the weight on the matching tokens in every layer, at least;
    - `deviation`: what states and rounding move a logit by, at most; `amplitude`: no logit is
      larger; both in logits;
    - `spread`: largest over smallest factor of a norm, 1 without norms.
    """

    length: int
    gap: float
    margins: tuple[float, ...]
    weight: float
    deviation: float
    amplitude: float
    spread: float

    @property
    def margin(self) -> float:
        """The smallest of `margins`."""
        return min(self.margins)

    @property
    def holds(self) -> bool:
        """Whether every input is decoded correctly, guaranteed."""
        return self.gap > 0 and math.isfinite(self.deviation)


@dataclass(kw_only=True)
class _Size:
    """Bounds on the registers of any position: Euclidean length, sum, and error of the sum."""

    euclid: float
    total: float
    off: float = 0.0


@dataclass(frozen=True, kw_only=True)
class _Layer:
    """Bounds of one layer's attention.

    `low`, `high`: the norm's factor over the nominal one; `shift`: what it adds to an entry before
    its factor; `relative`: relative rounding of an entry; `weight`: on the matches, at least;
    `mass`: all weights together, at most; `rest`: those elsewhere than on the matches, at most.
    """

    low: float
    high: float
    shift: float
    relative: float
    margin: float = 0.0
    weight: float = 0.0
    mass: float = 1.0
    rest: float = 0.0
    deviation: float = 0.0
    amplitude: float = 0.0


class _Walk:
    """The layers of one network, one after the other."""

    def __init__(
        self,
        plan: Plan,
        margins: tuple[Margins, ...],
        transports: tuple[Transport, ...],
        rounding: Rounding,
        table: float,
        norm: Norm | None,
        head_dim: int,
        length: int,
    ) -> None:
        self.plan, self.margins, self.transports = plan, margins, transports
        self.rounding, self.table, self.norm = rounding, table, norm
        self.head_dim, self.length = head_dim, length
        self.unit = max(rounding.unit, rounding.sums)
        self.layers: list[_Layer] = []

    def normed(self, size: _Size) -> _Layer:
        """The factors of a norm on states of this size."""
        if self.norm is None:
            return _Layer(low=1.0, high=1.0, shift=0.0, relative=0.0)
        norm, hidden = self.norm, self.norm.hidden
        constants = (2 if norm.centred else 1) * norm.constant**2
        drift = 4 * _gamma(hidden + 8, norm.unit)
        shift = 0.0
        largest = constants + size.euclid**2
        if norm.centred:
            # The balance coordinate is as large as the sum of the registers.
            largest += (size.total + size.off) ** 2
            every = 2 * norm.constant + 2 * (size.total + size.off)
            shift = (size.off + drift * every) / hidden * SLACK
        mean_squares = (constants / hidden - shift**2, largest / hidden)
        low = 1 / math.sqrt((mean_squares[1] + norm.epsilon) * (1 + drift))
        high = 1 / math.sqrt((mean_squares[0] + norm.epsilon) * (1 - drift))
        relative = (4 * norm.unit + 2 * self.rounding.unit) * SLACK
        return _Layer(
            low=low / norm.nominal / SLACK,
            high=high / norm.nominal * SLACK,
            shift=shift * (1 + relative) * SLACK,
            relative=relative,
        )

    def attend(self, number: int, size: _Size, low: float, high: float, off: float) -> _Layer:
        """One layer's attention, from pointers between `low` and `high` and `off` in all elsewhere.

        `off` counts every entry of the query's register but the largest, over that one.
        """
        normed, table = self.normed(size), self.margins[number]
        classes = len(self.plan.layers[number].query)
        keys = len(self.plan.layers[number].key)
        constant = 1.0 if self.norm is None else self.norm.constant
        unit_key = constant if self.plan.task == "number" else 1.0
        # The mean is subtracted from all coordinates alike; only its rounding differs.
        common = table.query_sum / table.query_norm + normed.relative * classes
        query_off = (off + normed.relative * (1 + off) + normed.shift * common / low) * SLACK
        key_off = (normed.relative + normed.shift * keys / unit_key) * SLACK
        least, most = normed.low * low, normed.high * high * SLACK
        norms = (
            most * table.query_norm * (1 + query_off) * SLACK,
            normed.high * table.key_norm * (1 + key_off) * SLACK,
        )
        scale = 1 / math.sqrt(self.head_dim) * SLACK
        width = self.plan.width + 8
        if self.norm is not None:
            width = self.norm.hidden + 8
        sides = [self.rounding.side(n, n, width=width, table=self.table) for n in norms]
        product = self.rounding.product(*sides, head_dim=self.head_dim)
        # A tie of the two products would be lost in the last places of the larger one.
        rounded = scale * (product - norms[0] * norms[1] + 2.0**-50 * product) * SLACK
        amplitude = scale * norms[0] * norms[1] * SLACK + rounded
        rounded = (rounded + self.rounding.input_error(amplitude)) * SLACK
        both = query_off + key_off + query_off * key_off
        deviation = (most * normed.high * table.amplitude * both + rounded) * SLACK
        column = self.length - 1
        match, other = table.match[:, column], table.other[:, column]
        gaps = np.minimum(normed.low * match, normed.high * match)
        gaps = gaps - np.maximum(normed.low * other, normed.high * other)
        gap = float(gaps.min())
        gap = (least if gap > 0 else most) * gap
        margin = gap - 2 * deviation - 2.0**-48 * (abs(gap) + amplitude + deviation)
        factor = self.rounding.weight_factor(self.length, 2 * amplitude)
        weight, mass, rest = 0.0, math.inf, math.inf
        if math.isfinite(margin) and factor > 0:
            exact = weight_bound(min(max(margin, -_LARGEST), _LARGEST), self.length).lower
            # Every computed weight is the exact one times a number between factor and 1/factor.
            weight, mass = max(0.0, exact * factor / SLACK), SLACK / factor
            rest = (1 - exact + 2.0**-50) * mass * SLACK
        layer = _Layer(
            low=normed.low,
            high=normed.high,
            shift=normed.shift,
            relative=normed.relative,
            margin=margin,
            weight=weight,
            mass=mass,
            rest=rest,
            deviation=deviation,
            amplitude=amplitude,
        )
        self.layers.append(layer)
        return layer

    def rounded(self, number: int) -> float:
        """Relative error of the three sums from an entry to what is added to the stream."""
        projected = _gamma(self.transports[number].terms, self.rounding.sums) + self.rounding.unit
        mixed = _gamma(self.length, self.rounding.sums) + self.rounding.unit
        return ((1 + projected) ** 2 * (1 + mixed) - 1) * SLACK

    def fetched(
        self, number: int, layer: _Layer, low: float, high: float, largest: float
    ) -> tuple[float, float]:
        """Bounds of what is added to an entry that is between `low` and `high` in the matches.

        `largest` bounds the entry's size at all positions.
        """
        transport = self.transports[number]
        gain = transport.most * layer.high * SLACK
        noise = layer.shift + layer.relative * max(abs(low), abs(high))
        elsewhere = gain * layer.rest * (largest * (1 + layer.relative) + layer.shift)
        # Zeros are summed exactly: rounding is relative to what there is in this entry.
        here = gain * layer.mass * (max(abs(low), abs(high)) + noise)
        rounded = self.rounded(number) * (here + elsewhere) * SLACK
        above = gain * layer.mass * (max(high, 0.0) + noise) + elsewhere + rounded
        if low > 0:
            kept = transport.least * layer.low * layer.weight * low / SLACK
        else:
            kept = gain * layer.mass * low
        below = kept - gain * layer.mass * noise - elsewhere - rounded
        return below - 2.0**-48 * (abs(below) + gain * largest), above * SLACK

    def add(self, number: int, size: _Size, layer: _Layer, *, fresh: float, entries: int) -> None:
        """Update the sizes by a layer that writes `entries` coordinates.

        `fresh` is the sum of a register's entries that the layer reads, at most; its Euclidean
        length is bounded by it too, unless it is the register that is written.
        """
        gain = self.transports[number].most * layer.high * layer.mass * SLACK
        relative = (1 + layer.relative) * (1 + self.rounded(number)) * SLACK
        noise = gain * layer.shift * entries * relative
        total = gain * fresh * relative + noise
        euclid = gain * min(fresh, size.euclid if self.plan.task == "number" else fresh) * relative
        grown = (1 + 2 * self.rounding.unit) * SLACK
        size.off += self.transports[number].imbalance * total
        size.off += 4 * (self.rounded(number) + self.unit) * (total + size.total)
        if self.plan.task == "number":
            size.euclid = (size.euclid + euclid + noise) * grown
        else:
            size.euclid = math.hypot(size.euclid, euclid + noise) * grown
        size.total = (size.total + total) * grown

    def bound(self, gap: float, last: _Layer) -> NetworkBound:
        """The record of all layers."""
        return NetworkBound(
            length=self.length,
            gap=gap if math.isfinite(gap) else -math.inf,
            margins=tuple(layer.margin for layer in self.layers),
            weight=min(layer.weight for layer in self.layers),
            deviation=max(layer.deviation for layer in self.layers),
            amplitude=max(layer.amplitude for layer in self.layers),
            spread=max(layer.high / layer.low for layer in (*self.layers, last)),
        )

    def read_out(self, layer: _Layer, low: float, high: float, off: float) -> float:
        """How much the right code beats another, rounding subtracted, over one entry's unit."""
        sums = 2 * (_gamma(self.plan.width + 8, self.rounding.sums) + self.rounding.unit)
        if self.norm is not None:
            sums = 2 * (_gamma(self.norm.hidden + 8, self.rounding.sums) + self.rounding.unit)
        kept = low * (1 - layer.relative) - layer.shift
        rival = off * (1 + layer.relative) + layer.shift
        entry = max(high, abs(low), off) * (1 + layer.relative) + layer.shift
        return kept - rival - 2 * sums * self.plan.parts * entry * SLACK


def network_bound(
    plan: Plan,
    margins: tuple[Margins, ...],
    transports: tuple[Transport, ...],
    *,
    length: int,
    head_dim: int,
    rounding: Rounding,
    table: float,
    norm: Norm | None = None,
) -> NetworkBound:
    """Bound what the network decodes on every input of at most `length` tokens.

    `margins` and `transports` are those of the layers, `rounding` that of the type it is run in,
    `table` the error of its rotation tables per attention factor. Claims `task.compose-index` and
    `task.compose-retrieval-chain`. Raises `InvalidArgument` if the tables are shorter than the length.
    """
    if any(length > table_of.match.shape[1] for table_of in margins):
        allowed = f"at most {min(t.match.shape[1] for t in margins)}"
        raise InvalidArgument("length", length, allowed)
    walk = _Walk(plan, margins, transports, rounding, table, norm, head_dim, length)
    return _number(walk) if plan.task == "number" else _letter(walk)


def _number(walk: _Walk) -> NetworkBound:
    """Bounds by the number of hops of a position; the last class is of all beyond the layers."""
    plan, hops = walk.plan, walk.plan.hops
    low, high, off = np.zeros(hops + 2), np.zeros(hops + 2), np.zeros(hops + 2)
    low[0] = high[0] = largest = 1.0
    size = _Size(euclid=math.sqrt(plan.parts + 1), total=plan.parts + 1.0)
    entries = len(plan.answer)
    grown = 1 + walk.rounding.unit
    for number in range(hops):
        layer = walk.attend(number, size, 1.0, 1.0, 0.0)
        before = (low.copy(), high.copy(), off.copy())
        for hop in range(hops + 2):
            # A letter finds itself; beyond the layers a position finds one with one hop less.
            targets = [max(hop - 1, 0)] if hop <= hops else [hops, hops + 1]
            lows, highs, offs = (side[targets] for side in before)
            added = walk.fetched(number, layer, lows.min(), highs.max(), largest)
            low[hop] += added[0]
            low[hop] -= walk.rounding.unit * (abs(low[hop]) + abs(high[hop]) + abs(added[1]))
            high[hop] = (high[hop] + added[1]) * grown * SLACK
            wrong = walk.fetched(number, layer, -offs.max(), offs.max(), largest)
            off[hop] = (off[hop] + max(abs(wrong[0]), wrong[1])) * grown * SLACK
        walk.add(number, size, layer, fresh=size.total, entries=entries)
        more = walk.fetched(number, layer, 0.0, largest, largest)[1]
        largest = (largest + more) * grown * SLACK
    last = walk.normed(size)
    resolved = [walk.read_out(last, low[h], high[h], off[h]) for h in range(hops + 1)]
    # Against the integers: all parts of the code, and none of an unresolved one.
    weight = plan.fallback
    rounded = 4 * (_gamma(entries + 64, walk.rounding.sums) + walk.rounding.unit)
    own = weight * (1 + last.relative) + (plan.parts + weight) * last.shift
    ahead = []
    for hop in range(hops + 1):
        kept = plan.parts * low[hop] * (1 - last.relative) - own
        ahead.append(kept - rounded * (plan.parts * high[hop] + weight) * SLACK)
    stray = plan.parts * max(high[-1], off[-1]) * (1 + last.relative)
    behind = weight * (1 - last.relative) - stray - (plan.parts + weight) * last.shift
    behind -= rounded * (stray + weight) * SLACK
    return walk.bound(float(min(*resolved, *ahead, behind)), last)


def _letter(walk: _Walk) -> NetworkBound:
    """Bounds of the last position's pointers; each layer writes a register of its own."""
    plan, hops = walk.plan, walk.plan.hops
    letters = len(plan.layers[0].key)
    size = _Size(euclid=math.sqrt(3.0), total=3.0)
    low, high, off = 1.0, 1.0, 0.0
    for number in range(hops):
        layer = walk.attend(number, size, low, high, off)
        low, high = walk.fetched(number, layer, 1.0, 1.0, 1.0)
        # The entries of one code sum to 1, so those elsewhere to the rest's weight; noise is in all.
        wrong, noise = (
            max(abs(end) for end in walk.fetched(number, layer, 0.0, 0.0, largest))
            for largest in (1.0, 0.0)
        )
        final = number == hops - 1
        fresh = 2.0 if final else 1.0
        walk.add(number, size, layer, fresh=fresh, entries=len(plan.layers[number].write))
        low -= walk.rounding.unit * (abs(low) + abs(high))
        high *= 1 + walk.rounding.unit
        if not low > 0:
            walk.layers.extend([layer] * (hops - 1 - number))
            return walk.bound(-math.inf, walk.normed(size))
        off = wrong if final else (wrong + letters * noise) / low
        off *= (1 + walk.rounding.unit) * SLACK
    last = walk.normed(size)
    return walk.bound(float(walk.read_out(last, low, high, off)), last)


def _gamma(terms: int, unit: float) -> float:
    return terms * unit / (1 - terms * unit) if terms * unit < 0.5 else math.inf
