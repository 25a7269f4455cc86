"""Faulty implementations with frequencies or tables of another length than the sequence's."""

from __future__ import annotations

from typing import Any

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.expected.exact import at_length
from ropeproof.tools.conform.references.mutants.parts import (
    DYNAMIC,
    FULL,
    LONGROPE,
    angles,
    frequencies,
    mutant,
    turn,
)

__all__: list[str] = []


def _of(spec: RopeSpec, length: Any) -> Any:
    """A rotation with the frequencies of the wrong length that `length` makes of the right one."""

    def rotate(x: Any, p: Any) -> Any:
        own = at_length(spec, max(1, length(int(p.max()) + 1)))
        return turn(x, angles(p, frequencies(own)), own)

    return rotate


@mutant("longrope chosen by the context", LONGROPE, "scaling-length", origin="llama.cpp#8995")
def _allocated(spec: RopeSpec) -> Any:
    return _of(spec, lambda _: 600)


@mutant("longrope never long", LONGROPE, "scaling-length", origin="transformers#33129")
def _never(spec: RopeSpec) -> Any:
    return _of(spec, lambda _: 1)


@mutant("longrope switches one early", LONGROPE, "scaling-length", origin="unsloth#10681")
def _early(spec: RopeSpec) -> Any:
    return _of(spec, lambda length: length + 1)


@mutant("longrope switches one late", LONGROPE, "scaling-length", origin="unsloth#10681")
def _late(spec: RopeSpec) -> Any:
    return _of(spec, lambda length: length - 1)


@mutant("longrope stays long", LONGROPE, "scaling-length", origin="transformers#33129")
def _stale_long(spec: RopeSpec) -> Any:
    longest = 0

    def length(own: int) -> int:
        nonlocal longest
        longest = max(longest, own)
        return longest

    return _of(spec, length)


@mutant("dynamic scaling never goes back", DYNAMIC, "scaling-length", origin="transformers#25306")
def _stale(spec: RopeSpec) -> Any:
    return _stale_long(spec)


@mutant("dynamic scaling by the context", DYNAMIC, "scaling-length", origin="mlx-lm#1553")
def _context(spec: RopeSpec) -> Any:
    return _of(spec, lambda _: 600)


@mutant("dynamic scaling off by one", DYNAMIC, "scaling-length", origin="vllm#5093")
def _one_off(spec: RopeSpec) -> Any:
    return _of(spec, lambda length: length - 1)


@mutant("dynamic scaling kept from the first call", DYNAMIC, "scaling-length", origin="mlx-lm#1553")
def _first(spec: RopeSpec) -> Any:
    lengths: list[int] = []

    def length(own: int) -> int:
        lengths.append(own)
        return lengths[0]

    return _of(spec, length)


@mutant("dynamic scaling by the number of vectors", DYNAMIC, "scaling-length", origin="mlx-lm#1553")
def _count(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        own = at_length(spec, p.shape[-1])
        return turn(x, angles(p, frequencies(own)), own)

    return rotate


@mutant("table of the first call, clamped", FULL, "limit", origin="unsloth#10681")
def _clamped(spec: RopeSpec) -> Any:
    sizes: list[int] = []

    def rotate(x: Any, p: Any) -> Any:
        sizes.append(256)
        return turn(x, angles(p.clamp(max=sizes[0] - 1), frequencies(spec)), spec)

    return rotate


@mutant("positions wrap around a ring cache", FULL, "limit", origin="executorch#2010")
def _ring(spec: RopeSpec) -> Any:
    return lambda x, p: turn(x, angles(p % 256, frequencies(spec)), spec)
