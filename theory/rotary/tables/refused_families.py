"""The families that are refused, each with the reason: what their code does, or that it was not compared."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["UNSUPPORTED"]

_LEARNED = "learned absolute positions, no RoPE"
_SINUSOIDAL = "sinusoidal positions added to the embedding, no RoPE"
_RELATIVE = "learned relative position biases, no RoPE"
_ALIBI = "ALiBi position biases, no RoPE"
_UNTURNED = "its attention does not rotate queries and keys, no RoPE"
_RECURRENT = "no attention, so no RoPE"
_SEVERAL = "a wrapper of several models: pass the configuration of one"

_WRAPPER = "a multimodal wrapper, and no text_config is inside that could be read"
_BACKWARDS = "its code turns the other way, the sine with the opposite sign"
_BY_HALVES = "each half of a head is paired by itself, the first by height and the second by width"
_BY_POSITION = "queries are also scaled by their position (llama_4_scaling_beta), no rotation alone"
_QUERY_SCALE = "queries of its layers without RoPE are scaled by their position, no rotation alone"
_LEARNED_TURNS = "each frequency has a learned factor, which stands in the weights alone"
_OUTPUT = "values are turned, too, and what attention gives is turned back, no rotation alone"
_PER_LAYER_BASE = "a base of its own for each layer (layer_rope_theta), which is not read here"
_TWO_HEADS = (
    "heads of two sizes in latent attention, one for each layer type, which is not read here"
)
_GRID_TEXT = "planes of rows and of columns in turn, for a grid of pixels, which is not read here"
_UNREAD_PART = (
    "its class has a rotary_dim that its code does not read, so what rotates is not known"
)
_NOT_COMPARED = "not compared with its code, so its layout and defaults are not taken as known"
_SOUND = "a model of sound: " + _NOT_COMPARED
_PICTURES = "a model of images: " + _NOT_COMPARED
_PARTS = "a part of a model of bytes: " + _NOT_COMPARED

_REASONS: Mapping[str, str] = {
    _LEARNED: """
        albert bart bert biogpt clip_text_model clip_vision_model distilbert electra gpt2
        gpt_bigcode gpt_neo idefics2_vision idefics3_vision opt roberta siglip2_vision_model
        siglip_vision_model smolvlm_vision vit whisper xlm-roberta
    """,
    _SINUSOIDAL: "marian",
    _RELATIVE: "deberta deberta-v2 mt5 t5",
    _ALIBI: "bloom mpt",
    _UNTURNED: "jamba kimi_linear nemotron_h",
    _RECURRENT: "falcon_mamba mamba mamba2 rwkv",
    _SEVERAL: "qwen2_5_omni qwen3_omni_moe",
    _WRAPPER: """
        aria aya_vision cohere2_vision emu3 ernie4_5_vl_moe exaone4_5 gemma3 gemma3n gemma4 glm4v
        glm4v_moe idefics2 idefics3 internvl kimi_k25 llama4 llava llava_next llava_onevision
        mistral3 mllama ovis2 paligemma qwen3_5 qwen3_5_moe qwen3_vl qwen3_vl_moe smolvlm vipllava
        voxtral
    """,
    _BACKWARDS: "nanochat",
    _BY_HALVES: "gemma4_vision",
    _BY_POSITION: "ministral3 mistral4",
    _QUERY_SCALE: "beam",
    _LEARNED_TURNS: "mistral_large4_text",
    _OUTPUT: "deepseek_v4",
    _PER_LAYER_BASE: "muse_glimmer_assistant muse_glimmer_text muse_spark_text",
    _TWO_HEADS: "dots3_note_text",
    _UNREAD_PART: "minimax_m3_vl_text",
    _GRID_TEXT: "neomme",
    _SOUND: """
        clvp clvp_decoder clvp_encoder csm_depth_decoder_model dia_decoder dia_encoder
        dots3_note_audio_encoder glmasr_encoder gradium_phonon_tts kyutai_speech_to_text
        lasr_encoder mimi mimi_decoder mimi_encoder moonshine moonshine_streaming musicflamingo
        nemotron3_5_transcribe_asr_audio nemotron3_5_transcribe_word_timestamp
        nemotron3_diarization_audio neucodec pe_audio_encoder pe_audio_video_encoder pocket_tts
        pocket_tts_audio_tokenizer pocket_tts_audio_tokenizer_decoder
        pocket_tts_audio_tokenizer_encoder qwen2_5_omni_dit qwen2_5_omni_talker
        qwen3_omni_moe_talker_code_predictor qwen3_omni_moe_talker_text seamless_m4t
        voxtral_realtime_encoder voxtral_realtime_text wav2vec2-bert wav2vec2-conformer xcodec2
    """,
    _PICTURES: """
        deepseek_ocr2_encoder dinov3_vit dots3_note_vision_encoder edgetam_video efficientloftr
        eomt_dinov3 idefics inkling2_vision kimi_k25_vision minimax_m3_vl_vision mlcd
        mlcd_vision_model pe_video_encoder lightglue sam2_video sam3_tracker_video sam3_vit_model
        sapiens2 step3p5_vision vjepa2
    """,
    _PARTS: """
        blt blt_global_transformer blt_local_decoder blt_local_encoder blt_patcher
    """,
    _NOT_COMPARED: """
        EvollaModel cohere_compass_text dbrx deepseek_ocr2_text esm esmfold2 evolla hunyuan_vl_text
        qwen4_exp_text roformer step3p5 t5_gemma_module t5gemma2_decoder t5gemma2_text timesfm2_5
        zamba2 zaya
    """,
    "remote code with its own configuration": "chatglm",
}

UNSUPPORTED: Mapping[str, str] = MappingProxyType(
    {name: reason for reason, names in _REASONS.items() for name in names.split()}
)
"""Why a family is refused, by `model_type`."""
