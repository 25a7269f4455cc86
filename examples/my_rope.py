"""A rotation with a fault, for `ropeproof conform` to name: it has the base of another model."""

from __future__ import annotations

import torch


def rotate(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """Vectors `(batch, heads, length, head_dim)`, turned in the half layout of Llama."""
    frequencies = 10_000.0 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[..., None] * frequencies
    if positions.ndim == 2:
        angles = angles[:, None]
    cos, sin = (torch.cat((f(angles), f(angles)), -1).to(x.dtype) for f in (torch.cos, torch.sin))
    left, right = x.chunk(2, -1)
    return x * cos + torch.cat((-right, left), -1) * sin
