"""A right rotation in a few functions of PyTorch, of which each fault changes one line."""

from collections.abc import Callable
from typing import Any

import torch

Turn = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def inverse(dim: int, base: float, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """The frequencies `base**(-2l/dim)` in radians per position, `(dim/2,)`."""
    return (base ** -(torch.arange(0, dim, 2, dtype=torch.float64) / dim)).to(dtype)


def spread(positions: torch.Tensor, frequencies: torch.Tensor) -> torch.Tensor:
    """Angles `(length, planes)`, or `(batch, 1, length, planes)` of positions of rows, in float32."""
    angles = positions[..., None].float() * frequencies
    return angles[:, None] if positions.ndim == 2 else angles


def half(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Turn the planes `(l, l + dim/2)`."""
    first, second = x.chunk(2, -1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)


def pairs(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Turn the planes `(2l, 2l + 1)`."""
    first, second = x[..., ::2], x[..., 1::2]
    return torch.stack((first * cos - second * sin, second * cos + first * sin), -1).flatten(-2)


def apply(
    x: torch.Tensor, angles: torch.Tensor, how: Any = half, factor: float = 1.0
) -> torch.Tensor:
    """Turn by given angles in float32, or float64 for vectors of that type."""
    wide = torch.float64 if x.dtype is torch.float64 else torch.float32
    cos, sin = (factor * angles.cos()).to(wide), (factor * angles.sin()).to(wide)
    return how(x.to(wide), cos, sin).to(x.dtype)


def turn(
    x: torch.Tensor,
    positions: torch.Tensor,
    frequencies: torch.Tensor,
    how: Any = half,
    factor: float = 1.0,
) -> torch.Tensor:
    """The right rotation of vectors `(batch, heads, length, dim)`."""
    return apply(x, spread(positions, frequencies), how, factor)


def plain(dim: int = 64, base: float = 10000.0, how: Any = half) -> Turn:
    """The right rotation without scaling."""
    frequencies = inverse(dim, base)
    return lambda x, positions: turn(x, positions, frequencies, how)


def pair(queries: Turn, keys: Turn) -> Any:
    """A (q, k) pair, in which fewer queries than keys are the last of the sequence."""

    def both(q: torch.Tensor, k: torch.Tensor, positions: torch.Tensor) -> Any:
        return queries(q, positions[..., -q.shape[2] :]), keys(k, positions[..., -k.shape[2] :])

    return both
