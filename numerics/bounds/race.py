r"""Expected attention on independent keys, enclosed: the sums of `softmax.race`.

A softmax weight is the probability that one of many exponential clocks rings first. Where the logits of a
row's lags are independent, the expected weight of every lag follows from one function a lag,
`L_t(v) = E exp(-v e^{w_t})`: for `0 = v_0 < ... < v_K` and any `m_k >= (v_{k-1} + v_k)/2`

    low_t = sum_k [L_t(v_{k-1}) - L_t(v_k)] prod_{u != t} L_u(m_k) <= E S_t <= 1 - sum_{u != t} low_u.

(`softmax.race` has the midpoint itself; `L_u` falls, so that a larger `m_k` makes `low_t` smaller.)
Nothing is sampled. How far apart the two are is decided by the grid, which follows the
distribution of `T = sum_t e^{w_t}`; that they bound is not.

**The error, proven from this model.** Let u = 2^-53. The logits and weights are exact doubles. The
library's `exp` (and `log`, for the middles of cells in logarithms) is within 4 units in the last place
(relative error at most 8u); sums and products obey the standard model in any order, `fl(a op b) =
(a op b)(1 + d)`, `|d| <= u`, plus at most 2^-1074 where a product or exponential underflows. The points
are exact as they are: doubles that do not fall, or in logarithms `e^s` for doubles s that rise.

1. A term. Near: with the row's largest logit c and spread `R = c - min w <= 600`, `E = fl(exp(fl(w -
   c)))` has a relative error of at most `(R + 8)u(1 + 700u)`, `z = fl(E v)` of `(R + 9)u(1 + ...)`.
   As `z e^-z <= 1/e`, `e^-z` is off by at most `.37(R + 9)u`, and its own exponential by 8u.
   Far: `z = fl(exp(fl(fl(w - c) + s)))`, `v = e^s`; `ln z` is off by `(R + |ln z|)u`, and
   `e^-z z|ln z| <= .28`, so that the term is off by at most `(.37 R + .28 + 8 * .37 + 8)u`; past the
   range of doubles z is 0 or infinite and the term 1 or 0, off by less than 2^-1000.
   Either way by at most `(.4 R + 13)u`.
   A term at `2^j v`, j < 8, is squared from that at v: a relative error r becomes at most 2r + u, so
   that of `e^{-Z}`, `Z = 2^j z`, is at most `(Z(R + 9) + 9 * 2^j)u`: off by `(.4 R + 4 + 1152)u`.
2. `L`, a mean over V values with probabilities `p_x = fl(weight_x / fl(sum))`: off by at most
   `e = (.4 R + 13 + 2V + 4)u * 1.01`, since terms lie between 0 and 1.
3. A fall `L(v_{k-1}) - L(v_k)` is at least `max(0, fl(difference) - 3e)`, since `v_{k-1} <= v_k`.
   A point not below its cell's middle: in logarithms `l + log((1 + e^a)/2)` with `a = r - l <= 600`
   is off by at most `(9a + |m| + 10)u`, and `(|m| + a + 1)32u` is added.
4. A product of n factors `max(0, L - e)`, by products from the left and from the right: at least
   `max(0, fl(product)(1 - 2(n + 4)u) - 1e-290)`.
5. `low_t`: K products and their sum, a factor `1 - 2(K + 4)u`; `upper_t = 1 - (fl(sum low) - low_t)
   + 4(n + 4)u`.

The factors of two and the third `e` are for the second order, and for these operations themselves.
With V = 512 values `e` is about 2.5e-13 (with `9 * 128 u` added to it for the squares): a row of 512
lags loses some 1e-7 to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["RaceBounds", "expected_needle_score", "race_bounds"]

Floats = NDArray[np.float64]

UNIT = 2.0**-53
NEAR = 600.0
"""The largest spread of a row's logits at which their exponentials are computed once for all points."""
FAR = 1e9
"""The largest spread of a row's logits for which the error model holds."""

_COARSE, _ROUNDS, _SAMPLE, _FINE = 24, 3, 64, 96
_LOST = 0.1
"""The loss allowed in the first cell and after the last one, times the squared number of cells."""
_MOST_OCTAVES, _SQUARINGS = 32, 8
_LIFT = 1 + 2.0**-49
_BLOCK = 2**14
"""Exponentials at a time of a row shorter than that, so that they stay in the cache."""


