"""The rotation that each engine reads from a configuration: small declarative models of their readers.

Each names the source that it was read from. They model the base and the scaling, of a flat configuration or
layer type by layer type; where an engine's code for a family was not read, the engine is not listed for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = [
    "ALWAYS_LONG",
    "BY_LENGTH",
    "BY_TYPE",
    "DEFAULT_BASES",
    "READERS",
    "EngineReader",
    "EngineReading",
    "Rotation",
    "loaded",
    "mscale",
]

_ORIGINAL = "original_max_position_embeddings"
_BASES = ("rope_theta", "rotary_emb_base")
_PARAMETERS = ("factor", _ORIGINAL, "low_freq_factor", "high_freq_factor", "beta_fast", "beta_slow")
_FULL, _SLIDING = "full_attention", "sliding_attention"
BY_LENGTH = "short factors to the original length, long above"
ALWAYS_LONG = "long factors at every length"
Rotation: TypeAlias = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class EngineReading:
    """The rotation that an engine reads from a file, as sorted pairs, or the reason why it refuses the file.

    With YaRN the pairs have the factor of cosines and sines (`attention_factor`), and whether the range of
    the ramp is rounded to whole planes (`truncate`). Where layer types have rotations of their own,
    `rotation` is that of full attention and `others` has the rest.
    """

    rotation: Rotation = ()
    refused: str = ""
    others: tuple[tuple[str, Rotation], ...] = ()

    def __str__(self) -> str:
        if self.refused:
            return f"refuses: {self.refused}"
        if not self.others:
            return _told(self.rotation)
        return "; ".join(f"{_told(rotation)} in {kind}" for kind, rotation in self.by_type())

    def by_type(self) -> Iterator[tuple[str | None, Rotation]]:
        """Yield each layer type with its rotation; None is the type of a rotation of all layers."""
        yield (_FULL if self.others else None), self.rotation
        yield from self.others

    def same(self, other: EngineReading) -> bool:
        """Whether both readings give every layer the same rotation; False if either is a refusal."""
        if self.refused or other.refused:
            return False
        return (self.rotation, self.others) == (other.rotation, other.others)

    def as_json(self) -> dict[str, Any]:
        """The reading in the form of `ropeproof lint --json`."""
        if self.refused:
            return {"refused": self.refused}
        if self.others:
            return {str(kind): dict(rotation) for kind, rotation in self.by_type()}
        return dict(self.rotation)


def _told(rotation: Rotation) -> str:
    found = dict(rotation)
    kind, shown = found["type"], {k: v for k, v in found.items() if k not in ("base", "type")}
    if shown.pop("truncate", True) is False:
        shown["truncate"] = False
    if kind == "yarn" and shown.get("attention_factor") == mscale(shown.get("factor", 1.0)):
        del shown["attention_factor"]
    lists = shown.pop("lists", None)
    parts = [f"{k} {v if isinstance(v, bool) else f'{v:g}'}" for k, v in shown.items()]
    rest = ", ".join(parts + ([str(lists)] if lists is not None else []))
    scaling = "" if kind == "default" else f", {kind}" + (f" ({rest})" if rest else "")
    return f"base {found['base']:g}{scaling}"


@dataclass(frozen=True)
class EngineReader:
    """The model of one engine's reader of configurations: its version, its source and its families."""

    name: str
    version: str
    source: str
    families: frozenset[str]
    read: Callable[[Mapping[str, Any]], EngineReading]
    unknown: frozenset[str] = frozenset()
    """Types of scaling and parameters of YaRN whose effect in this engine is not modelled."""

    def reads(self, fields: Mapping[str, Any]) -> bool:
        """Whether the engine's code for this family and this scaling is modelled.

        It is not if bases differ by layer in a family whose layers are alike, nor if a base is no number:
        what an engine makes of such a file is not known.
        """
        family = fields.get("model_type")
        if not isinstance(family, str) or family not in self.families:
            return False
        given = [fields[k] for k in _DICTS if isinstance(fields.get(k), Mapping)]
        nested = [v for rope in given for v in rope.values() if isinstance(v, Mapping)]
        if nested and family not in BY_TYPE:
            return False
        bases = [rope["rope_theta"] for rope in (*given, *nested) if "rope_theta" in rope]
        tops = (*_BASES, *BY_TYPE[family]) if family in BY_TYPE else _BASES
        bases += [v for k in tops if (v := fields.get(k)) is not None]
        if not all(type(base) in (int, float) for base in bases):
            return False
        return not self.unknown & _special((*given, *nested))


