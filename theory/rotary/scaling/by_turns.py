"""Scalings that treat a plane by the number of its turns in the original length: YaRN and Llama 3."""

from __future__ import annotations

from dataclasses import dataclass

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import exact_fields, floor, read_integer, sign
from ropeproof.theory.rotary.later import sympy
from ropeproof.theory.rotary.scaling.plain import (
    Exact,
    Plain,
    at_least_one,
    given,
    positive,
    positive_or_none,
    set_fields,
)

__all__ = ["Llama3", "Yarn"]


@exact_fields("factor", "beta_fast", "beta_slow", "attention", "mscale", "mscale_all_dim")
@dataclass(frozen=True, kw_only=True)
class Yarn:
    """YaRN: `theta'_l = theta_l (1 - r_l + r_l/factor)`, `r_l = clamp((l - low)/(high - low), 0, 1)`.

    With `c(n) = 2m log(L_0 / (2 pi n)) / (2 log base)`, the plane that turns `n` times in
    `L_0 = original_length` positions, `low = max(c(beta_fast), 0)` and
    `high = min(c(beta_slow), 2m - 1)`, rounded down and up first if `truncate`. If they are equal,
    `high` is raised by 1/1000. `factor >= 1`, `beta_fast >= beta_slow > 0`.

    As in the library, `low` has no upper and `high` no lower clamp. So if every plane turns more
    than `beta_fast` times (`low > high`), or none turns `beta_slow` times (`high < 0`), the ramp
    runs backwards: all planes are slowed where none should be, or the reverse.

    The attention factor is the given one, else `mscale(factor, mscale)/mscale(factor,
    mscale_all_dim)` if both are given, else `mscale(factor, 1)`, where
    `mscale(f, a) = 1 + (a/10) log f`.

    Raises `InvalidArgument`. Source: `rope.scaling.yarn`. The library computes `c(n)` in float64: were
    it within about 1e-13 of an integer, its floor or ceiling could differ by one plane.
    """

    factor: Exact
    original_length: int
    beta_fast: Exact = 32
    beta_slow: Exact = 1
    truncate: bool = True
    attention: Exact = None
    mscale: Exact = None
    mscale_all_dim: Exact = None

    def __post_init__(self) -> None:
        fast, slow = (
            positive("beta_fast", given(self, "beta_fast")),
            positive("beta_slow", given(self, "beta_slow")),
        )
        if fast < slow:
            raise InvalidArgument("beta_fast", self.beta_fast, f"at least beta_slow, {slow}")
        if not isinstance(self.truncate, bool):
            raise InvalidArgument("truncate", self.truncate, "True or False")
        set_fields(
            self,
            factor=at_least_one("factor", given(self, "factor")),
            original_length=read_integer("original_length", self.original_length, least=1),
            beta_fast=fast,
            beta_slow=slow,
            attention=positive_or_none("attention", given(self, "attention")),
            mscale=positive_or_none("mscale", given(self, "mscale")),
            mscale_all_dim=positive_or_none("mscale_all_dim", given(self, "mscale_all_dim")),
        )

    def check_planes(self, planes: int) -> None:
        """Accept any number of rotated planes."""

    def correction_range(self, base: Exact, planes: int) -> tuple[Exact, Exact]:
        """The planes `(low, high)` between which the ramp runs, as exact numbers."""
        low = self._plane_turning(self.beta_fast, base, planes)
        high = self._plane_turning(self.beta_slow, base, planes)
        if self.truncate:
            low, high = sympy.Integer(floor(low)), -sympy.Integer(floor(-high))
        last = sympy.Integer(2 * planes - 1)
        low = low if sign(low) > 0 else sympy.Integer(0)
        high = high if sign(last - high) > 0 else last
        return low, high + sympy.Rational(1, 1000) if low == high else high

    def multipliers(self, plain: Plain) -> tuple[Exact, ...]:
        """The exact factors `theta'_l / theta_l` of the rotated planes."""
        planes = len(plain.frequencies)
        low, high = self.correction_range(plain.base, planes)
        ramp = (_clamp((plane - low) / (high - low)) for plane in range(planes))
        return tuple(1 - r + r / self.factor for r in ramp)

    def attention_factor(self) -> Exact:
        """The exact factor of cosine and sine; the logits are multiplied by its square."""
        if self.attention is not None:
            return self.attention
        if self.mscale is not None and self.mscale_all_dim is not None:
            return self._mscale(self.mscale) / self._mscale(self.mscale_all_dim)
        return self._mscale(sympy.Integer(1))

    def _mscale(self, weight: Exact) -> Exact:
        return 1 + weight * sympy.log(self.factor) / 10

    def _plane_turning(self, turns: Exact, base: Exact, planes: int) -> Exact:
        # Never an integer k: L_0/(2 pi n) = base**(k/m) would make pi algebraic.
        return planes * sympy.log(self.original_length / (2 * sympy.pi * turns)) / sympy.log(base)


