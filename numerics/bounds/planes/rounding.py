r"""Rounding errors of a constructed head's logits and weights, for float64 down to bfloat16.

**Logits.** Let `u` be the type's unit roundoff, `gamma_n = n u/(1 - n u)`. A query or key comes out
of its projection with two roundings per coordinate (of the weight, of the result: embeddings are
one-hot directions and a constant). A table entry of a plane at position `p < n` is off by at most

    tau = n theta ((1 + a)^3 - 1) + 4 a + u,

`a` the unit roundoff in which angles are formed (frequency, position and product, and two units in
the last place for the function). Rotation adds a factor `1 + sqrt(2) (gamma_2 (1 + 2 tau) + tau)`;
a plane that does not turn keeps its coordinates. The product of queries and keys is summed in
float32 at least: `1 + gamma_d`, and three roundings of the result and the scale. So with `t_l` the
factor of one side of plane `l`, a computed logit is off by at most

    eta = sum_l A_l (t_l^2 (1 + gamma_d)(1 + u)^3 - 1) + A v + U,

`A_l` the amplitudes in logits, `v` the rounding to the type of softmax. `U` covers underflow, with
`|q_l| = |k_l|`. If the largest product could overflow, nothing is known and the bound is infinite.

**Weights.** Softmax and the mixing of values in `{0, 1, 2}` change each output by a factor within
`1 +- rho`; underflow moves it by at most `n` times the smallest number. See `odds_allowed`.

Not covered: products of float32 done in a narrower type, and sums in float16 or bfloat16.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ropeproof.numerics.core.formats import UNITS
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.errors import InvalidArgument

__all__ = ["ANGLES", "ARITHMETICS", "Arithmetic", "read_arithmetic"]

_SLACK = 1 + 2.0**-30
"""Makes a float64 expression of at most `2^20` non-negative terms an upper bound."""
_SUMS = 2.0**-24


@dataclass(frozen=True, kw_only=True)
class Arithmetic:
    """The unit roundoffs and limits of a number type that a head is computed in.

    `unit` is the roundoff of results, `sums` of accumulators and of softmax, `angle` of the angles of the
    rotation tables; `largest` is the overflow limit and `smallest` a bound of what underflow loses.
    All are 0, and `largest` infinite, in exact arithmetic.
    """

    name: str
    unit: float
    sums: float
    angle: float
    largest: float
    smallest: float

    @property
    def exact(self) -> bool:
        """Whether this is exact arithmetic, without any rounding."""
        return self.unit == 0

    def logit_error(
        self, frequencies: Floats, amplitudes: Floats, *, length: int, head_dim: int
    ) -> float:
        """`eta`, an upper bound of the error of any computed logit at positions below `length`.

        `frequencies` (radians, rounded up or correctly rounded) and `amplitudes` (logits), shape
        `(planes,)`. Infinite if the product may overflow. In logits.
        """
        if self.exact:
            return 0.0
        total = float(amplitudes.sum())
        # Before the scale, 1/sqrt(head_dim), the products are larger than the logits.
        if not total * math.sqrt(head_dim) <= self.largest / 2:
            return math.inf
        turning = frequencies > 0
        tables = length * frequencies * ((1 + self.angle) ** 3 - 1) + 4 * self.angle + self.unit
        turned = math.sqrt(2) * (_gamma(2, self.unit) * (1 + 2 * tables) + tables)
        turned = np.where(turning, turned, 0.0)
        sides = (1 + self.unit) ** 2 * (1 + turned)
        own = (1 + _gamma(head_dim, self.sums)) * (1 + self.unit) ** 3
        relative = np.maximum(sides * sides * own - 1, 0.0) + 2.0**-50
        lost = 40 * self.smallest * (float(np.sqrt(amplitudes).sum()) + head_dim)
        return float((amplitudes * relative).sum() + self.sums * total + lost) * _SLACK

    def odds_allowed(self, length: int, spread: float, *, weight: float = 0.5) -> float:
        """The ratio of other exact weights to the target's below which decoding is certain.

        If the ratio is below this for every other token, the computed read-out has the target as its arg
        max; if the ratio for all others together is below it, twice the target's weight is above 1.
        `spread` bounds the distance of two logits, `weight` is a lower bound of the target's weight.
        1 in exact arithmetic; 0 or less if nothing is known.

        With every output off by a factor in `1 +- rho` and `n` underflows, it is enough that
        `(1 - rho) w > (1 + rho) o w + n smallest`, and that `2 (1 - rho) w > 1` for `w >= 1/(1 + o)`.
        """
        if self.exact:
            return 1.0
        # Exponentials within 20 units in the last place, a sum of `length`, a division; the mean of
        # the values, its rounding and that of the residual stream.
        softmax = self.sums * (length + spread + 96)
        mixing = _gamma(length, self.sums) + 4 * self.unit
        rho = (softmax + mixing) * (1 + softmax + mixing)
        return 1 - (2 * rho + 2 * (length + 1) * self.smallest / weight) * _SLACK


def _type(name: str, unit: float, largest: float, smallest: float) -> Arithmetic:
    sums = min(unit, _SUMS)
    return Arithmetic(
        name=name, unit=unit, sums=sums, angle=0.0, largest=largest, smallest=smallest
    )


ARITHMETICS: Mapping[str, Arithmetic] = MappingProxyType(
    {
        "exact": _type("exact", 0.0, math.inf, 0.0),
        "float64": _type("float64", UNITS["float64"], 2.0**1023, 2.0**-1074),
        "float32": _type("float32", UNITS["float32"], 2.0**127, 2.0**-149),
        "float16": _type("float16", UNITS["float16"], 65504.0, 2.0**-24),
        "bfloat16": _type("bfloat16", UNITS["bfloat16"], 2.0**127, 2.0**-133),
    }
)
"""The number types by name, with exact angles; `read_arithmetic` sets the angles' type."""

ANGLES: Mapping[str, float] = MappingProxyType(
    {"float64": UNITS["float64"], "float32": UNITS["float32"]}
)
"""Unit roundoffs of the angles: float64 as `ropeproof.numerics.core.spec.rotation_tables` forms
them, float32 as `transformers` does, with frequencies taken as correctly rounded."""


def read_arithmetic(arithmetic: object, angles: object = "float64") -> Arithmetic:
    """The number type with a given name or torch dtype, and angles formed in the type `angles`.

    Raises `InvalidArgument` if either is not known.
    """
    name = str(arithmetic).removeprefix("torch.")
    if name not in ARITHMETICS:
        raise InvalidArgument("arithmetic", arithmetic, ", ".join(ARITHMETICS))
    kind = str(angles).removeprefix("torch.")
    if kind not in ANGLES:
        raise InvalidArgument("angles", angles, ", ".join(ANGLES))
    found = ARITHMETICS[name]
    if found.exact:
        return found
    return Arithmetic(
        name=found.name,
        unit=found.unit,
        sums=found.sums,
        angle=ANGLES[kind],
        largest=found.largest,
        smallest=found.smallest,
    )


def _gamma(terms: int, unit: float) -> float:
    return terms * unit / (1 - terms * unit) if terms * unit < 0.5 else math.inf