_DICTS = ("rope_parameters", "rope_scaling")
_YARN = frozenset({"attention_factor", "attn_factor", "mscale", "mscale_all_dim", "truncate"})
"""Parameters of YaRN that engines take in ways of their own, or not at all."""
_BY_LENGTH = frozenset({"dynamic", "longrope", "su"})
"""Scalings that depend on the length, of which an engine has code of its own that was not read."""
# Families whose layers of full and of sliding attention rotate apart: the fields of both bases, outside
# `rope_parameters`.
BY_TYPE: Mapping[str, tuple[str, str]] = {
    "gemma3_text": ("rope_theta", "rope_local_base_freq"),
    "gemma3n_text": ("rope_theta", "rope_local_base_freq"),
    "modernbert": ("global_rope_theta", "local_rope_theta"),
    "modernbert-decoder": ("global_rope_theta", "local_rope_theta"),
    "olmo3": ("rope_theta", "rope_theta"),
}


def _special(ropes: tuple[Mapping[str, Any], ...]) -> set[str]:
    """The types of scaling that a file names, and the parameters of YaRN in which engines differ."""
    found: set[str] = set()
    for rope in ropes:
        kinds = {str(rope[name]) for name in ("rope_type", "type") if rope.get(name) is not None}
        found |= kinds
        if "yarn" in kinds:
            found |= {name for name in _YARN if rope.get(name) is not None}
            if rope.get("truncate") is True:  # as it is without the key
                found.discard("truncate")
    return found