@exact_fields("factor", "low_freq_factor", "high_freq_factor")
@dataclass(frozen=True, kw_only=True)
class Llama3:
    """Llama 3.1's scaling: slow planes are divided by `factor`, fast ones kept, with a linear blend between.

    With `u = L_0 theta/(2 pi)` turns in `L_0 = original_length` positions:
    `theta/factor` if `u < low_freq_factor`, `theta` if `u > high_freq_factor`, else
    `theta ((1 - s)/factor + s)`, `s = (u - low_freq_factor)/(high_freq_factor - low_freq_factor)`.
    Strictly increasing in `theta`, and continuous where `low < high`. `factor >= 1`, `0 < low <= high`.
    With both equal, as in Llama 4 Scout, there is a step and no blend: `u` is never that rational.

    Raises `InvalidArgument`. Source: `rope.scaling.llama3`. The library branches on a float32
    wavelength; the map being continuous, a wrong branch changes the value by rounding only.
    """

    factor: Exact
    low_freq_factor: Exact
    high_freq_factor: Exact
    original_length: int

    def __post_init__(self) -> None:
        low = positive("low_freq_factor", given(self, "low_freq_factor"))
        high = positive("high_freq_factor", given(self, "high_freq_factor"))
        if high < low:
            allowed = f"at least low_freq_factor, {low}"
            raise InvalidArgument("high_freq_factor", self.high_freq_factor, allowed)
        set_fields(
            self,
            factor=at_least_one("factor", given(self, "factor")),
            low_freq_factor=low,
            high_freq_factor=high,
            original_length=read_integer("original_length", self.original_length, least=1),
        )

    def check_planes(self, planes: int) -> None:
        """Accept any number of rotated planes."""

    def map(self, theta: Exact) -> Exact:
        """The scaled frequency `theta'` as a SymPy `Piecewise` in `theta`, radians per position."""
        turns = self.original_length * theta / (2 * sympy.pi)
        if self.low_freq_factor == self.high_freq_factor:
            slow = (theta / self.factor, turns < self.low_freq_factor)
            return sympy.Piecewise(slow, (theta, True))
        return sympy.Piecewise(
            (theta / self.factor, turns < self.low_freq_factor),
            (theta, turns > self.high_freq_factor),
            (theta * self._blend(turns), True),
        )

    def multipliers(self, plain: Plain) -> tuple[Exact, ...]:
        """The exact factors `theta'_l / theta_l` of the rotated planes."""
        return tuple(self._multiplier(theta) for theta in plain.frequencies)

    def attention_factor(self) -> Exact:
        """The factor of cosine and sine, which is 1: the amplitudes do not change."""
        return sympy.Integer(1)

    def _multiplier(self, theta: Exact) -> Exact:
        turns = self.original_length * theta / (2 * sympy.pi)
        if sign(turns - self.low_freq_factor) < 0:
            return 1 / self.factor
        if sign(turns - self.high_freq_factor) > 0:
            return sympy.Integer(1)
        return self._blend(turns)

    def _blend(self, turns: Exact) -> Exact:
        low, high = self.low_freq_factor, self.high_freq_factor
        smooth = (turns - low) / (high - low)
        return (1 - smooth) / self.factor + smooth


def _clamp(ramp: Exact) -> Exact:
    if sign(ramp) <= 0:
        return sympy.Integer(0)
    return ramp if sign(1 - ramp) > 0 else sympy.Integer(1)
