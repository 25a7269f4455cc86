"""Faulty implementations that are no function of vectors and positions, or no linear one."""

from __future__ import annotations

from typing import Any

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.references.mutants.parts import (
    FULL,
    angles,
    frequencies,
    mutant,
    turn,
)

__all__: list[str] = []


def _right(spec: RopeSpec, x: Any, p: Any) -> Any:
    return turn(x, angles(p, frequencies(spec)), spec)


@mutant("raises", FULL, "contract.returns")
def _raises(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        raise IndexError("no such position")

    return rotate


@mutant("another shape", FULL, "contract.shape")
def _shape(spec: RopeSpec) -> Any:
    return lambda x, p: _right(spec, x, p)[..., : spec.head_dim // 2]


@mutant("changes its input", FULL, "contract.input")
def _in_place(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        out = _right(spec, x, p)
        x.data.copy_(out)
        return out

    return rotate


@mutant("not deterministic", FULL, "contract.deterministic")
def _random(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        import torch

        return _right(spec, x, p) * (1 + 1e-6 * torch.rand(x.shape))

    return rotate


@mutant("not linear", FULL, "contract.linear")
def _normalised(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        return _right(spec, x, p) / x.norm(dim=-1, keepdim=True).clamp(min=1e-6)

    return rotate


@mutant("not a number at position 0", FULL, "contract.finite")
def _nan(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        turned = angles(p, frequencies(spec))
        return turn(x, turned * turned / turned, spec)

    return rotate


@mutant("cut off from gradients", FULL, "gradient")
def _detached(spec: RopeSpec) -> Any:
    return lambda x, p: _right(spec, x.detach(), p)


@mutant("vectors rounded to float16 on the way in", FULL, "rerotation.once", "rerotation.steps")
def _rounded_in(spec: RopeSpec) -> Any:
    # As a cache in half precision does: ones and signs are what they were, and so is the gradient.
    return lambda x, p: _right(spec, x + (x.half().to(x.dtype) - x).detach(), p)
