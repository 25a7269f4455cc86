"""Faults that only rotations of other kinds have: coordinates of positions, split heads, still layers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.scaling import Proportional
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.references.mutants.parts import mutant, turn

__all__ = ["DEALT", "GRID", "LATENT", "PROPORTIONAL", "STILL", "VIDEO", "WOVEN", "by_planes"]

_CONTEXT = 600
VIDEO = RopeSpec(32, 1000000, axes=Axes.sections((4, 6, 6)), length=_CONTEXT)
WOVEN = RopeSpec(32, 500000, axes=Axes.sections((6, 5, 5), interleaved=True), length=_CONTEXT)
GRID = RopeSpec(32, 10000, axes=Axes.grid(16), length=64)
DEALT = RopeSpec(32, 10000, axes=Axes.grid(16, dealt=True), length=64)
LATENT = RopeSpec(32, 10000, rotary_dim=12, rotary_start=20, layout="interleaved", length=_CONTEXT)
STILL = RopeSpec(32, 10000, rotary_dim=0, length=_CONTEXT)
PROPORTIONAL = RopeSpec(32, 1000000, scaling=Proportional(4), length=_CONTEXT)


def by_planes(spec: RopeSpec) -> Callable[..., Any]:
    """The rotation that a spec states, plane by plane in float32."""
    import torch

    from ropeproof.numerics.core.spec import frequencies_torch

    rotated = spec.rotary_planes
    thetas = frequencies_torch(spec, dtype=torch.float32)[:rotated]
    pairs = spec.plane_coordinates()[:rotated]
    re, im = [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    def rotate(x: Any, p: Any) -> Any:
        places = p[..., None] if spec.axes is None else p[..., list(spec.axes.planes)]
        turned = places.float() * thetas
        turned = turned[:, None] if turned.ndim == 3 else turned
        c, s = turned.cos().to(x.dtype), turned.sin().to(x.dtype)
        out = x.clone()
        out[..., re] = x[..., re] * c - x[..., im] * s
        out[..., im] = x[..., im] * c + x[..., re] * s
        return out

    return rotate


def _other_axes(spec: RopeSpec, planes: Any) -> Callable[..., Any]:
    assert spec.axes is not None
    return by_planes(spec.changed(axes=Axes(spec.axes.names, tuple(planes), spec.axes.exponents)))


def _moved(spec: RopeSpec, order: tuple[int, ...]) -> Callable[..., Any]:
    assert spec.axes is not None
    return _other_axes(spec, (order[a] for a in spec.axes.planes))


@mutant("height and width exchanged in a video", VIDEO, "axes-order", origin="MNN#4133")
def _exchanged(spec: RopeSpec) -> Any:
    return _moved(spec, (0, 2, 1))


@mutant("time read last", WOVEN, "axes-order", origin="mlx-vlm#576")
def _last(spec: RopeSpec) -> Any:
    return _moved(spec, (1, 2, 0))


@mutant("width before height in an image", GRID, "axes-order")
def _width_first(spec: RopeSpec) -> Any:
    return _moved(spec, (1, 0))


@mutant("sections in another order", VIDEO, "sections-order", origin="mlx-vlm#576")
def _sections(spec: RopeSpec) -> Any:
    return by_planes(spec.changed(axes=Axes.sections((6, 6, 4))))


@mutant("sections in blocks where they interleave", WOVEN, "sections-arrangement")
def _blocks(spec: RopeSpec) -> Any:
    return by_planes(spec.changed(axes=Axes.sections((6, 5, 5))))


@mutant("sections interleaved where they are blocks", VIDEO, "sections-arrangement")
def _woven(spec: RopeSpec) -> Any:
    even = Axes.sections((4, 6, 6)).planes
    other = [0] * len(even)
    other[1:18:3], other[2:18:3] = [1] * 5, [2] * 5
    return _other_axes(spec, other)


@mutant("sections of coordinates instead of planes", VIDEO, "sections-coordinates")
def _coordinates(spec: RopeSpec) -> Any:
    import torch

    from ropeproof.numerics.core.spec import frequencies_torch

    axis = [a for a, size in enumerate((8, 12, 12)) for _ in range(size)]
    thetas = frequencies_torch(spec, dtype=torch.float32).repeat(2)

    def rotate(x: Any, p: Any) -> Any:
        turned = p[..., axis].float() * thetas
        turned = turned[:, None] if turned.ndim == 3 else turned
        first, second = x.chunk(2, -1)
        other = torch.cat((-second, first), -1)
        return x * turned.cos().to(x.dtype) + other * turned.sin().to(x.dtype)

    return rotate


@mutant("images have the position of time alone", VIDEO, "one-axis", origin="mlx-vlm#576")
def _time(spec: RopeSpec) -> Any:
    return _other_axes(spec, (0,) * 16)


@mutant("positions of images one late", WOVEN, "offset")
def _late(spec: RopeSpec) -> Any:
    right = by_planes(spec)
    return lambda x, p: right(x, p + 1)


@mutant("default base with sections", VIDEO, "base")
def _base(spec: RopeSpec) -> Any:
    return by_planes(spec.changed(base=10000))


@mutant("one sequence of frequencies for both axes of an image", GRID, "axis-frequencies")
def _one_sequence(spec: RopeSpec) -> Any:
    assert spec.axes is not None
    exponents = tuple(Fraction(l, 16) for l in range(16))
    return by_planes(spec.changed(axes=Axes(spec.axes.names, spec.axes.planes, exponents)))


@mutant("frequencies dealt where each axis has its own", GRID, "axis-frequencies")
def _dealt(spec: RopeSpec) -> Any:
    return by_planes(spec.changed(axes=Axes.grid(16, dealt=True)))


@mutant("own frequencies where they are dealt", DEALT, "axis-frequencies")
def _own(spec: RopeSpec) -> Any:
    return by_planes(spec.changed(axes=Axes.grid(16)))


@mutant("planes alternate between the axes of an image", GRID, "sections-arrangement")
def _alternate(spec: RopeSpec) -> Any:
    assert spec.axes is not None
    own = spec.axes.exponents[:8]
    exponents = tuple(e for e in own for _ in range(2))
    return by_planes(spec.changed(axes=Axes(spec.axes.names, (0, 1) * 8, exponents)))


@mutant("the first slice of a latent head rotated", LATENT, "last-part")
def _first_slice(spec: RopeSpec) -> Any:
    return by_planes(spec.changed(rotary_start=0))


@mutant("the whole of a latent head rotated", LATENT, "rotary-part")
def _whole(spec: RopeSpec) -> Any:
    return by_planes(spec.changed(rotary_start=0, rotary_dim=32))


@mutant("half layout on the interleaved part of a latent head", LATENT, "layout")
def _half(spec: RopeSpec) -> Any:
    return by_planes(spec.changed(layout="half"))


@mutant("a latent head's part left in half order", LATENT, "order")
def _half_order(spec: RopeSpec) -> Any:
    right, order = by_planes(spec), list(spec.layout_permutation())
    return lambda x, p: right(x, p)[..., order]


@mutant("exponents over the whole latent head", LATENT, "exponent")
def _exponents(spec: RopeSpec) -> Any:
    import torch

    thetas = 10000.0 ** -(torch.arange(0, 12, 2).float() / 32)

    def rotate(x: Any, p: Any) -> Any:
        turned = p.float()[..., None] * thetas
        turned = turned[:, None] if turned.ndim == 3 else turned[None, None]
        part = turn(x[..., 20:], turned, RopeSpec(12, 10000, layout="interleaved"))
        return torch.cat((x[..., :20], part), -1)

    return rotate


@mutant("a layer without RoPE rotated", STILL, "rotated")
def _rotated(spec: RopeSpec) -> Any:
    return by_planes(spec.changed(rotary_dim=32))


@mutant("a layer without RoPE rotated in pairs", STILL, "rotated")
def _rotated_pairs(spec: RopeSpec) -> Any:
    return by_planes(spec.changed(rotary_dim=32, layout="interleaved"))


@mutant("partial rotary where it is proportional", PROPORTIONAL, "proportional")
def _partial(spec: RopeSpec) -> Any:
    return by_planes(RopeSpec(32, spec.base, rotary_dim=8))


@mutant("proportional exponents over the planes that turn", PROPORTIONAL, "proportional")
def _short(spec: RopeSpec) -> Any:
    return by_planes(spec.changed(base=spec.base**4))


@mutant("every plane turned where it is proportional", PROPORTIONAL, "scaling-missing")
def _every(spec: RopeSpec) -> Any:
    return by_planes(spec.changed(scaling=None))
