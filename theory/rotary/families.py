"""What each supported model family does with rotary position embedding.

One row per `model_type` of a Hugging Face configuration. These are facts of the model code in
transformers 5: which layout it applies, which fields its rotary part is read from, and what the
configuration does not say. A family that is not in the table is not guessed at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from ropeproof.theory.rotary.layout import Layout

__all__ = ["FAMILIES", "UNSUPPORTED", "Family"]


@dataclass(frozen=True, kw_only=True)
class Family:
    """The facts of one family.

    - `layout`: how the rotated coordinates pair up.
    - `base_field`: the top-level field of the base; `fixed_base` if the model hard-codes it.
    - `fraction_field`: the field of the rotated fraction of the head, if the family has one;
      `fraction_default`: what the family means by leaving it out, None if that is refused.
    - `part_field`: a field that gives the rotated dimension where the fraction may stand as well.
    - `dim_field`: the field that gives the rotated dimension directly, if that is how it is said.
    - `head_dim`: `"derived"` if a configuration without it means `hidden_size / heads`,
      `"required"` if the family's class has a default of its own, which is not guessed.
    - `width`, `heads`, `context`: the names of those fields; `head_field` that of the head dimension.
    - `per_layer`: rotary parameters are given per layer type.
    - `global_head_dim`: layers of full attention have a head dimension of their own.
    - `longrope_names`: other names under which this family means `longrope`.
    - `default_base`: the base that the code had before it was a field.
    - `no_rope`: how a configuration says which layers have no RoPE: by `"flags"`, or those of
      `"full attention"`, or these only where other layers have a window, `"beside windows"`; one in
      `no_rope_interval` where it does not say.
    - `other_layers`: layer types that are no softmax attention, and so have nothing to rotate.
    - `latent`: a head is an unrotated part and behind it a rotated one (latent attention);
      `layout_field` says whether the pairs of the latter are interleaved, as without the field.
    - `sections`: a position is a time, a height and a width, and the planes of each are `"blocks"`
      or `"interleaved"` (MRoPE); or height and width have a plane in turn and time the rest, `"time last"`.
    - `grid`: a position is a height and a width, in this order if `height_first`, with the
      frequencies of each its `"own"`, or `"dealt"` from one sequence.
    - `scale`: what logits are multiplied by: `"root"` for the inverse root of the head dimension, `"one"`,
      or the field that says it: `"query_pre_attn_scalar"`, whose inverse root it is, or
      `"attention_multiplier"`, the scale itself.
    - `capped`: a configuration without `attn_logit_softcapping` means that logits are capped;
      `sinks`: a learned sink takes part of every row's weight.
    - `own_scaling`: the family's class has a scaling of its own, which a configuration without one
      gets in some libraries and not in others; `original_length`: the length before scaling that the
      class has at the top where a configuration has none there.
    """

    layout: Layout = "half"
    base_field: str = "rope_theta"
    fixed_base: int | None = None
    fraction_field: str | None = None
    fraction_default: int | None = None
    part_field: str | None = None
    dim_field: str | None = None
    head_dim: Literal["derived", "required"] = "derived"
    width: str = "hidden_size"
    heads: str = "num_attention_heads"
    context: str = "max_position_embeddings"
    head_field: str = "head_dim"
    per_layer: bool = False
    global_head_dim: bool = False
    longrope_names: frozenset[str] = frozenset()
    default_base: int | None = None
    no_rope: Literal["flags", "full attention", "beside windows"] | None = None
    other_layers: frozenset[str] = frozenset()
    no_rope_interval: int = 4
    latent: bool = False
    layout_field: str | None = None
    sections: Literal["blocks", "interleaved", "time last"] | None = None
    grid: Literal["own", "dealt"] | None = None
    height_first: bool = True
    scale: Literal["root", "one", "query_pre_attn_scalar", "attention_multiplier"] = "root"
    capped: bool = False
    sinks: bool = False
    own_scaling: bool = False
    original_length: int | None = None


_GPTJ = Family(
    layout="interleaved",
    fixed_base=10000,
    dim_field="rotary_dim",
    width="n_embd",
    heads="n_head",
    context="n_positions",
)
_FULL = Family()
_OWN_HEAD_DIM = Family(head_dim="required")
_MULTIPLIED = Family(scale="attention_multiplier")
_CAPPED = Family(head_dim="required", scale="query_pre_attn_scalar", capped=True)
_PARTIAL = Family(fraction_field="partial_rotary_factor")
_GLM = Family(layout="interleaved", fraction_field="partial_rotary_factor", head_dim="required")
_LATENT = Family(layout="interleaved", latent=True, layout_field="rope_interleave")
_SECTIONS = Family(sections="blocks")
_WOVEN = Family(sections="interleaved", head_dim="required")
_MIXED = frozenset({"linear_attention", "conv"})
_HYBRID = Family(other_layers=_MIXED)
_NEXT = Family(head_dim="required", fraction_field="partial_rotary_factor", other_layers=_MIXED)
_NEXT_VL = replace(_NEXT, sections="interleaved")
_BESIDE = Family(no_rope="beside windows")
_TOWER = Family(grid="own", default_base=10000)
_QWEN_VISION = Family(grid="own", default_base=10000, heads="num_heads")

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "apertus": Family(own_scaling=True),
        "arcee": _FULL,
        "aria_text": _OWN_HEAD_DIM,
        "bitnet": _FULL,
        "codegen": _GPTJ,
        "cohere": Family(layout="interleaved"),
        "cohere2": Family(layout="interleaved", no_rope="full attention"),
        "cohere_compass_vision": _QWEN_VISION,
        "cwm": replace(_OWN_HEAD_DIM, own_scaling=True),
        "deepseek_v2": Family(layout="interleaved", latent=True),
        "deepseek_v3": _LATENT,
        "dots1": _FULL,
        "ernie4_5": Family(layout="interleaved", head_dim="required"),
        "ernie4_5_moe": Family(layout="interleaved"),
        "ernie4_5_vl_moe_text": Family(layout="interleaved", sections="time last"),
        "ernie4_5_vl_moe_vision": _QWEN_VISION,
        "eurobert": _OWN_HEAD_DIM,
        "exaone4": _BESIDE,
        "exaone4_5_vision": _QWEN_VISION,
        "exaone_moe": _BESIDE,
        "falcon": Family(default_base=10000),
        "falcon_h1": _FULL,
        "flex_olmo": _FULL,
        "gemma": _OWN_HEAD_DIM,
        "gemma2": _CAPPED,
        "gemma3_text": Family(head_dim="required", per_layer=True, scale="query_pre_attn_scalar"),
        "gemma4_text": Family(
            head_dim="required", per_layer=True, global_head_dim=True, scale="one"
        ),
        "glm": _GLM,
        "glm4": _GLM,
        "glm4_moe": _PARTIAL,
        "glm4_moe_lite": _LATENT,
        "glm4v_moe_text": Family(sections="blocks", fraction_field="partial_rotary_factor"),
        "glm4v_moe_vision": _QWEN_VISION,
        "glm4v_text": Family(
            layout="interleaved",
            sections="blocks",
            fraction_field="partial_rotary_factor",
            fraction_default=1,
        ),
        "glm4v_vision": _QWEN_VISION,
        "glm5_next_vision": _QWEN_VISION,
        "glm_ocr_vision": _QWEN_VISION,
        "gpt_neox": Family(base_field="rotary_emb_base", fraction_field="rotary_pct"),
        "gpt_oss": replace(_OWN_HEAD_DIM, sinks=True, own_scaling=True),
        "gptj": _GPTJ,
        "granite": _MULTIPLIED,
        "granite_docling_text": _MULTIPLIED,
        "granite_swa": replace(_MULTIPLIED, sinks=True),
        "granitemoe": _MULTIPLIED,
        "granitemoe_swa": replace(_MULTIPLIED, sinks=True),
        "granitemoeshared": _MULTIPLIED,
        "helium": Family(layout="interleaved", head_dim="required"),
        "higgs_audio_v2": replace(_OWN_HEAD_DIM, own_scaling=True),
        "hunyuan_v1_dense": _OWN_HEAD_DIM,
        "hunyuan_v1_moe": _OWN_HEAD_DIM,
        "hy_v3": _OWN_HEAD_DIM,
        "hyperclovax": replace(_OWN_HEAD_DIM, scale="attention_multiplier"),
        "jais2": _OWN_HEAD_DIM,
        "jetmoe": Family(head_dim="required", head_field="kv_channels"),
        "kolibri1": replace(_BESIDE, head_dim="required"),
        "lfm2": _HYBRID,
        "lfm3_vl_vision": Family(grid="own"),
        "llama": _FULL,
        "llama4_text": Family(layout="interleaved", head_dim="required", no_rope="flags"),
        "llama4_vision_model": Family(layout="interleaved", grid="own", height_first=False),
        "minicpm3": Family(latent=True),
        "minimax": replace(_HYBRID, head_dim="required"),
        "minimax_m2": Family(
            head_dim="required",
            fraction_field="partial_rotary_factor",
            fraction_default=1,
            part_field="rotary_dim",
        ),
        "ministral": _OWN_HEAD_DIM,
        "mistral": _FULL,
        "mixtral": _FULL,
        "molmo2_text": _OWN_HEAD_DIM,
        "moshi": _OWN_HEAD_DIM,
        "muse_glimmer_vision": _TOWER,
        "muse_spark_vision": _TOWER,
        "nemotron": _PARTIAL,
        "olmo": _FULL,
        "olmo2": _FULL,
        "olmo3": Family(per_layer=True),
        "olmo_hybrid": _HYBRID,
        "olmoe": _FULL,
        "paddleocr_vl_vision": _TOWER,
        "persimmon": _PARTIAL,
        "phi": _PARTIAL,
        "phi3": Family(
            fraction_field="partial_rotary_factor",
            fraction_default=1,
            longrope_names=frozenset({"su", "yarn"}),
            original_length=4096,
        ),
        "phimoe": _FULL,
        "pixtral": Family(grid="dealt"),
        "qwen2": _FULL,
        "qwen2_5_omni_vision_encoder": _QWEN_VISION,
        "qwen2_5_vl": _SECTIONS,
        "qwen2_5_vl_text": _SECTIONS,
        "qwen2_5_vl_vision": _QWEN_VISION,
        "qwen2_moe": _FULL,
        "qwen2_vl": _SECTIONS,
        "qwen2_vl_text": _SECTIONS,
        "qwen2_vl_vision": Family(
            grid="own", default_base=10000, width="embed_dim", heads="num_heads"
        ),
        "qwen3": _OWN_HEAD_DIM,
        "qwen3_5_moe_text": _NEXT_VL,
        "qwen3_5_moe_vision": _QWEN_VISION,
        "qwen3_5_text": _NEXT_VL,
        "qwen3_5_vision": _QWEN_VISION,
        "qwen3_moe": _FULL,
        "qwen3_next": _NEXT,
        "qwen3_omni_moe_vision_encoder": _QWEN_VISION,
        "qwen3_vl_moe_text": _WOVEN,
        "qwen3_vl_moe_vision": _QWEN_VISION,
        "qwen3_vl_text": _WOVEN,
        "qwen3_vl_vision": _QWEN_VISION,
        "qwen4_exp_vision": _QWEN_VISION,
        "seed_oss": _OWN_HEAD_DIM,
        "smollm3": Family(no_rope="flags"),
        "solar_open": Family(
            head_dim="required", fraction_field="partial_rotary_factor", fraction_default=1
        ),
        "stablelm": _PARTIAL,
        "starcoder2": _FULL,
        "vaultgemma": _CAPPED,
        "video_llama_3_vision": _TOWER,
        "youtu": _LATENT,
    }
)

_LEARNED = "learned absolute positions, no RoPE"
_SINUSOIDAL = "sinusoidal positions added to the embedding, no RoPE"
_RELATIVE = "learned relative position biases, no RoPE"
_ALIBI = "ALiBi position biases, no RoPE"
_WRAPPER = "a multimodal wrapper: pass its text_config"

_BACKWARDS = "its code turns the other way, the sine with the opposite sign"
_BY_HALVES = "each half of a head is paired by itself, the first by height and the second by width"
_BY_POSITION = "queries are also scaled by their position (llama_4_scaling_beta), no rotation alone"

UNSUPPORTED: Mapping[str, str] = MappingProxyType(
    {
        "albert": _LEARNED,
        "bart": _LEARNED,
        "bert": _LEARNED,
        "biogpt": _LEARNED,
        "bloom": _ALIBI,
        "chatglm": "remote code with its own configuration",
        "deberta-v2": _RELATIVE,
        "distilbert": _LEARNED,
        "electra": _LEARNED,
        "gemma3": _WRAPPER,
        "gpt2": _LEARNED,
        "gpt_bigcode": _LEARNED,
        "gpt_neo": _LEARNED,
        "llama4": _WRAPPER,
        "marian": _SINUSOIDAL,
        "mistral3": _WRAPPER,
        "modernbert": "two bases, one per layer type",
        "mpt": _ALIBI,
        "nanochat": _BACKWARDS,
        "opt": _LEARNED,
        "qwen3_vl": _WRAPPER,
        "qwen3_vl_moe": _WRAPPER,
        "ernie4_5_vl_moe": _WRAPPER,
        "exaone4_5": _WRAPPER,
        "gemma4": _WRAPPER,
        "gemma4_vision": _BY_HALVES,
        "ministral3": _BY_POSITION,
        "mistral4": _BY_POSITION,
        "qwen3_5": _WRAPPER,
        "qwen3_5_moe": _WRAPPER,
        "qwen3_omni_moe": "a multimodal wrapper of several models: pass the configuration of one",
        "qwen2_5_omni": "a multimodal wrapper of several models: pass the configuration of one",
        "roberta": _LEARNED,
        "t5": _RELATIVE,
        "whisper": _LEARNED,
    }
)
