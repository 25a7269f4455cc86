"""Where each family of models keeps its attention, and how its queries and keys are read there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary import families

if TYPE_CHECKING:
    import torch

__all__ = [
    "BY_NAME",
    "FAMILIES",
    "LENGTHWISE",
    "STEADY",
    "FamilyAdapter",
    "Reader",
    "check_steady",
    "is_steady",
    "read_model",
    "rope_types",
]

Reader: TypeAlias = "Callable[[torch.Tensor], torch.Tensor]"
Taps: TypeAlias = "list[tuple[str, torch.nn.Module, Reader]]"


@dataclass(frozen=True, kw_only=True)
class FamilyAdapter:
    """Where the models of one family keep their attention, and how they make queries and keys.

    - `layers`, `attention`: attribute names of the list of layers and of a layer's attention;
    - `taps`: the modules whose outputs are queries and keys, each with a reader that brings its output
      to `(batch, length, heads, head_dim)`;
    - `own_table`: whether each attention has its own table of sines and cosines, instead of being given
      them;
    - `windows`: which layers have the `sliding_window` of the configuration: `"none"`, `"all"`, or
      those whose entry in `layer_types` says so, `"typed"`;
    - `root_of_width`: whether the embedding is multiplied by the square root of its width;
    - `from_gguf`: whether weights of the family are read from GGUF files.

    Three fields repeat what `ropeproof.theory.rotary.families` records of the family: `interleaved`,
    the layout; `by_type`, whether layers of another type have another rotation; `soft_cap`, whether
    logits are capped at `attn_logit_softcapping`.
    """

    layers: str = "layers"
    attention: str = "self_attn"
    taps: Callable[[Any, Any], Taps]
    own_table: bool = False
    windows: Literal["none", "all", "typed"] = "none"
    root_of_width: bool = False
    from_gguf: bool = False
    interleaved: bool = False
    by_type: bool = False
    soft_cap: bool = False

    @property
    def normed(self) -> bool:
        """Whether the queries and keys of every model of the family pass through norms."""
        return self.taps in (_normed, _normed_in_heads, _normed_whole)


def _heads(head_dim: int) -> Reader:
    return lambda output: output.reshape(*output.shape[:-1], -1, head_dim)


def _separate(attention: Any, _config: Any) -> Taps:
    read = _heads(int(attention.head_dim))
    return [("queries", attention.q_proj, read), ("keys", attention.k_proj, read)]


def _clipped(attention: Any, config: Any) -> Taps:
    """The taps of OLMo, whose projections are clipped if the configuration says so."""
    most = config.clip_qkv
    if most is None:
        return _separate(attention, config)
    split = _heads(int(attention.head_dim))

    def read(output: torch.Tensor) -> torch.Tensor:
        return split(output).clamp(-most, most)

    return [("queries", attention.q_proj, read), ("keys", attention.k_proj, read)]


def _normed(attention: Any, _config: Any) -> Taps:
    return [("queries", attention.q_norm, _as_is), ("keys", attention.k_norm, _as_is)]


def _normed_in_heads(attention: Any, _config: Any) -> Taps:
    """The taps of Gemma 3, whose norms give heads before positions."""
    return [("queries", attention.q_norm, _turned), ("keys", attention.k_norm, _turned)]


def _normed_whole(attention: Any, _config: Any) -> Taps:
    """The taps of OLMo 2 and 3, whose queries and keys have one norm over all heads."""
    read = _heads(int(attention.head_dim))
    return [("queries", attention.q_norm, read), ("keys", attention.k_norm, read)]


def _maybe_normed(attention: Any, config: Any) -> Taps:
    """The taps of Cohere, which has norms of queries and keys if the configuration says so."""
    return (_normed if attention.use_qk_norm else _separate)(attention, config)


def _maybe_layer_normed(attention: Any, config: Any) -> Taps:
    """The taps of Phi and StableLM, whose norms, if any, give heads before positions."""
    if not attention.qk_layernorm:
        return _separate(attention, config)
    return [("queries", attention.q_layernorm, _turned), ("keys", attention.k_layernorm, _turned)]


def _as_is(output: torch.Tensor) -> torch.Tensor:
    return output


def _turned(output: torch.Tensor) -> torch.Tensor:
    return output.transpose(1, 2)


def _fused_by_head(attention: Any, _config: Any) -> Taps:
    def part(number: int) -> Reader:
        size = 3, int(attention.head_size)
        return lambda output: output.reshape(*output.shape[:-1], -1, *size)[..., number, :]

    fused = attention.query_key_value
    return [("queries", fused, part(0)), ("keys", fused, part(1))]


def _fused_by_kind(attention: Any, config: Any) -> Taps:
    size = int(attention.head_dim)
    queries = int(config.num_attention_heads) * size
    keys = queries + int(config.num_key_value_heads) * size
    read, fused = _heads(size), attention.qkv_proj
    return [
        ("queries", fused, lambda output: read(output[..., :queries])),
        ("keys", fused, lambda output: read(output[..., queries:keys])),
    ]


_ALL = FamilyAdapter(taps=_separate, windows="all")
_TYPED = FamilyAdapter(taps=_separate, windows="typed")

_ADAPTERS: Mapping[str, FamilyAdapter] = {
    "cohere": FamilyAdapter(taps=_maybe_normed),
    "gemma": FamilyAdapter(taps=_separate, root_of_width=True),
    "gemma2": replace(_TYPED, root_of_width=True, from_gguf=True),
    "gemma3_text": FamilyAdapter(taps=_normed_in_heads, windows="typed", root_of_width=True),
    "gpt_neox": FamilyAdapter(attention="attention", taps=_fused_by_head),
    "gptj": FamilyAdapter(layers="h", attention="attn", taps=_separate, own_table=True),
    "granite": FamilyAdapter(taps=_separate),
    "llama": FamilyAdapter(taps=_separate, from_gguf=True),
    "mistral": _ALL,
    "mixtral": _ALL,
    "olmo": FamilyAdapter(taps=_clipped),
    "olmo2": FamilyAdapter(taps=_normed_whole),
    "olmo3": FamilyAdapter(taps=_normed_whole, windows="typed"),
    "phi": FamilyAdapter(taps=_maybe_layer_normed),
    "phi3": FamilyAdapter(taps=_fused_by_kind, windows="all", from_gguf=True),
    "qwen2": replace(_TYPED, from_gguf=True),
    "qwen2_moe": _TYPED,
    "qwen3": FamilyAdapter(taps=_normed, windows="typed", from_gguf=True),
    "qwen3_moe": FamilyAdapter(taps=_normed, windows="all"),
    "stablelm": FamilyAdapter(taps=_maybe_layer_normed, from_gguf=True),
}


def _completed(name: str, adapter: FamilyAdapter) -> FamilyAdapter:
    """The adapter of a family with the layout and other facts that the theory's table records."""
    facts = families.FAMILIES[name]
    return replace(
        adapter,
        interleaved=facts.layout == "interleaved",
        by_type=facts.per_layer,
        soft_cap=facts.capped,
    )


