"""What numbers a computation may have given: a least and a largest one for each element.

Rounding to nearest is monotone, so that the numbers that an operation may give lie between the rounded
results at the corners of what its operands may be. Where the operands are known the result is one number:
sums, products and quotients are determined by the standard of floating-point arithmetic.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.rounding.number_types import number_type, rounded, spacing
from ropeproof.theory.errors import Unsupported

__all__ = ["ARITHMETICS", "Arithmetic", "Possible", "Rules", "Ulps", "known", "operate", "total"]

Array = NDArray[Any]
Arithmetic: TypeAlias = Literal["as written", "fused", "compiled"]
ARITHMETICS: tuple[Arithmetic, ...] = ("as written", "fused", "compiled")

_NUMPY_ULPS = 1.0
"""How far NumPy's own elementary functions of float64 may be off, in units in the last place."""


class Possible(NamedTuple):
    """The least and the largest number that each element may be; the same array where all are known."""

    low: Array
    high: Array

    @property
    def known(self) -> bool:
        """Whether every element is one number."""
        return self.low is self.high or bool(np.array_equal(self.low, self.high, equal_nan=True))

    @property
    def middle(self) -> Array:
        """The numbers between the two ends."""
        if self.low is self.high:
            return self.low
        return self.low + (self.high - self.low) / 2

    @property
    def radius(self) -> Array:
        """How far an element may be from `middle`, rounding of `middle` included."""
        if self.low is self.high:
            return np.zeros_like(self.low)
        middle = self.middle
        with np.errstate(invalid="ignore"):
            found: Array = np.maximum(self.high - middle, middle - self.low) * (1 + 2.0**-50)
        return found


def known(values: Array) -> Possible:
    """Elements that are these numbers."""
    return Possible(values, values)


@dataclass(frozen=True)
class Ulps:
    """Within how many units in the last place elementary functions are assumed to be.

    `turning` is for sine, cosine and tangent, `others` for powers, exponentials, logarithms and the
    angle of a point. In float16 and bfloat16 they are assumed to be those of float32, rounded once
    more.
    """

    turning: float = 2.0
    others: float = 4.0


@dataclass(frozen=True)
class Rules:
    """How operations are carried out.

    - `arithmetic`: `as written` rounds after every operation; `fused` may leave out the rounding of
      a product that is added to something; `compiled` may leave out any rounding but that of sine,
      cosine and other elementary functions, as compilers do that keep short types in registers.
    - `ulps`: the accuracy of elementary functions.
    """

    arithmetic: Arithmetic = "as written"
    ulps: Ulps = field(default_factory=Ulps)


_LIMITS = {"int8": 7, "int16": 15, "int32": 31, "int64": 63, "uint8": 8, "uint16": 16, "uint32": 32}


def _in_type(low: Array, high: Array, dtype: str, rules: Rules) -> Possible:
    """The ends rounded to a type; integers are refused where the type does not hold them."""
    same = low is high
    if dtype == "bool":
        return Possible(low, high)
    if dtype in _LIMITS:
        bits = _LIMITS[dtype]
        least = 0 if dtype.startswith("u") else -(2**bits)
        # Products of int64 are checked by their float64 values, where they are formed.
        if low.size and (low.min() < least or high.max() > 2**bits - 1):
            raise Unsupported(f"integers outside {dtype}")
        return Possible(low, high)
    first = rounded(low, dtype)
    last = first if same else rounded(high, dtype)
    if rules.arithmetic == "compiled" and dtype != "float64":
        return Possible(np.minimum(first, low), np.maximum(last, high))
    return Possible(first, last)


def _corners(function: Callable[..., Array], operands: tuple[Possible, ...]) -> tuple[Array, Array]:
    if all(o.low is o.high for o in operands):
        value = function(*(o.low for o in operands))
        return value, value
    ends = [{id(o.low): o.low, id(o.high): o.high}.values() for o in operands]
    values = [function(*corner) for corner in itertools.product(*ends)]
    low, high = values[0], values[0]
    for value in values[1:]:
        low, high = np.minimum(low, value), np.maximum(high, value)
    return low, high


