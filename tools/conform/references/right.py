"""Reference implementations, written in the usual ways: all must pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64, rotate
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.expected.exact import at_length
from ropeproof.tools.conform.references.mutants.parts import angles, frequencies, spread, turn

__all__ = ["RIGHT", "Right"]


@dataclass(frozen=True)
class Right:
    """A reference implementation: `make(spec)` builds it, `options` are those of `check`.

    `layouts` are the layouts it is written for.
    """

    make: Callable[[RopeSpec], Callable[..., Any]]
    options: Mapping[str, Any] = field(default_factory=dict)
    layouts: tuple[str, ...] = ("half", "interleaved")


def _planes(spec: RopeSpec) -> Any:
    def call(x: Any, p: Any) -> Any:
        own = at_length(spec, int(p.max()) + 1)
        return turn(x, angles(p, frequencies(own)), own)

    return call


def _rotate_half(spec: RopeSpec) -> Any:
    def call(x: Any, p: Any) -> Any:
        import torch

        own = at_length(spec, int(p.max()) + 1)
        part, rest = x[..., : spec.rotary_dim], x[..., spec.rotary_dim :]
        table = spread(angles(p, frequencies(own)), "half")
        factor = attention_factor_float64(own)
        c, s = (table.cos() * factor).to(x.dtype), (table.sin() * factor).to(x.dtype)
        first, second = part.chunk(2, -1)
        return torch.cat((part * c + torch.cat((-second, first), -1) * s, rest), -1)

    return call


def _complex(spec: RopeSpec) -> Any:
    def call(x: Any, p: Any) -> Any:
        import torch

        own = at_length(spec, int(p.max()) + 1)
        part, rest = x[..., : spec.rotary_dim], x[..., spec.rotary_dim :]
        turned = angles(p, frequencies(own))
        unit = torch.polar(torch.full_like(turned, attention_factor_float64(own)), turned)
        pairs = torch.view_as_complex(part.float().unflatten(-1, (-1, 2)).contiguous())
        out = torch.view_as_real(pairs * unit).flatten(-2).to(x.dtype)
        return torch.cat((out, rest), -1)

    return call


def _matrices(spec: RopeSpec) -> Any:
    """A rotation matrix for each position, applied by one einsum."""

    def call(x: Any, p: Any) -> Any:
        import torch

        own = at_length(spec, int(p.max()) + 1)
        turned = angles(p, frequencies(own))
        factor = attention_factor_float64(own)
        matrix = torch.eye(spec.head_dim).expand(*turned.shape[:-1], -1, -1).clone()
        for plane, (re, im) in enumerate(spec.plane_coordinates()[: spec.rotary_planes]):
            c, s = turned[..., plane].cos() * factor, turned[..., plane].sin() * factor
            matrix[..., re, re], matrix[..., im, im] = c, c
            matrix[..., re, im], matrix[..., im, re] = -s, s
        return torch.einsum("bhlij,bhlj->bhli", matrix.to(x.dtype).expand(*x.shape, -1), x)

    return call


def _double(spec: RopeSpec) -> Any:
    """Forms angles and results in float64, and casts the result to the type of the vectors."""

    def call(x: Any, p: Any) -> Any:
        import torch

        own = at_length(spec, int(p.max()) + 1)
        thetas = torch.from_numpy(frequencies_float64(own)[: spec.rotary_planes])
        turned = p.double()[..., None] * thetas
        turned = turned[:, None] if turned.ndim == 3 else turned[None, None]
        return turn(x.double(), turned, own).to(x.dtype)

    return call


def _upcast(spec: RopeSpec) -> Any:
    """Rotates vectors in float32, whatever type they come in."""
    inner = _planes(spec)
    return lambda x, p: inner(x.float(), p).to(x.dtype)


def _cached(spec: RopeSpec) -> Any:
    """Keeps a table that grows when a longer sequence comes, one for each set of frequencies."""
    kept: dict[Any, Any] = {}

    def call(x: Any, p: Any) -> Any:
        import torch

        need = int(p.max()) + 1
        own = at_length(spec, need)
        thetas = frequencies(own)
        key = tuple(thetas.tolist())
        if key not in kept or len(kept[key]) < need:
            kept[key] = torch.arange(need).float()[:, None] * thetas
        turned = kept[key][p]
        return turn(x, turned[:, None] if turned.ndim == 3 else turned[None, None], own)

    return call


def _blocked(spec: RopeSpec) -> Any:
    """Rotates in blocks of places and planes, as a kernel on a device does."""

    def call(x: Any, p: Any) -> Any:
        own = at_length(spec, int(p.max()) + 1)
        thetas, factor = frequencies(own), attention_factor_float64(own)
        rows = p if p.ndim == 2 else p[None]
        out = x.clone()
        pairs = np.array(spec.plane_coordinates()[: spec.rotary_planes])
        for start in range(0, x.shape[2], 64):
            place = slice(start, start + 64)
            for first in range(0, spec.rotary_planes, 4):
                turned = rows[:, None, place, None].float() * thetas[first : first + 4]
                c, s = (turned.cos() * factor).to(x.dtype), (turned.sin() * factor).to(x.dtype)
                re, im = pairs[first : first + 4, 0], pairs[first : first + 4, 1]
                a, b = x[:, :, place][..., re], x[:, :, place][..., im]
                block = out[:, :, place]
                block[..., re], block[..., im] = a * c - b * s, b * c + a * s
        return out

    return call


def _by_steps(spec: RopeSpec) -> Any:
    """Multiplies two tables of exact turns, for the low and the high part of a position."""

    def call(x: Any, p: Any) -> Any:
        import torch

        own = at_length(spec, int(p.max()) + 1)
        thetas = torch.from_numpy(frequencies_float64(own)[: spec.rotary_planes])
        low, high = (
            (p % 128).double()[..., None] * thetas,
            (p // 128 * 128).double()[..., None] * thetas,
        )
        c = low.cos() * high.cos() - low.sin() * high.sin()
        s = low.sin() * high.cos() + low.cos() * high.sin()
        turned = torch.atan2(s, c)
        turned = turned[:, None] if turned.ndim == 3 else turned[None, None]
        return turn(x, turned, own)

    return call


def _log_space(spec: RopeSpec) -> Any:
    """Forms frequencies as exponentials of logarithms in float32; for unscaled specs only."""
    if spec.scaling is not None:
        return _planes(spec)

    def call(x: Any, p: Any) -> Any:
        import math

        import torch

        step = -math.log(float(spec.base)) / spec.rotary_planes
        thetas = torch.exp(torch.arange(spec.rotary_planes).float() * step)
        return turn(x, angles(p, thetas), spec)

    return call


def _numpy(spec: RopeSpec) -> Any:
    def call(x: Any, p: Any) -> Any:
        own = at_length(spec, int(p.max()) + 1)
        return rotate(x, p if p.ndim == 1 else p[:, None], own)

    return call


def _length_first(spec: RopeSpec) -> Any:
    """Takes vectors `(batch, length, heads, head_dim)`."""
    inner = _planes(spec)
    return lambda x, p: inner(x.transpose(1, 2), p).transpose(1, 2)


def _tables(columns: str) -> Any:
    def make(spec: RopeSpec) -> Any:
        def call(p: Any) -> Any:
            own = at_length(spec, int(p.max()) + 1)
            turned = angles(p, frequencies(own))
            turned = turned[:, 0] if p.ndim == 2 else turned[0, 0]
            turned = turned if columns == "planes" else spread(turned, spec.layout)
            factor = attention_factor_float64(own)
            return turned.cos() * factor, turned.sin() * factor

        return call

    return make


def _pair(spec: RopeSpec) -> Any:
    inner = _planes(spec)
    return lambda q, k, p: (inner(q, p), inner(k, p))


class _Array:
    """An array of a library that the kit does not know: it offers only `__dlpack__`."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)
        self.dtype = self.values.dtype

    def __dlpack__(self, **how: Any) -> Any:
        return self.values.__dlpack__(**how)

    def __dlpack_device__(self) -> Any:
        return self.values.__dlpack_device__()


