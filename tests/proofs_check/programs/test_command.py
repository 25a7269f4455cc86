"""`ropeproof conform --prove`: the proof stands before the tests, and a refutation is a failure."""

import json

import pytest
from typer.testing import CliRunner

from ropeproof.cli import app

MINE = """
import torch

def rotate(x, p, shift=0):
    angles = (p[..., None] + shift).float() * torch.tensor([1.0, 0.1])
    angles = angles[:, None] if p.ndim == 2 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1)

def late(x, p):
    return rotate(x, p, 1)
"""
CONFIG = {"model_type": "llama", "hidden_size": 8, "num_attention_heads": 2, "head_dim": 4}
CONFIG |= {"rope_theta": 100.0, "max_position_embeddings": 64}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    (tmp_path / "mine_to_prove.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(name, *more):
    given = ["conform", f"mine_to_prove:{name}", "--config", "config.json", "--prove"]
    return CliRunner().invoke(app, [*given, "--type", "float32", *more], env={"COLUMNS": "200"})


@pytest.mark.usefixtures("folder")
def test_a_proof_stands_before_the_tests_and_in_the_json():
    result = run("rotate", "--json", "report.json")
    assert result.exit_code == 0, result.output
    assert "mine_to_prove:rotate: proved" in result.output
    assert result.output.index("proved") < result.output.index("conforms")
    with open("report.json") as written:
        proof = json.load(written)["proof"]
    assert proof["verdict"] == "proved"
    assert proof["claims"]


@pytest.mark.usefixtures("folder")
def test_a_refutation_is_a_failure():
    result = run("late")
    assert result.exit_code == 1
    assert "refuted" in result.output
    assert "positions are off by +1" in result.output


@pytest.mark.usefixtures("folder")
def test_what_is_no_code_cannot_be_proved():
    result = CliRunner().invoke(app, ["conform", "--dump", "a.npz", "--prove"])
    assert result.exit_code != 0
    assert "prove" in str(result.exception)
