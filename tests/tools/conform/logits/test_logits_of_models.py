"""The logits of attention layers of transformers, and of a command in a terminal."""

from __future__ import annotations

import json

import numpy as np
import pytest
import transformers
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.tools.conform.dumps.check import check_dump
from ropeproof.tools.conform.logits.check import check_logits

YARN = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0}
YARN |= {"original_max_position_embeddings": 1024}
SMALL = {
    "hidden_size": 64,
    "intermediate_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
    "max_position_embeddings": 4096,
    "vocab_size": 16,
}
LATENT = {
    "q_lora_rank": None,
    "kv_lora_rank": 16,
    "qk_nope_head_dim": 16,
    "qk_rope_head_dim": 8,
    "v_head_dim": 16,
    "num_key_value_heads": 4,
    "first_k_dense_replace": 2,
    "rope_parameters": YARN | {"mscale": 0.7, "mscale_all_dim": 0.7},
}
MODELS = {
    "llama": {},
    "qwen3": {"head_dim": 16},
    "gemma3_text": {"head_dim": 16, "query_pre_attn_scalar": 24, "sliding_window": 512},
    "gemma2": {"head_dim": 16, "query_pre_attn_scalar": 24},
    "granite": {"attention_multiplier": 0.03},
    "hunyuan_v1_dense": {"head_dim": 16},
    "deepseek_v3": LATENT,
    "deepseek_v2": LATENT,
    "ministral3": {
        "head_dim": 16,
        "rope_parameters": YARN
        | {"llama_4_scaling_beta": 0.1, "mscale": 1.0, "mscale_all_dim": 1.0},
    },
}


def model_of(kind):
    fields = SMALL | MODELS[kind] | {"model_type": kind}
    config = transformers.AutoConfig.for_model(**fields)
    return transformers.AutoModel.from_config(config).eval(), config


@pytest.mark.parametrize("kind", MODELS)
def test_layers_of_transformers_have_the_logits_of_their_configuration(kind):
    model, config = model_of(kind)
    report = check_logits(model, config, layer=0)
    assert report.passed, report


def test_wrong_scales_of_a_layer_are_named():
    model, config = model_of("deepseek_v3")
    for layer in model.layers:
        layer.self_attn.scaling = 24**-0.5
    report = check_logits(model, config)
    assert "the softmax scale lacks mscale^2" in report.cause.text, report
    model, config = model_of("ministral3")
    config.rope_parameters["llama_4_scaling_beta"] = 0.25
    report = check_logits(
        model,
        {
            **config.to_dict(),
            "rope_parameters": {**config.rope_parameters, "llama_4_scaling_beta": 0.1},
        },
    )
    assert "with beta 0.25 and length 1024, where beta 0.1" in report.cause.text, report


def test_the_order_of_a_layer_is_compared():
    model, config = model_of("hunyuan_v1_dense")
    report = check_logits(model, {**config.to_dict(), "model_type": "qwen3"})
    assert "normed after the rotation, not before it" in report.cause.text, report


def hunyuan(order, path):
    """A dump of queries, keys, norms and logits, normed after the rotation as HunYuan does, or before it."""
    rng = np.random.default_rng(5)
    weights = {letter: 1 + 0.5 * rng.standard_normal(16) for letter in "qk"}
    x = {"q": rng.standard_normal((1, 4, 30, 16)), "k": rng.standard_normal((1, 2, 30, 16))}
    angles = np.arange(30)[:, np.newaxis] * 10000.0 ** -(np.arange(8) / 8)
    cos, sin = np.cos(angles), np.sin(angles)

    def turn(v):
        first, second = v[..., :8], v[..., 8:]
        return np.concatenate((first * cos - second * sin, second * cos + first * sin), -1)

    def norm(v, letter):
        return weights[letter] * v / np.sqrt((v**2).mean(-1, keepdims=True) + 1e-6)

    made = {n: norm(turn(v), n) if order == "after" else turn(norm(v, n)) for n, v in x.items()}
    logits = made["q"] @ made["k"].repeat(2, 1).swapaxes(-1, -2) / 4
    found = {f"{n}_norm_weight": w for n, w in weights.items()} | {"norm_eps": "1e-6"}
    found |= {f"{n}_before": v.astype(np.float32) for n, v in x.items()}
    found |= {"logits": logits.astype(np.float32), "positions": np.arange(30), "axes": "bhld"}
    np.savez(path / f"{order}.npz", **found)
    return path / f"{order}.npz"


@pytest.mark.parametrize("kind", ["hunyuan_v1_dense", "hunyuan_v1_moe"])
def test_norms_of_hunyuan_stand_behind_the_rotation(kind, tmp_path):
    config = SMALL | {"model_type": kind, "head_dim": 16, "rope_theta": 10000.0}
    report = check_dump(hunyuan("after", tmp_path), config)
    assert report.passed, report
    assert report["logits.dump"].result == "holds"
    report = check_dump(hunyuan("before", tmp_path), config)
    assert not report.passed
    assert "normed before the rotation, not after it" in report.cause.text, report.cause
    other = check_dump(hunyuan("after", tmp_path), config | {"model_type": "qwen3"})
    assert "normed after the rotation, not before it" in other.cause.text, other.cause


def test_a_layer_that_norms_first_is_named_where_hunyuan_is_due():
    model, config = model_of("qwen3")
    report = check_logits(model, {**config.to_dict(), "model_type": "hunyuan_v1_dense"})
    assert "normed before the rotation, not after it" in report.cause.text, report


CODE = """
import numpy as np
from ropeproof import RopeSpec
def logits(q, k, positions):
    thetas = 10000.0 ** -(np.arange(8) / 8)
    angles = positions[..., None] * thetas
    angles = angles[:, None] if angles.ndim == 3 else angles
    c, s = np.cos(angles), np.sin(angles)
    turn = lambda x: np.concatenate(
        (x[..., :8] * c - x[..., 8:] * s, x[..., 8:] * c + x[..., :8] * s), -1)
    k = k.repeat(q.shape[1] // k.shape[1], 1)
    return (turn(q.astype(float)) @ turn(k.astype(float)).swapaxes(-1, -2) * SCALE).astype("f4")
"""


@pytest.mark.parametrize(("scale", "code"), [("16 ** -0.5", 0), ("1 / 16", 1)])
def test_the_command_compares_logits(tmp_path, monkeypatch, scale, code):
    monkeypatch.chdir(tmp_path)
    module = f"own_logits_{code}"
    (tmp_path / f"{module}.py").write_text(CODE.replace("SCALE", scale))
    llama = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}
    llama |= {"max_position_embeddings": 2048, "rope_theta": 10000.0}
    (tmp_path / "config.json").write_text(json.dumps(llama))
    arguments = ["conform", f"{module}:logits", "--logits", "--config", "config.json"]
    result = CliRunner().invoke(app, [*arguments, "--array", "numpy"])
    assert result.exit_code == code, result.output
    assert ("the softmax scale is applied twice" in result.output) == bool(code)