class RaceBounds(NamedTuple):
    """Lower and upper bounds of expected attention weights, `(..., lags)` each, from 0 to 1."""

    lower: Any
    upper: Any


def race_bounds(logits: Any, *, weights: Any = None, cells: int = 200) -> RaceBounds:
    r"""Enclosures of the expected attention weight of every lag in rows of independent logits.

    `logits` are `(..., lags, values)`: the logit of lag t is one of its values at random, independently of
    the other lags. Values are equally likely, or as `weights` say: numbers that are not negative, of a
    shape that broadcasts to that of `logits`, whose sum over the values is not 0; probabilities are
    proportional to them. A lag whose logit is certain has one value several times.

    Returns `lower`, `upper`, `(..., lags)`, in float64: NumPy arrays, or torch tensors on their device
    if `logits` is one. The bounds hold whatever the rounding, by the error model of this module. With
    `cells` = 200 they are at most 5e-4 apart on rows of 512 keys of the models tried; the distance
    falls with the square of the cells.

    >>> lower, upper = race_bounds([[0.0, 0.0], [0.0, 0.0]])
    >>> bool((lower <= 0.5).all() and (0.5 <= upper).all() and (upper - lower < 1e-3).all())
    True

    Cost: `2 cells` multiplications and additions a logit and some 40 exponentials (`2 cells` of these
    where a row's rates spread over more than 32 octaves); memory twice that of one row.
    Claim `softmax.race`. Raises `InvalidArgument` on numbers that are not finite, on types other than
    real numbers of at most 64 bits, on a device whose exponential is not known to be as exact as
    assumed (allowed: NumPy; torch on cpu and cuda), on a negative weight, on logits of a row more than 1e9
    apart and unless `cells >= 1`.
    """
    count = read_integer("cells", cells, least=1)
    kit = _kit("logits", logits)
    values = kit.read("logits", logits)
    if values.ndim < 2 or 0 in values.shape[-2:]:
        shape = tuple(values.shape)
        raise InvalidArgument("logits", f"shape {shape}", "(..., lags, values), none of them 0")
    chances = None if weights is None else _chances(kit, weights, values)
    rows = values.reshape((-1, *values.shape[-2:]))
    shares = None if chances is None else chances.reshape(rows.shape)
    lower, upper = kit.empty(rows.shape[:-1]), kit.empty(rows.shape[:-1])
    for index in range(rows.shape[0]):
        row = _Row(kit, rows[index], None if shares is None else shares[index])
        lower[index], upper[index] = _bounds(row, count)
    shape = values.shape[:-1]
    return RaceBounds(lower.reshape(shape), upper.reshape(shape))


# -- NumPy and torch -----------------------------------------------------------------------


class _NumPy:
    """The array operations of this module on NumPy arrays."""

    exp = staticmethod(np.exp)

    def read(self, name: str, data: Any) -> Any:
        array = np.asarray(data)
        if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
            raise InvalidArgument(name, f"type {array.dtype}", "real numbers of at most 64 bits")
        result = array.astype(np.float64)
        if array.dtype.kind in "iu" and (np.abs(result) > 2.0**53).any():
            raise InvalidArgument(name, "integers beyond 2^53", "numbers that float64 has")
        if not np.isfinite(result).all():
            raise InvalidArgument(name, "numbers that are not finite", "finite numbers")
        return result

    def empty(self, shape: tuple[int, ...]) -> Any:
        return np.empty(shape)

    def like(self, data: Any) -> Any:
        return np.array(data, dtype=np.float64)

    def broadcast(self, array: Any, shape: Any) -> Any:
        return np.broadcast_to(array, shape)

    def largest(self, array: Any, axis: int) -> Any:
        return array.max(axis)

    def least(self, array: Any, axis: int) -> Any:
        return array.min(axis)

    def where(self, condition: Any, array: Any, other: Any) -> Any:
        return np.where(condition, array, other)

    def product(self, array: Any) -> Any:
        return np.cumprod(array, -1)

    def flip(self, array: Any) -> Any:
        return np.flip(array, -1)

    def ones(self, array: Any) -> Any:
        return np.ones_like(array)

    def joined(self, parts: list[Any], axis: int) -> Any:
        return np.concatenate(parts, axis)

    def positive(self, array: Any) -> Any:
        return np.maximum(array, 0.0)

    def at_most_1(self, array: Any) -> Any:
        return np.minimum(array, 1.0)

    def decay(self, rates: Any, point: Any, buffer: Any) -> Any:
        np.multiply(rates, -point, out=buffer)
        return np.exp(buffer, out=buffer)

    def far_decay(self, logits: Any, point: Any, buffer: Any) -> Any:
        with np.errstate(over="ignore", under="ignore"):
            np.add(logits, point, out=buffer)
            np.exp(buffer, out=buffer)
            np.negative(buffer, out=buffer)
            return np.exp(buffer, out=buffer)

    def numbers(self, array: Any) -> Floats:
        return np.asarray(array)


