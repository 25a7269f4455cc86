"""Faulty implementations with a scaling left out, applied twice, or with other parameters."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.theory.rotary.scaling import Llama3, Yarn
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.references.mutants.parts import (
    DYNAMIC,
    LINEAR,
    LLAMA3,
    LONGROPE,
    YARN,
    angles,
    frequencies,
    mutant,
    turn,
)

__all__: list[str] = []


def _as(spec: RopeSpec, scaling: Any) -> RopeSpec:
    return RopeSpec(
        spec.head_dim, spec.base, layout=spec.layout, scaling=scaling, length=spec.length
    )


def _rotation(spec: RopeSpec, thetas: Any, factor: float | None = None) -> Any:
    return lambda x, p: turn(x, angles(p, thetas), spec, factor=factor)


@mutant(
    "linear scaling left out", LINEAR, "scaling-missing", "stretch", origin="TransformerLens#910"
)
def _no_linear(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(_as(spec, None)))


@mutant("linear scaling twice", LINEAR, "scaling-twice", "stretch", origin="sglang#33558")
def _linear_twice(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(spec) / 4)


@mutant("linear scaling the wrong way", LINEAR, "scaling-inverted", "stretch")
def _linear_inverted(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(spec) * 16)


@mutant("linear factor of another model", LINEAR, "scaling-parameters", "stretch")
def _linear_eight(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(spec) / 2)


@mutant("llama3 scaling left out", LLAMA3, "scaling-missing", origin="TransformerLens#910")
def _no_llama3(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(_as(spec, None)))


def _llama3(spec: RopeSpec, **changes: Any) -> Any:
    assert isinstance(spec.scaling, Llama3)
    return _rotation(spec, frequencies(_as(spec, replace(spec.scaling, **changes))))


@mutant(
    "llama3 factor of the larger model", LLAMA3, "scaling-parameters", origin="TransformerLens#910"
)
def _llama3_factor(spec: RopeSpec) -> Any:
    return _llama3(spec, factor=8)


@mutant(
    "llama3 with the context for the original length",
    LLAMA3,
    "scaling-parameters",
    origin="unsloth#6197",
)
def _llama3_length(spec: RopeSpec) -> Any:
    return _llama3(spec, original_length=600)


@mutant("llama3 factors of other frequencies", LLAMA3, "scaling-parameters", origin="unsloth#6197")
def _llama3_high(spec: RopeSpec) -> Any:
    return _llama3(spec, high_freq_factor=8)


@mutant("llama3 as linear scaling", LLAMA3, "scaling-kind", origin="unsloth#6197")
def _llama3_linear(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(_as(spec, None)) / 32)


@mutant("llama3 without blend", LLAMA3, "scaling-blend")
def _llama3_step(spec: RopeSpec) -> Any:
    import torch

    plain = frequencies(_as(spec, None))
    turns = 128 * plain / (2 * math.pi)
    return _rotation(spec, torch.where(turns > 4, plain, plain / 32))


@mutant("llama3 turns without 2 pi", LLAMA3, "scaling-blend")
def _llama3_pi(spec: RopeSpec) -> Any:
    plain = frequencies(_as(spec, None))
    kept = ((128 * plain - 1) / 3).clamp(0, 1)
    return _rotation(spec, plain * (kept + (1 - kept) / 32))


@mutant("yarn left out", YARN, "scaling-missing", origin="vllm#46280")
def _no_yarn(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(_as(spec, None)), 1.0)


@mutant("yarn factor squared", YARN, "attention-factor", origin="sglang#33558")
def _yarn_squared(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(spec), attention_factor_float64(spec) ** 2)


@mutant("yarn factor dropped", YARN, "attention-factor", origin="vllm#46280")
def _yarn_dropped(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(spec), 1.0)


@mutant(
    "yarn factor's logarithm taken twice", YARN, "attention-factor", origin="TensorRT-LLM#16379"
)
def _yarn_log_twice(spec: RopeSpec) -> Any:
    factor = 1 + 0.1 * math.log(1 + 0.1 * math.log(4))
    return _rotation(spec, frequencies(spec), factor)


@mutant("yarn factor on the cosine alone", YARN, "attention-factor")
def _yarn_cosine(spec: RopeSpec) -> Any:
    def rotate(x: Any, p: Any) -> Any:
        turned = angles(p, frequencies(spec))
        import torch

        c = (turned.cos() * attention_factor_float64(spec)).to(x.dtype)
        s = turned.sin().to(x.dtype)
        first, second = x.chunk(2, -1)
        return torch.cat((first * c - second * s, second * c + first * s), -1)

    return rotate


def _yarn(spec: RopeSpec, **changes: Any) -> Any:
    assert isinstance(spec.scaling, Yarn)
    return _rotation(spec, frequencies(_as(spec, replace(spec.scaling, **changes))))


@mutant(
    "yarn with the context for the original length",
    YARN,
    "scaling-parameters",
    origin="exllamav3#259",
)
def _yarn_length(spec: RopeSpec) -> Any:
    return _yarn(spec, original_length=600)


@mutant("yarn without truncation", YARN, "scaling-parameters")
def _yarn_truncate(spec: RopeSpec) -> Any:
    return _yarn(spec, truncate=False)


@mutant("yarn with its blend reversed", YARN, "scaling-blend")
def _yarn_reversed(spec: RopeSpec) -> Any:
    plain = frequencies(_as(spec, None))
    share = (frequencies(spec) / plain - 0.25) / 0.75
    kept = 1 - share
    return _rotation(spec, plain * (kept + (1 - kept) / 4))


@mutant("yarn frequencies twice", YARN, "scaling-twice", origin="sglang#33558")
def _yarn_twice(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(spec) ** 2 / frequencies(_as(spec, None)))


@mutant("longrope factor dropped", LONGROPE, "attention-factor", origin="exllamav3#259")
def _longrope_dropped(spec: RopeSpec) -> Any:
    from ropeproof.tools.conform.expected.exact import at_length

    def rotate(x: Any, p: Any) -> Any:
        own = at_length(spec, int(p.max()) + 1)
        return turn(x, angles(p, frequencies(own)), spec, factor=1.0)

    return rotate


@mutant(
    "dynamic scaling left out", DYNAMIC, "scaling-missing", "scaling-length", origin="vllm#5093"
)
def _no_dynamic(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(_as(spec, None)))


@mutant("dynamic scaling as linear", DYNAMIC, "scaling-kind", "stretch", origin="vllm#5093")
def _dynamic_linear(spec: RopeSpec) -> Any:
    return _rotation(spec, frequencies(_as(spec, None)) / 2)


@mutant("dynamic scaling at every length", DYNAMIC, "scaling-kind", origin="TransformerLens 4.3.0")
def _fixed(spec: RopeSpec) -> Any:
    import torch

    depth = torch.arange(16).float() / 15
    return _rotation(spec, frequencies(_as(spec, None)) * 2.0**-depth)
