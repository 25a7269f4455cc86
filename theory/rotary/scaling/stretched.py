"""Scalings that stretch the positions: linear, dynamic and proportional."""

from __future__ import annotations

from dataclasses import dataclass

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import exact_fields, read_integer
from ropeproof.theory.rotary.later import sympy
from ropeproof.theory.rotary.scaling.plain import Exact, Plain, at_least_one, given, set_fields

__all__ = ["Dynamic", "Linear", "Proportional"]


@exact_fields("factor")
@dataclass(frozen=True)
class Linear:
    """Position interpolation: `theta' = theta / factor` with `factor >= 1`; strictly increasing.

    Raises `InvalidArgument`. Source: `rope.scaling.linear`. No branch.
    """

    factor: Exact

    def __post_init__(self) -> None:
        set_fields(self, factor=at_least_one("factor", given(self, "factor")))

    def check_planes(self, planes: int) -> None:
        """Accept any number of rotated planes."""

    def map(self, theta: Exact) -> Exact:
        """The scaled frequency `theta'` as a SymPy expression in `theta`, radians per position."""
        return theta / self.factor

    def multipliers(self, plain: Plain) -> tuple[Exact, ...]:
        """The exact factors `theta'_l / theta_l` of the rotated planes."""
        return (1 / self.factor,) * len(plain.frequencies)

    def attention_factor(self) -> Exact:
        """The factor of cosine and sine, which is 1: the amplitudes do not change."""
        return sympy.Integer(1)


@exact_fields("factor")
@dataclass(frozen=True)
class Dynamic:
    """Dynamic NTK: `theta'_l = theta_l s**(-l/(m-1))` with `s = factor L/L_0 - (factor - 1)`.

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
        set_fields(
            self,
            factor=at_least_one("factor", given(self, "factor")),
            original_length=read_integer("original_length", self.original_length, least=1),
        )

    def check_planes(self, planes: int) -> None:
        """Raise `InvalidArgument` unless there are at least two rotated planes."""
        if planes < 2:
            raise InvalidArgument("rotary_dim", 2 * planes, "at least 4 with dynamic scaling")

    def multipliers(self, plain: Plain) -> tuple[Exact, ...]:
        """The exact factors `theta'_l / theta_l` of the rotated planes, at the sequence's length."""
        current = max(plain.length or 0, self.original_length)
        stretch = self.factor * sympy.Rational(current, self.original_length) - (self.factor - 1)
        last = len(plain.frequencies) - 1
        return tuple(stretch ** sympy.Rational(-plane, last) for plane in range(last + 1))

    def attention_factor(self) -> Exact:
        """The factor of cosine and sine, which is 1: the amplitudes do not change."""
        return sympy.Integer(1)


@exact_fields("factor")
@dataclass(frozen=True)
class Proportional:
    """Proportional RoPE: the first `turning` planes are divided by `factor`, the others do not turn.

    All coordinates are the rotated part, so the frequencies of the planes that turn are those of
    the whole head, `base**(-l/m)`, and half layout pairs coordinate `l` with `l + m`. On `k`
    planes of `m` that is partial rotary with `2k` coordinates and the base `base**(k/m)`, whose
    claim is `rope.partial`. `factor >= 1`, `turning >= 0`. Raises `InvalidArgument`. No branch.
    """

    turning: int
    factor: Exact = 1

    def __post_init__(self) -> None:
        set_fields(
            self,
            turning=read_integer("turning", self.turning, least=0),
            factor=at_least_one("factor", given(self, "factor")),
        )

    def check_planes(self, planes: int) -> None:
        """Raise `InvalidArgument` if `turning` exceeds the number of rotated planes."""
        if self.turning > planes:
            raise InvalidArgument("turning", self.turning, f"at most {planes} rotated planes")

    def multipliers(self, plain: Plain) -> tuple[Exact, ...]:
        """The exact factors `theta'_l / theta_l` of the rotated planes, 0 for planes that do not turn."""
        still = len(plain.frequencies) - self.turning
        return (1 / self.factor,) * self.turning + (sympy.Integer(0),) * still

    def attention_factor(self) -> Exact:
        """The factor of cosine and sine, which is 1: the amplitudes do not change."""
        return sympy.Integer(1)
