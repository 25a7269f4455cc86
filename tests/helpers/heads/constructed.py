"""Every public construction as a module that a user trains: one table of cases, the same demands on each."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from slash_models import random_llama

from ropeproof import RopeSpec, constructions
from ropeproof.constructions import AttentionNetwork, Head
from ropeproof.theory.errors import RopeproofError

SPEC = RopeSpec(8, 100)
ONES = np.ones(8)
PARTIAL = RopeSpec(8, 100, rotary_dim=4)
MADE: dict[str, Callable[[Any], Any]] = {
    "absolute_index_head": lambda f: f(["A", "B"], 6),
    "aliasing_head": lambda f: f(SPEC, 1, 16, 5.0),
    "aligned_head": lambda f: f(SPEC, 1, 16, 5.0, [0, 1]),
    "compose": lambda f: f("number", hops=2, letters=4, integers=3, length=6),
    "content_and_position": lambda f: f(ONES[:4], ONES[:4], PARTIAL, ["a", "b"], strength=2.0),
    "general_readout": lambda f: f(["A", "B"]).head,
    "index_head": lambda f: f(["A", "B"], 2, 6),
    "induction_network": lambda f: f(tokens=5, length=8),
    "information_retrieval_head": lambda f: f(["A", "B", "C"], ["d", "e"], 6),
    "low_planes_head": lambda f: f(SPEC, 1, 16, 5.0, wavelength=10.0),
    "partial_induction_head": lambda f: f(["a", "b"], 5),
    "rank_one_without_cone": lambda f: f(SPEC, 1, 16, 0.9),
    "relative": lambda f: f(np.ones((8, 3)), np.ones((8, 3)), SPEC),
    "retrieval_head": lambda f: f(["A", "B", "C"], 6),
    "sink_head": lambda f: f(RopeSpec(8, 10_000), 16, tokens=["sink", "a", "b"]),
    "slash_head": lambda f: f(SPEC, 1, 16, 0.9, tokens=["a", "b", "c"]),
    "soft_head": lambda f: f(SPEC, 4, 0.9, tokens=["a", "b", "c"]),
    "to_layout": lambda f: f(made("slash_head"), "interleaved"),
    "toeplitz": lambda f: f(ONES, ONES, SPEC, tokens=["a"]),
    "uniform_but_self": lambda f: f(["a", "b"], 4, 0.9),
}
"""How a small head or network is made by the function of that name."""

BEHIND = {
    "certified_slash": "slash_head calls it with the weights that it chose",
    "lookup": "the heads that look up call it with the angles that they chose",
}
"""Functions that return heads and are behind others of the table."""

ASKED = {
    "canonical_head": "rewrites a head that is given to it",
    "certify_head": "reads a certificate off a model",
    "certify_network": "reads a certificate off a model",
    "content_logits": "returns logits",
    "decode_length": "returns a length",
    "angles_spec": "returns a spec",
    "exported_bound": "returns a bound",
    "freeze_head": "freezes parameters of a model",
    "index_budget": "describes a head that is given to it",
    "logit_table": "returns logits",
    "permute_columns": "returns an array",
    "rewrite_head": "rewrites a head of a model",
    "positional_counterexample": "returns inputs",
    "predict": "runs a model that is given to it",
    "spaced_profile": "returns amplitudes and phases",
    "symbol_amplitude": "returns a number",
    "symbolic_counterexample": "returns inputs",
    "uniform_profile": "returns amplitudes and phases",
    "write_sink_head": "writes a head in the way of write_head, and no model is read back for its guarantee",
}
"""Public functions that make no weights, and what they do instead."""

_KEPT: dict[str, Head | AttentionNetwork] = {}


def made(name: str) -> Any:
    """The small head or network that the function of this name makes, made once."""
    if name not in _KEPT:
        _KEPT[name] = MADE[name](getattr(constructions, name))
    return _KEPT[name]


def unlisted() -> set[str]:
    """Public functions of the constructions that no case and no list here names."""
    functions = {n for n in constructions.__all__ if inspect.isfunction(getattr(constructions, n))}
    return functions - {case.constructor for case in CASES.values()} - {*BEHIND, *ASKED}


@dataclass(frozen=True)
class Case:
    """One construction as a module: how it is made in a type, run, and asked what it guarantees.

    - `constructor`: the public function that makes it; `level`: `"head"`, `"network"` or `"model"`;
    - `module(dtype)`: a new module each time; `inputs(length, dtype)`: two prompts, states for a head and
      token numbers else; `run(module, inputs)`: the output, `(2, length, numbers)`;
    - `guarantee(module)`: what is guaranteed of the module as it is, None if nothing is;
    - `freeze(module)`: stops training of all that the guarantee depends on.
    """

    constructor: str
    level: str
    module: Callable[..., torch.nn.Module]
    inputs: Callable[..., torch.Tensor]
    guarantee: Callable[[torch.nn.Module], Any]
    source: Any = None
    freeze: Callable[[torch.nn.Module], Any] = lambda module: module.requires_grad_(False)

    def run(self, module: torch.nn.Module, inputs: torch.Tensor) -> torch.Tensor:
        found = module(inputs)
        return found if isinstance(found, torch.Tensor) else found.logits


def head_case(name: str) -> Case:
    def source() -> Head:
        return made(name)

    def inputs(length: int = 5, dtype: torch.dtype = torch.float64) -> torch.Tensor:
        states = np.random.default_rng(0).normal(size=(2, length, source().width))
        return torch.from_numpy(states).to(dtype)

    return Case(
        name,
        "head",
        lambda dtype=torch.float64: source().to_module(dtype=dtype),
        inputs,
        lambda module: module.certificate,
        source,
    )


def network_case(name: str) -> Case:
    def inputs(length: int = 5, dtype: object = None) -> torch.Tensor:
        return torch.from_numpy(np.random.default_rng(0).integers(0, 4, (2, length)))

    def module(dtype: torch.dtype = torch.float64) -> torch.nn.Module:
        return made(name).to_module(dtype=dtype)

    return Case(name, "network", module, inputs, lambda m: m.certificate, lambda: made(name))


def model_case(constructor: str, make: Callable[..., Any], certify: Callable[[Any], Any]) -> Case:
    def inputs(length: int = 5, dtype: object = None) -> torch.Tensor:
        return torch.from_numpy(np.random.default_rng(0).integers(0, 3, (2, length)))

    def guarantee(module: torch.nn.Module) -> Any:
        try:
            found = certify(module)
        except RopeproofError:
            return None
        numbers = found.quantities
        return found if numbers.get("score", numbers.get("length")) else None

    return Case(constructor, "model", make, inputs, guarantee)


def _slash(family: str) -> Head:
    if f"slash for {family}" not in _KEPT:
        layout = "interleaved" if family == "gptj" else "half"
        base = 10_000 if family == "gptj" else 100
        spec = RopeSpec(16, base, layout=layout)
        _KEPT[f"slash for {family}"] = constructions.slash_head(
            spec, 1, 16, 0.9, tokens=["a", "b", "c"]
        )
    return _KEPT[f"slash for {family}"]


def _built(family: str) -> Case:
    def make(dtype: torch.dtype = torch.float32) -> Any:
        return constructions.build_model(family, _slash(family), layers=2, layer=1, dtype=dtype)

    return with_frozen_head(model_case("build_model", make, _certified))


def _certified(model: Any) -> Any:
    return constructions.certify_head(model, layer=1, offset=1, length=16)


def _written() -> Case:
    def make(dtype: torch.dtype = torch.float32) -> Any:
        shape = {
            "head_dim": 16,
            "num_attention_heads": 2,
            "num_key_value_heads": 1,
            "hidden_size": 32,
        }
        rope = {"rope_theta": 100.0, "rope_type": "default"}
        model = random_llama(**shape, rope_parameters=rope)
        for parameter in model.parameters():
            parameter.data = parameter.data.to(dtype)
        constructions.write_head(model, _slash("llama"), layer=1, earlier="silence")
        return model

    return with_frozen_head(model_case("write_head", make, _certified))


def with_frozen_head(case: Case) -> Case:
    return replace(case, freeze=lambda model: constructions.freeze_head(model, layer=1))


def _exported(family: str) -> Case:
    def network() -> Any:
        if "exported" not in _KEPT:
            _KEPT["exported"] = constructions.compose(
                "number",
                hops=2,
                letters=4,
                integers=3,
                length=6,
                spec=RopeSpec(32, 10_000),
                planes="several",
                code="pairs",
            )
        return _KEPT["exported"]

    return model_case(
        "export_network",
        lambda dtype=torch.float32: constructions.export_network(network(), family, dtype=dtype),
        lambda model: constructions.certify_network(model, network()),
    )


NETWORKS = ("compose", "induction_network")
CASES = {
    **{n: network_case(n) if n in NETWORKS else head_case(n) for n in MADE},
    **{f"build_model, {family}": _built(family) for family in ("llama", "gpt_neox", "gptj")},
    **{f"export_network, {family}": _exported(family) for family in ("llama", "gptj")},
    "write_head": _written(),
}
"""Every construction as a module, by its name."""
