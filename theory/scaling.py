"""The frequency scalings of released models, as exact maps `theta -> theta'`.

Each scaling is a frozen record of its parameters. On `m` rotated planes with plain frequencies
`theta_l = base**(-l/m)` it multiplies plane `l` by an exact number, `multipliers(...)[l]`, and
it multiplies cosine and sine of the rotated planes by `attention_factor()`, so that it
multiplies their logits by the square of it. Where the map acts on each frequency alone
(`Linear`, `Llama3`) it is also there as a SymPy expression, `map(theta)`.

The maps are those of `ROPE_INIT_FUNCTIONS` in transformers 5, claims `rope.scaling.*`. That
library computes in float32 (and logarithms in float64), so its values agree to rounding only;
each class says whether rounding can take it into another branch. Every branch here compares an
algebraic number with a rational multiple of pi, or two rationals; the former are never equal
(axiom: Lindemann), so certified arithmetic decides it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import sympy
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.exact import floor, read_integer, read_rational, sign

__all__ = ["Dynamic", "Linear", "Llama3", "LongRope", "Plain", "Proportional", "Scaling", "Yarn"]

Exact: TypeAlias = Any
"""An exact SymPy number."""


class Plain(NamedTuple):
    """What a scaling starts from.

    The base, the plain frequencies of the rotated planes in radians per position, exact, and the
    number of positions of the sequence, or None.
    """

    base: Exact
    frequencies: tuple[Exact, ...]
    length: int | None


def _set(record: object, **values: object) -> None:
    for name, value in values.items():
        object.__setattr__(record, name, value)


def _at_least_one(name: str, value: object) -> Exact:
    exact = read_rational(name, value)
    if exact < 1:
        raise InvalidArgument(name, value, "a number >= 1")
    return exact


def _positive(name: str, value: object) -> Exact:
    exact = read_rational(name, value)
    if exact <= 0:
        raise InvalidArgument(name, value, "a number > 0")
    return exact


def _positive_or_none(name: str, value: object) -> Exact:
    return None if value is None else _positive(name, value)


@dataclass(frozen=True)
class Linear:
    """`theta' = theta / factor`: position interpolation, `factor >= 1`. Strictly increasing.

    Raises `InvalidArgument`. Source: `rope.scaling.linear`. No branch.
    """

    factor: Exact

    def __post_init__(self) -> None:
        _set(self, factor=_at_least_one("factor", self.factor))

    def check_planes(self, planes: int) -> None:
        """Any number of rotated planes is allowed."""

    def map(self, theta: Exact) -> Exact:
        """`theta'` as a SymPy expression in `theta`, radians per position."""
        return theta / self.factor

    def multipliers(self, plain: Plain) -> tuple[Exact, ...]:
        """`theta'_l / theta_l` for each rotated plane."""
        return (1 / self.factor,) * len(plain.frequencies)

    def attention_factor(self) -> Exact:
        """1: the amplitudes do not change."""
        return sympy.Integer(1)


@dataclass(frozen=True)
class Dynamic:
    """`theta'_l = theta_l s**(-l/(m-1))`, `s = factor L/L_0 - (factor - 1)`: dynamic NTK.

    `L_0 = original_length` and `L = max(length, L_0)` are numbers of positions; a spec without a
    length has `L = L_0`, where the map is the identity. It is the plain sequence of the base
    `base s**(m/(m-1))`: plane 0 keeps its frequency, the slowest is divided by `s`. Needs `m >= 2`.

    The library recomputes as the sequence grows and does not go back until it is shorter than
    `L_0`; keys that were cached before keep their old rotation. Raises `InvalidArgument`.
    Source: `rope.scaling.dynamic`. Continuous at `L = L_0`: rounding cannot matter.
    """

    factor: Exact
    original_length: int

    def __post_init__(self) -> None:
        _set(
            self,
            factor=_at_least_one("factor", self.factor),
            original_length=read_integer("original_length", self.original_length, least=1),
        )

    def check_planes(self, planes: int) -> None:
        """Raise `InvalidArgument` unless there are at least two rotated planes."""
        if planes < 2:
            raise InvalidArgument("rotary_dim", 2 * planes, "at least 4 with dynamic scaling")

    def multipliers(self, plain: Plain) -> tuple[Exact, ...]:
        """`theta'_l / theta_l` for each rotated plane, at the length of the sequence."""
        current = max(plain.length or 0, self.original_length)
        stretch = self.factor * sympy.Rational(current, self.original_length) - (self.factor - 1)
        last = len(plain.frequencies) - 1
        return tuple(stretch ** sympy.Rational(-plane, last) for plane in range(last + 1))

    def attention_factor(self) -> Exact:
        """1: the amplitudes do not change."""
        return sympy.Integer(1)


@dataclass(frozen=True, kw_only=True)
class Yarn:
    """`theta'_l = theta_l (1 - r_l + r_l/factor)`, `r_l = clamp((l - low)/(high - low), 0, 1)`.

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

    Raises `InvalidArgument`. Source: `rope.scaling.yarn`. The library takes `c(n)` in float64: were
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
        fast, slow = _positive("beta_fast", self.beta_fast), _positive("beta_slow", self.beta_slow)
        if fast < slow:
            raise InvalidArgument("beta_fast", self.beta_fast, f"at least beta_slow, {slow}")
        if not isinstance(self.truncate, bool):
            raise InvalidArgument("truncate", self.truncate, "True or False")
        _set(
            self,
            factor=_at_least_one("factor", self.factor),
            original_length=read_integer("original_length", self.original_length, least=1),
            beta_fast=fast,
            beta_slow=slow,
            attention=_positive_or_none("attention", self.attention),
            mscale=_positive_or_none("mscale", self.mscale),
            mscale_all_dim=_positive_or_none("mscale_all_dim", self.mscale_all_dim),
        )

    def check_planes(self, planes: int) -> None:
        """Any number of rotated planes is allowed."""

    def correction_range(self, base: Exact, planes: int) -> tuple[Exact, Exact]:
        """`(low, high)`, the planes between which the ramp runs, exact."""
        low = self._plane_turning(self.beta_fast, base, planes)
        high = self._plane_turning(self.beta_slow, base, planes)
        if self.truncate:
            low, high = sympy.Integer(floor(low)), -sympy.Integer(floor(-high))
        last = sympy.Integer(2 * planes - 1)
        low = low if sign(low) > 0 else sympy.Integer(0)
        high = high if sign(last - high) > 0 else last
        return low, high + sympy.Rational(1, 1000) if low == high else high

    def multipliers(self, plain: Plain) -> tuple[Exact, ...]:
        """`theta'_l / theta_l` for each rotated plane."""
        planes = len(plain.frequencies)
        low, high = self.correction_range(plain.base, planes)
        ramp = (_clamp((plane - low) / (high - low)) for plane in range(planes))
        return tuple(1 - r + r / self.factor for r in ramp)

    def attention_factor(self) -> Exact:
        """What cosine and sine are multiplied by; the logits by its square."""
        if self.attention is not None:
            return self.attention
        if self.mscale is not None and self.mscale_all_dim is not None:
            return self._mscale(self.mscale) / self._mscale(self.mscale_all_dim)
        return self._mscale(sympy.Integer(1))

    def _mscale(self, weight: Exact) -> Exact:
        return 1 + weight * sympy.log(self.factor) / 10

    def _plane_turning(self, turns: Exact, base: Exact, planes: int) -> Exact:
        # Irrational-or-not does not matter: an integer value k would make pi algebraic,
        # Never an integer k: L_0/(2 pi n) = base**(k/m) would make pi algebraic.
        return planes * sympy.log(self.original_length / (2 * sympy.pi * turns)) / sympy.log(base)


