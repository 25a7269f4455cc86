"""The fourth collection: faults of inference engines, above all of what they keep from call to call.

Tables found again under a key that does not determine them, a scaling that compounds, a factor that
comes and goes with the length, rows that are one late.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from faults.second import (
    DYNAMIC,
    GRID,
    LINEAR,
    LLAMA2,
    LONG,
    PYTHIA,
    YARN,
    halves,
    inverse,
    outer,
    yarn_factor,
    yarn_frequencies,
)
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["FOURTH", "KEYS", "Cached", "CachedTypes"]

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


FOURTH: dict[str, tuple[RopeSpec, Callable[[], Any], str, dict[str, Any]]] = {}
"""Of each fault its spec, what makes it anew, the words that its diagnosis must have, and options."""


def fault(spec: RopeSpec, says: str, **options: Any) -> Callable[[Any], Any]:
    """Registers a function, or a class whose instances have a memory."""

    def keep(made: Any) -> Any:
        make = made if isinstance(made, type) else lambda: made
        FOURTH[made.__name__] = (spec, make, says, options)
        return made

    return keep


@fault(GRID, "base 100 instead of 10000, as of exponents over 64 coordinates instead of 32")
def grid_of_base_100(x: Tensor, positions: Tensor) -> Tensor:
    frequencies = inverse(100.0, 16)
    angles = torch.cat([positions[..., a : a + 1] * frequencies for a in (0, 1)], -1)
    return halves(x, angles[:, None] if angles.ndim == 3 else angles)


@fault(YARN, "beta_fast and beta_slow exchanged")
def exchanged_betas(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, yarn_frequencies(fast=1.0, slow=32.0)), yarn_factor())


@fault(LONG, "attention factor only beyond the original length")
def factor_of_long_sequences(x: Tensor, positions: Tensor) -> Tensor:
    length = int(positions.max()) + 1
    chosen = LONG.scaling.long_factor if length > 4096 else LONG.scaling.short_factor
    frequencies = inverse() / torch.tensor([float(v) for v in chosen])
    factor = math.sqrt(1 + math.log(32) / math.log(4096)) if length > 4096 else 1.0
    return halves(x, outer(positions, frequencies), factor)


@fault(LONG, "long factors for positions from the original length on")
def factors_of_each_position(x: Tensor, positions: Tensor) -> Tensor:
    both = [LONG.scaling.short_factor, LONG.scaling.long_factor]
    short, long = (
        outer(positions, inverse() / torch.tensor([float(v) for v in values])) for values in both
    )
    far = outer(positions, torch.ones(32)) >= 4096
    factor = math.sqrt(1 + math.log(32) / math.log(4096))
    return halves(x, torch.where(far, long, short), factor)


def alpha(length: int) -> float:
    return max(2 * length / 2048 - 1, 1.0)


@fault(DYNAMIC, "dynamic scaling without the exponent d/(d - 2)")
def without_exponent(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse(10000.0 * alpha(int(positions.max()) + 1))))


@fault(DYNAMIC, "dynamic scaling compounds")
class Compounding:
    """Each long call raises the base that the last one left."""

    def __init__(self) -> None:
        self.base = 10000.0

    def __call__(self, x: Tensor, positions: Tensor) -> Tensor:
        self.base *= alpha(int(positions.max()) + 1) ** (64 / 62)
        return halves(x, outer(positions, inverse(self.base)))


@fault(PYTHIA, "coordinates 24 to 39 rotated instead of the first")
def middle_of_the_head(x: Tensor, positions: Tensor) -> Tensor:
    turned = halves(x[..., 24:40], outer(positions, inverse(m=8)))
    return torch.cat((x[..., :24], turned, x[..., 40:]), -1)


@fault(LLAMA2, "each vector is turned by the row before its own, the first one by the last row")
def rows_rolled(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions, inverse()).roll(1, -2))


@fault(LLAMA2, "tables of (planes, length) read as (length, planes)")
def viewed_tables(x: Tensor, positions: Tensor) -> Tensor:
    angles = outer(positions, inverse())
    return halves(x, angles.transpose(-1, -2).reshape(angles.shape))


@fault(
    LLAMA2,
    "vectors do not keep their length: pairs are turned by the right angles and multiplied by 1 to",
)
def longer_planes(x: Tensor, positions: Tensor) -> Tensor:
    sizes = 1 + torch.arange(32) / 100
    return halves(x, outer(positions, inverse())) * torch.cat((sizes, sizes)).to(x.dtype)


@fault(LINEAR, "rotated twice; the same numbers: factor 2 instead of 4")
def root_of_the_factor(x: Tensor, positions: Tensor) -> Tensor:
    return halves(x, outer(positions / 2, inverse()))


@fault(
    LLAMA2,
    "cached under its shape and last position, are used again, only of the keys",
    form="pair",
)
class KeysCached:
    """The tables of queries are made anew, those of keys are kept."""

    def __init__(self) -> None:
        self.keys = Cached(KEYS["shape and last position"])

    def __call__(self, q: Tensor, k: Tensor, positions: Tensor) -> tuple[Tensor, Tensor]:
        return halves(q, outer(positions, inverse())), self.keys(k, positions)
