"""What a configuration says of logits beside the rotation: their scale, and that of queries by position."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.config.family import model_fields
from ropeproof.theory.rotary.families import FAMILIES, Family
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["LogitRule", "QueryScale", "norm_order"]

Floats = NDArray[np.float64]

_ROTATES_AS = {"ministral3": "mistral", "mistral4": "deepseek_v3"}
"""Families that scale queries by their position, by those that rotate as they do and do not."""
_BEFORE: tuple[str, ...] = (
    *("afmoe", "apertus", "chameleon", "cohere", "doge", "dots1", "esmc", "exaone4", "exaone_moe"),
    *("flex_olmo", "flint", "gemma3_text", "gemma3n_text", "gemma4_text", "glm4_moe", "lfm2"),
    *("lfm2_moe", "mellum", "minimax_m2", "olmo2", "olmo3", "olmo_hybrid", "olmoe", "persimmon"),
    *("phi", "qwen3", "qwen3_5_text", "qwen3_moe", "qwen3_next", "qwen3_vl_text"),
    *("qwen3_vl_moe_text", "stablelm"),
)
"""Families whose layers, where they have norms of queries and keys, apply them before the rotation."""
_AFTER = ("hunyuan_v1_dense", "hunyuan_v1_moe", "llama4_text", "nanochat")
"""Families whose layers apply such norms after the rotation."""


def norm_order(kind: str) -> str | None:
    """`before` or `after`: where a family applies norms of queries and keys; None if it is not known."""
    return "before" if kind in _BEFORE else "after" if kind in _AFTER else None


@dataclass(frozen=True)
class QueryScale:
    """Queries are multiplied by `1 + beta log(1 + floor((p + shift) / length))` at position `p`."""

    beta: float
    length: int
    shift: int = 0

    def at(self, positions: NDArray[Any]) -> Floats:
        """The factors at some positions."""
        whole = np.floor((positions.astype(np.float64) + self.shift) / self.length)
        return np.asarray(1 + self.beta * np.log1p(np.maximum(whole, 0)))


@dataclass(frozen=True)
class LogitRule:
    """How a model makes logits of rotated queries and keys.

    The logit of a query at `p` and a key is `scale * mscale**2 * by_position(p)` times the product of the
    rotated vectors. `scale` is told by `told`; `mscale` is the second factor of YaRN in latent attention,
    1 elsewhere. `cap` is what logits are capped at, softly; that is not modelled. `order` is where norms of
    queries and keys are applied, `before` or `after` the rotation, None if it is not known. `widths` are
    numbers whose inverse root may be taken by mistake, each with what it is.
    """

    spec: RopeSpec
    scale: float
    told: str
    mscale: float = 1.0
    by_position: QueryScale | None = None
    cap: float | None = None
    order: str | None = None
    family: str = ""
    widths: Mapping[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """The factor of all logits."""
        return self.scale * self.mscale**2

    @classmethod
    def of(cls, spec_or_config: Any, *, layer: int | None = None) -> LogitRule:
        """The rule of a configuration, or of a spec alone: the inverse root of its head dimension.

        Families that scale queries by their position are read as well. Raises `InvalidArgument` and
        `Unsupported` as `RopeSpec.from_config`, and for a scale that is no positive number.
        """
        if isinstance(spec_or_config, RopeSpec):
            width = spec_or_config.head_dim
            return cls(spec_or_config, width**-0.5, f"1/sqrt({width})")
        own = model_fields(spec_or_config)
        kind = str(own.get("model_type"))
        rope = _rope(own)
        spec = _spec(spec_or_config, own, kind, layer)
        family = FAMILIES.get(_ROTATES_AS.get(kind, kind), Family())
        scale, told = _scale(own, family, spec)
        return cls(
            spec=spec,
            scale=scale,
            told=told,
            mscale=_mscale(rope) if family.latent else 1.0,
            by_position=_by_position(own, rope, kind, spec),
            cap=_cap(own, family),
            order=norm_order(kind),
            family=kind,
            widths=_widths(own, spec),
        )


def _rope(own: Mapping[str, Any]) -> Mapping[str, Any]:
    for name in ("rope_parameters", "rope_scaling"):
        found = own.get(name)
        if isinstance(found, Mapping):
            return found
    return {}


def _spec(config: Any, own: Mapping[str, Any], kind: str, layer: int | None) -> RopeSpec:
    if kind not in _ROTATES_AS:
        return RopeSpec.from_config(config, layer=layer)
    plain = dict(own) | {"model_type": _ROTATES_AS[kind]}
    for name in ("rope_parameters", "rope_scaling"):
        if isinstance(own.get(name), Mapping):
            kept = {k: v for k, v in own[name].items() if k != "llama_4_scaling_beta"}
            kept.pop("max_position_embeddings", None)
            plain[name] = kept
    return RopeSpec.from_config(plain, layer=layer)


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise InvalidArgument(f"config.{name}", value, "a number > 0")
    return float(value)


def _scale(own: Mapping[str, Any], family: Family, spec: RopeSpec) -> tuple[float, str]:
    if family.scale == "one":
        return 1.0, "1"
    if family.scale == "root":
        return spec.head_dim**-0.5, f"1/sqrt({spec.head_dim})"
    value = _number(family.scale, own.get(family.scale))
    if family.scale == "attention_multiplier":
        return value, f"attention_multiplier {value:g}"
    return value**-0.5, f"1/sqrt({value:g}) of query_pre_attn_scalar"


def _mscale(rope: Mapping[str, Any]) -> float:
    """`0.1 m log(factor) + 1` of `mscale_all_dim`, whose square latent attention has in its scale."""
    said, factor = rope.get("mscale_all_dim"), rope.get("factor")
    kind = rope.get("rope_type", rope.get("type", "default"))
    if not said or kind == "default" or factor is None:
        return 1.0
    value, times = _number("mscale_all_dim", said), _number("factor", factor)
    return 0.1 * value * math.log(times) + 1.0 if times > 1 else 1.0


def _by_position(
    own: Mapping[str, Any], rope: Mapping[str, Any], kind: str, spec: RopeSpec
) -> QueryScale | None:
    if rope.get("llama_4_scaling_beta"):
        length = rope.get("original_max_position_embeddings")
        beta = _number("llama_4_scaling_beta", rope["llama_4_scaling_beta"])
        return QueryScale(beta, int(_number("original_max_position_embeddings", length)))
    if kind == "llama4_text" and not spec.rotary_planes:
        if not own.get("attn_temperature_tuning", True):  # what its class has without the field
            return None
        length = int(_number("floor_scale", own.get("floor_scale", 8192)))
        return QueryScale(_number("attn_scale", own.get("attn_scale", 0.1)), length, shift=1)
    return None


def _cap(own: Mapping[str, Any], family: Family) -> float | None:
    value = own.get("attn_logit_softcapping", 50.0 if family.capped else None)
    return None if value is None else _number("attn_logit_softcapping", value)


def _widths(own: Mapping[str, Any], spec: RopeSpec) -> dict[str, float]:
    """Numbers of a configuration whose inverse root may be taken for the scale."""
    found = {
        "the head dimension": spec.head_dim,
        "the rotated part of the head": spec.rotary_dim,
        "the part of the head that does not rotate": spec.head_dim - spec.rotary_dim,
    }
    heads, width = own.get("num_attention_heads"), own.get("hidden_size")
    if isinstance(heads, int) and isinstance(width, int) and heads > 0:
        found["hidden_size"] = width
        found["hidden_size / num_attention_heads"] = width // heads
    for name in ("v_head_dim", "kv_lora_rank", "q_lora_rank", "head_dim"):
        if isinstance(own.get(name), int):
            found[name] = own[name]
    if isinstance(own.get("kv_lora_rank"), int):
        found["kv_lora_rank and the rotated part"] = own["kv_lora_rank"] + spec.rotary_dim
    once: dict[float, str] = {}  # the first name of each number
    for name, value in found.items():
        once.setdefault(float(value), name)
    return {name: value for value, name in once.items() if value > 0}
