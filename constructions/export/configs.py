"""Small transformers models that have a given rotation: their configurations, family by family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ropeproof.constructions.export.tables import keep_tables
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_rational
from ropeproof.theory.rotary.families import FAMILIES
from ropeproof.theory.rotary.scaling import Linear, Llama3, Yarn
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["CONFIGS", "model_of", "require"]


def model_of(family: str, spec: RopeSpec, *, dtype: Any = None, **sizes: int) -> Any:
    """A causal language model of a family with the spec's rotation and random weights, in eval mode.

    `sizes` are `tokens` of the vocabulary, the `width` of the residual stream, `heads`, `key_heads`,
    `layers`, the `inner` width of the MLP and the positions of the `context`. `dtype` is a torch type,
    float32 by default; attention is eager.

    Raises `InvalidArgument` if the family cannot have the spec, `Unsupported` for a scaling that is
    not linear, yarn or llama3.
    """
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    shared = {"tie_word_embeddings": False, "bos_token_id": None, "eos_token_id": None}
    fields = CONFIGS[family](spec, **sizes)
    config = AutoConfig.for_model(family, vocab_size=sizes["tokens"], **shared, **fields)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = AutoModelForCausalLM.from_config(
            config, dtype=torch.float32, attn_implementation="eager"
        )
    # Only parameters change type: rotation tables and frequencies keep what they were made in.
    for parameter in model.parameters():
        parameter.data = parameter.data.to(torch.float32 if dtype is None else dtype)
    keep_tables(model)
    return model.eval()


def _llama(spec: RopeSpec, **sizes: int) -> dict[str, Any]:
    require(spec, "llama", rotary_dim=spec.head_dim)
    return {
        **_sizes(sizes),
        "head_dim": spec.head_dim,
        "num_key_value_heads": sizes["key_heads"],
        "rope_parameters": _rope_parameters(spec),
    }


def _gpt_neox(spec: RopeSpec, **sizes: int) -> dict[str, Any]:
    fraction = spec.rotary_dim / spec.head_dim
    if int(spec.head_dim * fraction) != spec.rotary_dim:
        raise InvalidArgument("head.spec", f"rotary_dim {spec.rotary_dim}", "a float64 fraction")
    rope = {**_rope_parameters(spec), "partial_rotary_factor": fraction}
    return {**_sizes(sizes), "rope_parameters": rope}


def _gptj(spec: RopeSpec, **sizes: int) -> dict[str, Any]:
    require(spec, "gptj", base=FAMILIES["gptj"].fixed_base, scaling=None)
    return {
        "n_embd": sizes["width"],
        "n_head": sizes["heads"],
        "n_layer": sizes["layers"],
        "n_inner": sizes["inner"],
        "n_positions": sizes["context"],
        "rotary_dim": spec.rotary_dim,
    }


CONFIGS: Mapping[str, Callable[..., dict[str, Any]]] = MappingProxyType(
    {"llama": _llama, "gpt_neox": _gpt_neox, "gptj": _gptj}
)
"""The fields of a configuration of each family that a model can be built of, by `model_type`."""


def _sizes(sizes: Mapping[str, int]) -> dict[str, int]:
    return {
        "hidden_size": sizes["width"],
        "num_attention_heads": sizes["heads"],
        "num_hidden_layers": sizes["layers"],
        "intermediate_size": sizes["inner"],
        "max_position_embeddings": sizes["context"],
    }


def require(spec: RopeSpec, family: str, **facts: object) -> None:
    """Raise `InvalidArgument` unless the spec's attributes have the values that the family has."""
    for name, value in facts.items():
        if getattr(spec, name) != value:
            got = f"{name} {getattr(spec, name)}"
            raise InvalidArgument("head.spec", got, f"{name} {value}, as every {family} has")


def _rope_parameters(spec: RopeSpec) -> dict[str, Any]:
    """A configuration's `rope_parameters` with the spec's base and scaling.

    Raises `InvalidArgument` if the base is no float64 number, and `Unsupported` for a scaling that
    is not linear, yarn or llama3.
    """
    base = float(spec.base)
    if read_rational("base", base) != spec.base:
        raise InvalidArgument("head.spec", f"base {spec.base}", "a float64 number")
    return {"rope_theta": base, **_scaling_parameters(spec)}


def _scaling_parameters(spec: RopeSpec) -> dict[str, Any]:
    match spec.scaling:
        case None:
            return {"rope_type": "default"}
        case Linear() as scaling:
            return {"rope_type": "linear", "factor": float(scaling.factor)}
        case Llama3() as scaling:
            return {
                "rope_type": "llama3",
                "factor": float(scaling.factor),
                "low_freq_factor": float(scaling.low_freq_factor),
                "high_freq_factor": float(scaling.high_freq_factor),
                "original_max_position_embeddings": scaling.original_length,
            }
        case Yarn() as scaling:
            optional = {
                "attention_factor": scaling.attention,
                "mscale": scaling.mscale,
                "mscale_all_dim": scaling.mscale_all_dim,
            }
            return {
                "rope_type": "yarn",
                "factor": float(scaling.factor),
                "original_max_position_embeddings": scaling.original_length,
                "beta_fast": float(scaling.beta_fast),
                "beta_slow": float(scaling.beta_slow),
                "truncate": scaling.truncate,
                **{name: float(v) for name, v in optional.items() if v is not None},
            }
    raise Unsupported(f"{type(spec.scaling).__name__} scaling in a model built around one head")
