"""The names of further families whose models rotate, of which no more than this is known.

A configuration of one of them without a base leaves the base to each reader's default; nothing is said of
a name that is in none of these lists.
"""

from __future__ import annotations

__all__ = ["ROTATING"]

# Their configuration classes in transformers 4.57.1 or 5.23.0 have a base.
_IN_TRANSFORMERS = """
    EvollaModel Glm4vMoe_text afmoe axk1 axk2 bailing_hybrid bamba beam blt blt_global_transformer
    blt_local_decoder blt_local_encoder blt_patcher chameleon cohere2_moe cosmos3_edge_text csm
    csm_depth_decoder_model dbrx deepseek_ocr2_encoder deepseek_ocr2_text deepseek_v32 deepseek_v4
    dia_decoder dia_encoder diffllama diffusion_gemma_text doge dots3_note_audio_encoder
    dots3_note_text dots3_note_vision_encoder edgetam_video efficientloftr embedding_gemma2_text
    emu3_text_model esmc evolla flint fuyu gemma3n_text gemma4_unified_text gemma4_vision
    glm_image_text glm_moe_dsa glm_ocr_text glmasr_encoder gpt_neox_japanese gradium_phonon_tts
    granite4_vision_text granitemoehybrid gte hrm_text hunyuan_vl_text hy_v4 idefics inkling2_vision
    iquestcoder jina_embeddings_v3 kimi_k25_vision kyutai_speech_to_text laguna lasr_encoder
    lfm2_moe lfm3 longcat_flash mellum mimi mimi_decoder mimi_encoder mimo_v2_flash
    minimax_m3_vl_text minimax_m3_vl_vision ministral3 mistral4 mistral_large4_text
    mlcd_vision_model mllama_text_model modernbert modernbert-decoder moonshine moonshine_streaming
    muse_glimmer_assistant muse_glimmer_text muse_spark_text musicflamingo nanochat
    nemotron3_5_transcribe_asr_audio nemotron3_5_transcribe_word_timestamp
    nemotron3_diarization_audio neomme neucodec nomic_bert open-llama openai_privacy_filter
    paddleocr_vl_text pe_audio_encoder pe_audio_video_encoder pe_video_encoder phi4_multimodal
    pocket_tts pocket_tts_audio_tokenizer pocket_tts_audio_tokenizer_decoder
    pocket_tts_audio_tokenizer_encoder qwen2_5_omni_dit qwen2_5_omni_talker qwen2_5_omni_text
    qwen3_omni_moe_talker_code_predictor qwen3_omni_moe_talker_text qwen3_omni_moe_text
    qwen4_exp_text recurrent_gemma sam2_video sam3_tracker_video sam3_vit_model sapiens2 step3p5
    step3p5_vision t5_gemma_module t5gemma2_decoder t5gemma2_text ultrabert unlimited_ocr_text
    voxtral_realtime_encoder voxtral_realtime_text xcodec2 zamba2 zaya
"""
# Their own code, published with the models, reads a base.
_OWN_CODE = """
    baichuan internlm internlm2 internlm3 minicpm minicpm3 mimo exaone orion xverse yi aquila
"""
ROTATING = frozenset((_IN_TRANSFORMERS + _OWN_CODE).split())
