"""The fourth collection: faults of inference engines, above all of what they keep from call to call.

Tables found again under a key that does not determine them, a scaling that compounds, a factor that
comes and goes with the length, rows that are one late. Each says in words what is wrong with it and
which ids of causes name it rightly; an empty set is a fault without a name, of which a fact is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from faults.second import LLAMA2, halves, inverse, outer

__all__ = ["KEYS", "Cached", "CachedTypes"]

Key = Callable[[Tensor], tuple[Any, ...]]

KEYS: dict[str, Key] = {
    "shape": lambda p: tuple(p.shape),
    "shape and first position": lambda p: (*p.shape, int(p.reshape(-1)[0])),
    "shape and last position": lambda p: (*p.shape, int(p.reshape(-1)[-1])),
    "shape and largest position": lambda p: (*p.shape, int(p.max())),
    "shape, first and last position": lambda p: (
        *p.shape,
        int(p.reshape(-1)[0]),
        int(p.reshape(-1)[-1]),
    ),
    "shape and sum of the positions": lambda p: (*p.shape, int(p.sum())),
}
"""What an engine may keep its tables under, none of which determines the positions."""


class Cached:
    """Tables are kept under a key of the call and used again for every call that has the same."""

    spec = LLAMA2

    def __init__(self, key: Key) -> None:
        self.key, self.kept = key, {}

    def __call__(self, x: Tensor, positions: Tensor) -> Tensor:
        angles = self.kept.setdefault(self.key(positions), outer(positions, inverse()))
        return halves(x, angles)


class CachedTypes:
    """Tables are kept under the positions alone, in the type of the first call that has them."""

    spec = LLAMA2

    def __init__(self) -> None:
        self.kept: dict[Any, tuple[Tensor, Tensor]] = {}

    def __call__(self, x: Tensor, positions: Tensor) -> Tensor:
        key = (*positions.shape, *positions.reshape(-1).tolist())
        if key not in self.kept:
            angles = outer(positions, inverse())
            self.kept[key] = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        c, s = self.kept[key]
        a, b = (x if x.dtype == torch.float64 else x.float()).chunk(2, -1)
        return torch.cat((a * c - b * s, b * c + a * s), -1).to(x.dtype)