def _foreign(spec: RopeSpec) -> Any:
    inner = _numpy(spec)
    return lambda x, p: _Array(inner(x.values, p.values))


def _refusing(spec: RopeSpec) -> Any:
    """Has a table of the context's size, and refuses positions beyond it."""
    inner = _planes(spec)

    def call(x: Any, p: Any) -> Any:
        if int(p.max()) >= (spec.length or 0):
            raise Unsupported("positions beyond the context")
        return inner(x, p)

    return call


RIGHT: Mapping[str, Right] = MappingProxyType(
    {
        "planes, float32": Right(_planes),
        "rotate_half": Right(_rotate_half, layouts=("half",)),
        "complex": Right(_complex, layouts=("interleaved",)),
        "matrices and einsum": Right(_matrices),
        "angles in float64": Right(_double),
        "vectors cast to float32": Right(_upcast),
        "growing table": Right(_cached),
        "blocks": Right(_blocked),
        "two tables": Right(_by_steps),
        "logarithms": Right(_log_space),
        "NumPy": Right(_numpy, {"array": "numpy"}),
        "NumPy, one head": Right(_numpy, {"array": "numpy", "axes": "ld"}),
        "length before heads": Right(_length_first, {"axes": "blhd"}),
        "tables of planes": Right(_tables("planes"), {"form": "tables"}),
        "tables of coordinates": Right(_tables("coordinates"), {"form": "tables"}),
        "queries and keys together": Right(_pair, {"form": "pair"}),
        "arrays of another library": Right(_foreign, {"array": _Array}),
        "refuses what is beyond the context": Right(_refusing),
    }
)
"""Reference implementations by name; each is tried with every spec whose layout it is written for."""
