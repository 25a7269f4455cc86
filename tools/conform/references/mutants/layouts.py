"""Faulty implementations with wrong pairs, wrong parts of a head, or wrong signs."""

from __future__ import annotations

from typing import Any

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.references.mutants.parts import (
    FULL,
    INTERLEAVED,
    PARTIAL,
    PARTIAL_INTERLEAVED,
    YARN_PARTIAL,
    angles,
    frequencies,
    mutant,
    spread,
    turn,
)

__all__: list[str] = []


@mutant("half layout on interleaved weights", INTERLEAVED, "layout", origin="flash-attention#288")
def _half(spec: RopeSpec) -> Any:
    return lambda x, p: turn(x, angles(p, frequencies(spec)), spec, layout="half")


@mutant("interleaved layout on half weights", FULL, "layout", origin="LLMs-from-scratch#747")
def _interleaved(spec: RopeSpec) -> Any:
    return lambda x, p: turn(x, angles(p, frequencies(spec)), spec, layout="interleaved")


def _with_tables(x: Any, turned: Any, table_layout: str, layout: str) -> Any:
    """The vectors `x` rotated with tables of one layout and the rotation of another."""
    import torch

    cosines, sines = spread(turned.cos(), table_layout), spread(turned.sin(), table_layout)
    if layout == "half":
        first, second = x.chunk(2, -1)
        other = torch.cat((-second, first), -1)
    else:
        other = torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)
    return x * cosines.to(x.dtype) + other * sines.to(x.dtype)


@mutant("interleaved tables, half rotation", FULL, "arrangement", origin="transformers#47403")
def _tables_interleaved(spec: RopeSpec) -> Any:
    return lambda x, p: _with_tables(x, angles(p, frequencies(spec)), "interleaved", "half")


@mutant(
    "half tables, interleaved rotation", INTERLEAVED, "arrangement", origin="transformers#47403"
)
def _tables_half(spec: RopeSpec) -> Any:
    return lambda x, p: _with_tables(x, angles(p, frequencies(spec)), "half", "interleaved")


@mutant(
    "pairs half a head apart under partial rotary", PARTIAL, "head-pairs", origin="coreai-models#66"
)
def _half_head(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        out, m, far = x.clone(), spec.rotary_planes, spec.head_dim // 2
        turned = angles(p, frequencies(spec))
        c, s = turned.cos().to(x.dtype), turned.sin().to(x.dtype)
        first, second = x[..., :m], x[..., far : far + m]
        out[..., :m] = first * c - second * s
        out[..., far : far + m] = second * c + first * s
        return out

    return rotate


@mutant("the last coordinates rotated", PARTIAL, "last-part", origin="transformers#48652")
def _last(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        import torch

        cut = spec.head_dim - spec.rotary_dim
        part = turn(x[..., cut:], angles(p, frequencies(spec)), spec)
        return torch.cat((x[..., :cut], part), -1)

    return rotate


def _powers(base: float, planes: int, width: int) -> Any:
    import torch

    return base ** -(torch.arange(0, 2 * planes, 2).float() / width)


@mutant("partial rotary ignored", PARTIAL, "rotary-part", origin="vllm#43770")
def _whole(spec: RopeSpec) -> Any:
    return lambda x, p: turn(x, angles(p, _powers(1e4, 16, 32)), spec)


@mutant("partial rotary taken twice", PARTIAL_INTERLEAVED, "rotary-part", origin="tvm#18102")
def _quarter(spec: RopeSpec) -> Any:
    return lambda x, p: turn(x, angles(p, _powers(1e4, 4, 8)), spec)


@mutant("partial rotary by half of what is meant, exponents as before", PARTIAL, "rotary-part")
def _cut(spec: RopeSpec) -> Any:
    return lambda x, p: turn(x, angles(p, _powers(1e4, 4, 16)), spec)


@mutant("exponents over the whole head", PARTIAL, "exponent", origin="transformers#48652")
def _exponents(spec: RopeSpec) -> Any:
    return lambda x, p: turn(x, angles(p, _powers(1e4, 8, 32)), spec)


@mutant("result left in half order", INTERLEAVED, "order", origin="flash-attention#288")
def _left(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        import torch

        out = turn(x, angles(p, frequencies(spec)), spec)
        return torch.cat((out[..., ::2], out[..., 1::2]), -1)

    return rotate


@mutant("result left interleaved", FULL, "order")
def _woven(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        import torch

        real, imaginary = turn(x, angles(p, frequencies(spec)), spec).chunk(2, -1)
        return torch.stack((real, imaginary), -1).flatten(-2)

    return rotate


@mutant("sine with the opposite sign", FULL, "sign")
def _sign(spec: RopeSpec) -> Any:
    return lambda x, p: turn(x, angles(p, frequencies(spec)), spec, sign=-1.0)


@mutant("pairs read the other way round", INTERLEAVED, "sign")
def _pairs_turned(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        other = x.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)
        out = turn(other, angles(p, frequencies(spec)), spec)
        return out.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)

    return rotate


@mutant("half rotation without its minus", FULL, "no-minus")
def _no_minus(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        import torch

        turned = spread(angles(p, frequencies(spec)), "half")
        first, second = x.chunk(2, -1)
        other = torch.cat((second, first), -1)
        return x * turned.cos().to(x.dtype) + other * turned.sin().to(x.dtype)

    return rotate


@mutant("sine and cosine swapped", FULL, "swapped")
def _swapped(spec: RopeSpec) -> Any:
    import math

    def rotate(x: Any, p: Any) -> Any:
        return turn(x, math.pi / 2 - angles(p, frequencies(spec)), spec)

    return rotate


@mutant("the sine's part lost", FULL, "half-lost")
def _cosine_alone(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        return x * spread(angles(p, frequencies(spec)), "half").cos().to(x.dtype)

    return rotate


@mutant(
    "attention factor on planes that do not rotate",
    YARN_PARTIAL,
    "attention-factor",
    origin="vllm#43770",
)
def _rest(spec: RopeSpec) -> Any:
    from ropeproof.numerics.core.spec import attention_factor_float64

    factor = attention_factor_float64(spec)

    def rotate(x: Any, p: Any) -> Any:
        return turn(x, angles(p, frequencies(spec)), spec, factor=1.0) * factor

    return rotate


@mutant("rotated twice", FULL, "twice", "stretch", origin="transformers#25306")
def _twice(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        turned = angles(p, frequencies(spec))
        return turn(turn(x, turned, spec), turned, spec)

    return rotate


@mutant("not rotated at all", FULL, "not-rotated", origin="transformers#48652")
def _still(spec: RopeSpec) -> Any:
    return lambda x, p: x.clone()