class _Torch:
    """The array operations of this module on torch tensors, on the device of a given tensor."""

    def __init__(self, module: Any, device: Any) -> None:
        self.module, self.device = module, device
        self.exp = module.exp

    def read(self, name: str, data: Any) -> Any:
        torch = self.module
        tensor = data if isinstance(data, torch.Tensor) else torch.as_tensor(np.asarray(data))
        known = {
            torch.float64,
            torch.float32,
            torch.float16,
            torch.bfloat16,
            torch.int32,
            torch.int16,
        }
        if tensor.dtype not in known:
            allowed = "float64, float32, float16, bfloat16, int32, int16"
            raise InvalidArgument(name, f"type {tensor.dtype}", allowed)
        result = tensor.detach().to(device=self.device, dtype=torch.float64)
        if not bool(torch.isfinite(result).all()):
            raise InvalidArgument(name, "numbers that are not finite", "finite numbers")
        return result

    def empty(self, shape: tuple[int, ...]) -> Any:
        return self.module.empty(shape, dtype=self.module.float64, device=self.device)

    def like(self, data: Any) -> Any:
        return self.module.tensor(data, dtype=self.module.float64, device=self.device)

    def broadcast(self, array: Any, shape: Any) -> Any:
        return self.module.broadcast_to(array, shape)

    def largest(self, array: Any, axis: int) -> Any:
        return array.amax(axis)

    def least(self, array: Any, axis: int) -> Any:
        return array.amin(axis)

    def where(self, condition: Any, array: Any, other: Any) -> Any:
        return self.module.where(condition, array, other)

    def product(self, array: Any) -> Any:
        return array.cumprod(-1)

    def flip(self, array: Any) -> Any:
        return array.flip(-1)

    def ones(self, array: Any) -> Any:
        return self.module.ones_like(array)

    def joined(self, parts: list[Any], axis: int) -> Any:
        return self.module.cat(parts, axis)

    def positive(self, array: Any) -> Any:
        return array.clamp(min=0.0)

    def at_most_1(self, array: Any) -> Any:
        return array.clamp(max=1.0)

    def decay(self, rates: Any, point: Any, buffer: Any) -> Any:
        self.module.mul(rates, -point, out=buffer)
        return buffer.exp_()

    def far_decay(self, logits: Any, point: Any, buffer: Any) -> Any:
        self.module.add(logits, point, out=buffer)
        return buffer.exp_().neg_().exp_()

    def numbers(self, array: Any) -> Floats:
        result: Floats = array.cpu().numpy()
        return result


def _kit(name: str, data: Any) -> Any:
    """The operations for `data`, NumPy's or torch's; torch is imported only for a tensor."""
    kind = next((c for c in type(data).__mro__ if c.__module__.split(".")[0] == "torch"), None)
    if kind is None:
        return _NumPy()
    import torch

    if data.device.type not in ("cpu", "cuda"):
        allowed = "cpu or cuda, whose float64 exponential is known to 4 units in the last place"
        raise InvalidArgument(name, f"device {data.device}", allowed)
    return _Torch(torch, data.device)