def _rope(fields: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    for key in keys:
        if isinstance(fields.get(key), Mapping) and fields[key]:
            return dict(fields[key])
    return {}


def mscale(factor: float, weight: float = 1.0) -> float:
    """YaRN's factor of cosines and sines, `1 + weight log(factor)/10`; 1 for a scaling factor up to 1."""
    return 1.0 if factor <= 1 else 0.1 * weight * math.log(factor) + 1.0


def _attention(rope: Mapping[str, Any]) -> float:
    """The attention factor of YaRN as transformers and vLLM compute it."""
    given, factor = _number(rope.get("attention_factor")), _number(rope.get("factor")) or 1.0
    one, all_dim = _number(rope.get("mscale")), _number(rope.get("mscale_all_dim"))
    if given is not None:
        return given
    return mscale(factor, one) / mscale(factor, all_dim) if one and all_dim else mscale(factor)


def _longrope_attention(
    fields: Mapping[str, Any], rope: Mapping[str, Any], *, given: bool = True, factor: bool = True
) -> float | None:
    """The attention factor of LongRoPE, None where the file does not determine it.

    It is the stated one, if the engine reads it (`given`), else `sqrt(1 + log(s)/log(original))`, with `s`
    the stated factor, if the engine reads that (`factor`), else the context over the original length.
    """
    stated = _number(rope.get("attention_factor"))
    if given and stated is not None:
        return stated
    original, context = _number(rope.get(_ORIGINAL)), _number(fields.get("max_position_embeddings"))
    size = _number(rope.get("factor")) if factor else None
    if size is None:
        if original is None or context is None or original <= 0:
            return None
        size = context / original
    if size <= 1:
        return 1.0
    if original is None or original <= 1:
        return None
    return math.sqrt(1 + math.log(size) / math.log(original))


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _rotation(
    base: object,
    kind: object,
    rope: Mapping[str, Any],
    *,
    attention: float | None = None,
    truncate: bool | None = None,
    lists: str = BY_LENGTH,
) -> EngineReading:
    """The reading of one rotation, from its base, its type of scaling and its rotary parameters.

    With YaRN it has the engine's attention factor, and whether the engine rounds the ramp's range. With
    LongRoPE it has the attention factor as well, and at which lengths the engine uses which list of
    factors, unless both lists are the same.
    """
    if kind in (None, "mrope") or (kind in ("linear", "dynamic") and rope.get("factor") == 1):
        kind = "default"
    kind = "longrope" if kind == "su" else kind
    found: dict[str, Any] = {"base": float(str(base)), "type": str(kind)}
    if kind != "default":
        found |= {k: n for k in _PARAMETERS if (n := _number(rope.get(k))) is not None}
    if kind == "longrope":
        found = {
            key: found[key] for key in ("base", "type")
        }  # a factor is in the attention factor only
        if attention is not None:
            found["attention_factor"] = attention
        if rope.get("short_factor") != rope.get("long_factor"):
            found["lists"] = lists
            original = _number(rope.get(_ORIGINAL))
            if lists == BY_LENGTH and original is not None:
                found[_ORIGINAL] = original
    if kind == "yarn":
        found = {"beta_fast": 32.0, "beta_slow": 1.0, **found}
        found["attention_factor"] = _attention(rope) if attention is None else attention
        found["truncate"] = rope.get("truncate") is not False if truncate is None else truncate
    return EngineReading(tuple(sorted(found.items())))


def _layers(full: EngineReading, sliding: EngineReading) -> EngineReading:
    """One reading of the layers of full and of sliding attention; a refusal if either is one."""
    refused = full.refused or sliding.refused
    return (
        EngineReading(refused=refused)
        if refused
        else EngineReading(full.rotation, others=((_SLIDING, sliding.rotation),))
    )


# `default_theta` of the families' configuration classes in transformers 5.23.0, where it is not 10000.
_FIVE = {
    "apertus": 12e6,
    "bitnet": 500000.0,
    "cohere": 500000.0,
    "ernie4_5": 500000.0,
    "ernie4_5_moe": 500000.0,
    "gpt_oss": 150000.0,
    "helium": 100000.0,
    "minimax": 1e6,
    "mixtral": 1e6,
    "phimoe": 1e6,
    "smollm3": 2e6,
}


# Families that take any scaling from the file, with the default base in the classes of transformers 4.57.1.
_FOUR = {
    "llama": 10000.0,
    "mistral": 10000.0,
    "mixtral": 1e6,
    "qwen2": 10000.0,
    "qwen2_moe": 10000.0,
    "qwen3": 10000.0,
    "qwen3_moe": 10000.0,
    "gemma": 10000.0,
    "gemma2": 10000.0,
    "olmoe": 10000.0,
    "granite": 10000.0,
    "granitemoe": 10000.0,
    "starcoder2": 10000.0,
    "cohere": 10000.0,
    "smollm3": 2e6,
    "glm": 10000.0,
    "glm4": 10000.0,
    "helium": 100000.0,
    "olmo3": 10000.0,
}
_FOUR_BY_TYPE: Mapping[str, tuple[float, float]] = {
    "gemma3_text": (1e6, 1e4),
    "gemma3n_text": (1e6, 1e4),
    "modernbert": (160000.0, 10000.0),
}


# Families that only the reader of transformers 5 is modelled for, each with its default base.
_MORE = {
    "arcee": 10000.0,
    "aria_text": 10000.0,
    "cohere2": 10000.0,
    "cwm": 1000000.0,
    "ernie4_5_vl_moe_text": 500000.0,
    "eurobert": 10000.0,
    "exaone_moe": 10000.0,
    "falcon_h1": 10000.0,
    "flex_olmo": 500000.0,
    "glm4_moe_lite": 10000.0,
    "glm4v_moe_text": 10000.0,
    "glm4v_text": 10000.0,
    "granite_docling_text": 10000.0,
    "granite_swa": 10000.0,
    "granitemoe_swa": 10000.0,
    "granitemoeshared": 10000.0,
    "higgs_audio_v2": 500000.0,
    "hunyuan_v1_dense": 10000.0,
    "hunyuan_v1_moe": 10000.0,
    "hy_v3": 11158840.0,
    "hyperclovax": 10000.0,
    "jais2": 10000.0,
    "jetmoe": 10000.0,
    "kolibri1": 10000.0,
    "lfm2": 1000000.0,
    "llama4_text": 500000.0,
    "minicpm3": 10000.0,
    "minimax_m2": 5000000.0,
    "ministral": 10000.0,
    "molmo2_text": 10000.0,
    "moshi": 10000.0,
    "olmo": 10000.0,
    "olmo_hybrid": 10000.0,
    "persimmon": 10000.0,
    "qwen2_5_vl_text": 1000000.0,
    "qwen2_vl_text": 1000000.0,
    "qwen3_5_moe_text": 10000.0,
    "qwen3_5_text": 10000.0,
    "qwen3_next": 10000.0,
    "qwen3_vl_moe_text": 500000.0,
    "qwen3_vl_text": 500000.0,
    "seed_oss": 10000.0,
    "solar_open": 1000000.0,
    "stablelm": 10000.0,
    "vaultgemma": 10000.0,
    "youtu": 10000.0,
}


# The defaults of both bases in transformers 5, full attention first; `rope_scaling` of these families is that
# of full attention, of ModernBERT that of all.
DEFAULT_BASES: Mapping[str, tuple[float, float]] = {
    "gemma3_text": (1e6, 1e4),
    "gemma3n_text": (1e6, 1e4),
    "modernbert": (160000.0, 10000.0),
    "modernbert-decoder": (160000.0, 10000.0),
    "olmo3": (500000.0, 500000.0),
}


def _five_by_type(fields: Mapping[str, Any]) -> EngineReading:
    family = str(fields["model_type"])
    given, scaling = fields.get("rope_parameters"), fields.get("rope_scaling")
    default = {_FULL: {"rope_type": "default"}, _SLIDING: {"rope_type": "default"}}
    # An empty mapping is taken as it is; one that is flat has no layer type, so that it is not read.
    stated = dict(given) if isinstance(given, Mapping) else default
    ropes = {}
    for kind, base in zip((_FULL, _SLIDING), DEFAULT_BASES[family], strict=True):
        rope = dict(stated.get(kind) or {})
        if isinstance(scaling, Mapping) and (kind == _FULL or "modernbert" in family):
            if kind not in stated:
                return EngineReading(refused=f"rope_scaling beside rope_parameters without {kind}")
            rope |= scaling
        top = fields.get(BY_TYPE[family][kind == _SLIDING])
        if family == "olmo3" and kind == _SLIDING and "rope_theta" not in (stated.get(_FULL) or {}):
            top = None  # the base of full attention takes it away
        rope.setdefault("rope_theta", base if top is None else top)
        ropes[kind] = rope
    full, sliding = (_five_scaled(fields, ropes[kind]) for kind in (_FULL, _SLIDING))
    return _layers(full, sliding)


def _five_scaled(fields: Mapping[str, Any], rope: dict[str, Any]) -> EngineReading:
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind in ("llama3", "yarn", "longrope"):
        rope.setdefault(_ORIGINAL, fields.get("max_position_embeddings"))
    # The code looks for `truncate` beside the layer types and not within one.
    return _rotation(rope["rope_theta"], kind, rope, truncate=True)


def _transformers5(fields: Mapping[str, Any]) -> EngineReading:
    if fields.get("model_type") in BY_TYPE:
        return _five_by_type(fields)
    rope = _rope(fields, "rope_scaling", "rope_parameters")
    default = {**_MORE, **_FIVE}.get(str(fields.get("model_type")), 10000.0)
    top = fields.get("rope_theta")
    base = rope.get("rope_theta", default if top is None else top)
    kind = rope.get("rope_type", rope.get("type", "default"))
    own = ("default", "longrope", "su", "yarn")
    if fields.get("model_type") in ("phi3", "phimoe") and kind not in own:
        return EngineReading(refused=f"this family has no scaling {kind!r}")
    if kind in ("llama3", "yarn", "longrope") or kind == "su":
        at_top = fields.get(_ORIGINAL)
        if at_top is not None:
            rope[_ORIGINAL] = at_top
        rope.setdefault(_ORIGINAL, fields.get("max_position_embeddings"))
    if kind in ("longrope", "su"):
        return _rotation(base, kind, rope, attention=_longrope_attention(fields, rope))
    return _rotation(base, kind, rope)


def _transformers4(fields: Mapping[str, Any]) -> EngineReading:
    # rope_parameters is an unknown attribute to it, kept and never read.
    family = str(fields.get("model_type"))
    if family in _FOUR_BY_TYPE or family == "olmo3":
        full, sliding = _FOUR_BY_TYPE.get(family, (_FOUR["olmo3"],) * 2)
        named = [fields.get(key) for key in BY_TYPE[family]]
        flat = {**fields, "rope_theta": full if named[0] is None else named[0]}
        local = (sliding if family != "olmo3" else full) if named[1] is None else named[1]
        # One mapping of scaling: of full attention, and of all layers in ModernBERT.
        scaled = flat if family == "modernbert" else {**flat, "rope_scaling": None}
        return _layers(
            _four_scaled(flat, full), _four_scaled({**scaled, "rope_theta": local}, full)
        )
    return _four_scaled(fields, _FOUR[family])


def _four_scaled(fields: Mapping[str, Any], default: float) -> EngineReading:
    top = fields.get("rope_theta")
    rope = _rope(fields, "rope_scaling")
    kind = rope.get("type", rope.get("rope_type", "default"))
    if kind == "yarn":
        rope.setdefault(_ORIGINAL, fields.get("max_position_embeddings"))
    if kind in ("longrope", "su") and fields.get(_ORIGINAL) is not None:
        rope[_ORIGINAL] = fields[_ORIGINAL]
    if kind == "llama3" and rope.get(_ORIGINAL) is None:
        return EngineReading(refused=f"llama3 needs {_ORIGINAL} in rope_scaling")
    size = _longrope_attention(fields, rope) if kind in ("longrope", "su") else None
    return _rotation(default if top is None else top, kind, rope, attention=size)


def _vllm(fields: Mapping[str, Any]) -> EngineReading:
    rope = _rope(fields, "rope_scaling", "rope_parameters")
    kinds = {rope.get("rope_type"), rope.get("type")} - {None}
    if len(kinds) > 1 and kinds not in ({"su", "longrope"}, {"mrope", "default"}):
        return EngineReading(refused="rope_type and type differ")
    read = _transformers5(fields)
    if read.refused or read.others or dict(read.rotation)["type"] != "longrope":
        return read
    # It takes one list for all sequences, so that a cache never mixes them: the long one where the longest
    # sequence that it serves, without a flag the whole context, is above the original length.
    found = dict(read.rotation)
    original, context = found.get(_ORIGINAL), _number(fields.get("max_position_embeddings"))
    scaled: dict[str, Any] = {_ORIGINAL: original} | {
        k: rope.get(k) for k in ("short_factor", "long_factor")
    }
    lists = BY_LENGTH if not original or not context or context <= original else ALWAYS_LONG
    size = _longrope_attention(fields, scaled, given=False, factor=False)
    return _rotation(found["base"], "longrope", scaled, attention=size, lists=lists)


def _sglang(fields: Mapping[str, Any]) -> EngineReading:
    read = _transformers5(fields)
    if read.refused or read.others or dict(read.rotation)["type"] != "yarn":
        return read
    rope = _rope(fields, "rope_scaling", "rope_parameters")
    factor = _number(rope.get("factor")) or 1.0
    one, all_dim = _number(rope.get("mscale")), _number(rope.get("mscale_all_dim"))
    size = mscale(factor)  # attention_factor is not read
    if one is not None and all_dim is not None:
        size = mscale(factor, one) / mscale(factor, all_dim)
    given = _number(rope.get("attn_factor"))
    found = dict(read.rotation) | {"attention_factor": size * (1.0 if given is None else given)}
    return EngineReading(tuple(sorted(found.items())))


_MLX = {
    "llama": 10000.0,
    "qwen2": 1e6,
    "qwen2_moe": 1e6,
    "mixtral": 1e6,
    "phi": 10000.0,
    "phi3": 10000.0,
    "gemma": 10000.0,
    "gemma2": 10000.0,
    "olmo2": 10000.0,
    "olmoe": 10000.0,
    "cohere": 8e6,
    "gpt_oss": 150000.0,
    "bitnet": 10000.0,
    "deepseek_v2": 10000.0,
    "deepseek_v3": 10000.0,
    "nemotron": 10000.0,
    "glm": 10000.0,
    "phimoe": 10000.0,
    "nanochat": 10000.0,
    "smollm3": 10000.0,
}
_MLX_REQUIRED = frozenset(
    {
        "apertus",
        "qwen3",
        "dots1",
        "ernie4_5",
        "ernie4_5_moe",
        "exaone4",
        "glm4",
        "glm4_moe",
        "granite",
    }
    | {"granitemoe", "helium", "minimax", "olmo3"}
)


# Families whose mlx-lm code has no field rope_scaling: a scaling is ignored without a word.
_MLX_UNSCALED = frozenset(
    {"cohere", "ernie4_5", "ernie4_5_moe", "gemma", "gemma2", "glm", "glm4", "helium", "minimax"}
    | {"nanochat", "phi"}
)


def _mlx_by_type(fields: Mapping[str, Any]) -> EngineReading:
    family, full, local = (
        str(fields["model_type"]),
        *(fields.get(k) for k in BY_TYPE[fields["model_type"]]),
    )
    if family == "olmo3" and full is None:
        return EngineReading(refused="it needs rope_theta at the top")
    if family == "gemma3_text":
        full, local = 1e6 if full is None else full, 1e4 if local is None else local
    rope = _rope(fields, "rope_scaling")
    return _layers(_mlx_scaled(full, rope), _mlx_scaled(local, {}))


def _mlx_scaled(base: object, rope: dict[str, Any]) -> EngineReading:
    kind = rope.get("type") or rope.get("rope_type", "default")
    if kind in ("yarn", "llama3"):
        rope.setdefault(_ORIGINAL, 4096 if kind == "yarn" else 8192)
    # It rounds the range whatever the file says, and has no attention_factor.
    factor = _number(rope.get("factor")) or 1.0
    one, all_dim = _number(rope.get("mscale", 1.0)), _number(rope.get("mscale_all_dim", 0.0))
    size = mscale(factor, one or 0.0) / mscale(factor, all_dim or 0.0)
    return _rotation(base, kind, rope, attention=size, truncate=True)


def _mlx(fields: Mapping[str, Any]) -> EngineReading:
    name = str(fields.get("model_type"))
    if name == "qwen3_5_text":  # the newer dialect, and no other
        rope = _rope(fields, "rope_parameters")
        return _mlx_scaled(rope.pop("rope_theta", 100000.0), rope)
    if name in BY_TYPE:
        return _mlx_by_type(fields)
    base = fields.get("rope_theta")
    if base is None and name in _MLX_REQUIRED:
        return EngineReading(refused="it needs rope_theta at the top")
    flags, count = fields.get("no_rope_layers"), fields.get("num_hidden_layers")
    if name == "smollm3" and isinstance(flags, list) and len(flags) != count:
        return EngineReading(refused=f"{len(flags)} flags for {count} layers")
    rope = {} if name in _MLX_UNSCALED else _rope(fields, "rope_scaling")
    if name == "phi3" and rope and not {"type", "long_factor"} <= rope.keys():
        return EngineReading(refused="rope_scaling needs type and long_factor")
    base = _MLX.get(name, 10000.0) if base is None else base
    if name == "phi3" and rope.get("type") in ("longrope", "su"):
        top = fields.get(_ORIGINAL)
        rope = {k: rope[k] for k in ("short_factor", "long_factor") if k in rope}
        rope[_ORIGINAL] = 4096 if top is None else top
        context = fields.get("max_position_embeddings")
        whole = {"max_position_embeddings": 131072 if context is None else context}
        size = _longrope_attention(whole, rope)
        return _rotation(base, "longrope", rope, attention=size, lists=ALWAYS_LONG)
    return _mlx_scaled(base, rope)


def _converter(fields: Mapping[str, Any]) -> EngineReading:
    rope = _rope(fields, "rope_parameters") or _rope(fields, "rope_scaling")
    base = rope.get("rope_theta", fields.get("rope_theta", fields.get("rotary_emb_base")))
    kind = rope.get("rope_type", rope.get("type"))
    if kind not in (None, "default", "linear", "yarn", "longrope", "su", "llama3"):
        kind = "default"  # logged, and nothing is written
    if kind == "llama3":  # generate_extra_tensors looks for it at the top only
        rope[_ORIGINAL] = fields.get(_ORIGINAL, 8192)
    if kind == "yarn" and rope.get(_ORIGINAL) is None:
        return EngineReading(refused=f"yarn needs {_ORIGINAL}")
    return _rotation(10000.0 if base is None else base, kind, rope)


def _ollama(fields: Mapping[str, Any]) -> EngineReading:
    base, rope = fields.get("rope_theta"), _rope(fields, "rope_scaling")
    kind = "llama3" if rope.get("rope_type") == "llama3" and base else "default"
    if rope.get("type") == "linear":
        kind = "linear"
    return _rotation(base or 10000.0, kind, rope)


def _onnx(fields: Mapping[str, Any]) -> EngineReading:
    read = _transformers5(fields)
    if read.refused:
        return read
    found, llama = dict(read.rotation), fields.get("model_type") == "llama"
    kind = found["type"]
    if kind in ("default", "llama3" if llama else "linear"):
        return read
    if llama:  # its class knows llama3 and leaves out any other scaling without a word
        return _rotation(found["base"], "default", {})
    if kind != "yarn":
        return EngineReading(refused=f"no scaling {kind!r}")
    rope = _rope(fields, "rope_scaling", "rope_parameters")
    if not (rope.get("beta_fast") and rope.get("beta_slow")):
        return EngineReading(refused="yarn needs beta_fast and beta_slow")
    half, turns = (_number(_head_dim(fields)) or 0.0) / 2, 2 * math.pi
    if missing := [key for key in ("factor", _ORIGINAL) if not found.get(key)]:
        return EngineReading(refused=f"yarn needs {missing[0]}")
    low, high = (
        half * math.log(found[_ORIGINAL] / (found[key] * turns)) / math.log(found["base"])
        for key in ("beta_fast", "beta_slow")
    )
    if not 0 < low < high < half - 1:
        return EngineReading(
            refused=f"the range of the ramp, {low:.2f} to {high:.2f}, leaves the planes"
        )
    one, all_dim = (_number(rope.get(key)) or 0.0 for key in ("mscale", "mscale_all_dim"))
    factor = found["factor"]
    size = mscale(factor)  # attention_factor is not read, and mscale alone is the factor itself
    if one > 0:
        size = mscale(factor, one) / mscale(factor, all_dim) if all_dim > 0 else one
    found |= {"attention_factor": size, "truncate": False}
    return EngineReading(tuple(sorted(found.items())))


def _head_dim(fields: Mapping[str, Any]) -> int | None:
    given, width, heads = (
        fields.get(key) for key in ("head_dim", "hidden_size", "num_attention_heads")
    )
    if type(given) is int:
        return given
    return width // heads if type(width) is int and type(heads) is int and heads > 0 else None


_GGUF = frozenset(
    {"gemma", "gemma2", "llama", "olmo2", "phi2", "qwen2", "qwen2moe", "qwen3", "qwen3moe"}
    | {"starcoder2"}
)


def loaded(architecture: str, values: Mapping[str, Any]) -> EngineReading | None:
    """The rotation that llama.cpp's loader reads from the metadata of a GGUF file.

    `values` has the keys without the architecture in front. None where the reading is not known: another
    architecture, factors in a tensor, longrope, or parameters of YaRN
    that have keys of their own. Read in src/llama-model.cpp, load_hparams, and src/llama-context.cpp.
    """
    factors = any(key.startswith("rope_f") for key in values)
    own = [
        key for key in values if key.startswith("rope.scaling.yarn") or key.endswith("attn_factor")
    ]
    if architecture not in _GGUF or factors or own:
        return None
    base, kind = values.get("rope.freq_base", 10000.0), values.get("rope.scaling.type", "linear")
    factor = values.get("rope.scaling.factor", values.get("rope.scale_linear", 0.0)) or 1.0
    if kind not in ("none", "linear", "yarn") or not isinstance(factor, float) or factor <= 0:
        return None
    if kind == "none" or factor == 1.0:
        return _rotation(base, "default", {})
    context = values.get("context_length")
    original = values.get("rope.scaling.original_context_length", context)
    return _rotation(
        base, kind, {"factor": factor, **({_ORIGINAL: original} if kind == "yarn" else {})}
    )


_TEXT = frozenset(_MLX) | _MLX_REQUIRED | {"mistral", "qwen3", "qwen3_moe", "starcoder2", "smollm3"}
_FLAT = _TEXT - {"nanochat", "olmo3"}
_ALL_BY_TYPE = frozenset(BY_TYPE)
READERS: tuple[EngineReader, ...] = (
    EngineReader(
        "transformers 5",
        "5.23.0",
        "huggingface/transformers: modeling_rope_utils.py, RotaryEmbeddingConfigMixin",
        _FLAT | frozenset(_MORE) | _ALL_BY_TYPE,
        _transformers5,
    ),
    EngineReader(
        "transformers 4",
        "4.57.1",
        "huggingface/transformers: modeling_rope_utils.py and configuration_*.py",
        frozenset(_FOUR) | frozenset(_FOUR_BY_TYPE),
        _transformers4,
    ),
    EngineReader(
        "SGLang",
        "0.5.23",
        "sglang/srt/models/llama.py, LlamaDecoderLayer; sglang/srt/layers/rotary_embedding/factory.py and "
        "yarn.py; sglang/srt/models/gemma3_causal.py, Gemma3TextModel (not on CPUs with AMX)",
        frozenset({"llama", "mistral", "gemma3_text"}),
        _sglang,
        _BY_LENGTH,
    ),
    EngineReader(
        "vLLM",
        "0.33.0",
        "vllm/transformers_utils/config.py, patch_rope_parameters; "
        "vllm/model_executor/layers/rotary_embedding/__init__.py, get_rope; yarn_scaling_rope.py; "
        "vllm/model_executor/models/gemma3.py",
        frozenset({"llama", "mistral", "mixtral", "qwen2", "qwen3", "gemma3_text"}),
        _vllm,
        frozenset({"dynamic"}),
    ),
    EngineReader(
        "TransformerLens",
        "4.3.0",
        "transformer_lens/model_bridge: RotaryEmbeddingBridge, PositionEmbeddingsAttentionBridge (the "
        "tables are those of transformers 5; `cfg.rotary_base` is not what rotates)",
        frozenset(
            {"llama", "mistral", "mixtral", "qwen2", "qwen3", "gemma2", "gemma3_text", "olmo2"}
        ),
        _transformers5,
    ),
    EngineReader(
        "mlx-lm",
        "0.32.2",
        "mlx_lm/models/*.py, ModelArgs; mlx_lm/models/rope_utils.py, initialize_rope",
        frozenset(_MLX) | _MLX_REQUIRED | {"gemma3_text", "qwen3_5_text"},
        _mlx,
    ),
    EngineReader(
        "llama.cpp converter",
        "2026",
        "ggml-org/llama.cpp: conversion of Hugging Face models, TextModel.set_gguf_parameters",
        frozenset({"llama", "mistral", "mixtral", "qwen2", "qwen3"}),
        _converter,
        _YARN,
    ),
    EngineReader(
        "Ollama",
        "fb307609",
        "ollama/ollama: convert/convert_llama.go",
        frozenset({"llama"}),
        _ollama,
    ),
    EngineReader(
        "onnxruntime-genai",
        "0.18.0",
        "onnxruntime_genai/models/builders/base.py, make_rope_init and make_inv_freq_rescaled_with_ntk; "
        "llama.py, LlamaModel.make_rope_init",
        frozenset({"llama", "mistral", "qwen2", "qwen3"}),
        _onnx,
    ),
)
