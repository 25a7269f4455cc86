"""The plane forms of a head, kept as their factors: all that attention knows of its queries and keys."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import (
    attention_factor_float64,
    frequencies_float64,
    read_spec,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import sign
from ropeproof.theory.rotary.later import sympy
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["EqualPlanes", "FormFactors", "HeadForms", "forms_of", "plane_groups"]

Complex = NDArray[np.complex128]

_NEAR = 1e-9
"""How near two angles are, in radians, before it is decided exactly whether they are equal."""


@dataclass(frozen=True)
class EqualPlanes:
    """The planes of one rotation that no logit can tell apart, because they turn by equal angles.

    - `planes`: their numbers; `turned`: for each whether it turns the other way, by `2 pi` less the angle,
      so that its complex numbers are conjugated (at whole lags, the same logits);
    - `real`: whether the angle is 0 or pi modulo `2 pi`; then only the real part of the forms counts.
    """

    planes: tuple[int, ...]
    turned: tuple[bool, ...]
    real: bool


@dataclass(frozen=True, eq=False)
class FormFactors:
    """The factors of one group's form `left^T conj(right)`: `(rows, inputs)` each, complex or real."""

    left: NDArray[Any]
    right: NDArray[Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class HeadForms:
    """Queries and keys of one head as linear maps of its inputs, plane by plane.

    With `q_l(x) = queries[l] @ x` and `k_l(y) = keys[l] @ y`, the logit of a query at x and a key at y that
    stands t positions before is

        w(t; x, y) = scale * sum_l a_l^2 Re(q_l(x) conj(k_l(y)) exp(i theta_l t)),

    `theta_l` the frequencies of `spec` and `a_l` its attention factor, 1 on planes that do not rotate. So
    it depends on the head through the forms `M_l(x, y) = q_l(x) conj(k_l(y))` alone, one of rank one for
    each plane, and by claim `head.identified` nothing more than that is lost.

    - `queries`, `keys`: `(planes, inputs)`, complex;
    - `affine`: whether the last input is the constant 1, on which biases of queries and keys act;
    - `longest`: the largest length that an input can have, the constant included; None if there is none;
    - `single`: whether an input is one coordinate alone, with value 1, as tokens and places of a prompt are;
    - `soft_cap`: the value at which logits are capped, or None.

    Raises `InvalidArgument` for arrays of other shapes and numbers that are not finite.
    """

    queries: Complex
    keys: Complex
    spec: RopeSpec
    scale: float
    affine: bool = False
    longest: float | None = None
    single: bool = False
    soft_cap: float | None = None

    def __post_init__(self) -> None:
        spec = read_spec(self.spec)
        for name in ("queries", "keys"):
            array = np.asarray(getattr(self, name))
            if array.ndim != 2 or len(array) != spec.planes or array.shape[1] < 1:
                allowed = f"({spec.planes}, inputs), a row for each plane"
                raise InvalidArgument(name, f"shape {array.shape}", allowed)
            if array.dtype.kind not in "fiuc":
                raise InvalidArgument(name, f"dtype {array.dtype}", "real or complex numbers")
            if not np.isfinite(array).all():
                raise InvalidArgument(name, "a value that is not finite", "finite numbers")
            object.__setattr__(self, name, array.astype(np.complex128))
        if self.queries.shape != self.keys.shape:
            got = f"shape {self.keys.shape}"
            raise InvalidArgument("keys", got, f"the shape of queries, {self.queries.shape}")
        if not np.isfinite(self.scale):
            raise InvalidArgument("scale", self.scale, "a finite number")

    @property
    def inputs(self) -> int:
        """How many inputs there are, without the constant of an affine head."""
        return int(self.queries.shape[1]) - self.affine

    def extended(self) -> HeadForms:
        """The same head as an affine one: with a constant input, on which it need not depend."""
        if self.affine:
            return self
        wide = [np.pad(factor, ((0, 0), (0, 1))) for factor in (self.queries, self.keys)]
        longest = None if self.longest is None else float(np.hypot(self.longest, 1.0))
        return HeadForms(
            queries=wide[0], keys=wide[1], spec=self.spec, scale=self.scale, affine=True,
            longest=longest, single=False, soft_cap=self.soft_cap,
        )  # fmt: skip

    def gains(self) -> NDArray[np.float64]:
        """The factor of each plane's form in a logit, `(planes,)`: the scale, and `a_l^2` where it turns."""
        factors = np.ones(self.spec.planes)
        factors[: self.spec.rotary_planes] = attention_factor_float64(self.spec)
        return factors * factors * self.scale

    def blocks(self) -> tuple[FormFactors, ...]:
        """The factors of each group of `plane_groups(spec)`, in its order, with `gains` in them."""
        gains = self.gains()
        found = []
        for group in plane_groups(self.spec):
            places = list(group.planes)
            turned = np.array(group.turned)[:, None]
            left, right = self.queries[places] * gains[places, None], self.keys[places]
            sides: list[NDArray[Any]] = [left, right]
            if group.real:
                sides = [np.concatenate((side.real, side.imag)) for side in sides]
            elif turned.any():
                sides = [np.where(turned, side.conj(), side) for side in sides]
            found.append(FormFactors(sides[0], sides[1]))
        return tuple(found)


def forms_of(head: Any, *, scale: float | None = None) -> HeadForms:
    """The plane forms of a head with weights `w_q` and `w_k`, `(head_dim, width)`, and a `spec`.

    Such as `ropeproof.constructions.Head`; a `HeadForms` is returned as it is. `scale` is the factor of the
    logits, `1/sqrt(head_dim)` without it. Raises `InvalidArgument` for anything else.
    """
    if isinstance(head, HeadForms):
        return head
    missing = [name for name in ("w_q", "w_k", "spec") if not hasattr(head, name)]
    if missing:
        raise InvalidArgument("head", type(head).__name__, "a Head or HeadForms")
    spec = read_spec(head.spec)
    sides = []
    for name in ("w_q", "w_k"):
        weights = np.asarray(getattr(head, name), dtype=np.float64)
        if weights.ndim != 2 or len(weights) != spec.head_dim:
            raise InvalidArgument(name, f"shape {weights.shape}", f"({spec.head_dim}, width)")
        real, imaginary = (list(c) for c in zip(*spec.plane_coordinates(), strict=True))
        sides.append(weights[real] + 1j * weights[imaginary])
    factor = spec.head_dim**-0.5 if scale is None else float(scale)
    return HeadForms(queries=sides[0], keys=sides[1], spec=spec, scale=factor)


@functools.lru_cache(maxsize=64)
def plane_groups(spec: RopeSpec) -> tuple[EqualPlanes, ...]:
    """The planes of a rotation by what logits can tell apart at whole lags, in the order of first planes.

    Planes of equal angle make one group, and so do planes of angles `a` and `2 pi - a`; decided exactly
    (`rope.gauge`). All planes that stand still are one group. Where angles are distinct and in `(0, pi)`
    each is a group of its own.

    >>> [group.planes for group in plane_groups(RopeSpec(8, 100, rotary_dim=4))]
    [(0,), (1,), (2, 3)]

    Raises `Unsupported` for positions on axes that no text has, and if it cannot be decided whether two
    angles are equal.
    """
    spec = spec.on_text()
    exact, near = spec.frequencies(), frequencies_float64(spec)
    angles: list[tuple[Any, float]] = []
    members: list[list[tuple[int, bool]]] = []
    for plane, (frequency, size) in enumerate(zip(exact, near.tolist(), strict=True)):
        angle, about, turned = _folded(frequency, size)
        for place, (other, other_about) in enumerate(angles):
            if abs(about - other_about) < _NEAR * max(about, other_about) and (
                angle == other or sign(angle - other) == 0
            ):
                members[place].append((plane, turned))
                break
            if angle == other == 0:
                members[place].append((plane, turned))
                break
        else:
            angles.append((angle, about))
            members.append([(plane, turned)])
    return tuple(
        EqualPlanes(tuple(p for p, _ in each), tuple(t for _, t in each), angle in (0, sympy.pi))
        for each, (angle, _) in zip(members, angles, strict=True)
    )


def _folded(frequency: Any, size: float) -> tuple[Any, float, bool]:
    """An angle in `[0, pi]` with the same cosine at whole lags, its size, and whether it turns the other way.

    An angle of exactly `pi` is given as that.
    """
    if frequency == 0:
        return sympy.Integer(0), 0.0, False
    if abs(size) < np.pi - _NEAR and size > 0:
        return frequency, size, False
    rounds = round(size / (2 * np.pi))
    rest = frequency - 2 * sympy.pi * rounds
    way = sign(rest)
    if way == 0:
        return sympy.Integer(0), 0.0, False
    if way < 0:
        rest = -rest
    about = abs(size - 2 * np.pi * rounds)
    if abs(about - np.pi) < _NEAR and sign(rest - sympy.pi) == 0:
        return sympy.pi, float(np.pi), False
    if abs(about - np.pi) < _NEAR and sign(rest - sympy.pi) > 0:  # rounding chose the other turn
        return 2 * sympy.pi - rest, 2 * np.pi - about, way > 0
    return rest, about, way < 0
