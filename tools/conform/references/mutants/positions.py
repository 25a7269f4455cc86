"""Faulty implementations with the right rotation at the wrong position."""

from __future__ import annotations

from typing import Any

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.references.mutants.parts import (
    FULL,
    INTERLEAVED,
    PARTIAL,
    angles,
    frequencies,
    mutant,
    turn,
)

__all__: list[str] = []


def _at(spec: RopeSpec, moved: Any) -> Any:
    return lambda x, p: turn(x, angles(moved(x, p), frequencies(spec)), spec)


@mutant("positions from one", FULL, "offset")
def _one(spec: RopeSpec) -> Any:
    return _at(spec, lambda x, p: p + 1)


@mutant("cache key one early", INTERLEAVED, "offset", origin="rotary-embedding-torch#11")
def _early(spec: RopeSpec) -> Any:
    return _at(spec, lambda x, p: p - 1)


@mutant("cache without offset", FULL, "index", origin="rotary-embedding-torch#11")
def _no_offset(spec: RopeSpec) -> Any:
    def moved(x: Any, p: Any) -> Any:
        return p - p[..., :1]

    return _at(spec, moved)


@mutant("positions ignored", FULL, "index", origin="unsloth#3803")
def _ignored(spec: RopeSpec) -> Any:
    def moved(x: Any, p: Any) -> Any:
        import torch

        return torch.arange(x.shape[-2])

    return _at(spec, moved)


@mutant("gaps closed after eviction", PARTIAL, "index", origin="executorch#2010")
def _closed(spec: RopeSpec) -> Any:
    def moved(x: Any, p: Any) -> Any:
        import torch

        return p[..., :1] + torch.arange(x.shape[-2])

    return _at(spec, moved)


@mutant("the head axis rotated", FULL, "axis", origin="open_lm#4")
def _heads(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        import torch

        index = torch.arange(x.shape[1])
        turned = (index.float()[:, None] * frequencies(spec))[None, :, None]
        return turn(x, turned, spec)

    return rotate


@mutant("the batch axis rotated", FULL, "axis", "contract", origin="open_lm#4")
def _rows(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        import torch

        index = torch.arange(x.shape[0])
        return turn(x, (index.float()[:, None] * frequencies(spec))[:, None, None], spec)

    return rotate


@mutant("rows of a batch run on", FULL, "flattened")
def _run_on(spec: RopeSpec) -> Any:
    def moved(x: Any, p: Any) -> Any:
        import torch

        return torch.arange(x.shape[0] * x.shape[2]).view(x.shape[0], x.shape[2])

    return _at(spec, moved)


@mutant("one row of positions for the batch", FULL, "rows", origin="unsloth#3803")
def _first_row(spec: RopeSpec) -> Any:
    return _at(spec, lambda x, p: p[:1] if p.ndim == 2 else p)


@mutant("left padding counted", FULL, "rows", "index", origin="unsloth#3803")
def _padding(spec: RopeSpec) -> Any:
    def moved(x: Any, p: Any) -> Any:
        import torch

        return p if p.ndim == 1 else torch.arange(p.shape[-1])[None]

    return _at(spec, moved)


@mutant("positions counted from the end", FULL, "index", "reversed")
def _from_end(spec: RopeSpec) -> Any:
    return _at(spec, lambda x, p: p[..., -1:] - p)


@mutant("decoding at position 0", FULL, "index", origin="rotary-embedding-torch#11")
def _decode(spec: RopeSpec) -> Any:
    return _at(spec, lambda x, p: p * 0 if p.shape[-1] == 1 else p)