@dataclass(frozen=True, kw_only=True)
class LongRope:
    """`theta'_l = theta_l / e_l`, with `e` one of two given lists of `m` positive numbers.

    `e = long_factor` if the sequence is longer than `original_length`, else (or if the spec has no
    length) `short_factor`. All positions of a sequence use one list. The attention factor is the
    given one, else `sqrt(1 + log(factor)/log(original_length))` for `factor > 1`, else 1.

    Raises `InvalidArgument`. Source: `rope.scaling.longrope`. The branch compares integers. The map
    is a map of planes, not of frequencies, and the new frequencies need not be ordered.
    """

    short_factor: tuple[Exact, ...]
    long_factor: tuple[Exact, ...]
    original_length: int
    factor: Exact
    attention: Exact = None

    def __post_init__(self) -> None:
        for name in ("short_factor", "long_factor"):
            values = getattr(self, name)
            if not isinstance(values, Sequence) or isinstance(values, str | bytes) or not values:
                raise InvalidArgument(name, values, "a non-empty list of numbers > 0")
            exact = tuple(_positive(f"{name}[{i}]", value) for i, value in enumerate(values))
            _set(self, **{name: exact})
        if len(self.short_factor) != len(self.long_factor):
            allowed = f"as many numbers as short_factor, {len(self.short_factor)}"
            raise InvalidArgument("long_factor", f"{len(self.long_factor)} numbers", allowed)
        _set(
            self,
            # log(original_length) is divided by.
            original_length=read_integer("original_length", self.original_length, least=2),
            factor=_positive("factor", self.factor),
            attention=_positive_or_none("attention", self.attention),
        )

    def check_planes(self, planes: int) -> None:
        """Raise `InvalidArgument` unless the lists have one number per rotated plane."""
        if len(self.short_factor) != planes:
            got, allowed = f"{len(self.short_factor)} numbers", f"one per rotated plane, {planes}"
            raise InvalidArgument("short_factor", got, allowed)

    def multipliers(self, plain: Plain) -> tuple[Exact, ...]:
        """`theta'_l / theta_l` for each rotated plane, at the length of the sequence."""
        is_long = plain.length is not None and plain.length > self.original_length
        return tuple(1 / e for e in (self.long_factor if is_long else self.short_factor))

    def attention_factor(self) -> Exact:
        """What cosine and sine are multiplied by; the logits by its square."""
        if self.attention is not None:
            return self.attention
        if self.factor <= 1:
            return sympy.Integer(1)
        return sympy.sqrt(1 + sympy.log(self.factor) / sympy.log(self.original_length))


