"""The rotation inside a head's module, with constants computed once and tables kept between calls.

It gives the numbers of `ropeproof.numerics.core.spec.rotate`. That function reads its arrays: it refuses
values that are not finite and forms the angles in NumPy. Where PyTorch traces, maps or only plans a
call, no value can be read, so this class has two ways: tables from `rotation_tables` where values can
be read, and the same formula in PyTorch's own operations, angles in float64, where they cannot.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ropeproof.numerics.core.spec import (
    attention_factor_float64,
    frequencies_float64,
    rotation_tables,
)
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Rotary", "known_finite", "known_true"]

Key = tuple[int, torch.dtype, torch.device]


def known_finite(*tensors: Tensor) -> bool | None:
    """Whether all values are finite; None where no value can be read, as `known_true`."""
    for tensor in tensors:
        known = None if torch.compiler.is_compiling() else known_true(tensor.isfinite())
        if not known:
            return known
    return True


def known_true(tensor: Tensor) -> bool | None:
    """Whether all values are true; None where no value can be read.

    None while `torch.compile` or `torch.export` traces, under `torch.func.vmap`, on the meta device and
    for fake tensors. A module then returns what the formula gives, NaN for what it would refuse.
    """
    if torch.compiler.is_compiling() or tensor.is_meta:
        return None
    try:
        return bool(tensor.all())
    except RuntimeError:  # its values may decide nothing: mapped over, or fake
        return None


class Rotary:
    """Turns queries and keys to their positions as one spec says, `(..., length, head_dim)`.

    The tables of the last length, type and device at positions `0, 1, ...` are kept.
    """

    def __init__(self, spec: RopeSpec) -> None:
        self.spec = spec
        self.frequencies = frequencies_float64(spec).tolist()
        rest = spec.planes - spec.rotary_planes
        self.factors = [attention_factor_float64(spec)] * spec.rotary_planes + [1.0] * rest
        real, imaginary = map(list, zip(*spec.plane_coordinates(), strict=True))
        places = {c: place for place, c in enumerate((*real, *imaginary))}
        order = [places[coordinate] for coordinate in range(spec.head_dim)]
        self.real, self.imaginary = _evenly(real), _evenly(imaginary)
        self.order = None if order == list(range(spec.head_dim)) else order
        # Which coordinate of a position turns which plane; None where a position is one number.
        axes = spec.axes
        self.axes = None if axes is None else [*axes.planes, *[0] * rest]
        self.coordinates = 1 if axes is None else len(axes.names)
        self._kept: tuple[Key, tuple[Tensor, Tensor]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_kept": None}

    def tables(
        self, positions: Tensor | None, length: int, like: Tensor, *, traced: bool
    ) -> tuple[Tensor, Tensor]:
        """Tables of cosines and sines times the attention factor, `(*positions, planes)` each.

        They have the type and are on the device of `like`. `positions` None is `0, ..., length - 1`. Without
        `traced` a position that is not finite raises `InvalidArgument`.
        """
        if traced:
            return self._traced(positions, length, like)
        if positions is not None:
            cosines, sines = rotation_tables(self.spec, positions, dtype=like.dtype)
            return cosines.to(like.device), sines.to(like.device)
        key = length, like.dtype, like.device
        if self._kept is None or self._kept[0] != key:
            with torch.inference_mode(False):  # kept for calls that take gradients, too
                places = torch.arange(length, device=like.device)
                self._kept = key, rotation_tables(self.spec, places, dtype=like.dtype)
        return self._kept[1]

    def _traced(self, positions: Tensor | None, length: int, like: Tensor) -> tuple[Tensor, Tensor]:
        if positions is None:
            positions = torch.arange(length, device=like.device)
        places = positions.to(torch.float64)
        places = places[..., None] if self.axes is None else places[..., self.axes]
        frequencies = torch.tensor(self.frequencies, dtype=torch.float64, device=places.device)
        factors = torch.tensor(self.factors, dtype=torch.float64, device=places.device)
        angles = places * frequencies
        cosines, sines = angles.cos() * factors, angles.sin() * factors
        return cosines.to(like.device, like.dtype), sines.to(like.device, like.dtype)

    def turn(self, x: Tensor, tables: tuple[Tensor, Tensor]) -> Tensor:
        """`x` with each plane turned by its angle, in the shape of `x`."""
        cosines, sines = tables
        real, imaginary = x[..., self.real], x[..., self.imaginary]
        turned = (real * cosines - imaginary * sines, real * sines + imaginary * cosines)
        result = torch.cat(turned, -1)
        return result if self.order is None else result[..., self.order]


def _evenly(places: list[int]) -> list[int] | slice:
    """Indices as a slice if evenly spaced, so that indexing with them gives a view, not a copy."""
    step = places[1] - places[0] if len(places) > 1 else 1
    if step < 1 or places != list(range(places[0], places[-1] + 1, step)):
        return places
    return slice(places[0], places[-1] + 1, step)
