"""The rotary position embedding of one attention head, exactly.

A `RopeSpec` is the only place where a frequency is computed. `ropeproof.numerics.spec` turns it into
float64, into balls and into torch; presets and model configurations are read into one.
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import sympy
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.exact import read_integer, read_rational, sign
from ropeproof.theory.layout import Layout
from ropeproof.theory.scaling import Dynamic, Linear, Llama3, LongRope, Plain, Scaling, Yarn

__all__ = ["Dynamic", "Layout", "Linear", "Llama3", "LongRope", "RopeSpec", "Scaling", "Yarn"]


@dataclass(frozen=True, init=False)
class RopeSpec:
    """Head dimension, base, rotated part, coordinate layout and frequency scaling of a head.

    - `head_dim`: even, coordinates of a query or key; `planes = head_dim/2` complex numbers.
    - `base`: an exact rational greater than 1, so that `theta_0 = 1` is the largest of the plain
      frequencies and they fall strictly, as `rope.band` and `rope.expressive` need. A float
      stands for its binary value, a string for its decimal one.
    - `rotary_dim`: even, from 2 to `head_dim` (the default): the first `rotary_dim` coordinates
      rotate, the others stay (`rope.partial`).
    - `layout`: plane `l` of the rotated part holds coordinates `(l, l + rotary_dim/2)` in `"half"`,
      `(2l, 2l + 1)` in `"interleaved"`. An unrotated plane holds `(2l, 2l + 1)` in both.
    - `scaling`: a record of `ropeproof.theory.scaling`, or None.
    - `length`: the number of positions of the sequence, or None. Only `Dynamic` and `LongRope`
      read it; models read from a configuration have their context length here.

    >>> RopeSpec(8, 10000).frequencies()
    (1, 1/10, 1/100, 1/1000)

    Raises `InvalidArgument`, naming the argument.
    """

    head_dim: int
    base: Any
    rotary_dim: int
    layout: Layout
    scaling: Scaling | None
    length: int | None

    def __init__(
        self,
        head_dim: int,
        base: object,
        *,
        rotary_dim: int | None = None,
        layout: Layout = "half",
        scaling: Scaling | None = None,
        length: int | None = None,
    ) -> None:
        dim = read_integer("head_dim", head_dim, least=2)
        if dim % 2:
            raise InvalidArgument("head_dim", head_dim, "an even integer >= 2")
        rotated = dim if rotary_dim is None else read_integer("rotary_dim", rotary_dim, least=2)
        if rotated % 2 or rotated > dim:
            raise InvalidArgument("rotary_dim", rotary_dim, f"an even integer from 2 to {dim}")
        exact = read_rational("base", base)
        if exact <= 1:
            raise InvalidArgument("base", base, "a number > 1")
        if layout not in typing.get_args(Layout):
            raise InvalidArgument("layout", layout, "'half' or 'interleaved'")
        if scaling is not None:
            if not isinstance(scaling, Scaling):
                allowed = "None, Linear, Dynamic, Yarn, LongRope or Llama3"
                raise InvalidArgument("scaling", scaling, allowed)
            scaling.check_planes(rotated // 2)
        if length is not None:
            length = read_integer("length", length, least=1)
        values = (dim, exact, rotated, layout, scaling, length)
        for name, value in zip(self.__dataclass_fields__, values, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def from_config(
        cls,
        config: str | PathLike[str] | Mapping[str, Any] | object,
        *,
        length: int | None = None,
        layer_type: str | None = None,
    ) -> RopeSpec:
        """The spec of a released model's configuration.

        Arguments and errors as in `ropeproof.theory.config.spec_fields`.
        """
        from ropeproof.theory.config import spec_fields  # only where a configuration is read

        return cls(**spec_fields(config, length=length, layer_type=layer_type))

    @property
    def planes(self) -> int:
        """`head_dim / 2`, rotated or not."""
        return self.head_dim // 2

    @property
    def rotary_planes(self) -> int:
        """`rotary_dim / 2`, the planes that rotate; they come first."""
        return self.rotary_dim // 2

    def frequencies(self) -> tuple[Any, ...]:
        """`theta_l` in radians per position, `(planes,)` exact SymPy numbers.

        `base**(-l/rotary_planes)` after the scaling's map; 0 on the unrotated planes.
        """
        return _frequencies(self)

    def wavelengths(self) -> tuple[Any, ...]:
        """`2 pi / theta_l` in positions, `(planes,)` exact; `oo` on the unrotated planes."""
        return tuple(2 * sympy.pi / t if t != 0 else sympy.oo for t in self.frequencies())

    def frequency_order(self) -> tuple[int, ...]:
        """The planes, largest frequency first, ties by plane; decided exactly.

        Without scaling this is `(0, 1, ..., planes - 1)`. Raises `Unsupported` if two frequencies
        cannot be told apart at 16384 bits and are not the same expression.
        """
        frequencies = self.frequencies()

        def compare(left: int, right: int) -> int:
            if frequencies[left] == frequencies[right]:
                return left - right
            return sign(frequencies[right] - frequencies[left])

        return tuple(sorted(range(self.planes), key=functools.cmp_to_key(compare)))

    def attention_factor(self) -> Any:
        """What cosine and sine of the rotated planes are multiplied by, exact; 1 if unscaled.

        The logits of the rotated planes are multiplied by its square.
        """
        return sympy.Integer(1) if self.scaling is None else self.scaling.attention_factor()

    def plane_coordinates(self) -> tuple[tuple[int, int], ...]:
        """The two coordinates of each plane, real part first, in this spec's layout."""
        return _plane_coordinates(self)

    def layout_permutation(self) -> tuple[int, ...]:
        """The coordinate permutation `p` from interleaved to half order, `(head_dim,)`.

        Coordinate `i` of a vector in half order is coordinate `p[i]` of it in interleaved order:
        `x_half = x_interleaved[p]`. The identity on the unrotated coordinates. It depends on the
        dimensions only, not on `layout`. Claim `rope.layout`.
        """
        rotated = range(self.rotary_planes)
        real, imaginary = (2 * plane for plane in rotated), (2 * plane + 1 for plane in rotated)
        return (*real, *imaginary, *range(self.rotary_dim, self.head_dim))

    def _coordinates(self, plane: int) -> tuple[int, int]:
        if self.layout == "half" and plane < self.rotary_planes:
            return plane, plane + self.rotary_planes
        return 2 * plane, 2 * plane + 1


@functools.lru_cache(maxsize=256)
def _plane_coordinates(spec: RopeSpec) -> tuple[tuple[int, int], ...]:
    return tuple(spec._coordinates(plane) for plane in range(spec.planes))


@functools.lru_cache(maxsize=256)
def _frequencies(spec: RopeSpec) -> tuple[Any, ...]:
    planes = spec.rotary_planes
    plain = tuple(spec.base ** sympy.Rational(-plane, planes) for plane in range(planes))
    zeros = (sympy.Integer(0),) * (spec.planes - planes)
    if spec.scaling is None:
        return plain + zeros
    factors = spec.scaling.multipliers(Plain(spec.base, plain, spec.length))
    return tuple(t * factor for t, factor in zip(plain, factors, strict=True)) + zeros
