"""Faulty implementations with frequencies of another base, exponent or unit."""

from __future__ import annotations

import math
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


def _plain(base: float, planes: int, *, shift: float = 0, over: float | None = None) -> Any:
    import torch

    exponents = (torch.arange(planes).float() + shift) / (planes if over is None else over)
    return base**-exponents


def _rotation(spec: RopeSpec, thetas: Any) -> Any:
    return lambda x, p: turn(x, angles(p, thetas), spec)


@mutant("the default base", FULL, "base", origin="DeepSpeed#8345")
def _default(spec: RopeSpec) -> Any:
    return _rotation(spec, _plain(10000.0, 16))


@mutant("the base of another model", INTERLEAVED, "base", origin="sglang#14745")
def _other(spec: RopeSpec) -> Any:
    return _rotation(spec, _plain(1000000.0, 16))


@mutant("a base that no model has", FULL, "base", origin="onnxruntime-genai#2311")
def _strange(spec: RopeSpec) -> Any:
    return _rotation(spec, _plain(123400.0, 16))


@mutant("a base mistyped by a digit", FULL, "base", origin="onnxruntime-genai#2311")
def _digit(spec: RopeSpec) -> Any:
    return _rotation(spec, _plain(50000.0, 16))


@mutant("exponent with planes - 1", FULL, "exponent")
def _one_less(spec: RopeSpec) -> Any:
    return _rotation(spec, _plain(500000.0, 16, over=15))


@mutant("exponent from one", FULL, "exponent")
def _from_one(spec: RopeSpec) -> Any:
    return _rotation(spec, _plain(500000.0, 16, shift=1))


@mutant("exponent of half the size", PARTIAL, "exponent")
def _half(spec: RopeSpec) -> Any:
    return _rotation(spec, _plain(10000.0, 8, over=16))


@mutant("exponent of twice the size", FULL, "exponent")
def _double(spec: RopeSpec) -> Any:
    return _rotation(spec, _plain(500000.0, 16, over=8))


@mutant("angles in turns", FULL, "unit")
def _turns(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(spec) * (2 * math.pi))


@mutant("angles in degrees", FULL, "unit")
def _degrees(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(spec) * (math.pi / 180))


@mutant("wavelengths for frequencies", RopeSpec(16, 10, length=600), "unit")
def _reciprocal(spec: RopeSpec) -> Any:
    return _rotation(spec, 1 / frequencies(spec))


@mutant("frequencies reversed", FULL, "frequency-order")
def _reversed(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(spec).flip(0))


@mutant("interpolation that nobody asked for", FULL, "stretch", origin="sglang#14745")
def _stretched(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(spec) / 8)
