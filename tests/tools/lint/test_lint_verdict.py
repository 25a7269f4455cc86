"""What `ropeproof lint` says it looked at: verdicts, exit codes, and the whole rotation of a file."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest
from lint_corpus import RIGHT
from needs import need
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.theory.rotary.readers import lint_file
from ropeproof.theory.rotary.readers.flags import lint_flags
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.lint.price import disagreements, prices_of, spec_of
from ropeproof.tools.lint.verdict import _otherwise, verdicts
from ropeproof.tools.lint.whole import Whole

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 2,
    "max_position_embeddings": 8192,
    "rope_theta": 500000.0,
}
STRANGE = {**LLAMA, "model_type": "never_seen", "partial_rotary_factor": 0.5}
PORT = {"port": 8080}


def write(folder: Path, fields: object, name: str = "config.json") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(json.dumps(fields))
    return file


def lint(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["lint", *map(str, words)])
    return result.exit_code, result.output


def verdict_of(folder: Path, fields: object):
    (found,) = verdicts(write(folder, fields))
    return found


def test_a_known_file_is_checked_against_named_readers(tmp_path):
    code, told = lint(write(tmp_path, LLAMA))
    assert code == 0
    assert "nothing found; checked against 9 readers: transformers 5, transformers 4, " in told


def test_an_unknown_family_is_never_clean(tmp_path):
    file = write(tmp_path, STRANGE)
    code, told = lint(file)
    assert code == 3
    assert "not checked: what the code of 'never_seen' reads is not known" in told
    assert "RopeSpec(128, 500000, rotary_dim=64, length=8192)" in told
    assert "nothing found" not in told
    assert lint(file, "--allow-unchecked")[0] == 0


@pytest.mark.parametrize(
    "fields",
    [
        {**LLAMA, "model_type": "bailing_moe"},
        {"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 56, 56]},
        {"_class_name": "WanTransformer3DModel", "rope_max_seq_len": 1024},
        {"architectures": ["NobodyForCausalLM"], "hidden_size": 64, "num_attention_heads": 2},
        {"model_type": "nobody_vl", "text_config": {"model_type": "nobody", "rope_theta": 1e4}},
    ],
)
def test_what_nobody_knows_is_not_checked(tmp_path, fields):
    code, told = lint(write(tmp_path, fields))
    assert code == 3
    assert "not checked" in told


def test_an_error_counts_more_than_what_is_not_checked(tmp_path):
    bad = write(tmp_path / "a", {**LLAMA, "rope_theta": "x"})
    assert lint(bad, write(tmp_path / "b", STRANGE))[0] == 1


def test_json_that_is_no_models_config(tmp_path):
    file = write(tmp_path / "server", PORT)
    code, told = lint(file)
    assert (code, "not checked: no model's config" in told) == (3, True)
    for words in ((file.parent,), ("--from-hook", file)):
        code, told = lint(*words)
        assert (code, "passed over: no model's config" in told) == (0, True)


@pytest.mark.parametrize(
    "fields",
    [
        {"properties": {"rope_theta": 1}},
        {"europe": 3},
        {"name": "x", "scope": 1},
        {},
        [1, 2],
    ],
)
def test_words_that_contain_rope_are_no_keys_of_rotation(tmp_path, fields):
    assert verdict_of(tmp_path, fields).coverage.state == "no model"


def test_a_folder_is_searched_with_the_folders_below(tmp_path):
    write(tmp_path / "with spaces" / "a", LLAMA)
    write(tmp_path / "b", PORT)
    write(tmp_path / ".hidden", STRANGE)
    (tmp_path / "link").symlink_to(tmp_path / ".hidden")
    code, told = lint(tmp_path)
    assert code == 0
    assert "with spaces" in told
    assert "passed over" in told
    assert "never_seen" not in told


def test_json_and_sarif_say_what_was_not_checked(tmp_path):
    file, log = write(tmp_path / "a b", STRANGE), tmp_path / "log.sarif"
    result = CliRunner().invoke(app, ["lint", str(file), "--json", "-", "--sarif", str(log)])
    assert result.exit_code == 3
    found = json.loads(result.stdout)
    assert found["schema"] == 2
    coverage = found["files"][0]["coverage"]
    assert coverage["state"] == "not checked"
    assert "RopeSpec(" in coverage["advice"]
    (ran,) = json.loads(log.read_text())["runs"][0]["invocations"]
    (note,) = ran["toolExecutionNotifications"]
    assert note["descriptor"]["id"] == "not-checked"
    assert "not checked" in note["message"]["text"]
    place = note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place.endswith("/a%20b/config.json")


def test_parts_that_are_not_modelled_are_named(tmp_path):
    fields = {
        "model_type": "deepseek_v2",
        "hidden_size": 2048,
        "num_attention_heads": 16,
        "num_hidden_layers": 2,
        "kv_lora_rank": 512,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "max_position_embeddings": 163840,
        "rope_theta": 10000,
        "rope_scaling": {
            "type": "yarn",
            "factor": 40,
            "mscale": 0.707,
            "mscale_all_dim": 0.707,
            "original_max_position_embeddings": 4096,
        },
    }
    told = str(verdict_of(tmp_path, fields).coverage)
    assert told.startswith("checked, but these parts are not modelled: the scale of all logits")


def test_released_files_have_no_error_and_a_verdict_of_their_own(tmp_path):
    states = {}
    for name, fields in RIGHT:
        found = verdict_of(tmp_path, fields)
        assert [f for f in found.findings if f.level == "error"] == [], name
        states[name] = found.coverage.state
        assert str(found.coverage), name
    assert set(states.values()) == {"checked", "not checked"}
    assert sum(state == "not checked" for state in states.values()) < len(states) / 5


def test_no_file_that_transformers_writes_of_its_classes_is_accused(tmp_path):
    transformers = need("transformers")
    seen = 0
    for name in sorted(transformers.CONFIG_MAPPING)[::6]:
        try:
            fields = json.loads(transformers.CONFIG_MAPPING[name]().to_json_string(use_diff=False))
        except Exception:  # a class that has no defaults, or needs another package
            continue
        seen += 1
        found = verdict_of(tmp_path, fields)
        assert [(name, f) for f in found.findings if f.level == "error"] == []
        assert found.coverage.state in ("checked", "not checked")
    assert seen > 100


# NoPE


SMOL = {
    "model_type": "smollm3",
    "hidden_size": 2048,
    "num_attention_heads": 16,
    "num_hidden_layers": 8,
    "max_position_embeddings": 65536,
    "rope_theta": 5e6,
    "no_rope_layer_interval": 4,
}
RULE = [1, 1, 1, 0] * 2


@pytest.mark.parametrize(
    ("flags", "level"),
    [
        (RULE, None),
        (None, None),
        ([1] * 8, None),
        ([0, 0, 0, 1] * 2, "error"),
        ([0, 1, 1, 1] * 2, "warning"),
        (RULE[:6], "error"),
        ([*RULE, 1], "warning"),
        ([1, 2, 1, 0] * 2, "error"),
    ],
)
def test_flags_of_layers_without_rope(tmp_path, flags, level):
    found = verdict_of(tmp_path, {**SMOL, "no_rope_layers": flags})
    own = [f.level for f in found.findings if f.id in ("layer-flags", "layers-inverted")]
    assert own == ([level] if level else [])


def test_an_inversion_is_an_error_of_a_file_that_can_be_read(tmp_path):
    fields = {**SMOL, "no_rope_layers": [0, 0, 0, 1] * 2}
    (found,) = verdict_of(tmp_path, fields).findings
    assert (found.id, found.level) == ("layers-inverted", "error")
    assert RopeSpec.from_config(fields, layer=0).rotary_dim == 0
    assert RopeSpec.from_config(fields, layer=3).rotary_dim == 128


def test_an_inversion_of_what_the_file_does_not_state_is_a_warning(tmp_path):
    fields = {**SMOL, "no_rope_layers": [0, 0, 0, 1] * 2}
    del fields["no_rope_layer_interval"]
    assert [f.level for f in verdict_of(tmp_path, fields).findings] == ["warning"]


@pytest.mark.parametrize(("count", "level"), [(7, "error"), (8, None), (9, "warning")])
def test_layer_types_are_as_many_as_layers(tmp_path, count, level):
    fields = {**SMOL, "no_rope_layers": RULE, "layer_types": ["full_attention"] * count}
    levels = [f.level for f in verdict_of(tmp_path, fields).findings]
    assert levels == ([level] if level else [])


@pytest.mark.parametrize(
    ("kinds", "found"), [("sssf", []), ("fffs", ["layers-inverted"]), ("ssff", [])]
)
def test_types_that_are_the_opposite_of_the_pattern(tmp_path, kinds, found):
    names = {"s": "sliding_attention", "f": "full_attention"}
    fields = {
        "model_type": "cohere2",
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "num_hidden_layers": 8,
        "max_position_embeddings": 8192,
        "sliding_window": 4096,
        "sliding_window_pattern": 4,
        "layer_types": [names[kind] for kind in kinds * 2],
        "rope_theta": 50000.0,
    }
    assert [f.id for f in verdict_of(tmp_path, fields).findings if f.level == "error"] == found


# the rotated part


PHI = {
    "model_type": "phi",
    "hidden_size": 2048,
    "num_attention_heads": 16,
    "num_hidden_layers": 2,
    "max_position_embeddings": 2048,
    "rope_theta": 10000.0,
    "partial_rotary_factor": 0.5,
}


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"rotary_dim": 64}, []),
        ({"rotary_dim": 128}, ["rotated-part"]),
        ({"rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5}}, []),
        (
            {"rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.25}},
            ["rotated-part"],
        ),
        ({"rotary_pct": 0.25}, ["rotated-part"]),
    ],
)
def test_two_rotated_parts_are_an_error(tmp_path, more, found):
    fields = {**PHI, **more}
    own = [f.id for f in verdict_of(tmp_path, fields).findings if f.id == "rotated-part"]
    assert own == found


def test_what_from_config_refuses_is_a_finding(tmp_path):
    fields = {
        "model_type": "qwen3_vl_text",
        "hidden_size": 4096,
        "head_dim": 128,
        "num_attention_heads": 32,
        "max_position_embeddings": 262144,
        "rope_theta": 5e6,
        "rope_scaling": {
            "rope_type": "default",
            "mrope_section": [24, 20, 20],
            "mrope_interleaved": False,
        },
    }
    found = verdict_of(tmp_path, fields)
    assert [f.id for f in found.findings if f.level == "error"] == ["sections-order"]


# false alarms


def test_the_context_of_a_model_before_it_was_scaled_is_no_mismatch(tmp_path):
    scaling = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    fields = {**LLAMA, "model_type": "qwen2", "rope_scaling": scaling}
    fields["max_position_embeddings"] = 40960
    assert verdict_of(tmp_path, fields).findings == ()
    fields["max_position_embeddings"] = 262144
    ids = [f.id for f in verdict_of(tmp_path, fields).findings]
    assert ids == ["original-mismatch"]


def test_equal_frequency_factors_are_no_error_of_the_rules(tmp_path):
    scaling = {"rope_type": "llama3", "factor": 16.0, "original_max_position_embeddings": 8192}
    scaling |= {"low_freq_factor": 1.0, "high_freq_factor": 1.0}
    fields = {**LLAMA, "max_position_embeddings": 131072, "rope_scaling": scaling}
    (found,) = lint_file(write(tmp_path, fields))
    assert found.findings == ()


def test_a_missing_base_is_silent_where_all_readers_agree(tmp_path):
    gemma = {
        "model_type": "gemma3_text",
        "head_dim": 128,
        "hidden_size": 5376,
        "num_attention_heads": 32,
        "num_hidden_layers": 62,
        "rope_scaling": {"factor": 8.0, "rope_type": "linear"},
    }
    assert verdict_of(tmp_path, gemma).findings == ()
    llama = {k: v for k, v in LLAMA.items() if k != "rope_theta"}
    assert [f.id for f in verdict_of(tmp_path, llama).findings] == ["base-missing"]
    old = {**llama, "max_position_embeddings": 2048}
    assert verdict_of(tmp_path, old).findings == ()
    assert [f.id for f in verdict_of(tmp_path, {**old, "model_type": "qwen2"}).findings] != []


WRAPPED = {
    "model_type": "gemma3",
    "text_config": {
        "model_type": "gemma3_text",
        "head_dim": 128,
        "hidden_size": 5376,
        "num_attention_heads": 32,
        "num_hidden_layers": 6,
        "rope_theta": 1e6,
    },
}


def test_a_base_at_the_top_of_a_wrapper_is_not_that_of_its_model(tmp_path):
    found = verdict_of(tmp_path, {**WRAPPED, "rope_theta": 10000.0, "num_attention_heads": 32})
    assert [(f.id, f.level) for f in found.findings] == [("base-conflict", "warning")]
    assert found.section == "text_config"
    same = verdict_of(tmp_path, {**WRAPPED, "rope_theta": 1e6, "num_attention_heads": 32})
    assert same.findings == ()


def test_parameters_at_the_top_of_a_wrapper_alone_are_read_by_nobody(tmp_path):
    inner = {k: v for k, v in LLAMA.items() if k != "rope_theta"}
    scaling = {"rope_type": "linear", "factor": 4.0}
    wrapper = {"model_type": "llava", "text_config": inner, "rope_theta": 5e5}
    found = verdict_of(tmp_path, {**wrapper, "rope_scaling": scaling})
    told = {f.id: f.message for f in found.findings}
    assert told["base-conflict"].endswith("code reads text_config, where there is none")
    assert "where there is no rope_scaling" in told["key-unread"]
    whole = {**wrapper, "text_config": {**LLAMA, "rope_scaling": scaling}}
    ids = {f.id for f in verdict_of(tmp_path, {**whole, "rope_scaling": scaling}).findings}
    assert not ids & {"base-conflict", "key-unread"}


def test_flat_parameters_of_a_family_with_layer_types_are_read_by_nobody(tmp_path):
    flat = {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6}
    fields = {**WRAPPED["text_config"], "rope_parameters": flat}
    del fields["rope_theta"]
    found = verdict_of(tmp_path, fields)
    levels = {f.level for f in found.findings if f.id == "layer-without-parameters"}
    assert levels == {"warning"}


def test_transformers_5_that_refuses_a_file_is_told(tmp_path):
    flat = {"rope_type": "linear", "factor": 8.0}
    fields = {**WRAPPED["text_config"], "rope_parameters": {**flat, "rope_theta": 1e6}}
    found = verdict_of(tmp_path, {**fields, "rope_scaling": flat})
    told = [f.message for f in found.findings if f.id == "readers-differ"]
    assert told[0].startswith("transformers 5 refuses: ")


# LongRoPE at two lengths


LONG = {
    "model_type": "phi3",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "max_position_embeddings": 2048,
    "original_max_position_embeddings": 256,
    "rope_theta": 10000.0,
    "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 8, "long_factor": [2.0] * 8},
}


def test_a_reader_that_turns_short_sequences_by_the_long_factors_is_told_and_priced(tmp_path):
    found = verdict_of(tmp_path, LONG)
    (differs,) = [f for f in found.findings if f.id == "readers-differ"]
    assert "long factors at every length" in differs.message
    assert "--fix" not in differs.fix
    rows = disagreements(found)
    assert [row["reader"] for row in rows] == ["mlx-lm", "mlx-lm"]
    assert [row["price"]["length"] for row in rows] == [256, 2048]
    assert [row["price"]["same"] for row in rows] == [False, True]
    same = {**LONG, "rope_scaling": {**LONG["rope_scaling"], "short_factor": [2.0] * 8}}
    assert verdict_of(tmp_path, same).findings == ()


def test_lists_that_are_exchanged_are_a_warning(tmp_path):
    lists = {"short_factor": [4.0] * 8, "long_factor": [1.0] * 8}
    found = verdict_of(tmp_path, {**LONG, "rope_scaling": {"type": "longrope", **lists}})
    assert "lists-exchanged" in {f.id for f in found.findings}


def test_prices_are_one_where_the_length_plays_no_part(tmp_path):
    found = verdict_of(tmp_path, LONG)
    own = spec_of(found.model, found.readers["transformers 5"])
    assert len(prices_of(own, own)) == 1
    assert prices_of(own, own)[0].same
    plain = RopeSpec(16, 10000, length=2048)
    assert len(prices_of(plain, RopeSpec(16, 20000, length=2048))) == 1


# flags


def test_no_flag_is_passed_over_in_silence(tmp_path):
    found = lint_flags("--hf-overrides '{\"rope_theta\": 1e6}' --port 80", {"model_type": "phi"})
    assert [f.id for f in found.findings] == ["flag-not-modelled"] * 2
    assert "vLLM is not modelled for this family (phi)" in found.findings[0].message
    assert "--port" in found.findings[1].message
    found = lint_flags("--yarn-ext-factor 0.5", LLAMA)
    assert [f.id for f in found.findings] == ["flag-not-modelled"]
    found = lint_flags("--hf-overrides '{\"max_position_embeddings\": 4}'", LLAMA)
    assert [f.where for f in found.findings] == ["--hf-overrides.max_position_embeddings"]
    for file, words in (
        (write(tmp_path / "bad", {**LLAMA, "rope_theta": "x"}), "the file has errors"),
        (write(tmp_path / "strange", STRANGE), "not modelled for this family (never_seen)"),
    ):
        assert words in lint(file, "--flags", "--hf-overrides '{\"rope_theta\": 1e6}'")[1]


def test_an_override_says_why_it_has_no_effect():
    found = lint_flags("--hf-overrides '{\"rope_theta\": 1e6}'", LLAMA)
    assert found.findings[0].message.startswith("this override has no effect, because vLLM takes")
    found = lint_flags("--rope-freq-base 500000", LLAMA)
    assert found.findings[0].message.startswith("this flag has no effect, because llama.cpp reads")


def test_an_override_key_by_key_is_the_object_that_it_stands_for():
    dotted = (
        "--hf-overrides.rope_parameters.rope_type linear --hf-overrides.rope_parameters.factor 4"
    )
    whole = '--hf-overrides \'{"rope_parameters": {"rope_type": "linear", "factor": 4}}\''
    one, other = lint_flags(dotted, LLAMA), lint_flags(whole, LLAMA)
    assert (one.reading, one.findings) == (other.reading, other.findings)


# GGUF


def string(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode()


def gguf(path: Path, architecture: str, tensors: dict[str, list[float]] | None = None, **values):
    """A header with these keys, a double underscore for a dot, and tensors of float32."""
    tensors = tensors or {}
    keys = [string("general.architecture") + struct.pack("<I", 8) + string(architecture)]
    for name, value in values.items():
        key = string(f"{architecture}.{name.replace('__', '.')}")
        if isinstance(value, str):
            keys.append(key + struct.pack("<I", 8) + string(value))
        elif isinstance(value, list):
            keys.append(key + struct.pack(f"<IIQ{len(value)}i", 9, 5, len(value), *value))
        else:
            form = ("<II", 4) if isinstance(value, int) else ("<If", 6)
            keys.append(key + struct.pack(form[0], form[1], value))
    data = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys)) + b"".join(keys)
    offset = 0
    for name, numbers in tensors.items():
        data += string(name) + struct.pack("<IQIQ", 1, len(numbers), 0, offset)
        offset += -(-4 * len(numbers) // 32) * 32
    data += b"\0" * (-len(data) % 32)
    for numbers in tensors.values():
        part = struct.pack(f"<{len(numbers)}f", *numbers)
        data += part + b"\0" * (-len(part) % 32)
    path.write_bytes(data)


SHAPE = {
    "context_length": 8192,
    "embedding_length": 4096,
    "attention__head_count": 32,
    "attention__key_length": 128,
    "rope__freq_base": 500000.0,
    "rope__dimension_count": 128,
}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 2048}
YARN_KEYS = {
    "rope__scaling__type": "yarn",
    "rope__scaling__factor": 4.0,
    "rope__scaling__original_context_length": 2048,
}
L3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
L3 |= {"original_max_position_embeddings": 1024}


def keys_that_differ(folder: Path, fields, architecture="llama", tensors=None, **values):
    write(folder, fields)
    gguf(folder / "model.gguf", architecture, tensors, **{**SHAPE, **values})
    _, found = verdicts(folder)
    assert found.coverage.state == "checked"
    assert all((f.id, f.level) == ("gguf-differs", "error") for f in found.findings)
    return [f.where for f in found.findings]


@pytest.mark.parametrize(
    ("more", "values", "differs"),
    [
        ({}, {}, []),
        ({}, {"rope__freq_base": 10000.0}, ["rope.freq_base"]),
        ({}, {"rope__dimension_count": 64}, ["rope.dimension_count"]),
        (
            {},
            {"attention__key_length": 64, "rope__dimension_count": 64},
            ["rope.dimension_count", "attention.key_length"],
        ),
        ({}, YARN_KEYS, ["rope.scaling.type"]),
        ({}, {"rope__scaling__attn_factor": 1.25}, ["rope.scaling.attn_factor"]),
        ({"rope_scaling": YARN}, YARN_KEYS, []),
        ({"rope_scaling": YARN}, {}, ["rope.scaling.type"]),
        (
            {"rope_scaling": YARN},
            {**YARN_KEYS, "rope__scaling__attn_factor": 1.25},
            ["rope.scaling.attn_factor"],
        ),
        (
            {"rope_scaling": {**YARN, "attention_factor": 1.0}},
            YARN_KEYS,
            ["rope.scaling.attn_factor"],
        ),
        (
            {"rope_scaling": YARN},
            {**YARN_KEYS, "rope__scaling__original_context_length": 4096},
            ["rope.scaling.original_context_length"],
        ),
        (
            {"rope_scaling": YARN},
            {**YARN_KEYS, "rope__scaling__yarn_beta_fast": 16.0},
            ["rope.scaling.yarn_beta_fast"],
        ),
        ({"rope_scaling": L3}, {}, ["rope_freqs.weight"]),
    ],
)
def test_a_gguf_is_compared_key_by_key(tmp_path, more, values, differs):
    assert keys_that_differ(tmp_path, {**LLAMA, **more}, **values) == differs


def test_the_tensors_of_factors_are_compared(tmp_path):
    spec = RopeSpec.from_config({**LLAMA, "rope_scaling": L3})
    plain = RopeSpec.from_config(LLAMA)
    right = [float(a / b) for a, b in zip(plain.frequencies(), spec.frequencies(), strict=True)]
    name = "rope_freqs.weight"
    fields = {**LLAMA, "rope_scaling": L3}
    assert keys_that_differ(tmp_path, fields, tensors={name: right}) == []
    assert keys_that_differ(tmp_path, fields, tensors={name: [*right[:-1], 4.0]}) == [name]
    assert keys_that_differ(tmp_path, fields, tensors={name: right[:-1]}) == [name]
    assert keys_that_differ(tmp_path, LLAMA, tensors={name: right}) == [name]
    assert keys_that_differ(tmp_path, LLAMA, tensors={name: [1.0] * 64}) == []


def test_lists_of_longrope_and_their_factor_are_compared(tmp_path):
    values = {
        "embedding_length": 64,
        "attention__head_count": 4,
        "attention__key_length": 16,
        "rope__dimension_count": 16,
        "rope__freq_base": 10000.0,
        "context_length": 2048,
        "rope__scaling__original_context_length": 256,
        "rope__scaling__attn_factor": (1 + 3 / 8) ** 0.5,
    }
    short, long = "rope_factors_short.weight", "rope_factors_long.weight"
    lists = {short: [1.0] * 8, long: [2.0] * 8}
    same = keys_that_differ(tmp_path, LONG, "phi3", lists, **values)
    assert same == []
    swapped = {short: lists[long], long: lists[short]}
    assert keys_that_differ(tmp_path, LONG, "phi3", swapped, **values) == [short, long]
    values["rope__scaling__attn_factor"] = 1.0
    found = keys_that_differ(tmp_path, LONG, "phi3", lists, **values)
    assert found == ["rope.scaling.attn_factor"]


def test_a_partial_rotation_of_an_architecture_that_is_not_modelled(tmp_path):
    fields = {
        "model_type": "glm4_moe",
        "head_dim": 128,
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "partial_rotary_factor": 0.5,
        "rope_theta": 500000.0,
        "max_position_embeddings": 8192,
    }
    right = keys_that_differ(tmp_path, fields, "glm4moe", rope__dimension_count=64)
    assert right == []
    wrong = keys_that_differ(tmp_path, fields, "glm4moe", rope__dimension_count=128)
    assert wrong == ["rope.dimension_count"]


def test_a_gguf_that_is_named_is_compared_with_the_configuration_beside_it(tmp_path):
    write(tmp_path, LLAMA)
    gguf(tmp_path / "model.gguf", "llama", **{**SHAPE, "rope__dimension_count": 64})
    code, told = lint(tmp_path / "model.gguf")
    assert (code, "rope.dimension_count" in told) == (1, True)


def test_a_llama_whose_keys_rotate_in_part_is_refused_by_its_loader(tmp_path):
    gguf(tmp_path / "model.gguf", "llama", **{**SHAPE, "rope__dimension_count": 64})
    (found,) = verdicts(tmp_path / "model.gguf")
    assert [(f.id, f.level) for f in found.findings] == [("rotated-part", "error")]


def test_a_gguf_alone_of_an_unknown_architecture_is_not_checked(tmp_path):
    gguf(tmp_path / "model.gguf", "nobody", **SHAPE)
    code, told = lint(tmp_path / "model.gguf")
    assert code == 3
    assert "architecture 'nobody'" in told


MLA = {
    "model_type": "deepseek_v3",
    "hidden_size": 512,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "kv_lora_rank": 64,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "max_position_embeddings": 163840,
    "rope_theta": 10000,
    "rope_scaling": {
        "type": "yarn",
        "factor": 40.0,
        "mscale": 1.0,
        "mscale_all_dim": 1.0,
        "original_max_position_embeddings": 4096,
    },
}


@pytest.mark.parametrize(
    ("more", "differs"),
    [
        ({"rope__scaling__yarn_log_multiplier": 0.1}, []),
        ({}, ["rope.scaling.yarn_log_multiplier"]),
        (
            {"rope__scaling__yarn_log_multiplier": 0.0707},
            ["rope.scaling.yarn_log_multiplier"],
        ),
        (
            {"rope__scaling__yarn_log_multiplier": 0.1, "rope__dimension_count": 192},
            ["rope.dimension_count"],
        ),
        (
            {"rope__scaling__yarn_log_multiplier": 0.1, "rope__scaling__attn_factor": 1.2},
            ["rope.scaling.attn_factor"],
        ),
    ],
)
def test_latent_attention_of_a_gguf(tmp_path, more, differs):
    values = {
        "context_length": 163840,
        "attention__key_length": 576,
        "rope__dimension_count": 64,
        "rope__freq_base": 10000.0,
        "rope__scaling__type": "yarn",
        "rope__scaling__factor": 40.0,
        "rope__scaling__original_context_length": 4096,
    }
    assert keys_that_differ(tmp_path, MLA, "deepseek2", **{**values, **more}) == differs


def test_sections_of_a_gguf(tmp_path):
    fields = {
        "model_type": "qwen2_vl_text",
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "max_position_embeddings": 8192,
        "rope_theta": 500000.0,
        "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]},
    }
    sections = "rope__dimension_sections"
    right = keys_that_differ(tmp_path, fields, "qwen2vl", **{sections: [16, 24, 24, 0]})
    assert right == []
    wrong = keys_that_differ(tmp_path, fields, "qwen2vl", **{sections: [24, 24, 16, 0]})
    assert wrong == ["rope.dimension_sections"]


def test_the_base_of_a_gguf_beside_a_configuration_of_an_unknown_family(tmp_path):
    write(tmp_path, {**STRANGE, "rope_theta": 600000.0})
    gguf(tmp_path / "model.gguf", "nobody", **{**SHAPE, "rope__freq_base": 10000.0})
    _, found = verdicts(tmp_path)
    assert [(f.id, f.level, f.where) for f in found.findings] == [
        ("gguf-differs", "warning", "rope.freq_base")
    ]
    assert found.coverage.state == "not checked"
    gguf(tmp_path / "model.gguf", "nobody", **{**SHAPE, "rope__freq_base": 600000.0})
    assert verdicts(tmp_path)[1].findings == ()


def test_what_transformers_5_does_not_take_of_a_file_is_told(tmp_path):
    (file,) = lint_file(write(tmp_path, LLAMA))
    whole = Whole(((None, RopeSpec(128, 10000)),))
    (found,) = _otherwise(file, whole)
    assert found.id == "readers-differ"
    assert "the file says base 10000, and transformers 5 reads base 500000" in found.message
    assert list(_otherwise(file, Whole(((None, RopeSpec(128, 500000)),)))) == []