@dataclass(frozen=True, kw_only=True)
class Llama3:
    """Slow planes are divided by `factor`, fast ones kept, a smooth blend between; Llama 3.1.

    With `u = L_0 theta/(2 pi)` turns in `L_0 = original_length` positions:
    `theta/factor` if `u < low_freq_factor`, `theta` if `u > high_freq_factor`, else
    `theta ((1 - s)/factor + s)`, `s = (u - low_freq_factor)/(high_freq_factor - low_freq_factor)`.
    Strictly increasing and continuous in `theta`. `factor >= 1`, `0 < low < high`.

    Raises `InvalidArgument`. Source: `rope.scaling.llama3`. The library branches on a float32
    wavelength; the map being continuous, a wrong branch changes the value by rounding only.
    """

    factor: Exact
    low_freq_factor: Exact
    high_freq_factor: Exact
    original_length: int

    def __post_init__(self) -> None:
        low = _positive("low_freq_factor", self.low_freq_factor)
        high = _positive("high_freq_factor", self.high_freq_factor)
        if high <= low:
            allowed = f"more than low_freq_factor, {low}"
            raise InvalidArgument("high_freq_factor", self.high_freq_factor, allowed)
        _set(
            self,
            factor=_at_least_one("factor", self.factor),
            low_freq_factor=low,
            high_freq_factor=high,
            original_length=read_integer("original_length", self.original_length, least=1),
        )

    def check_planes(self, planes: int) -> None:
        """Any number of rotated planes is allowed."""

    def map(self, theta: Exact) -> Exact:
        """`theta'` as a SymPy `Piecewise` in `theta`, radians per position."""
        turns = self.original_length * theta / (2 * sympy.pi)
        return sympy.Piecewise(
            (theta / self.factor, turns < self.low_freq_factor),
            (theta, turns > self.high_freq_factor),
            (theta * self._blend(turns), True),
        )

    def multipliers(self, plain: Plain) -> tuple[Exact, ...]:
        """`theta'_l / theta_l` for each rotated plane."""
        return tuple(self._multiplier(theta) for theta in plain.frequencies)

    def attention_factor(self) -> Exact:
        """1: the amplitudes do not change."""
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


@dataclass(frozen=True)
class Proportional:
    """The first `turning` planes divided by `factor`, the others still: proportional RoPE.

    All coordinates are the rotated part, so the frequencies of the planes that turn are those of
    the whole head, `base**(-l/m)`, and half layout pairs coordinate `l` with `l + m`. On `k`
    planes of `m` that is partial rotary with `2k` coordinates and the base `base**(k/m)`, whose
    claim is `rope.partial`. `factor >= 1`, `turning >= 0`. Raises `InvalidArgument`. No branch.
    """

    turning: int
    factor: Exact = 1

    def __post_init__(self) -> None:
        _set(
            self,
            turning=read_integer("turning", self.turning, least=0),
            factor=_at_least_one("factor", self.factor),
        )

    def check_planes(self, planes: int) -> None:
        """Raise `InvalidArgument` unless there are so many rotated planes."""
        if self.turning > planes:
            raise InvalidArgument("turning", self.turning, f"at most {planes} rotated planes")

    def multipliers(self, plain: Plain) -> tuple[Exact, ...]:
        """`theta'_l / theta_l` for each rotated plane, 0 where it does not turn."""
        still = len(plain.frequencies) - self.turning
        return (1 / self.factor,) * self.turning + (sympy.Integer(0),) * still

    def attention_factor(self) -> Exact:
        """1: the amplitudes do not change."""
        return sympy.Integer(1)


Scaling: TypeAlias = Linear | Dynamic | Yarn | LongRope | Llama3 | Proportional


def _clamp(ramp: Exact) -> Exact:
    if sign(ramp) <= 0:
        return sympy.Integer(0)
    return ramp if sign(1 - ramp) > 0 else sympy.Integer(1)
