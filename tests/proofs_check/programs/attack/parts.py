"""The right rotation in PyTorch and in NumPy, in pieces that the entries take and spoil."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

__all__ = [
    "PLANES",
    "angles",
    "by_halves",
    "by_pairs",
    "inverse",
    "np_angles",
    "np_halves",
    "np_plain",
    "plain",
    "with_tables",
]

PLANES = 4


def inverse(base: float = 10000.0) -> Tensor:
    """The frequencies of 8 coordinates in float64."""
    return base ** (-torch.arange(PLANES, dtype=torch.float64) / PLANES)


def angles(positions: Tensor, base: float = 10000.0) -> Tensor:
    """The angles `(length, 4)` in float64, for 8 coordinates."""
    return positions.to(torch.float64)[:, None] * inverse(base)


def by_halves(x: Tensor, angle: Tensor) -> Tensor:
    """Turns coordinates `(l, l + 4)` by the angles, computed in float64."""
    return with_tables(x, angle.cos(), angle.sin())


def with_tables(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turns coordinates `(l, l + 4)` by cosines and sines `(length, 4)`."""
    half = x.shape[-1] // 2
    a, b = x[..., :half].to(torch.float64), x[..., half:].to(torch.float64)
    return torch.cat((a * cos - b * sin, a * sin + b * cos), -1).to(x.dtype)


def by_pairs(x: Tensor, angle: Tensor) -> Tensor:
    """Turns coordinates `(2l, 2l + 1)` by the angles, computed in float64."""
    a, b = x[..., ::2].to(torch.float64), x[..., 1::2].to(torch.float64)
    cos, sin = angle.cos(), angle.sin()
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2).to(x.dtype)


def plain(x: Tensor, positions: Tensor) -> Tensor:
    """The right rotation in halves of 8 coordinates, base 10000."""
    return by_halves(x, angles(positions))


def np_angles(positions: Any) -> Any:
    """The angles `(length, 4)` of integer positions, for base 10000 and 8 coordinates."""
    return positions[:, None] * 10000.0 ** (-np.arange(PLANES) / PLANES)


def np_halves(x: Any, angle: Any) -> Any:
    """Turns coordinates `(l, l + 4)` of an array by the angles."""
    a, b = x[..., :PLANES], x[..., PLANES:]
    cos, sin = np.cos(angle), np.sin(angle)
    return np.concatenate((a * cos - b * sin, a * sin + b * cos), -1)


def np_plain(x: Any, positions: Any) -> Any:
    """The right rotation in NumPy, in halves of 8 coordinates, base 10000."""
    return np_halves(x, np_angles(positions))