_BY_CORNERS: Mapping[str, Callable[..., Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "neg": np.negative,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "round": np.rint,
    "sign": np.sign,
}
_MONOTONE: Mapping[str, Callable[..., Array]] = {
    # The square root among them: the library that PyTorch calls does not round it correctly.
    name: getattr(np, name)
    for name in ("sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p")
}
_WHEN_KNOWN: Mapping[str, Callable[..., Array]] = {
    "floordiv": np.floor_divide,
    "mod": np.mod,
    "fmod": np.fmod,
}


def operate(op: str, operands: tuple[Possible, ...], dtype: str, rules: Rules) -> Possible:
    """What an elementwise operation of `ropeproof.proofs_check.programs.record.graph` may give.

    Operands and result are float64, int64 or truth values that stand for numbers of the type
    `dtype`. Raises `Unsupported` for integers that overflow, and where the result of an operation
    is not known well enough to be enclosed.
    """
    with np.errstate(all="ignore"):
        return _operate(op, operands, dtype, rules)


def _operate(op: str, operands: tuple[Possible, ...], dtype: str, rules: Rules) -> Possible:
    whole = dtype in _LIMITS
    if op in _BY_CORNERS:
        low, high = _corners(_BY_CORNERS[op], operands)
        if whole and op in ("add", "sub", "mul") and low.size:
            wide = _corners(
                _BY_CORNERS[op],
                tuple(Possible(o.low.astype(float), o.high.astype(float)) for o in operands),
            )
            if max(np.abs(wide[0]).max(), np.abs(wide[1]).max()) >= 2.0**63:
                raise Unsupported(f"integers outside {dtype}")
        return _in_type(low, high, dtype, rules)
    if op == "abs":
        (one,) = operands
        if one.low is one.high:
            value = np.abs(one.low)
            return Possible(value, value)
        crosses = (one.low < 0) & (one.high > 0)
        low, high = _corners(np.abs, operands)
        return Possible(np.where(crosses, 0, low), high)
    if op == "div":
        divisor = operands[1]
        low, high = _corners(np.true_divide, operands)
        if divisor.low is not divisor.high:
            around = (divisor.low <= 0) & (divisor.high >= 0)
            low, high = np.where(around, -np.inf, low), np.where(around, np.inf, high)
        return _in_type(low, high, dtype, rules)
    if op in _WHEN_KNOWN:
        if not all(o.known for o in operands):
            raise Unsupported(f"{op} of numbers that are not known exactly")
        value = _WHEN_KNOWN[op](*(o.low for o in operands))
        return _in_type(value, value, dtype, rules)
    if op in ("cos", "sin"):
        return _turned(op, operands[0], dtype, rules)
    if op in _MONOTONE:
        low, high = _corners(_MONOTONE[op], operands)
        return _widened(low, high, dtype, rules, rules.ulps.others)
    if op == "pow":
        return _power(operands, dtype, rules)
    if op == "tan":
        if not operands[0].known:
            raise Unsupported("the tangent of numbers that are not known exactly")
        value = np.tan(operands[0].low)
        return _widened(value, value, dtype, rules, rules.ulps.turning)
    if op == "atan2":
        return _angle(operands, dtype, rules)
    if op in ("lt", "le", "eq", "ne", "not", "and", "or"):
        return _truth(op, operands)
    if op == "where":
        return _chosen(operands)
    if op == "cast":
        return _cast(operands[0], dtype, rules)
    raise Unsupported(f"the operation {op}")


def _widened(low: Array, high: Array, dtype: str, rules: Rules, ulps: float) -> Possible:
    """The values of an elementary function, known as float64, that a library within `ulps` may give."""
    own = number_type(dtype)
    formed = "float32" if own.short else dtype
    extra = _NUMPY_ULPS if dtype == "float64" else 2.0**-20
    first = low - (ulps + extra) * spacing(low, formed)
    last = high + (ulps + extra) * spacing(high, formed)
    if own.short:
        return _in_type(first, last, dtype, rules)
    return Possible(first, last)


def _turned(op: str, angle: Possible, dtype: str, rules: Rules) -> Possible:
    function = np.cos if op == "cos" else np.sin
    if angle.low is angle.high:
        value = function(angle.low)
        found = _clipped(_widened(value, value, dtype, rules, rules.ulps.turning), dtype)
        still = angle.low == 0  # there, as the standard of C has it, cosine is 1 and sine is 0
        if not np.any(still):
            return found
        return Possible(np.where(still, value, found.low), np.where(still, value, found.high))
    middle = angle.middle
    value = function(middle)
    # cos(m + r) - cos m = -r sin m - r**2 / 2 cos t for some t, and with sines likewise.
    slope = np.abs(np.sin(middle) if op == "cos" else np.cos(middle)) + 2.0**-50
    width = np.minimum(angle.radius * (slope + angle.radius / 2), 2.0)
    return _clipped(_widened(value - width, value + width, dtype, rules, rules.ulps.turning), dtype)


def _clipped(found: Possible, dtype: str) -> Possible:
    """Sines and cosines that exceed 1 by no more than the accuracy of a library allows."""
    most = 1 + 64 * number_type(dtype).unit
    return Possible(np.maximum(found.low, -most), np.minimum(found.high, most))


def _power(operands: tuple[Possible, ...], dtype: str, rules: Rules) -> Possible:
    base, exponent = operands
    if dtype in _LIMITS:
        if not (base.known and exponent.known):
            raise Unsupported("a power of integers that are not known exactly")
        if exponent.low.size and exponent.low.min() < 0:
            raise Unsupported("a negative power of integers")
        wide = np.power(base.low.astype(np.float64), exponent.low)
        if wide.size and np.abs(wide).max() >= 2.0**63:
            raise Unsupported(f"integers outside {dtype}")
        value = np.power(base.low, exponent.low)
        return _in_type(value, value, dtype, rules)
    if not (base.known and exponent.known) and not bool(np.all(base.low > 0)):
        raise Unsupported("a power whose base is not known to be positive")
    low, high = _corners(
        lambda b, e: np.asarray(np.power(b.astype(np.float64), e)), (base, exponent)
    )
    return _widened(low, high, dtype, rules, rules.ulps.others)


def _angle(operands: tuple[Possible, ...], dtype: str, rules: Rules) -> Possible:
    """`atan2`; at the cut the angle is one of two that differ by a turn, and one of them is enclosed."""
    up, right = operands
    value = np.arctan2(up.middle, right.middle)
    reach = np.hypot(up.middle, right.middle)
    moved = np.hypot(up.radius, right.radius)
    share = moved / reach
    width = (
        np.where(share < 0.5, share * (1 + share), np.pi) if not (up.known and right.known) else 0.0
    )
    return _widened(value - width, value + width, dtype, rules, rules.ulps.others)


def _truth(op: str, operands: tuple[Possible, ...]) -> Possible:
    first = operands[0]
    if op == "not":
        return Possible(~first.high, ~first.low)
    second = operands[1]
    same = first.low is first.high and second.low is second.high
    if op in ("and", "or"):
        join = np.logical_and if op == "and" else np.logical_or
        low = join(first.low, second.low)
        return Possible(low, low if same else join(first.high, second.high))
    if op in ("lt", "le"):
        less = np.less if op == "lt" else np.less_equal
        low = less(first.high, second.low)
        return Possible(low, low if same else less(first.low, second.high))
    may = (first.low <= second.high) & (second.low <= first.high)
    must = may if same else may & (first.low == first.high) & (second.low == second.high)
    return Possible(must, may) if op == "eq" else Possible(~may, ~must)


def _chosen(operands: tuple[Possible, ...]) -> Possible:
    condition, first, second = operands
    if condition.known:
        low = np.where(condition.low, first.low, second.low)
        if first.low is first.high and second.low is second.high:
            return Possible(low, low)
        return Possible(low, np.where(condition.low, first.high, second.high))
    low = np.where(condition.low, first.low, second.low)
    high = np.where(condition.low, first.high, second.high)
    unsure = condition.low != condition.high
    low = np.where(unsure, np.minimum(first.low, second.low), low)
    return Possible(low, np.where(unsure, np.maximum(first.high, second.high), high))


def _cast(one: Possible, dtype: str, rules: Rules) -> Possible:
    if dtype == "bool":
        zero = (one.low <= 0) & (one.high >= 0)
        sure = (one.low == 0) & (one.high == 0)
        return Possible(~zero, ~sure)
    if dtype in _LIMITS:

        def whole(values: Array) -> Array:
            if values.dtype.kind != "f":
                return values.astype(np.int64)
            if values.size and not bool(np.all(np.abs(values) < 2.0**62)):
                raise Unsupported(f"a cast of numbers to {dtype}, which does not hold them")
            return np.trunc(values).astype(np.int64)

        low = whole(one.low)
        return _in_type(low, low if one.low is one.high else whole(one.high), dtype, rules)
    first = one.low.astype(np.float64)
    if (
        one.low.dtype.kind == "i"
        and one.low.size
        and max(abs(one.low.min()), one.high.max()) > 2**53
    ):
        raise Unsupported("integers above 2**53 cast to a floating-point type")
    last = first if one.low is one.high else one.high.astype(np.float64)
    return _in_type(first, last, dtype, rules)


def total(terms: Possible, dtype: str, rules: Rules, *, products: bool) -> Possible:
    """What a sum over the last axis may give, in whatever order it is taken.

    With `products` the terms are products not rounded yet, which may be rounded or fused with the
    sum. A sum of which one term at most is not exactly 0 is that term, rounded if it is a product.
    """
    if dtype in _LIMITS:
        low = terms.low.sum(-1)
        return _in_type(low, low if terms.low is terms.high else terms.high.sum(-1), dtype, rules)
    own = number_type(dtype)
    largest = np.maximum(np.abs(terms.low), np.abs(terms.high))
    count = np.count_nonzero(largest, axis=-1)
    low = terms.low.sum(-1)
    high = low if terms.low is terms.high else terms.high.sum(-1)
    steps = np.maximum(count - 1, 0) + (1 if products else 0)
    if not count.size or int(count.max()) <= 1:
        return _in_type(low, high, dtype, rules)
    # Rounded in any order, and float64's own rounding of the sum formed here.
    size = largest.sum(-1)
    slack = np.expm1((steps + 1) * np.log1p(own.step)) + count * 2.0**-52
    slack = np.where(count <= 1, 0.0, slack) * size
    return _in_type(low - slack, high + slack, dtype, rules)
