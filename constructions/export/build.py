"""Small models of transformers that hold one slash head and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ropeproof.constructions.export.slots import open_slot
from ropeproof.constructions.export.write import write_head
from ropeproof.constructions.heads.slash.head import SlashHead
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.extras import require_extra
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.scaling import Linear, Llama3, Yarn
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["build_model", "require", "rope_parameters"]


def build_model(
    family: str,
    head: SlashHead,
    *,
    layers: int = 1,
    layer: int = 0,
    head_index: int = 0,
    key_heads: int | None = None,
    dtype: Any = None,
) -> Any:
    """A small causal language model of a family whose only working part is this head.

    `family` is `"llama"`, `"gpt_neox"` or `"gptj"`; the vocabulary is the head's, there are as many
    heads of `head_dim` as its residual stream needs (and as `head_index` asks), `key_heads` of them
    with keys of their own (Llama only). All other weights of attention and MLP are 0, so that the
    other heads attend uniformly and add nothing; the output reads the embeddings. `dtype` is a
    torch type, float32 by default. In evaluation mode, with `attn_implementation="eager"`.

    `certify_head(model, layer=..., head_index=..., offset=..., length=...)` says what it guarantees.

    Raises `InvalidArgument` if the family cannot have the head's spec, and as `write_head`;
    `Unsupported` for a scaling that is not linear, yarn or llama3.
    """
    require_extra("models", "a model of transformers")
    import torch
    from transformers import AutoModelForCausalLM

    if not isinstance(head, SlashHead):
        raise InvalidArgument("head", type(head).__name__, "a SlashHead")
    if family not in _CONFIGS:
        raise InvalidArgument("family", family, ", ".join(map(repr, _CONFIGS)))
    layers = read_integer("layers", layers, least=1)
    needed = math.ceil((head.width + 1) / head.spec.head_dim)
    heads = max(needed, read_integer("head_index", head_index, least=0) + 1)
    if key_heads is not None and family != "llama":
        raise InvalidArgument("key_heads", key_heads, f"None: {family} has no shared key heads")
    groups = heads if key_heads is None else read_integer("key_heads", key_heads, least=1)
    heads = math.ceil(heads / groups) * groups
    config = _CONFIGS[family](head, heads, groups, layers)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = AutoModelForCausalLM.from_config(
            config, dtype=torch.float32, attn_implementation="eager"
        )
    # Only parameters change type: rotation tables and frequencies keep what they were made in.
    for parameter in model.parameters():
        parameter.data = parameter.data.to(torch.float32 if dtype is None else dtype)
    model = model.eval()
    with torch.no_grad():
        for number in range(layers):
            block = open_slot(model, number, 0).block
            for module in block.modules():
                if isinstance(module, torch.nn.Linear):
                    for parameter in module.parameters():
                        parameter.zero_()
    write_head(model, head, layer=layer, head_index=head_index)
    with torch.no_grad():
        reader = model.get_output_embeddings()
        reader.weight.copy_(model.get_input_embeddings().weight)
        if reader.bias is not None:
            reader.bias.zero_()
    return model


def _llama(head: SlashHead, heads: int, groups: int, layers: int) -> Any:
    from transformers import LlamaConfig

    require(head.spec, "llama", layout="half", rotary_dim=head.spec.head_dim)
    return LlamaConfig(
        **_common(head, heads, layers),
        hidden_size=heads * head.spec.head_dim,
        head_dim=head.spec.head_dim,
        num_key_value_heads=groups,
        intermediate_size=head.spec.head_dim,
        max_position_embeddings=_context(head),
        rope_parameters=rope_parameters(head.spec),
    )


def _gpt_neox(head: SlashHead, heads: int, _groups: int, layers: int) -> Any:
    from transformers import GPTNeoXConfig

    spec = head.spec
    require(spec, "gpt_neox", layout="half")
    fraction = spec.rotary_dim / spec.head_dim
    if int(spec.head_dim * fraction) != spec.rotary_dim:
        raise InvalidArgument("head.spec", f"rotary_dim {spec.rotary_dim}", "a float64 fraction")
    return GPTNeoXConfig(
        **_common(head, heads, layers),
        hidden_size=heads * spec.head_dim,
        intermediate_size=spec.head_dim,
        max_position_embeddings=_context(head),
        rope_parameters={**rope_parameters(spec), "partial_rotary_factor": fraction},
    )


def _gptj(head: SlashHead, heads: int, _groups: int, layers: int) -> Any:
    from transformers import GPTJConfig

    common = _common(head, heads, layers)
    require(head.spec, "gptj", layout="interleaved", base=10000, scaling=None)
    return GPTJConfig(
        vocab_size=common["vocab_size"],
        tie_word_embeddings=False,
        bos_token_id=None,
        eos_token_id=None,
        n_embd=heads * head.spec.head_dim,
        n_head=heads,
        n_layer=layers,
        n_inner=head.spec.head_dim,
        n_positions=_context(head),
        rotary_dim=head.spec.rotary_dim,
    )


_CONFIGS: Mapping[str, Callable[[SlashHead, int, int, int], Any]] = MappingProxyType(
    {"llama": _llama, "gpt_neox": _gpt_neox, "gptj": _gptj}
)


def _common(head: SlashHead, heads: int, layers: int) -> dict[str, Any]:
    return {
        "vocab_size": len(head.embeddings),
        "num_attention_heads": heads,
        "num_hidden_layers": layers,
        "tie_word_embeddings": False,
        "bos_token_id": None,
        "eos_token_id": None,
    }


def _context(head: SlashHead) -> int:
    return max(head.length, head.spec.length or 0)


def require(spec: RopeSpec, family: str, **facts: object) -> None:
    """Raise `InvalidArgument` unless the spec's attributes have the values that the family has."""
    for name, value in facts.items():
        if getattr(spec, name) != value:
            got = f"{name} {getattr(spec, name)}"
            raise InvalidArgument("head.spec", got, f"{name} {value}, as every {family} has")


def rope_parameters(spec: RopeSpec) -> dict[str, Any]:
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
