"""Reference implementations of other kinds of rotation, as models write them: all must pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.references.mutants import kinds

__all__ = ["RIGHT_KINDS"]

Rotation = Callable[..., Any]


def _powers(base: float, planes: int) -> Any:
    import torch

    return base ** -(torch.arange(0, 2 * planes, 2).float() / (2 * planes))


def _half(x: Any, turned: Any) -> Any:
    """`x` turned by one angle for each coordinate, in half layout."""
    import torch

    first, second = x.chunk(2, -1)
    other = torch.cat((-second, first), -1)
    return x * turned.cos().to(x.dtype) + other * turned.sin().to(x.dtype)


def _lift(angles: Any, batched: bool) -> Any:
    return angles[:, None] if batched else angles


def _blocks(spec: RopeSpec) -> Rotation:
    """Tables for every axis, split into sections and joined again."""
    import torch

    thetas = _powers(float(spec.base), 16)

    def rotate(x: Any, p: Any) -> Any:
        every = p.movedim(-1, 0)[..., None].float() * thetas
        parts = [part[a] for a, part in enumerate(every.split((4, 6, 6), -1))]
        turned = torch.cat(parts, -1)
        return _half(x, _lift(torch.cat((turned, turned), -1), p.ndim == 3))

    return rotate


def _overwritten(spec: RopeSpec) -> Rotation:
    """The table of time, into which every third plane of the others is written."""
    import torch

    thetas = _powers(float(spec.base), 16)

    def rotate(x: Any, p: Any) -> Any:
        every = p.movedim(-1, 0)[..., None].float() * thetas
        turned = every[0].clone()
        for a in (1, 2):
            turned[..., a:15:3] = every[a][..., a:15:3]
        return _half(x, _lift(torch.cat((turned, turned), -1), p.ndim == 3))

    return rotate


def _of_patches(spec: RopeSpec) -> Rotation:
    """A row of tables for the height and one for the width, joined."""
    import torch

    thetas = _powers(float(spec.base), 8)

    def rotate(x: Any, p: Any) -> Any:
        turned = (p[..., None].float() * thetas).flatten(-2)
        return _half(x, _lift(torch.cat((turned, turned), -1), p.ndim == 3))

    return rotate


def _of_dealt_patches(spec: RopeSpec) -> Rotation:
    import torch

    thetas = _powers(float(spec.base), 16)

    def rotate(x: Any, p: Any) -> Any:
        high, wide = p[..., :1].float() * thetas[::2], p[..., 1:].float() * thetas[1::2]
        turned = torch.cat((high, wide), -1)
        return _half(x, _lift(torch.cat((turned, turned), -1), p.ndim == 3))

    return rotate


def _split(spec: RopeSpec) -> Rotation:
    """The last part of a head, as complex numbers."""
    import torch

    thetas = _powers(float(spec.base), 6)

    def rotate(x: Any, p: Any) -> Any:
        still, part = x.split((20, 12), -1)
        turned = _lift(p[..., None].float() * thetas, p.ndim == 2)
        pairs = torch.view_as_complex(part.float().unflatten(-1, (-1, 2)).contiguous())
        out = torch.view_as_real(pairs * torch.polar(torch.ones_like(turned), turned))
        return torch.cat((still, out.flatten(-2).to(x.dtype)), -1)

    return rotate


def _nothing(_spec: RopeSpec) -> Rotation:
    return lambda x, p: x


def _padded(spec: RopeSpec) -> Rotation:
    """Frequencies of the whole head, of which all but the first four are 0."""
    import torch

    thetas = torch.cat((_powers(float(spec.base), 16)[:4], torch.zeros(12)))

    def rotate(x: Any, p: Any) -> Any:
        turned = p[..., None].float() * thetas
        return _half(x, _lift(torch.cat((turned, turned), -1), p.ndim == 2))

    return rotate


RIGHT_KINDS: Mapping[str, tuple[RopeSpec, Callable[[RopeSpec], Rotation]]] = MappingProxyType(
    {
        "sections in blocks": (kinds.VIDEO, _blocks),
        "sections that interleave": (kinds.WOVEN, _overwritten),
        "patches of an image": (kinds.GRID, _of_patches),
        "patches with frequencies dealt": (kinds.DEALT, _of_dealt_patches),
        "a split head": (kinds.LATENT, _split),
        "a layer without RoPE": (kinds.STILL, _nothing),
        "frequencies filled up with zeros": (kinds.PROPORTIONAL, _padded),
        "plane by plane": (kinds.WOVEN, kinds.by_planes),
    }
)
"""Reference implementations by name: the spec that each is for, and what builds it."""
