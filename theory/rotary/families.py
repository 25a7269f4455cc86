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

from ropeproof.theory.rotary.layer_types import LayerTypes
from ropeproof.theory.rotary.layout import Layout
from ropeproof.theory.rotary.tables.refused_families import UNSUPPORTED

__all__ = ["FAMILIES", "UNSUPPORTED", "Family"]


@dataclass(frozen=True, kw_only=True)
class Family:
    """The facts about one family of models.

    - `layout`: how the rotated coordinates pair up.
    - `base_field`: the top-level field of the base; `fixed_base` if the model hard-codes it.
    - `fraction_field`: the field of the rotated fraction of the head, if the family has one;
      `fraction_default`: what the family means by leaving it out, None if that is refused.
    - `part_field`: a field that gives the rotated dimension where the fraction may stand as well.
    - `dim_field`: the field that gives the rotated dimension directly, if that is how it is given.
    - `head_dim`: `"derived"` if a configuration without it means `hidden_size / heads`,
      `"required"` if the family's class has a default of its own, which is not guessed.
    - `width`, `heads`, `context`: the names of those fields; `head_field` that of the head dimension.
    - `per_layer`: rotary parameters are given per layer type; `older`: how a configuration gives them
      at its top, if the family is older than `rope_parameters`.
    - `global_head_dim`: layers of full attention have a head dimension of their own.
    - `longrope_names`: other names under which this family means `longrope`.
    - `default_base`: the base where a configuration has none: files were released without one, and
      all code has the same.
    - `no_rope`: how a configuration says which layers have no RoPE. `"flags"`: by a flag for each layer.
      `"full attention"`: those of full attention. `"beside windows"`: those of full attention, but only
      where other layers have a window. `"position type"`: all, unless `position_embedding_type` is `"rope"`.
      `"cross attention"`: those in `cross_attention_layers`. Where nothing is said it is one layer in
      `no_rope_interval`.
    - `other_layers`: layer types that are no softmax attention, and so have nothing to rotate.
    - `latent`: a head is an unrotated part and behind it a rotated one (latent attention);
      `layout_field` says whether the pairs of the latter are interleaved, as without the field.
    - `sections`: a position is a time, a height and a width, and the planes of each are `"blocks"`
      or `"interleaved"` (MRoPE); or height and width have a plane in turn and time the rest, `"time last"`.
    - `grid`: a position is a height and a width, in this order if `height_first`, with the
      frequencies of each its `"own"`, or `"dealt"` from one sequence.
    - `scale`: what logits are multiplied by: `"root"` for the inverse root of the head dimension, `"one"`,
      or the field that gives it: `"query_pre_attn_scalar"`, whose inverse root it is, or
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
    older: LayerTypes | None = None
    global_head_dim: bool = False
    longrope_names: frozenset[str] = frozenset()
    default_base: int | None = None
    no_rope: (
        Literal["flags", "full attention", "beside windows", "position type", "cross attention"]
        | None
    ) = None
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
_MIXED = frozenset({"linear_attention", "conv", "mamba"})
_HYBRID = Family(other_layers=_MIXED)
_NEXT = Family(head_dim="required", fraction_field="partial_rotary_factor", other_layers=_MIXED)
_NEXT_VL = replace(_NEXT, sections="interleaved")
_BESIDE = Family(no_rope="beside windows")
_SLIDING = Family(head_dim="required", no_rope="full attention")
_SPARSE = Family(layout="interleaved", latent=True)
_OMNI = Family(sections="blocks", head_dim="derived")
_GEMMA = LayerTypes(
    bases={"full_attention": "rope_theta", "sliding_attention": "rope_local_base_freq"},
    defaults={"full_attention": 1000000, "sliding_attention": 10000},
    scaled=frozenset({"full_attention"}),
)
_MODERN_BERT = Family(
    per_layer=True,
    older=LayerTypes(
        bases={"full_attention": "global_rope_theta", "sliding_attention": "local_rope_theta"},
        defaults={"full_attention": 160000, "sliding_attention": 10000},
        scaled=frozenset({"full_attention", "sliding_attention"}),
        every="global_attn_every_n_layers",
        distance=3,
        first=True,
    ),
)
_OWN_PER_LAYER = Family(head_dim="required", per_layer=True)
_PARTIAL_PER_LAYER = replace(
    _OWN_PER_LAYER, fraction_field="partial_rotary_factor", fraction_default=1
)
_TOWER = Family(grid="own", default_base=10000)
_QWEN_VISION = Family(grid="own", default_base=10000, heads="num_heads")

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "afmoe": _SLIDING,
        "apertus": Family(own_scaling=True),
        "arcee": _FULL,
        "aria_text": _OWN_HEAD_DIM,
        "axk1": _LATENT,
        "axk2": _SPARSE,
        "bailing_hybrid": replace(_SPARSE, other_layers=_MIXED),
        "bamba": Family(fraction_field="partial_rotary_factor"),
        "bitnet": _FULL,
        "chameleon": _FULL,
        "codegen": _GPTJ,
        "cohere": Family(layout="interleaved"),
        "cohere2": Family(layout="interleaved", no_rope="full attention"),
        "cohere2_moe": replace(_SLIDING, layout="interleaved"),
        "cohere_compass_vision": _QWEN_VISION,
        "cosmos3_edge_text": _WOVEN,
        "csm": Family(head_dim="required", own_scaling=True),
        "cwm": replace(_OWN_HEAD_DIM, own_scaling=True),
        "deepseek_v2": Family(layout="interleaved", latent=True),
        "deepseek_v3": _LATENT,
        "deepseek_v32": _SPARSE,
        "diffllama": _OWN_HEAD_DIM,
        "diffusion_gemma_text": Family(
            head_dim="required", per_layer=True, global_head_dim=True, scale="one"
        ),
        "doge": _FULL,
        "dots1": _FULL,
        "embedding_gemma2_text": Family(
            head_dim="required", per_layer=True, global_head_dim=True, scale="one"
        ),
        "emu3_text_model": _FULL,
        "ernie4_5": Family(layout="interleaved", head_dim="required"),
        "ernie4_5_moe": Family(layout="interleaved"),
        "ernie4_5_vl_moe_text": Family(layout="interleaved", sections="time last"),
        "ernie4_5_vl_moe_vision": _QWEN_VISION,
        "esmc": _OWN_HEAD_DIM,
        "eurobert": _OWN_HEAD_DIM,
        "exaone4": _BESIDE,
        "exaone4_5_vision": _QWEN_VISION,
        "exaone_moe": _BESIDE,
        "falcon": Family(default_base=10000),
        "falcon_h1": _FULL,
        "flex_olmo": _FULL,
        "flint": _SLIDING,
        "gemma": _OWN_HEAD_DIM,
        "gemma2": _CAPPED,
        "gemma3_text": Family(
            head_dim="required",
            per_layer=True,
            older=replace(_GEMMA, every="sliding_window_pattern", distance=6),
            scale="query_pre_attn_scalar",
        ),
        "gemma3n_text": Family(head_dim="required", per_layer=True, older=_GEMMA, scale="one"),
        "gemma4_text": Family(
            head_dim="required", per_layer=True, global_head_dim=True, scale="one"
        ),
        "gemma4_unified_text": Family(
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
        "glm_image_text": Family(
            sections="blocks", fraction_field="partial_rotary_factor", fraction_default=1
        ),
        "glm_moe_dsa": _SPARSE,
        "glm_ocr_text": Family(
            layout="interleaved",
            sections="blocks",
            fraction_field="partial_rotary_factor",
            fraction_default=1,
        ),
        "glm_ocr_vision": _QWEN_VISION,
        "gpt_neox": Family(base_field="rotary_emb_base", fraction_field="rotary_pct"),
        "gpt_neox_japanese": Family(
            base_field="rotary_emb_base", fraction_field="rotary_pct", fraction_default=1
        ),
        "gpt_oss": replace(_OWN_HEAD_DIM, sinks=True, own_scaling=True),
        "gptj": _GPTJ,
        "granite": _MULTIPLIED,
        "granite4_vision_text": _MULTIPLIED,
        "granite_docling_text": _MULTIPLIED,
        "granite_swa": replace(_MULTIPLIED, sinks=True),
        "granitemoe": _MULTIPLIED,
        "granitemoe_swa": replace(_MULTIPLIED, sinks=True),
        "granitemoehybrid": replace(_MULTIPLIED, no_rope="position type", other_layers=_MIXED),
        "granitemoeshared": _MULTIPLIED,
        "gte": _FULL,
        "helium": Family(layout="interleaved", head_dim="required"),
        "higgs_audio_v2": replace(_OWN_HEAD_DIM, own_scaling=True),
        "hrm_text": _OWN_HEAD_DIM,
        "hunyuan_v1_dense": _OWN_HEAD_DIM,
        "hunyuan_v1_moe": _OWN_HEAD_DIM,
        "hy_v3": _OWN_HEAD_DIM,
        "hy_v4": Family(latent=True),
        "hyperclovax": replace(_OWN_HEAD_DIM, scale="attention_multiplier"),
        "internlm3": _OWN_HEAD_DIM,
        "iquestcoder": _OWN_HEAD_DIM,
        "jais2": _OWN_HEAD_DIM,
        "jetmoe": Family(head_dim="required", head_field="kv_channels"),
        "jina_embeddings_v3": _FULL,
        "kolibri1": replace(_BESIDE, head_dim="required"),
        "laguna": _PARTIAL_PER_LAYER,
        "lfm2": _HYBRID,
        "lfm2_moe": _HYBRID,
        "lfm3": replace(_OWN_PER_LAYER, other_layers=_MIXED),
        "lfm3_vl_vision": Family(grid="own"),
        "llama": Family(default_base=10000),
        "llama4_text": Family(layout="interleaved", head_dim="required", no_rope="flags"),
        "llama4_vision_model": Family(layout="interleaved", grid="own", height_first=False),
        "longcat_flash": _SPARSE,
        "mellum": _OWN_PER_LAYER,
        "mimo_v2_flash": replace(_PARTIAL_PER_LAYER, fraction_default=None),
        "minicpm3": Family(latent=True),
        "minimax": _HYBRID,
        "minimax_m2": Family(
            head_dim="required",
            fraction_field="partial_rotary_factor",
            fraction_default=1,
            part_field="rotary_dim",
        ),
        "ministral": _OWN_HEAD_DIM,
        "mistral": _FULL,
        "mixtral": _FULL,
        "mllama_text_model": Family(no_rope="cross attention", own_scaling=True),
        "modernbert": _MODERN_BERT,
        "modernbert-decoder": _MODERN_BERT,
        "molmo2_text": _OWN_HEAD_DIM,
        "moshi": _OWN_HEAD_DIM,
        "muse_glimmer_vision": _TOWER,
        "muse_spark_vision": _TOWER,
        "nemotron": _PARTIAL,
        "nomic_bert": _OWN_HEAD_DIM,
        "olmo": _FULL,
        "olmo2": _FULL,
        "olmo3": Family(
            per_layer=True,
            older=LayerTypes(
                bases={"full_attention": "rope_theta", "sliding_attention": "rope_theta"},
                defaults={},
                scaled=frozenset({"full_attention"}),
                distance=4,
            ),
        ),
        "olmo_hybrid": _HYBRID,
        "olmoe": _FULL,
        "openai_privacy_filter": Family(
            layout="interleaved", head_dim="required", sinks=True, own_scaling=True
        ),
        "paddleocr_vl_text": replace(_SECTIONS, head_dim="required"),
        "paddleocr_vl_vision": _TOWER,
        "persimmon": _PARTIAL,
        "phi": _PARTIAL,
        "phi3": Family(
            fraction_field="partial_rotary_factor",
            fraction_default=1,
            longrope_names=frozenset({"su", "yarn"}),
            original_length=4096,
        ),
        "phi4_multimodal": Family(
            fraction_field="partial_rotary_factor",
            fraction_default=1,
            longrope_names=frozenset({"su", "yarn"}),
            original_length=4096,
        ),
        "phimoe": _FULL,
        "pixtral": Family(grid="dealt"),
        "qwen2": _FULL,
        "qwen2_5_omni_text": _OMNI,
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
        "qwen3_omni_moe_text": Family(sections="interleaved"),
        "qwen3_omni_moe_vision_encoder": _QWEN_VISION,
        "qwen3_vl_moe_text": _WOVEN,
        "qwen3_vl_moe_vision": _QWEN_VISION,
        "qwen3_vl_text": _WOVEN,
        "qwen3_vl_vision": _QWEN_VISION,
        "qwen4_exp_vision": _QWEN_VISION,
        "recurrent_gemma": Family(head_dim="required", fraction_field="partial_rotary_factor"),
        "seed_oss": _OWN_HEAD_DIM,
        "smollm3": Family(no_rope="flags"),
        "solar_open": Family(
            head_dim="required", fraction_field="partial_rotary_factor", fraction_default=1
        ),
        "stablelm": _PARTIAL,
        "starcoder2": _FULL,
        "ultrabert": _OWN_PER_LAYER,
        "unlimited_ocr_text": _OWN_HEAD_DIM,
        "vaultgemma": _CAPPED,
        "video_llama_3_vision": _TOWER,
        "youtu": _LATENT,
    }
)
