"""Queries and keys of a head as complex numbers, one per plane, with the scale in the queries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.core.arrays import real_array
from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_rational
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["ComplexHead", "plane_numbers", "plane_scales", "read_head", "read_spec"]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class ComplexHead:
    """A head with logit `Re sum_l q_l conj(k_l) e^{i theta_l t}` at lag `t`, in complex numbers.

    `queries` and `keys` are `(tokens, planes)`, the queries times `s a^2` on each plane;
    `frequencies` is `(planes,)`.
    """

    queries: Complexes
    keys: Complexes
    frequencies: Floats

    @cached_property
    def mean_query(self) -> Complexes:
        """The mean of the queries, `(planes,)`."""
        result: Complexes = self.queries.mean(0)
        return result

    @cached_property
    def mean_key(self) -> Complexes:
        """The mean of the keys, `(planes,)`."""
        result: Complexes = self.keys.mean(0)
        return result

    @cached_property
    def turned(self) -> tuple[Complexes, Complexes]:
        """Queries and keys rotated to the positions `0, 1, ...`, `(tokens, planes)` each.

        There must be as many queries as keys.
        """
        turns = self.all_turns()
        return self.queries * turns, self.keys * turns

    def all_turns(self) -> Complexes:
        """`e^{i theta_l t}` for `t = 0, ..., tokens - 1`, `(tokens, planes)`, read-only.

        The array is cached and shared by heads with the same rotation.
        """
        return _all_turns(self.frequencies.tobytes(), len(self.keys))

    def turn_sums(self) -> Complexes:
        """The cumulative sums of `all_turns` along the tokens, `(tokens, planes)`, read-only."""
        return _turn_sums(self.frequencies.tobytes(), len(self.keys))

    def turns(self, lags: ArrayLike) -> Complexes:
        """`e^{i theta_l t}` at the given lags, `(*lags, planes)`."""
        angles = np.asarray(lags, dtype=np.float64)[..., np.newaxis] * self.frequencies
        result: Complexes = np.exp(1j * angles)
        return result


@lru_cache(maxsize=4)
def _all_turns(frequencies: bytes, count: int) -> Complexes:
    angles = np.arange(count, dtype=np.float64)[:, np.newaxis] * np.frombuffer(frequencies)
    result: Complexes = np.exp(1j * angles)
    result.setflags(write=False)
    return result


@lru_cache(maxsize=4)
def _turn_sums(frequencies: bytes, count: int) -> Complexes:
    result: Complexes = np.cumsum(_all_turns(frequencies, count), 0)
    result.setflags(write=False)
    return result


def read_head(queries: Any, keys: Any, spec: RopeSpec, scale: float | None) -> ComplexHead:
    """The complex form of a head with these unrotated queries and keys, `(tokens, head_dim)` each.

    Raises `InvalidArgument` unless both are finite and of that shape, with one token or more, and
    `scale` is a finite number.
    """
    factor = plane_scales(spec, scale)
    numbers = [
        plane_numbers(name, x, spec, axes=2) for name, x in (("queries", queries), ("keys", keys))
    ]
    return ComplexHead(numbers[0] * factor, numbers[1], frequencies_float64(spec))


def plane_scales(spec: RopeSpec, scale: float | None) -> Floats:
    """`s a^2` of each plane, `(planes,)`; `a` is the attention factor, 1 on unrotated planes.

    `scale` is `s`, by default `1/sqrt(head_dim)`. Raises `InvalidArgument`.
    """
    spec = read_spec(spec)
    chosen = 1 / math.sqrt(spec.head_dim) if scale is None else float(read_rational("scale", scale))
    factor = np.full(spec.planes, chosen)
    factor[: spec.rotary_planes] *= attention_factor_float64(spec) ** 2
    return factor


def plane_numbers(name: str, values: Any, spec: RopeSpec, *, axes: int) -> Complexes:
    """Vectors `(..., head_dim)` with `axes` axes, as complex numbers `(..., planes)`.

    Raises `InvalidArgument` unless they are finite, of that shape and not empty.
    """
    array = real_array(name, values)
    if array.ndim != axes or array.shape[-1] != spec.head_dim or array.size == 0:
        shape = "(tokens, head_dim)" if axes == 2 else "(head_dim,)"
        allowed = f"shape {shape}, head_dim {spec.head_dim}"
        raise InvalidArgument(name, f"shape {array.shape}", allowed)
    real, imaginary = zip(*spec.plane_coordinates(), strict=True)
    result: Complexes = np.empty((*array.shape[:-1], len(real)), dtype=np.complex128)
    result.real, result.imag = array[..., _steps(real)], array[..., _steps(imaginary)]
    return result


def _steps(places: tuple[int, ...]) -> slice | list[int]:
    """The indices as a slice if they are evenly spaced, which copies much faster, else a list."""
    step = places[1] - places[0] if len(places) > 1 else 1
    stop = places[0] + step * len(places)
    evenly = step > 0 and places == tuple(range(places[0], stop, step))
    return slice(places[0], stop, step) if evenly else list(places)


def read_spec(spec: object) -> RopeSpec:
    """The argument unchanged, if it is a `RopeSpec`. Raises `InvalidArgument` otherwise."""
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    return spec
