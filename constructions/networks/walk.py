"""Bounds carried through the layers of a composed network: norm, attention, states, read-out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ropeproof.constructions.heads.slash.rounding import SLACK, Rounding, gamma
from ropeproof.constructions.networks.margins import Margins
from ropeproof.constructions.networks.plan import Plan
from ropeproof.numerics.core.softmax import weight_bound

__all__ = ["LayerNorms", "NetworkBound", "Size", "Transport", "Walk"]

_LARGEST = 700.0


@dataclass(frozen=True, kw_only=True)
class LayerNorms:
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
    """Gains of a layer from values to residual stream: products of value and output weights.

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
class Size:
    """Bounds on the registers of any position: Euclidean length, sum, and error of the sum."""

    euclid: float
    total: float
    off: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Layer:
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


class Walk:
    """Carries bounds through the layers of one network, one after the other."""

    def __init__(
        self,
        plan: Plan,
        margins: tuple[Margins, ...],
        transports: tuple[Transport, ...],
        rounding: Rounding,
        table: float,
        norm: LayerNorms | None,
        head_dim: int,
        length: int,
    ) -> None:
        self.plan, self.margins, self.transports = plan, margins, transports
        self.rounding, self.table, self.norm = rounding, table, norm
        self.head_dim, self.length = head_dim, length
        self.unit = max(rounding.unit, rounding.sums)
        self.layers: list[Layer] = []

    def normed(self, size: Size) -> Layer:
        """Bounds of the factors of a norm on states of this size."""
        if self.norm is None:
            return Layer(low=1.0, high=1.0, shift=0.0, relative=0.0)
        norm, hidden = self.norm, self.norm.hidden
        constants = (2 if norm.centred else 1) * norm.constant**2
        drift = 4 * gamma(hidden + 8, norm.unit)
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
        return Layer(
            low=low / norm.nominal / SLACK,
            high=high / norm.nominal * SLACK,
            shift=shift * (1 + relative) * SLACK,
            relative=relative,
        )

    def attend(
        self,
        number: int,
        size: Size,
        low: float,
        high: float,
        off: float,
        *,
        written: tuple[float, float] = (0.0, 0.0),
    ) -> Layer:
        """Bounds of a layer's attention where the query register's top entry is in `[low, high]`.

        `off` counts every entry of the query's register but the largest, over that one. Keys that
        an earlier layer has written are off by the first of `written` of their length at most, and by
        the second in all coordinates of their register alike. Where a table has `shared`, margins
        are leads between keys of one kind, so the spread of the norm's factors is a deviation.
        """
        normed, table = self.normed(size), self.margins[number]
        classes = len(self.plan.layers[number].query)
        keys = len(self.plan.layers[number].key)
        constant = 1.0 if self.norm is None else self.norm.constant
        # Coordinates of keys count by their size; where they differ the smallest is counted.
        unit_key = float(self.plan.units(self.plan.layers[number].key, constant).min())
        # The mean is subtracted from all coordinates alike; only its rounding differs.
        common = table.query_sum / table.query_norm + normed.relative * classes
        query_off = (off + normed.relative * (1 + off) + normed.shift * common / low) * SLACK
        key_off = (normed.relative + normed.shift * keys / unit_key) * SLACK
        common_off, longer = 0.0, [query_off, key_off]
        if table.shared is not None:
            by_query, by_key, by_both = table.shared
            first, second = normed.shift, normed.shift + written[1]
            common_off = first * by_query + second * by_key + first * second * by_both
            own = normed.relative * (classes + keys) + normed.shift / constant
            query_off = (off + own) * SLACK
            spread = normed.high / normed.low - 1
            key_off = (own + written[0] + spread) * (1 + own) * SLACK
            longer = [
                (query_off + first * table.query_sum / table.query_norm) * SLACK,
                (key_off + second * table.key_sum / table.key_norm) * SLACK,
            ]
        least, most = normed.low * low, normed.high * high * SLACK
        norms = (
            most * table.query_norm * (1 + longer[0]) * SLACK,
            normed.high * table.key_norm * (1 + longer[1]) * SLACK,
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
        moved = table.amplitude * both + common_off
        deviation = (most * normed.high * moved * SLACK + rounded) * SLACK
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
        layer = Layer(
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
        projected = gamma(self.transports[number].terms, self.rounding.sums) + self.rounding.unit
        mixed = gamma(self.length, self.rounding.sums) + self.rounding.unit
        return ((1 + projected) ** 2 * (1 + mixed) - 1) * SLACK

    def fetched(
        self, number: int, layer: Layer, low: float, high: float, largest: float
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

    def add(self, number: int, size: Size, layer: Layer, *, fresh: float, entries: int) -> None:
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

    def bound(self, gap: float, last: Layer) -> NetworkBound:
        """The `NetworkBound` of all layers together."""
        return NetworkBound(
            length=self.length,
            gap=gap if math.isfinite(gap) else -math.inf,
            margins=tuple(layer.margin for layer in self.layers),
            weight=min(layer.weight for layer in self.layers),
            deviation=max(layer.deviation for layer in self.layers),
            amplitude=max(layer.amplitude for layer in self.layers),
            spread=max(layer.high / layer.low for layer in (*self.layers, last)),
        )

    def read_out(self, layer: Layer, low: float, high: float, off: float) -> float:
        """A lower bound of the right code's lead over others, in units of one register entry.

        Rounding is subtracted.
        """
        sums = 2 * (gamma(self.plan.width + 8, self.rounding.sums) + self.rounding.unit)
        if self.norm is not None:
            sums = 2 * (gamma(self.norm.hidden + 8, self.rounding.sums) + self.rounding.unit)
        kept = low * (1 - layer.relative) - layer.shift
        rival = off * (1 + layer.relative) + layer.shift
        entry = max(high, abs(low), off) * (1 + layer.relative) + layer.shift
        return kept - rival - 2 * sums * self.plan.parts * entry * SLACK
