"""`ropeproof certificate` on a small GGUF file, and the program that checks its records by other means."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from command_line import run

from ropeproof.numerics.certificate.first_layer import read_first_layer
from ropeproof.numerics.certificate.law import TokenLaw, kept_laws, read_law
from ropeproof.numerics.certificate.record import UNITS

gguf = pytest.importorskip("gguf", reason="the package gguf writes the file")

ROOT = Path(__file__).resolve().parents[3]
WIDTH, HEADS, KEYS, WORDS = 64, 4, 2, 40
LAW = TokenLaw.of_ids("letters", b"letters", [1, 2, 1, 3, 1, 2, 30, 7])


def a_model():
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        hidden_size=WIDTH,
        num_attention_heads=HEADS,
        num_key_value_heads=KEYS,
        num_hidden_layers=1,
        intermediate_size=32,
        vocab_size=WORDS,
        max_position_embeddings=128,
        rope_parameters={"rope_type": "default", "rope_theta": 1000.0},
        attn_implementation="eager",
    )
    model = transformers.LlamaForCausalLM(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
    return model.eval()


def permuted(weights: np.ndarray, heads: int) -> np.ndarray:
    """As llama.cpp orders the rows of queries and keys: those of a plane side by side."""
    split = weights.reshape(heads, 2, -1, WIDTH)
    return np.ascontiguousarray(split.swapaxes(1, 2).reshape(weights.shape))


def write(path: Path, model, *, changed: float = 0.0) -> Path:
    config, state = model.config, model.state_dict()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEYS)
    writer.add_rope_freq_base(1000.0)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(WORDS)
    layer = "model.layers.0"
    embedding = state["model.embed_tokens.weight"].numpy().copy()
    embedding[5, 5] += changed
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("blk.0.attn_norm.weight", state[f"{layer}.input_layernorm.weight"].numpy())
    query = permuted(state[f"{layer}.self_attn.q_proj.weight"].numpy(), HEADS)
    key = permuted(state[f"{layer}.self_attn.k_proj.weight"].numpy(), KEYS)
    writer.add_tensor("blk.0.attn_q.weight", query)
    writer.add_tensor("blk.0.attn_k.weight", key)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("certificate")
    model = a_model()
    write(found / "small.gguf", model)
    write(found / "other.gguf", model, changed=1e-3)
    (found / "law.json").write_text(json.dumps(LAW.as_json()))
    options = ("--law", str(found / "law.json"), "--lags", "6", "--long", "9", "--named", "2")
    code, text = run(
        "certificate", "make", str(found / "record.json"), str(found / "small.gguf"), *options
    )
    assert code == 0, text
    assert "law: letters, 8 tokens, 5 distinct" in text
    assert not (found / "record.json.kept").exists()
    return found


def test_logits_are_those_of_transformers(folder):
    layer = read_first_layer(str(folder / "small.gguf"))
    tokens = np.array([1, 30, 7, 2, 2, 39, 0])
    model = a_model().double()
    with torch.no_grad():
        found = model(torch.tensor(tokens[None]), output_attentions=True).attentions[0][0].numpy()
    queries, keys = layer.queries(tokens), layer.keys(tokens)
    lags = np.arange(len(tokens))[:, None] - np.arange(len(tokens))
    angles = lags[..., None] * 1000.0 ** (-np.arange(8) / 8)
    for head in range(HEADS):
        products = queries.planes[head, :, None] * keys.planes[head // 2, None].conj()
        logits = (products * np.exp(1j * angles)).sum(-1).real * layer.scale
        weights = np.where(lags >= 0, np.exp(logits), 0)
        assert np.abs(weights / weights.sum(1, keepdims=True) - found[head]).max() < 1e-6


def test_a_directory_of_another_family_is_certified_and_refused_by_the_other_program(
    folder, tmp_path
):
    torch.manual_seed(1)
    config = transformers.Qwen2Config(
        hidden_size=32,
        num_attention_heads=4,
        num_key_value_heads=2,
        num_hidden_layers=1,
        intermediate_size=16,
        vocab_size=WORDS,
        max_position_embeddings=64,
        rope_parameters={
            "rope_type": "yarn",
            "rope_theta": 100.0,
            "factor": 4.0,
            "original_max_position_embeddings": 16,
        },
        bos_token_id=None,
        eos_token_id=None,
    )
    model = transformers.Qwen2ForCausalLM(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
    model.save_pretrained(tmp_path / "qwen")
    record, source = tmp_path / "record.json", str(tmp_path / "qwen")
    options = ("--law", str(folder / "law.json"), "--lags", "6", "--long", "9", "--named", "2")
    code, text = run("certificate", "make", str(record), source, *options)
    assert code == 0, text
    code, text = run("certificate", "verify", str(record), source)
    assert code == 0, text
    code, text = run("certificate", "verify", str(record), str(folder / "small.gguf"))
    assert (code, "model" in text) == (2, True)
    code, text = independently(tmp_path, json.loads(record.read_text()), model="qwen")
    assert (code, "does not compute" in text) == (2, True)


def verified(
    folder: Path, record: dict, *options: str, model: str = "small.gguf"
) -> tuple[int, str]:
    path = folder / "changed.json"
    path.write_text(json.dumps(record))
    return run("certificate", "verify", str(path), str(folder / model), *options)


def independently(folder: Path, record: dict, model: str = "small.gguf") -> tuple[int, str]:
    path = folder / "changed.json"
    path.write_text(json.dumps(record))
    program = ROOT / "examples/verify_certificate.py"
    line = [sys.executable, program, path, folder / model, "--draw", "9"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def falsified(record: dict, *, head: int = 2, place: int = 0) -> dict:
    """One enclosure moved beyond the truth, with every sum that depends on it."""
    entry = record["entries"][place][head]
    moved = 2 * entry[-1] + 1000
    lag = record["kept_lags"][head][0]
    entry[0] += moved
    entry[-1] = max(entry[-1] - moved, 0)
    counts, total = record["law"]["counts"], sum(record["law"]["counts"])
    stated = record["heads"][head]
    new = sum(c * e[head][0] for c, e in zip(counts, record["entries"], strict=True)) // total
    stated["slack"] -= new - stated["lower"][lag]
    stated["lower"][lag] = new
    return record


def test_a_record_is_verified_by_us_and_by_the_program_that_shares_no_code(folder):
    record = json.loads((folder / "record.json").read_text())
    assert len(json.dumps(record)) < 20_000
    assert all(head["slack"] < UNITS // 100 for head in record["heads"])
    code, text = verified(folder, record)
    assert code == 0
    assert "5 of 5 queries computed again" in " ".join(text.split())
    code, text = independently(folder, record)
    assert code == 0
    assert text.startswith("nothing contradicts changed.json (--seed ")
    assert (
        "5 of 5 queries in 4 heads, at the lags kept; the mean of each head at all 6 lags" in text
    )
    source = (ROOT / "examples/verify_certificate.py").read_text()
    assert "ropeproof." not in source
    assert "import ropeproof" not in source


def test_a_falsified_enclosure_is_seen_by_both(folder):
    record = falsified(json.loads((folder / "record.json").read_text()))
    code, text = verified(folder, record)
    assert code == 1
    assert "The record is false" in text
    code, text = independently(folder, record)
    assert code == 1
    assert "token 1, head 2" in text


@pytest.mark.parametrize("part", ["long_rows", "prompts"])
def test_named_rows_and_bounds_over_prompts_are_checked_by_both(folder, part):
    record = json.loads((folder / "record.json").read_text())
    for one in record[part]:
        for head in range(HEADS):
            table = one["lower"][head] if part == "long_rows" else one["heads"][head]["lower"]
            table[:] = [value + UNITS // 5 for value in table]
    assert verified(folder, record)[0] == 1
    assert independently(folder, record)[0] == 1


def test_another_model_is_refused_by_name(folder):
    record = json.loads((folder / "record.json").read_text())
    code, text = verified(folder, record, model="other.gguf")
    assert code == 2
    assert "model" in text
    assert independently(folder, record, model="other.gguf")[0] == 2
    code, text = verified(folder, record | {"code": "0"})
    assert code == 2
    assert "code" in text


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("make", "r.json"), "model"),
        (("make", "r.json", "none.gguf"), "model"),
        (("make", "r.json", "x.gguf", "--law", "none"), "law"),
        (("make", "r.json", "x.gguf", "--law", "apache-2.0", "--text", "a.txt"), "text"),
        (("make", "-", "x.gguf"), "output"),
        (("make", "r.json", "x.gguf", "--lags", "1"), "lags"),
        (("make", "r.json", "x.gguf", "--named", "-1"), "named"),
        (("verify", "none.json", "x.gguf"), "file"),
        (("verify", "none.json", "x.gguf", "--draw", "0"), "draw"),
        (("verify", "none.json", "x.gguf", "--draw", "some"), "draw"),
        (("verify", "none.json", "x.gguf", "--law", "apache-2.0", "--text", "a.txt"), "text"),
        (("show", "none.json"), "file"),
        (("make", "r.json", "x.gguf", "--long", "9999999"), "long"),
        (("verify", "none.json"), "model"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(words, named, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, text = run("certificate", *words)
    assert code == 2
    assert named in text


def test_the_kept_laws_are_counts_of_named_texts():
    assert kept_laws() == ("apache-2.0", "python-topics")
    assert (read_law("apache-2.0").total, len(read_law("apache-2.0").tokens)) == (2224, 611)
    assert (read_law("python-topics").total, len(read_law("python-topics").tokens)) == (
        113_108,
        5284,
    )


def test_an_interrupted_make_says_how_to_go_on_and_goes_on(folder, monkeypatch):
    from ropeproof.numerics.certificate import record as module

    options = ("--law", str(folder / "law.json"), "--lags", "6", "--long", "9", "--named", "2")
    line = ("certificate", "make", str(folder / "cut.json"), str(folder / "small.gguf"), *options)
    step, calls = module.Maker.step, itertools.count()

    def cut(self) -> bool:
        if next(calls) == 6:
            raise KeyboardInterrupt
        return step(self)

    monkeypatch.setattr(module.Maker, "step", cut)
    assert run(*line)[0] != 0
    half = json.loads((folder / "cut.json").read_text())
    assert not half["complete"]
    assert half["queries"] == 2
    code, text = verified(folder, half)
    assert code == 0
    assert "not complete" in text
    assert "not complete" in run("certificate", "show", str(folder / "cut.json"))[1]
    monkeypatch.setattr(module.Maker, "step", step)
    kept = json.loads((folder / "cut.json.kept").read_text())
    for name, value in (
        ("entries", [[[0]]]),
        ("entries", [*kept["state"]["entries"]] * 4),
        ("kept_lags", None),
        ("sums", "1"),
        ("sums", [[-1] * 6] * 4),
        ("prompts", kept["state"]["prompts"][::-1]),
    ):
        state = kept["state"] | {name: value}
        (folder / "cut.json.kept").write_text(json.dumps(kept | {"state": state}))
        code, text = run(*line)
        assert (code, "kept" in text) == (2, True), (name, value)
    (folder / "cut.json.kept").write_text(json.dumps(kept))
    code, text = run(*line)
    assert code == 0
    assert "6 of 9 pieces were read from cut.json.kept" in " ".join(text.split())
    whole = json.loads((folder / "cut.json").read_text())
    assert whole == json.loads((folder / "record.json").read_text())
