"""The rotation of an indexer: the first part of its heads, half layout in DeepSeek V3.2."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from ropeproof import RopeSpec, conform
from ropeproof.cli import app
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.tools.conform.dumps.check import check_dump

CONFIG = {
    "model_type": "deepseek_v32",
    "hidden_size": 256,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "num_hidden_layers": 2,
    "qk_rope_head_dim": 16,
    "qk_nope_head_dim": 32,
    "v_head_dim": 32,
    "kv_lora_rank": 64,
    "q_lora_rank": 64,
    "index_head_dim": 48,
    "index_n_heads": 8,
    "index_topk": 64,
    "max_position_embeddings": 1024,
    "rope_theta": 10000,
}


def turned(x, positions, *, interleaved=False, last=False):
    angles = positions[..., None] * 10000.0 ** -(torch.arange(0, 16, 2, dtype=torch.float64) / 16)
    angles = angles[:, None] if positions.ndim == 2 else angles
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    part, rest = (x[..., -16:], x[..., :-16]) if last else (x[..., :16], x[..., 16:])
    first, second = (part[..., ::2], part[..., 1::2]) if interleaved else part.chunk(2, -1)
    out = (first * cos - second * sin, second * cos + first * sin)
    new = torch.stack(out, -1).flatten(-2) if interleaved else torch.cat(out, -1)
    return torch.cat((rest, new) if last else (new, rest), -1)


def test_its_spec_is_another_than_that_of_the_attention():
    main, own = (RopeSpec.from_config(CONFIG, part=part) for part in (None, "indexer"))
    assert (main.head_dim, main.rotary_start, main.layout) == (48, 32, "interleaved")
    assert (own.head_dim, own.rotary_start, own.layout) == (48, 0, "half")
    assert (own.base, own.rotary_dim, own.length) == (main.base, 16, 1024)
    said = RopeSpec.from_config(CONFIG | {"indexer_rope_interleave": True}, part="indexer")
    assert said.layout == "interleaved"
    other = RopeSpec.from_config(CONFIG | {"model_type": "glm_moe_dsa"}, part="indexer")
    assert other.layout == "interleaved"


def test_what_has_no_indexer_or_one_that_is_not_known_is_refused():
    without = {k: v for k, v in CONFIG.items() if k != "index_head_dim"}
    with pytest.raises(InvalidArgument, match="index_head_dim"):
        RopeSpec.from_config(without, part="indexer")
    with pytest.raises(InvalidArgument, match="indexer_rope_interleave"):
        RopeSpec.from_config(CONFIG | {"indexer_rope_interleave": 1}, part="indexer")
    with pytest.raises(InvalidArgument, match="index_head_dim"):
        RopeSpec.from_config(CONFIG | {"index_head_dim": 8}, part="indexer")
    with pytest.raises(Unsupported, match="layout of the indexer"):
        RopeSpec.from_config(CONFIG | {"model_type": "deepseek_v3"}, part="indexer")


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({}, None),
        ({"interleaved": True}, "interleaved layout applied to weights in half layout"),
        ({"last": True}, "the last 16 coordinates rotated instead of the first"),
        (
            {"last": True, "interleaved": True},
            "the last 16 coordinates rotated instead of the first",
        ),
    ],
)
def test_an_indexer_that_turns_as_the_attention_does_is_named(wrong, text):
    spec = RopeSpec.from_config(CONFIG, part="indexer")
    report = conform.check(lambda x, p: turned(x, p, **wrong), spec, dtypes=("float32",))
    assert report.passed == (text is None), report
    if text is not None:
        assert report.cause.text.startswith(text), report.cause


def test_the_indexer_of_transformers_conforms():
    """The functions that its forward pass calls: half layout in DeepSeek V3.2, interleaved in GLM."""
    for kind in ("deepseek_v32", "glm_moe_dsa"):
        module = __import__(f"transformers.models.{kind}.modeling_{kind}", fromlist=["*"])
        turn = module.apply_rotary_pos_emb_interleave
        turn = module.apply_rotary_pos_emb if kind == "deepseek_v32" else turn

        def rotate(x, positions, turn=turn):
            angles = positions[..., None] * 10000.0 ** -(torch.arange(0, 16, 2).double() / 16)
            angles = torch.cat((angles, angles), -1)
            angles = angles if angles.ndim == 3 else angles[None]
            cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
            new, _ = turn(x[..., :16], x[..., :16], cos, sin)
            if turn.__name__.endswith(
                "interleave"
            ):  # queries and keys alike are left in half order
                new = torch.stack(new.chunk(2, -1), -1).flatten(-2)
            return torch.cat((new, x[..., 16:]), -1)

        spec = RopeSpec.from_config(CONFIG | {"model_type": kind}, part="indexer")
        report = conform.check(rotate, spec, dtypes=("float32",))
        assert report.passed, report


def test_the_command_takes_the_part_of_code_and_of_a_file(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    spec = RopeSpec.from_config(CONFIG, part="indexer")
    x = torch.randn(1, 8, 20, 48, generator=torch.Generator().manual_seed(0))
    found = {"positions": np.arange(20), "axes": "bhld", "q_before": x.numpy()}
    for name, wrong in (("right", {}), ("wrong", {"interleaved": True})):
        out = turned(x, torch.arange(20), **wrong).numpy()
        np.savez(tmp_path / f"{name}.npz", **found, q_after=out)
    assert check_dump(tmp_path / "right.npz", spec).passed
    common = ["--config", str(tmp_path / "config.json"), "--part", "indexer"]
    for name, code in (("right", 0), ("wrong", 1)):
        run = CliRunner().invoke(app, ["conform", "--dump", str(tmp_path / f"{name}.npz"), *common])
        assert run.exit_code == code, run.output
    assert "interleaved layout applied to weights in half layout" in " ".join(run.output.split())
    run = CliRunner().invoke(app, ["conform", str(tmp_path), "--part", "indexer"])
    assert "--config FILE" in str(run.exception)  # a folder has no indexer that can be called
