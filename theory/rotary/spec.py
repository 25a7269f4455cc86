"""The rotary position embedding of one attention head, exactly.

A `RopeSpec` is the only place where a frequency is computed. `ropeproof.numerics.core.spec` turns it into
float64, into balls and into torch; presets and model configurations are read into one.
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.exact import exact_fields, read_fraction, read_integer, sign
from ropeproof.theory.rotary.later import sympy
from ropeproof.theory.rotary.layout import MOST_COORDINATES, PER_COORDINATE, Layout
from ropeproof.theory.rotary.scaling import (
    Dynamic,
    Linear,
    Llama3,
    LongRope,
    Plain,
    Proportional,
    Scaling,
    Yarn,
)

__all__ = [
    "Axes",
    "Dynamic",
    "Layout",
    "Linear",
    "Llama3",
    "LongRope",
    "Proportional",
    "RopeSpec",
    "Scaling",
    "Yarn",
]


_LAYOUTS = typing.get_args(Layout)


@exact_fields("base")
@dataclass(frozen=True, init=False, repr=False)
class RopeSpec:
    """The rotation of one head: its dimension, base, rotated part, coordinate layout and frequency scaling.

    - `head_dim`: even, at most 65,536 coordinates of a query or key; `planes = head_dim/2` complex numbers.
    - `base`: an exact rational greater than 1, so that `theta_0 = 1` is the largest of the plain
      frequencies and they fall strictly, as `rope.band` and `rope.expressive` need. A float
      stands for its binary value, a string for its decimal one.
    - `rotary_dim`: even, to `head_dim` (the default): so many coordinates rotate, the others stay
      (`rope.partial`). With 0 nothing rotates: a layer without RoPE.
    - `layout`: plane `l` of the rotated part holds coordinates `(l, l + rotary_dim/2)` in `"half"`,
      `(2l, 2l + 1)` in `"interleaved"`, counted from `rotary_start`. The unrotated planes hold two
      neighbours each of the other coordinates, in order.
    - `scaling`: a record of `ropeproof.theory.rotary.scaling`, or None.
    - `length`: the number of positions of the sequence, or None. Only `Dynamic` and `LongRope`
      read it; models read from a configuration have their context length here.
    - `rotary_start`: even, the first coordinate that rotates; 0 but in latent attention, which
      rotates the last part of a head.
    - `axes`: an `Axes` if a position has several coordinates, of which each plane reads one.

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
    rotary_start: int
    axes: Axes | None

    def __init__(
        self,
        head_dim: int,
        base: object,
        *,
        rotary_dim: int | None = None,
        layout: Layout = "half",
        scaling: Scaling | None = None,
        length: int | None = None,
        rotary_start: int = 0,
        axes: Axes | None = None,
    ) -> None:
        dim = read_integer(
            "head_dim", head_dim, least=2, most=MOST_COORDINATES, cost=PER_COORDINATE
        )
        if dim % 2:
            raise InvalidArgument("head_dim", head_dim, "an even integer >= 2")
        rotated = dim if rotary_dim is None else read_integer("rotary_dim", rotary_dim, least=0)
        if rotated % 2 or rotated > dim:
            raise InvalidArgument("rotary_dim", rotary_dim, f"an even integer from 0 to {dim}")
        start = read_integer("rotary_start", rotary_start, least=0)
        if start % 2 or start + rotated > dim:
            allowed = f"an even integer from 0 to {dim - rotated}"
            raise InvalidArgument("rotary_start", rotary_start, allowed)
        exact = read_fraction("base", base)
        if exact <= 1:
            raise InvalidArgument("base", base, "a number > 1")
        if layout not in _LAYOUTS:
            raise InvalidArgument("layout", layout, "'half' or 'interleaved'")
        if scaling is not None:
            if not isinstance(scaling, Scaling):
                allowed = "None, Linear, Dynamic, Yarn, LongRope, Llama3 or Proportional"
                raise InvalidArgument("scaling", scaling, allowed)
            scaling.check_planes(rotated // 2)
        if length is not None:
            length = read_integer("length", length, least=1)
        if axes is not None:
            _check_axes(axes, rotated // 2, scaling)
        values = (dim, exact, rotated, layout, scaling, length, start, axes)
        for name, value in zip(self.__dataclass_fields__, values, strict=True):
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        rare = {"rotary_start": 0, "axes": None}
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        said = (f"{n}={v!r}" for n, v in fields.items() if n not in rare or v != rare[n])
        return f"RopeSpec({', '.join(said)})"

    @classmethod
    def from_config(
        cls,
        config: str | PathLike[str] | Mapping[str, Any] | object,
        *,
        length: int | None = None,
        layer_type: str | None = None,
        layer: int | None = None,
        part: str | None = None,
    ) -> RopeSpec:
        """The spec of a released model's configuration.

        Arguments and errors as in `ropeproof.theory.rotary.config.spec_fields`.
        """
        from ropeproof.theory.rotary.config import spec_fields  # only where a configuration is read

        found = spec_fields(
            config, length=length, layer_type=layer_type, layer=layer, part=part, accepts=cls
        )
        return cls(**found)

    def on_text(self) -> RopeSpec:
        """The same rotation for text, where all coordinates of a position are equal and it is one number.

        The spec itself without `axes`. Raises `Unsupported` if its planes have no single falling
        sequence of frequencies, as those of a grid have not.
        """
        if self.axes is None:
            return self
        if not self.axes.of_text:
            told = f"positions on axes {', '.join(self.axes.names)}: no text is read there"
            raise Unsupported(told)
        return self.changed(axes=None)

    def changed(self, **fields: Any) -> RopeSpec:
        """A new spec with the given arguments replaced, checked as in the constructor."""
        own = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return RopeSpec(**(own | fields))

    @property
    def planes(self) -> int:
        """The number of planes of a head, `head_dim / 2`, rotated or not."""
        return self.head_dim // 2

    @property
    def rotary_planes(self) -> int:
        """The number of rotated planes, `rotary_dim / 2`; they come first."""
        return self.rotary_dim // 2

    def frequencies(self) -> tuple[Any, ...]:
        """The frequencies `theta_l` in radians per position, `(planes,)` exact SymPy numbers.

        `base**(-l/rotary_planes)` after the scaling's map; 0 on the unrotated planes.
        """
        return _frequencies(self)

    def wavelengths(self) -> tuple[Any, ...]:
        """The wavelengths `2 pi / theta_l` in positions, `(planes,)` exact; `oo` on the unrotated planes."""
        return tuple(2 * sympy.pi / t if t != 0 else sympy.oo for t in self.frequencies())

    def frequency_order(self) -> tuple[int, ...]:
        """The planes in falling order of frequency, ties by plane; decided exactly.

        Without scaling this is `(0, 1, ..., planes - 1)`. Raises `Unsupported` if two frequencies
        cannot be distinguished at 16384 bits and are not the same expression.
        """
        frequencies = self.frequencies()

        def compare(left: int, right: int) -> int:
            if frequencies[left] == frequencies[right]:
                return left - right
            return sign(frequencies[right] - frequencies[left])

        return tuple(sorted(range(self.planes), key=functools.cmp_to_key(compare)))

    def attention_factor(self) -> Any:
        """The exact factor of cosine and sine of the rotated planes; 1 if unscaled.

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
        start = self.rotary_start
        real = (start + 2 * plane for plane in rotated)
        imaginary = (start + 2 * plane + 1 for plane in rotated)
        end = start + self.rotary_dim
        return (*range(start), *real, *imaginary, *range(end, self.head_dim))

    def _coordinates(self, plane: int) -> tuple[int, int]:
        start, rotated = self.rotary_start, self.rotary_planes
        if plane >= rotated:  # what does not rotate, before and behind what does
            before = 2 * (plane - rotated)
            first = before if before < start else 2 * plane
            return first, first + 1
        if self.layout == "half":
            return start + plane, start + plane + rotated
        return start + 2 * plane, start + 2 * plane + 1


def _check_axes(axes: object, planes: int, scaling: Scaling | None) -> None:
    if not isinstance(axes, Axes):
        raise InvalidArgument("axes", axes, "None or an Axes")
    if len(axes.planes) != planes:
        raise InvalidArgument("axes", f"{len(axes.planes)} planes", f"{planes} rotated planes")
    if isinstance(scaling, Dynamic | LongRope):
        told = "a scaling that does not depend on the length, where positions have several axes"
        raise InvalidArgument("scaling", scaling, told)
    if scaling is not None and not axes.of_text:
        raise InvalidArgument("scaling", scaling, "None, where each axis has its own frequencies")


@functools.lru_cache(maxsize=256)
def _plane_coordinates(spec: RopeSpec) -> tuple[tuple[int, int], ...]:
    return tuple(spec._coordinates(plane) for plane in range(spec.planes))


@functools.lru_cache(maxsize=256)
def _frequencies(spec: RopeSpec) -> tuple[Any, ...]:
    planes = spec.rotary_planes
    if spec.axes is None:
        plain = tuple(spec.base ** sympy.Rational(-plane, planes) for plane in range(planes))
    else:
        powers = (sympy.Rational(e.numerator, e.denominator) for e in spec.axes.exponents)
        plain = tuple(spec.base ** (-power) for power in powers)
    zeros = (sympy.Integer(0),) * (spec.planes - planes)
    if spec.scaling is None:
        return plain + zeros
    factors = spec.scaling.multipliers(Plain(spec.base, plain, spec.length))
    return tuple(t * factor for t, factor in zip(plain, factors, strict=True)) + zeros