BY_NAME: Mapping[str, FamilyAdapter] = MappingProxyType(
    {name: _completed(name, adapter) for name, adapter in _ADAPTERS.items()}
)
"""The adapter of each family, by `model_type`."""

FAMILIES = tuple(BY_NAME)
"""The families whose heads can be read, by `model_type`."""


STEADY = frozenset({"default", "linear", "yarn", "llama3"})
"""Rope types whose frequencies do not depend on the prompt's length."""

LENGTHWISE = frozenset({"dynamic", "longrope"})
"""Rope types whose frequencies depend on the prompt's length."""


def rope_types(config: Any, family: FamilyAdapter) -> set[str]:
    """The rope types of a model's layers."""
    if family.own_table:
        return {"default"}
    rope = getattr(config, "rope_parameters", None) or {}
    each = rope.values() if family.by_type else (rope,)
    return {str(parameters.get("rope_type")) for parameters in each if parameters is not None}


def is_steady(config: Any, family: FamilyAdapter) -> bool:
    """Whether the frequencies of a model do not depend on the prompt's length.

    Raises `Unsupported`, by name, for a rope type that is not known.
    """
    kinds, known = rope_types(config, family), STEADY | LENGTHWISE
    for kind in sorted(kinds - known):
        raise Unsupported(f"rope_type {kind!r}: not one of {', '.join(sorted(known))}")
    return kinds <= STEADY


def check_steady(config: Any, family: FamilyAdapter) -> None:
    """Raises `Unsupported`, by name, if a model's frequencies change with the prompt's length."""
    for kind in sorted(rope_types(config, family) - STEADY):
        raise Unsupported(f"rope_type {kind!r}: not one of {', '.join(sorted(STEADY))}")


def read_model(model: Any) -> tuple[Any, str, FamilyAdapter]:
    """The model without its language-model head, its `model_type` and the adapter of its family.

    Raises `InvalidArgument` for anything that is not a transformers model with weights, and
    `Unsupported`, by name, for an unknown family.
    """
    base: Any = getattr(model, "base_model", None)
    name = getattr(getattr(base, "config", None), "model_type", None)
    if not isinstance(name, str) or not callable(getattr(base, "get_input_embeddings", None)):
        raise InvalidArgument("model", type(model).__name__, "a model of transformers")
    if name not in BY_NAME:
        raise Unsupported(f"model_type {name!r}: not one of {', '.join(FAMILIES)}")
    family = BY_NAME[name]
    if not hasattr(base, family.layers):
        raise Unsupported(f"{type(base).__name__}: no {family.layers!r} as {name} models have")
    if base.get_input_embeddings().weight.is_meta:
        raise InvalidArgument("model", "parameters on the meta device", "a model with weights")
    return base, name, family
