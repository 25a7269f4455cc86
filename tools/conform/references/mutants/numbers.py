"""Faulty implementations: angles in a type too coarse, gradients that are not the transpose."""

from __future__ import annotations

from typing import Any

from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.references.mutants.parts import (
    FULL,
    INTERLEAVED,
    YARN,
    angles,
    frequencies,
    mutant,
    turn,
)

__all__: list[str] = []


@mutant("frequencies cast to bfloat16", FULL, "angle-type", origin="transformers#29285")
def _frequencies(spec: RopeSpec) -> Any:
    return lambda x, p: turn(x, angles(p, frequencies(spec).bfloat16().float()), spec)


@mutant("positions in bfloat16", FULL, "angle-type", origin="transformers#29285")
def _positions(spec: RopeSpec) -> Any:
    return lambda x, p: turn(x, angles(p.bfloat16(), frequencies(spec)), spec)


@mutant("angles in bfloat16", INTERLEAVED, "angle-type", origin="candle#3520")
def _angles(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        import torch

        turned = p.bfloat16()[..., None] * frequencies(spec).bfloat16()
        turned = turned[:, None] if turned.ndim == 3 else turned[None, None]
        return turn(x, turned.to(torch.float32), spec)

    return rotate


@mutant("frequencies cast to float16", FULL, "angle-type", origin="sglang-jax#1472")
def _halves(spec: RopeSpec) -> Any:
    return lambda x, p: turn(x, angles(p, frequencies(spec).half().float()), spec)


@mutant("cosines and sines in bfloat16", FULL, "table-type", origin="flashinfer#585")
def _tables(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        import torch

        turned = angles(p, frequencies(spec))
        c, s = turned.cos().bfloat16().to(x.dtype), turned.sin().bfloat16().to(x.dtype)
        first, second = x.chunk(2, -1)
        return torch.cat((first * c - second * s, second * c + first * s), -1)

    return rotate


@mutant("angles in the type of the vectors", FULL, "angle-type", origin="flashinfer#585")
def _own_type(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        turned = p.to(x.dtype)[..., None] * frequencies(spec).to(x.dtype)
        turned = turned[:, None] if turned.ndim == 3 else turned[None, None]
        return turn(x, turned.float(), spec)

    return rotate


@mutant("angles cut to integers", FULL, "integer-angles")
def _integers(spec: RopeSpec) -> Any:
    return lambda x, p: turn(x, angles(p, frequencies(spec)).trunc(), spec)


def _function(spec: RopeSpec, backward: Any) -> Any:
    """The right rotation with the function `backward` as its gradient."""

    def rotate(x: Any, p: Any) -> Any:
        import torch

        turned = angles(p, frequencies(spec))

        class Rotation(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, y: Any) -> Any:
                return turn(y, turned, spec)

            @staticmethod
            def backward(ctx: Any, *gradients: Any) -> Any:
                return backward(gradients[0], turned)

        return Rotation.apply(x)  # type: ignore[no-untyped-call]

    return rotate


@mutant("gradient turned forwards", FULL, "sign")
def _forwards(spec: RopeSpec) -> Any:
    return _function(spec, lambda g, turned: turn(g, turned, spec))


@mutant("gradient not turned", FULL, "not-rotated")
def _straight(spec: RopeSpec) -> Any:
    return _function(spec, lambda g, turned: g.clone())


@mutant("gradient without the attention factor", YARN, "attention-factor")
def _factor(spec: RopeSpec) -> Any:
    assert attention_factor_float64(spec) != 1
    return _function(spec, lambda g, turned: turn(g, -turned, spec, factor=1.0))
