"""What the faulty implementations are put together from: a rotation in torch, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_torch
from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, LongRope, Yarn
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "DYNAMIC",
    "FULL",
    "INTERLEAVED",
    "LINEAR",
    "LLAMA3",
    "LONGROPE",
    "PARTIAL",
    "PARTIAL_INTERLEAVED",
    "YARN",
    "YARN_PARTIAL",
    "FaultyRotation",
    "angles",
    "frequencies",
    "mutant",
    "registered",
    "spread",
    "turn",
]

_CONTEXT = 600
FULL = RopeSpec(32, 500000, length=_CONTEXT)
INTERLEAVED = RopeSpec(32, 500000, layout="interleaved", length=_CONTEXT)
PARTIAL = RopeSpec(32, 10000, rotary_dim=16, length=_CONTEXT)
PARTIAL_INTERLEAVED = RopeSpec(32, 10000, rotary_dim=16, layout="interleaved", length=_CONTEXT)
LINEAR = RopeSpec(32, 10000, scaling=Linear(4), length=_CONTEXT)
DYNAMIC = RopeSpec(32, 10000, scaling=Dynamic(2, 128), length=_CONTEXT)
YARN = RopeSpec(32, 10000, scaling=Yarn(factor=4, original_length=128), length=_CONTEXT)
YARN_PARTIAL = RopeSpec(32, 10000, rotary_dim=16, scaling=YARN.scaling, length=_CONTEXT)
LLAMA3 = RopeSpec(
    32,
    500000,
    scaling=Llama3(factor=32, low_freq_factor=1, high_freq_factor=4, original_length=128),
    length=_CONTEXT,
)
LONGROPE = RopeSpec(
    32,
    10000,
    scaling=LongRope(
        short_factor=tuple(f"1.{l:02d}" for l in range(16)),
        long_factor=tuple(1 + l for l in range(16)),
        original_length=128,
        factor=4,
    ),
    length=_CONTEXT,
)


@dataclass(frozen=True, kw_only=True)
class FaultyRotation:
    """A faulty implementation of a spec.

    `make(spec)` builds it anew; `origin` is a report of a bug of this kind, empty if it is only a likely
    one; `causes` are the ids of a diagnosis that names it rightly, several where they
    are the same on what can be seen; `options` are those of `check`.
    """

    name: str
    origin: str
    spec: RopeSpec
    causes: frozenset[str]
    make: Callable[[RopeSpec], Callable[..., Any]]
    options: dict[str, Any] = field(default_factory=dict)


_REGISTRY: dict[str, list[FaultyRotation]] = {}


def mutant(
    name: str, spec: RopeSpec, *causes: str, origin: str = "", **options: Any
) -> Callable[[Callable[[RopeSpec], Callable[..., Any]]], Any]:
    """Register a function that builds a faulty implementation."""

    def register(make: Callable[[RopeSpec], Callable[..., Any]]) -> Any:
        made = FaultyRotation(
            name=name,
            origin=origin,
            spec=spec,
            causes=frozenset(causes),
            make=make,
            options=options,
        )
        _REGISTRY.setdefault(make.__module__, []).append(made)
        return make

    return register


def registered(modules: Iterable[str]) -> tuple[FaultyRotation, ...]:
    """The mutants of these modules in order."""
    return tuple(made for module in modules for made in _REGISTRY[module])


def frequencies(spec: RopeSpec) -> Any:
    """The right frequencies of the rotated planes in float32, `(rotary_dim/2,)`."""
    import torch

    return frequencies_torch(spec, dtype=torch.float32)[: spec.rotary_planes]


def angles(positions: Any, thetas: Any) -> Any:
    """`p theta_l` in float32 with an axis for the heads, `(batch or 1, 1, length, planes)`."""
    found = positions.float()[..., None] * thetas
    return found[:, None] if found.ndim == 3 else found[None, None]


def spread(table: Any, layout: str) -> Any:
    """A table with a column per plane as one with a column per coordinate."""
    import torch

    if layout == "half":
        return torch.cat((table, table), -1)
    return table.repeat_interleave(2, -1)


def turn(
    x: Any,
    turned: Any,
    spec: RopeSpec,
    *,
    factor: float | None = None,
    layout: str | None = None,
    sign: float = 1.0,
) -> Any:
    """`x` turned by angles of planes, its first coordinates as many as those angles need."""
    import torch

    layout = spec.layout if layout is None else layout
    factor = attention_factor_float64(spec) if factor is None else factor
    cosines, sines = (turned.cos() * factor).to(x.dtype), (turned.sin() * factor * sign).to(x.dtype)
    width = 2 * turned.shape[-1]
    part, rest = x[..., :width], x[..., width:]
    if layout == "half":
        first, second = part.chunk(2, -1)
    else:
        first, second = part[..., ::2], part[..., 1::2]
    real, imaginary = first * cosines - second * sines, second * cosines + first * sines
    if layout == "half":
        whole = torch.cat((real, imaginary), -1)
    else:
        whole = torch.stack((real, imaginary), -1).flatten(-2)
    return torch.cat((whole, rest), -1)
