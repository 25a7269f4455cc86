"""Where each family of models keeps its attention, and how its queries and keys are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from ropeproof.theory.errors import InvalidArgument, Unsupported

if TYPE_CHECKING:
    import torch

__all__ = ["FAMILIES", "STEADY", "Family", "Reader", "check_steady", "read_model"]

Reader: TypeAlias = "Callable[[torch.Tensor], torch.Tensor]"
Taps: TypeAlias = "list[tuple[str, torch.nn.Module, Reader]]"


@dataclass(frozen=True, kw_only=True)
class Family:
    """Where a family keeps its attention, and how it makes queries and keys.

    - `layers`, `attention`: attribute names of the list of layers and of a layer's attention;
    - `taps`: which outputs of which modules are queries and keys, `(batch, length, heads,
      head_dim)` after the reader;
    - `interleaved`: the layout; `windows`: whether `sliding_window` is read.
    """

    layers: str
    attention: str
    taps: Callable[[Any, Any], Taps]
    interleaved: bool = False
    windows: bool = False


def _heads(head_dim: int) -> Reader:
    return lambda output: output.reshape(*output.shape[:-1], -1, head_dim)


def _separate(attention: Any, _config: Any) -> Taps:
    read = _heads(int(attention.head_dim))
    return [("queries", attention.q_proj, read), ("keys", attention.k_proj, read)]


def _normed(attention: Any, _config: Any) -> Taps:
    def read(output: torch.Tensor) -> torch.Tensor:
        return output

    return [("queries", attention.q_norm, read), ("keys", attention.k_norm, read)]


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


_LLAMA = Family(layers="layers", attention="self_attn", taps=_separate)
_WINDOWED = Family(layers="layers", attention="self_attn", taps=_separate, windows=True)

BY_NAME: Mapping[str, Family] = MappingProxyType(
    {
        "gemma": _LLAMA,
        "gemma2": _WINDOWED,
        "gpt_neox": Family(layers="layers", attention="attention", taps=_fused_by_head),
        "gptj": Family(layers="h", attention="attn", taps=_separate, interleaved=True),
        "llama": _LLAMA,
        "mistral": _WINDOWED,
        "phi3": Family(layers="layers", attention="self_attn", taps=_fused_by_kind, windows=True),
        "qwen2": _WINDOWED,
        "qwen3": Family(layers="layers", attention="self_attn", taps=_normed, windows=True),
    }
)

FAMILIES = tuple(BY_NAME)
"""The families whose heads can be read, by `model_type`."""


STEADY = frozenset({"default", "linear", "yarn", "llama3"})
"""Rope types whose frequencies do not depend on the prompt's length."""


def check_steady(config: Any, family: Family) -> None:
    """Raises `Unsupported`, by name, if the frequencies change with the prompt's length."""
    rope = getattr(config, "rope_parameters", None) or {}
    kind = "default" if family.interleaved else rope.get("rope_type")
    if kind not in STEADY:
        raise Unsupported(f"rope_type {kind!r}: not one of {', '.join(sorted(STEADY))}")


def read_model(model: Any) -> tuple[Any, str, Family]:
    """The model without its head, its `model_type` and its family.

    Raises `InvalidArgument` for what is not a model of transformers with weights, `Unsupported`, by
    name, for a family that is not known.
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