def _chances(kit: Any, weights: Any, logits: Any) -> Any:
    """The probabilities of the values, in the shape of the logits, from their weights."""
    given = kit.read("weights", weights)
    try:
        shares = kit.broadcast(given, logits.shape)
    except (RuntimeError, ValueError):
        allowed = f"a shape that broadcasts to {tuple(logits.shape)}"
        raise InvalidArgument("weights", f"shape {tuple(given.shape)}", allowed) from None
    if bool((shares < 0).any()):
        raise InvalidArgument("weights", "a negative number", "numbers >= 0")
    largest = kit.largest(shares, -1)[..., None]
    if not bool((largest > 0).all()):
        raise InvalidArgument("weights", "a lag with no value of weight", "a sum that is not 0")
    tiny = shares > 0
    if bool((tiny & (shares < 1e-200)).any()) or bool((largest > 1e200).any()):
        raise InvalidArgument("weights", "numbers out of range", "0, or from 1e-200 to 1e200")
    return shares / shares.sum(-1)[..., None]


# -- one row -------------------------------------------------------------------------------


class _Row:
    """One row's logits and probabilities, with its transforms `L_t` at a point `v = e^s`."""

    def __init__(self, kit: Any, logits: Any, chances: Any) -> None:
        if chances is not None:  # what cannot happen decides neither the range nor the error
            live = chances > 0
            lowest = kit.where(live, logits, math.inf).min()
            logits = kit.where(live, logits, lowest)
        self.kit, self.logits, self.chances = kit, logits, chances
        self.top = float(logits.max())
        spread = self.top - float(logits.min())
        if not spread <= FAR:
            raise InvalidArgument("logits", f"logits {spread:g} apart", f"at most {FAR:g}")
        self.near = spread <= NEAR
        self.shifted = logits - self.top
        self.rates = kit.exp(self.shifted) if self.near else None
        self.buffer = kit.empty(tuple(logits.shape))
        values = logits.shape[-1]
        self.error = (0.4 * spread + 13 + 2 * values + 4) * UNIT * 1.01

    def mean(self, terms: Any) -> Any:
        """The expectation of `terms` over the values of each lag, `(..., lags)`."""
        return terms.mean(-1) if self.chances is None else (terms * self.chances).sum(-1)

    def blocks(self, points: Sequence[float]) -> Iterator[tuple[Any, Any]]:
        """Points in blocks, `(points, 1, 1)`, each with a buffer `(points, lags, values)`.

        A short row takes many at a time, a long one each alone, in one buffer of its size.
        """
        step = max(1, _BLOCK // math.prod(self.logits.shape))
        for first in range(0, len(points), step):
            column = self.kit.like(points[first : first + step])[:, None, None]
            shape = (len(column), *self.logits.shape)
            yield column, self.buffer[None] if len(column) == 1 else self.kit.empty(shape)

    def transforms(self, points: Sequence[float]) -> Any:
        """The transform `L_t` of each lag at each point, `(points, lags)`.

        A point is `v` where the row is `near`, else `ln v`, in units of `e^-top`.
        """
        decay, exponents = (
            (self.kit.decay, self.rates) if self.near else (self.kit.far_decay, self.shifted)
        )
        found = [self.mean(decay(exponents, *block)) for block in self.blocks(points)]
        return self.kit.joined(found, 0)

    def octaves(self, cells: int) -> tuple[float, int] | None:
        """The start of the first octave of cells, in units of `e^-top`, and their number."""
        logits, chances = _thinned(self.kit.numbers(self.shifted), _plain(self.kit, self.chances))
        start, stop = _range(logits)
        points = np.linspace(start, stop, _FINE)
        alive = _survival(logits, chances, points)
        last_alive = _LOST / cells**2
        first_rung = min(0.5, float(np.cbrt(24 * last_alive)))  # a cell from 0 loses (vT)^3/24
        first = points[max(int((alive > 1 - first_rung).sum()) - 1, 0)]
        last = points[min(int((alive > last_alive).sum()), _FINE - 1)]
        return math.exp(first), max(1, math.ceil((last - first) / math.log(2)))

    def grid(self, cells: int) -> Floats:
        """Logarithms of `cells` increasing points, in units of `e^-top`."""
        return _grid(self.kit.numbers(self.shifted), _plain(self.kit, self.chances), cells)


def _plain(kit: Any, array: Any) -> Any:
    return None if array is None else kit.numbers(array)


class _Table(NamedTuple):
    """The transforms at the cells' right ends and at points not below their middles.

    `(cells, lags)` each; every entry is off by at most `error`.
    """

    ends: Any
    middles: Any
    error: float


def _table(row: _Row, cells: int) -> _Table:
    """The transforms of a row at all cells, by octaves where the row allows it, else by point."""
    found = row.octaves(cells) if row.near else None
    if found is not None and found[1] <= min(_MOST_OCTAVES, cells - 1):
        return _doubled(row, *found, cells)
    ends, middles = _points(row, cells)
    return _Table(row.transforms(ends), row.transforms(middles), row.error)


def _doubled(row: _Row, start: float, octaves: int, cells: int) -> _Table:
    """Transforms on cells that repeat in each octave: a term at `2v` is its square at `v`."""
    kit, each = row.kit, (cells - 1) // octaves
    first = [start * 2.0 ** (i / each) for i in range(each)]
    after = [*first[1:], 2 * start]
    middle = [(a + b) / 2 * _LIFT for a, b in zip(first, after, strict=True)]
    sides = []
    for points in (first, middle):
        found: list[list[Any]] = [[] for _ in range(octaves)]
        for column, buffer in row.blocks(points):
            terms: Any = None
            for octave in range(octaves):
                if octave % _SQUARINGS == 0:
                    terms = kit.decay(row.rates, column * 2.0**octave, buffer)
                else:
                    terms *= terms
                found[octave].append(row.mean(terms))
        sides.append([part for parts in found for part in parts])
    ends, middles = sides
    ends.append(row.transforms([start * 2.0**octaves]))
    middles.insert(0, row.transforms([start / 2]))
    error = row.error + 9 * 2.0 ** (_SQUARINGS - 1) * UNIT * 1.01
    return _Table(kit.joined(ends, 0), kit.joined(middles, 0), error)


def _points(row: _Row, cells: int) -> tuple[list[float], list[float]]:
    """The right ends of the cells, and points that are not below the cells' middles."""
    logs = row.grid(cells)
    if not row.near:
        ends = [float(s) for s in logs]
        middles = [ends[0] - math.log(2)]
        for left, right in pairwise(ends):
            # Far apart the middle is half the right end; the right end is no less.
            apart = right - left
            middles.append(right if apart > NEAR else left + math.log((1 + math.exp(apart)) / 2))
        lengths = [0.0, *np.minimum(np.diff(ends), NEAR).tolist()]
        lifts = [(abs(m) + a + 1) * 2.0**-48 for m, a in zip(middles, lengths, strict=True)]
        return ends, [m + lift for m, lift in zip(middles, lifts, strict=True)]
    ends = [float(v) for v in np.maximum.accumulate(np.exp(logs))]
    starts = [0.0, *ends[:-1]]
    return ends, [(a + b) / 2 * _LIFT for a, b in zip(starts, ends, strict=True)]


def _bounds(row: _Row, cells: int) -> tuple[Any, Any]:
    """Lower and upper bounds of the expected weights of one row, `(lags,)` each."""
    kit = row.kit
    table = _table(row, cells)
    count, lags = table.ends.shape
    before = kit.joined([kit.ones(table.ends[:1]), table.ends[:-1]], 0)
    falls = kit.positive(before - table.ends - 3 * table.error)
    low = (falls * _beside(kit, kit.positive(table.middles - table.error))).sum(0)
    low = low * (1 - 2 * (count + 4) * UNIT)
    total = low.sum()
    upper = kit.at_most_1(1 - (total - low) + 4 * (lags + 4) * UNIT)
    return low, upper


def _beside(kit: Any, factors: Any) -> Any:
    """A lower bound of the product of a row's other factors, for each factor, `(cells, lags)`."""
    first = kit.ones(factors[:, :1])
    left = kit.joined([first, kit.product(factors)[:, :-1]], -1)
    right = kit.flip(kit.joined([first, kit.product(kit.flip(factors))[:, :-1]], -1))
    lags = factors.shape[-1]
    return kit.positive(left * right * (1 - 2 * (lags + 4) * UNIT) - 1e-290)


# -- where the cells are -------------------------------------------------------------------


def _thinned(logits: Floats, chances: Floats | None) -> tuple[Floats, Floats | None]:
    """Fewer values with about the same distribution; values of probability 0 become NaN."""
    values = logits.shape[-1]
    if chances is not None:
        return np.where(chances > 0, logits, np.nan), chances
    if values > _SAMPLE:
        picks = np.linspace(0, values - 1, _SAMPLE).astype(np.int64)
        return np.sort(logits, -1)[:, picks], None
    return logits, None


def _range(logits: Floats) -> tuple[float, float]:
    """Logarithms of a first and a last point, outside of which cells gain nothing."""
    start = -_log_sum(np.nanmax(logits, -1)) - 9.0
    return start, -_log_sum(np.nanmin(logits, -1)) + 3.5


def _grid(logits: Floats, chances: Floats | None, cells: int) -> Floats:
    """Logarithms of the cells' ends, dense where `E e^{-vT}` falls; no bound depends on them."""
    logits, chances = _thinned(logits, chances)
    start, stop = _range(logits)
    return _adapted(lambda s: _survival(logits, chances, s), start, stop, cells)


def _adapted(survival: Any, start: float, stop: float, cells: int) -> Floats:
    """Points between the ends, `cells` of them, as dense as the cube root of a cell's loss."""
    points = np.linspace(start, stop, _COARSE)
    known = survival(points)
    for _ in range(_ROUNDS - 1):
        more = _quantiles(points, _density(points, known), _COARSE)
        points, order = np.unique(np.concatenate([points, more]), return_index=True)
        known = np.concatenate([known, survival(more)])[order]
    inner = _quantiles(points, _density(points, known), max(cells, 2))
    result: Floats = np.unique(inner)[-cells:]
    return result


def _density(points: Floats, survival: Floats) -> Floats:
    """The weight of each interval: its length times the cube root of its slope."""
    step, fall = np.diff(points), np.maximum(-np.diff(survival), 0)
    slope = np.maximum(fall / step, 1e-7 / (points[-1] - points[0]))
    result: Floats = step * np.cbrt(slope)
    return result


def _quantiles(points: Floats, weights: Floats, count: int) -> Floats:
    reached = np.concatenate([[0.0], np.cumsum(weights)])
    result: Floats = np.interp(np.linspace(0, reached[-1], count), reached, points)
    return result


def _survival(logits: Floats, chances: Floats | None, points: Floats) -> Floats:
    """`E e^{-vT}` at the points `v = e^s`: the probability that no clock has rung by then."""
    found = []
    step = max(1, _BLOCK // logits.size)
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        for first in range(0, len(points), step):
            terms = np.exp(-np.exp(logits + points[first : first + step, np.newaxis, np.newaxis]))
            if chances is None:
                means = terms.mean(-1)
            else:
                means = (np.where(chances > 0, terms, 0.0) * chances).sum(-1)
            found.append(np.exp(np.log(means).sum(-1)))
    result: Floats = np.concatenate(found)
    return result


def _log_sum(values: Floats) -> float:
    top = float(values.max())
    return top + math.log(float(np.exp(values - top).sum()))


# -- a head that retrieves, at any length ---------------------------------------------------


def expected_needle_score(
    needle: Any,
    distractors: Any,
    lengths: Any,
    *,
    needle_weights: Any = None,
    distractor_weights: Any = None,
    cells: int = 200,
) -> RaceBounds:
    r"""Enclosures of a needle's expected weight among independent distractors, by length.

    `needle` and `distractors` are the values of the two logits, `(values,)` each, equally likely or in
    proportion to the weights; `lengths` are numbers of keys n, the needle's included, from 1 to 10^7.
    One key is the needle and n - 1 are distractors, all independent, as in a head whose logits do not
    depend on the lag. Returns `lower`, `upper`, in the shape of `lengths`.

    >>> lower, upper = expected_needle_score([0.0], [0.0], [2, 1000])
    >>> [bool(a <= 1 / n <= b) for a, b, n in zip(lower, upper, [2, 1000])]
    [True, True]

    Torch tensors are accepted, too; the result is in NumPy. Cost: `2 cells` exponentials a value and length,
    whatever the length. Claim `retrieval.race`. The error model is this module's, with powers as
    products. Raises `InvalidArgument` as `race_bounds`, on lengths that are no such integers, and on
    logits more than 600 apart.
    """
    count = read_integer("cells", cells, least=1)
    rows, shares = [], []
    for name, data, weights in (
        ("needle", needle, needle_weights),
        ("distractors", distractors, distractor_weights),
    ):
        kit = _kit(name, data)
        values = kit.read(name, data)
        if values.ndim != 1 or not len(values):
            raise InvalidArgument(name, f"shape {tuple(values.shape)}", "(values,), at least one")
        given = [1.0] * len(values) if weights is None else weights
        chances = kit.numbers(_chances(kit, given, values))
        logits = kit.numbers(values)
        rows.append(np.where(chances > 0, logits, logits[chances > 0].min()))
        shares.append(chances)
    sizes = np.asarray(lengths)
    if sizes.dtype.kind not in "iu" or (sizes < 1).any() or (sizes > 10**7).any():
        raise InvalidArgument("lengths", lengths, "integers from 1 to 10^7")
    spread = max(r.max() for r in rows) - min(r.min() for r in rows)
    if spread > NEAR:
        raise InvalidArgument("needle", f"logits {spread:g} apart", f"at most {NEAR:g}")
    found = np.array([_needle(rows, shares, int(n), count) for n in sizes.ravel()]).reshape(-1, 2)
    return RaceBounds(*(side.reshape(sizes.shape) for side in found.T))


def _needle(
    rows: list[Floats], shares: list[Floats], length: int, cells: int
) -> tuple[float, float]:
    """Lower and upper bound of the needle's expected weight at one length."""
    others = length - 1
    if not others:
        return 1.0, 1.0
    top = max(float(r.max()) for r in rows)
    shifted = [r - top for r in rows]
    spread = -min(float(r.min()) for r in shifted)
    values = max(len(r) for r in rows)
    error = (0.4 * spread + 13 + 2 * values + 4) * UNIT * 1.01

    def survival(points: Floats) -> Floats:
        own, rest = (
            np.array([_mean(r, p, math.exp(s)) for s in points])
            for r, p in zip(shifted, shares, strict=True)
        )
        result: Floats = own * rest**others
        return result

    live = [r[p > 0] for r, p in zip(shifted, shares, strict=True)]
    most = np.logaddexp(live[0].max(), math.log(others) + live[1].max())
    least = np.logaddexp(live[0].min(), math.log(others) + live[1].min())
    logs = _adapted(survival, -float(most) - 7.0, -float(least) + 3.5, cells)
    ends = np.maximum.accumulate(np.exp(logs))
    middles = (np.concatenate([[0.0], ends[:-1]]) + ends) / 2 * _LIFT
    at_ends = [
        np.array([1.0, *(_mean(r, p, v) for v in ends)])
        for r, p in zip(shifted, shares, strict=True)
    ]
    own_falls, rest_falls = (np.maximum(-np.diff(a) - 3 * error, 0) for a in at_ends)
    own, rest = (
        np.maximum(np.array([_mean(r, p, v) for v in middles]) - error, 0)
        for r, p in zip(shifted, shares, strict=True)
    )
    shrink = 1 - 2 * (length + 4 + len(ends)) * UNIT
    powers = _power(rest, others - 1)
    lower = float((own_falls * np.maximum(powers * rest * shrink - 1e-290, 0)).sum()) * shrink
    low = float((rest_falls * np.maximum(powers * own * shrink - 1e-290, 0)).sum()) * shrink
    return lower, min(1.0, 1 - others * low * (1 - 4 * UNIT) + 8 * UNIT)


def _mean(values: Floats, chances: Floats, point: float) -> float:
    return float((chances * np.exp(-(np.exp(values) * point))).sum())


def _power(factors: Floats, exponent: int) -> Floats:
    """Powers of the factors by squaring, with at most `exponent` roundings each."""
    result, square = np.ones_like(factors), factors.copy()
    while exponent:
        if exponent & 1:
            result = result * square
        exponent >>= 1
        if exponent:
            square = square * square
    return result
