"""Findings of configurations: right files have no error, each fault has its own."""

import copy
import json
import math
import random
import re
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from lint_corpus import FACTS, FAULTY, RIGHT
from lint_mutations import faults
from needs import need, need_version
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.theory.errors import InvalidArgument, RopeproofError
from ropeproof.theory.rotary.readers import RULES, lint_fields, lint_file
from ropeproof.theory.rotary.readers.engines import READERS, loaded
from ropeproof.theory.rotary.readers.flags import lint_flags
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.lint.price import disagreements, price_of
from ropeproof.tools.lint.source import leads

PAGE = Path(__file__).parents[3] / "docs" / "lint.md"


def test_corpus_is_large():
    assert len(FACTS) >= 100
    assert len(RIGHT) + len(FAULTY) >= 250
    assert sum(1 for _, fields in RIGHT for _ in faults(fields)) >= 2000


@pytest.mark.parametrize(("name", "fields"), RIGHT, ids=[name for name, _ in RIGHT])
def test_right_files_have_no_error(name, fields):
    assert [f for f in lint_fields(fields) if f.level == "error"] == []


@pytest.mark.parametrize(("id", "text"), FAULTY)
def test_fault_is_found(id, text, tmp_path):
    file = tmp_path / "config.json"
    file.write_text(text)
    (found,) = lint_file(file)
    assert id in {f.id for f in found.findings}
    assert all(f.line >= 1 and f.column >= 1 for f in found.findings)


@pytest.mark.parametrize(("name", "fields"), RIGHT, ids=[name for name, _ in RIGHT])
def test_every_fault_in_a_right_file_is_found(name, fields):
    missed = [
        (id, told, sorted({f.id for f in lint_fields(bad)}))
        for id, told, bad in faults(fields)
        if id not in {f.id for f in lint_fields(bad)}
    ]
    assert missed == []


def test_what_transformers_writes_of_its_classes_has_no_error():
    transformers = need("transformers")
    seen = 0
    for name in transformers.CONFIG_MAPPING:
        try:
            fields = json.loads(transformers.CONFIG_MAPPING[name]().to_json_string(use_diff=False))
        except Exception:  # a class that has no defaults, or needs another package
            continue
        seen += 1
        assert [(name, f) for f in lint_fields(fields) if f.level == "error"] == []
    assert seen > 300


def test_every_id_is_provoked_and_documented():
    elsewhere = {
        "gguf-differs",
        "buffer-differs",
        "flag-without-effect",
        "flag-not-modelled",
        "layer-flags",
        "layers-inverted",
        "lists-exchanged",
        "rotated-part",
        "sections-order",
        "spec-refused",
        "built-differs",
        "not-checked",
    }
    provoked = {id for id, _ in FAULTY} | elsewhere
    assert provoked == set(RULES)
    assert set(re.findall(r"^### `([\w-]+)`", PAGE.read_text(), re.M)) == {*RULES, "source-default"}


HUGE = 10**6000
"""More digits than Python prints."""


@pytest.mark.parametrize(
    "top",
    [[], [{"rope_theta": 1e4}], "llama", 3, HUGE, None, True],
    ids=["list", "list of objects", "string", "number", "huge number", "null", "true"],
)
def test_what_is_no_object_has_a_finding(top):
    (found,) = lint_fields(top)
    assert (found.id, found.level, found.where) == ("file-invalid", "error", "")
    assert type(top).__name__ in found.message
    with pytest.raises(InvalidArgument):
        RopeSpec.from_config(top)


LOOP: dict[str, object] = {"model_type": "llama"}
LOOP["text_config"] = LOOP


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({HUGE: 1}, ""),
        ({"rope_scaling": {("a", HUGE): 1}}, "rope_scaling"),
        ({"rope_theta": HUGE}, "rope_theta"),
        ({"rope_scaling": {"rope_type": HUGE}}, "rope_scaling.rope_type"),
        ({"rope_scaling": [[HUGE]]}, "rope_scaling[0][0]"),
        ({"num_attention_heads": -HUGE}, "num_attention_heads"),
        (LOOP, ".".join([*["text_config"] * 64, "model_type"])),
    ],
)
def test_what_no_file_can_hold_has_the_finding_of_a_file(fields, where):
    fields = fields if fields is LOOP else {**OLD, **fields}
    (found,) = lint_fields(fields)
    assert (found.id, found.level, found.where) == ("file-invalid", "error", where)
    with pytest.raises(InvalidArgument) as refused:
        RopeSpec.from_config(fields)
    assert refused.value.argument == f"config.{where}".rstrip(".")


@pytest.mark.parametrize(
    ("fields", "ids"),
    [
        ({"rope_scaling": {3: 1, "rope_type": "linear", "factor": 2.0}}, {"key-unknown"}),
        ({"rope_scaling": {None: 1}, float("nan"): 1}, {"key-unknown"}),
        ({"partial_rotary_factor": 1e308, "rope_scaling": {"factor": 2}}, {"partial-range"}),
        ({"partial_rotary_factor": 0.5, "head_dim": 10**390}, set()),
        ({"rope_parameters": [[{"rope_theta": 1e4}]]}, {"value-type"}),
    ],
)
def test_odd_keys_and_numbers_are_judged(fields, ids):
    assert ids <= {f.id for f in lint_fields({**OLD, **fields})}


def test_place_of_a_finding(tmp_path):
    file = tmp_path / "config.json"
    file.write_text('{\n "model_type": "llama",\n "rope_theta": "5"\n}')
    (found,) = lint_file(file)
    assert [(f.id, f.where, f.line, f.column) for f in found.findings] == [
        ("value-string", "rope_theta", 3, 16)
    ]


def _gguf(path, base, *, cut=None):
    def string(text):
        return struct.pack("<Q", len(text)) + text.encode()

    data = b"GGUF" + struct.pack("<IQQ", 3, 0, 2)
    data += string("general.architecture") + struct.pack("<I", 8) + string("llama")
    data += string("llama.rope.freq_base") + struct.pack("<If", 6, base)
    path.write_bytes(data[:cut])


def test_gguf_that_disagrees_with_its_config(tmp_path):
    config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 5e5}
    (tmp_path / "config.json").write_text(json.dumps(config))
    _gguf(tmp_path / "model.gguf", 10000.0)
    ids = [f.id for file in lint_file(tmp_path) for f in file.findings]
    assert ids == ["gguf-differs"]
    _gguf(tmp_path / "model.gguf", 5e5)
    assert [f for file in lint_file(tmp_path) for f in file.findings] == []


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({}, "base 10000"),
        ({"rope.freq_base": 5e5}, "base 500000"),
        ({"rope.freq_base": 5e5, "rope.scaling.factor": 4.0}, "base 500000, linear (factor 4)"),
        ({"rope.scaling.type": "none", "rope.scaling.factor": 4.0}, "base 10000"),
        (
            {"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "context_length": 8192},
            "base 10000, yarn (beta_fast 32, beta_slow 1, factor 4, original_max_position_embeddings 8192)",
        ),
        ({"rope.scaling.type": "longrope"}, None),
        ({"rope_freqs.weight": True}, None),
        ({"rope.scaling.attn_factor": 1.2}, None),
    ],
)
def test_what_the_loader_of_llama_takes_from_a_gguf(values, told):
    found = loaded("llama", values)
    assert (None if found is None else str(found)) == told
    assert loaded("never-seen", values) is None


@pytest.mark.parametrize("cut", range(4, 80, 9))
def test_truncated_gguf(tmp_path, cut):
    _gguf(tmp_path / "model.gguf", 10000.0, cut=cut)
    (found,) = lint_file(tmp_path / "model.gguf")
    assert [f.id for f in found.findings] == ["file-invalid"]


def test_links_out_of_the_folder_are_not_followed(tmp_path):
    outside, folder = tmp_path / "secret.json", tmp_path / "model"
    outside.write_text("{}")
    folder.mkdir()
    (folder / "config.json").symlink_to(outside)
    with pytest.raises(InvalidArgument):
        lint_file(folder)


def test_nothing_heavy_is_imported_for_a_verdict(tmp_path):
    paths = []
    for name in ("Llama-3.1-8B", "Phi-3-mini-128k", "Qwen2.5-7B", "Qwen2-VL-7B", "DeepSeek-V3"):
        fields = dict(RIGHT)[name]
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(json.dumps(fields))
        paths.append(str(tmp_path / name))
    code = (
        "import sys, ropeproof.theory.rotary.readers, ropeproof.tools.lint.command;"
        "from ropeproof.tools.lint import show, verdict;"
        "found = [file for path in sys.argv[1:] for file in verdict.verdicts(path)];"
        "assert show.text(found, readers=True) and all(f.coverage.readers for f in found), found;"
        "heavy = {'sympy', 'torch', 'z3', 'scipy', 'numpy', 'flint'};"
        "sys.exit(','.join(heavy & set(sys.modules)) or 0)"
    )
    run = [sys.executable, "-c", code, *paths]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


NEW = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_attention_heads": 32,
    "max_position_embeddings": 8192,
    "rope_parameters": {"rope_type": "default", "rope_theta": 500000.0},
}


def test_fix_makes_readers_agree(tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps(NEW))
    (before,) = lint_file(file)
    assert str(before.readers["mlx-lm"]) == "base 10000"
    result = CliRunner().invoke(app, ["lint", str(file), "--fix"])
    assert result.exit_code == 0
    (after,) = lint_file(file)
    assert {str(r) for r in after.readers.values()} == {"base 500000"}
    assert after.findings == ()
    assert json.loads((tmp_path / "config.json.orig").read_text()) == NEW
    assert RopeSpec.from_config(file) == RopeSpec.from_config(NEW)


def test_json_sarif_and_exit_codes(tmp_path):
    file, sarif = tmp_path / "config.json", tmp_path / "found.sarif"
    file.write_text(json.dumps(NEW))
    run = CliRunner().invoke
    assert run(app, ["lint", str(file), "--fail-on", "warning"]).exit_code == 1
    result = run(app, ["lint", str(file), "--json", "-"])
    (found,) = json.loads(result.stdout)["files"]
    assert all(isinstance(value, str) for f in found["findings"] for value in f.values())
    assert set(found["findings"][0]) == {"id", "level", "where", "message", "fix"}
    file.write_text("{")
    assert run(app, ["lint", str(file), "--sarif", str(sarif)]).exit_code == 1
    log = json.loads(sarif.read_text())
    assert log["runs"][0]["results"][0]["ruleId"] == "file-invalid"
    assert isinstance(run(app, ["lint", str(tmp_path / "no")]).exception, RopeproofError)


def test_price_of_another_base():
    found = price_of(RopeSpec(128, 500000, length=8192), RopeSpec(128, 10000, length=8192))
    exact = max(abs(500000 ** (-k / 64) - 10000 ** (-k / 64)) for k in range(64)) * 8191
    assert not found.same
    assert found.angle == pytest.approx(exact, rel=1e-9)
    assert price_of(RopeSpec(128, 10000, length=64), RopeSpec(128, 10000, length=64)).same


def test_source_rule(tmp_path):
    file = tmp_path / "model.py"
    file.write_text(
        'a = getattr(config, "rope_theta", 10000)\n'
        'b = config.get("rope_scaling", None)\n'
        'c = getattr(config, "rope_theta", 10000)  # ropeproof: ignore[source-default]\n'
        'd = getattr(config, "hidden_size", 10000)\n'
    )
    assert [(lead.line, lead.column) for lead in leads(tmp_path)] == [(1, 5), (2, 5)]


def test_refusal_of_from_config_names_all_findings():
    fields = {**NEW, "rope_parameters": {"rope_type": "yarn", "beta_fsat": 1, "factor": "4"}}
    with pytest.raises(RopeproofError) as caught:
        RopeSpec.from_config(fields)
    notes = " ".join(caught.value.__notes__)
    assert "did you mean 'beta_fast'" in notes
    assert "value-string" in notes
    assert "original-missing" in notes


TOLERATED = {"attention-conflict", "head-dim", "layer-without-parameters"}
"""Errors of fields that the family does not read, or of layers other than the one asked for."""


@pytest.mark.parametrize(("id", "text"), FAULTY)
def test_from_config_refuses_what_is_wrong_and_names_every_error(id, text, tmp_path):
    file = tmp_path / "config.json"
    file.write_text(text)
    (linted,) = lint_file(file)
    errors = {f.id for f in linted.findings if f.level == "error"}
    if not errors:
        return
    notes = _refusal(file)
    if notes is None:
        assert errors <= TOLERATED
        return
    assert {note.split(":")[0] for note in notes} >= errors
    assert id != "key-unknown" or any("did you mean" in note for note in notes)


def _refusal(file):
    """The notes of what `RopeSpec.from_config` raises, None if it reads the file."""
    try:
        RopeSpec.from_config(file)
    except RopeproofError as error:
        return error.__notes__
    return None


def test_the_default_bases_of_transformers_are_those_of_its_classes():
    transformers = need("transformers")
    reader = next(r for r in READERS if r.name == "transformers 5")
    need_version("transformers", reader.version)
    wrong = {}
    for family in sorted(reader.families):
        fields = {"model_type": family}
        found = {str(k): dict(rotation)["base"] for k, rotation in reader.read(fields).by_type()}
        built = transformers.CONFIG_MAPPING[family].from_dict(fields).rope_parameters
        built = {"None": built} if "rope_theta" in built else built
        if found != {kind: rope["rope_theta"] for kind, rope in built.items()}:
            wrong[family] = (found, built)
    assert not wrong


WRONG_KINDS = (None, True, "x", "8", -1, 0, [], [None], {}, {"a": 1}, 10**30, 1.5, float("nan"))


def _places(value, before=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*before, key)
            yield from _places(inner, (*before, key))


@pytest.mark.parametrize("seed", range(4))
def test_a_value_of_any_kind_anywhere_is_a_finding_or_none_and_no_crash(seed, tmp_path):
    draw = random.Random(seed)
    for _ in range(250):
        fields = copy.deepcopy(draw.choice(RIGHT)[1])
        for _ in range(draw.randint(1, 3)):
            *outer, last = draw.choice(list(_places(fields)) or [("model_type",)])
            inside = fields
            for key in outer:
                inside = inside[key]
            inside[last] = copy.deepcopy(draw.choice(WRONG_KINDS))
        file = tmp_path / "config.json"
        file.write_text(json.dumps(fields))
        for linted in lint_file(file):
            assert json.dumps(linted.as_json())
            assert all(map(str, linted.readers.values()))


def test_price_names_the_reader_the_angle_the_logit_the_head_and_the_position(tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps(NEW))
    result = CliRunner().invoke(app, ["lint", str(file), "--price", "--json", "-"])
    (found,) = json.loads(result.stdout)["files"]
    row = next(row for row in found["prices"] if row["reader"] == "mlx-lm")
    told = row["sentence"]
    assert told.startswith(
        "mlx-lm reads base 10000: within 8,192 positions plane 6 is off by 1060.48"
    )
    assert "a head of score 0.9 of equal amplitudes on planes 0-63 keeps 0.9" in told
    assert "neighbours are confused from position 4" in told


def _naive(old, new, offset, length, amplitude):
    """The mean weight of the lag `offset` in float64, row by row, and the first confused lag."""
    lags = np.arange(length)
    logits = amplitude * np.cos(np.outer(lags, new) - offset * old).sum(axis=1)
    terms = np.exp(logits - logits[offset])
    rows = 1 / np.cumsum(terms)
    return rows[offset:].mean()


def test_price_agrees_with_a_plain_computation():
    old, new = RopeSpec(16, 10000, length=256), RopeSpec(16, 3000, length=256)
    found = price_of(old, new)
    before, after = (np.array([float(f) for f in spec.frequencies()]) for spec in (old, new))
    for head in found.heads:
        size = head.amplitude / 8
        assert head.trained.lower >= 0.9
        for turned, enclosure in ((before, head.trained), (after, head.kept)):
            plain = _naive(before, turned, head.offset, 256, size)
            assert enclosure.lower - 1e-9 <= plain <= enclosure.upper + 1e-9
    gap = np.abs(before - after).max() * np.arange(256)
    assert found.logit.lower == pytest.approx(np.abs(2 * np.sin(gap / 2)).max(), abs=1e-9)
    lags = np.arange(256)
    own = np.cos(np.outer(lags, after - before)).sum(axis=1)
    beaten = [
        t
        for t in lags
        if any(np.cos(t * (after - before) + side * after).sum() > own[t] for side in (-1, 1))
    ]
    assert found.confused == beaten[0]


def test_price_of_a_scale_alone():
    spec = RopeSpec.from_config(SCALED)
    other = {**SCALED["rope_parameters"], "attention_factor": 1.0}
    found = price_of(spec, RopeSpec.from_config({**SCALED, "rope_parameters": other}))
    assert not found.same
    assert found.plane is None
    assert "logits are multiplied by" in str(found)


SCALED = {
    "model_type": "qwen2",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "max_position_embeddings": 512,
    "rope_parameters": {
        "rope_type": "yarn",
        "rope_theta": 10000.0,
        "factor": 4.0,
        "original_max_position_embeddings": 128,
    },
}


def _safetensors(path, name, values, *, cut=None):
    data = struct.pack(f"<{len(values)}f", *values)
    head = {name: {"dtype": "F32", "shape": [len(values)], "data_offsets": [0, len(data)]}}
    text = json.dumps(head).encode()
    path.write_bytes((struct.pack("<Q", len(text)) + text + data)[:cut])


def test_buffers_of_a_folder(tmp_path):
    fields = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 5e5}
    (tmp_path / "config.json").write_text(json.dumps(fields))
    file = tmp_path / "model.safetensors"
    name = "model.layers.0.self_attn.rotary_emb.inv_freq"
    _safetensors(file, name, [1e4 ** (-k / 16) for k in range(16)])
    assert [f.id for found in lint_file(tmp_path) for f in found.findings] == ["buffer-differs"]
    _safetensors(file, name, [5e5 ** (-k / 16) for k in range(16)])
    assert [f for found in lint_file(tmp_path) for f in found.findings] == []
    _safetensors(file, name, [1.0] * 16, cut=-5)
    assert [f.id for found in lint_file(tmp_path) for f in found.findings] == ["file-invalid"]


def test_generation_config_of_a_folder(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(NEW))
    file = tmp_path / "generation_config.json"
    file.write_text('{"do_sample": true}')
    assert [found.path for found in lint_file(tmp_path)] == [str(tmp_path / "config.json")]
    file.write_text('{"rope_theta": 1e6, "rope_theta": 2e6}')
    ids = {f.id for f in lint_file(tmp_path)[1].findings}
    assert ids == {"key-unread", "duplicate-key"}


def test_a_fraction_of_all_heads_where_they_rotate_as_one():
    fields = {"model_type": "efficientloftr", "hidden_size": 256, "num_attention_heads": 8}
    rope = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 4.0}
    fields |= {"rope_parameters": rope}
    assert [f for f in lint_fields(fields) if f.level == "error"] == []
    rope["partial_rotary_factor"] = 9.0
    assert [f.id for f in lint_fields(fields) if f.level == "error"] == ["partial-range"]


OLD = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 5e5}
OLD |= {"max_position_embeddings": 8192}
YARN = '{"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8192}'


@pytest.mark.parametrize(
    ("flags", "engine", "named", "reading"),
    [
        ("--hf-overrides '{\"rope_theta\": 1e6}'", "vLLM", ["rope_theta"], "base 500000"),
        (
            f"--hf-overrides '{{\"rope_parameters\": {YARN}}}'",
            "vLLM",
            ["rope_parameters"],
            "refuses",
        ),
        (
            f"--json-model-override-args '{{\"rope_scaling\": {YARN}}}'",
            "SGLang",
            [],
            "base 500000, yarn",
        ),
        (
            "--json-model-override-args '{\"rope_theta\": 1e6}'",
            "SGLang",
            ["rope_theta"],
            "base 500000",
        ),
        ("--hf-overrides '{\"rope_scalling\": {}}'", "vLLM", ["rope_scalling"], "base 500000"),
        (f"--rope-scaling '{YARN}'", "vLLM", ["--rope-scaling"], None),
        ("--rope-scaling yarn --rope-scale 4", "llama.cpp", [], "base 500000, yarn"),
        ("--rope-scaling none --rope-scale 4", "llama.cpp", ["--rope-scale"], "base 500000"),
        ("--rope-freq-base 500000", "llama.cpp", ["--rope-freq-base"], "base 500000"),
        ("--rope-freq-base 1e6", "llama.cpp", [], "base 1e+06"),
        ("--rope-scaling linear", "llama.cpp", ["--rope-scaling"], "base 500000"),
        (
            "--yarn-beta-fast 8 --rope-scale 2",
            "llama.cpp",
            ["--yarn-beta-fast"],
            "base 500000, linear",
        ),
    ],
)
def test_flags_that_do_nothing_are_named(flags, engine, named, reading):
    found = lint_flags(flags, OLD)
    assert found.engine == engine
    assert [f.where.split(".")[-1].split()[0] for f in found.findings] == named
    assert reading is None or str(found.reading).startswith(reading)


@pytest.mark.parametrize("flags", ["--rope-scale x", "--hf-overrides 5", "--port 80", "'"])
def test_flags_that_cannot_be_read_are_refused(flags):
    with pytest.raises(InvalidArgument):
        lint_flags(flags, OLD)


def test_overrides_of_a_built_configuration_do_what_the_model_of_vllm_says():
    transformers = need("transformers")
    for given in ({"rope_theta": 1e6}, {"rope_parameters": json.loads(YARN)}):
        built = transformers.LlamaConfig(**{k: v for k, v in OLD.items() if k != "model_type"})
        built.update(copy.deepcopy(given))
        if (base := getattr(built, "rope_theta", None)) is not None:
            built.rope_theta = base
        built.standardize_rope_params()
        found = lint_flags(f"--hf-overrides '{json.dumps(given)}'", OLD)
        assert built.rope_parameters["rope_theta"] == dict(found.reading.rotation).get("base")


def test_flags_on_the_command_line(tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps(OLD))
    result = CliRunner().invoke(
        app, ["lint", str(file), "--flags", "--rope-scaling linear", "--readers"]
    )
    assert "flag-without-effect" in result.stdout
    assert "llama.cpp with flags" in result.stdout


YARNS = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}


def yarn_readings(given, family="qwen2"):
    """What each reader takes of YaRN: the attention factor and whether the range is rounded."""
    fields = {"model_type": family, "rope_theta": 5e5, "max_position_embeddings": 16384}
    fields |= {"hidden_size": 4096, "num_attention_heads": 32, "rope_scaling": {**YARNS, **given}}
    found = {r.name: r.read(fields) for r in READERS if r.reads(fields)}
    return {
        name: "refused"
        if reading.refused
        else tuple(dict(reading.rotation).get(key) for key in ("attention_factor", "truncate"))
        for name, reading in found.items()
    }


BETAS = {"beta_fast": 32, "beta_slow": 1}
PLAIN_FACTOR = 0.1 * math.log(4) + 1


@pytest.mark.parametrize(
    ("given", "others"),
    [
        ({}, {"onnxruntime-genai": "refused"}),
        (BETAS, {"onnxruntime-genai": (PLAIN_FACTOR, False)}),
        ({"truncate": True}, {"onnxruntime-genai": "refused"}),
        (
            {**BETAS, "truncate": False},
            {"onnxruntime-genai": (PLAIN_FACTOR, False), "mlx-lm": (PLAIN_FACTOR, True)},
        ),
        (
            {**BETAS, "attention_factor": 1.25},
            {"onnxruntime-genai": (PLAIN_FACTOR, False), "mlx-lm": (PLAIN_FACTOR, True)},
        ),
        (
            {**BETAS, "mscale": 0.5},
            {
                "onnxruntime-genai": (0.5, False),
                "mlx-lm": (0.05 * math.log(4) + 1, True),
            },
        ),
        (
            {"mscale": 0.5, "mscale_all_dim": 1.0},
            {"onnxruntime-genai": "refused"},
        ),
    ],
)
def test_the_ramp_and_the_factor_of_yarn_are_part_of_a_reading(given, others):
    found = yarn_readings(given)
    rule = (
        pytest.approx(given.get("attention_factor", PLAIN_FACTOR))
        if "mscale_all_dim" not in given
        else pytest.approx((0.05 * math.log(4) + 1) / PLAIN_FACTOR)
    )
    for name, reading in found.items():
        if name in others and others[name] == "refused":
            assert reading == "refused"
        elif name in others:
            assert reading == (pytest.approx(others[name][0]), others[name][1])
        else:
            assert reading == (rule, given.get("truncate", True)), name
    assert {"transformers 5", "transformers 4", "vLLM", "mlx-lm"} <= found.keys() | {
        "transformers 4"
    }
    unknown = set(given) & {"attention_factor", "mscale", "mscale_all_dim"} or (
        given.get("truncate") is False
    )
    assert ("llama.cpp converter" in found) is not bool(unknown)


def test_engines_that_leave_out_yarns_factor_are_told():
    found = yarn_readings({**BETAS, "attention_factor": 1.25}, "llama")
    assert found["SGLang"] == (pytest.approx(PLAIN_FACTOR), True)
    assert found["transformers 5"] == found["vLLM"] == (1.25, True)


def test_onnxruntime_genai_leaves_out_a_scaling_of_llama_that_it_does_not_know():
    fields = {**OLD, "rope_scaling": {"rope_type": "linear", "factor": 4.0}}
    reader = next(r for r in READERS if r.name == "onnxruntime-genai")
    assert str(reader.read(fields)) == "base 500000"
    assert str(reader.read({**fields, "model_type": "qwen2"})) == "base 500000, linear (factor 4)"


GEMMA = {
    "model_type": "gemma3_text",
    "hidden_size": 2560,
    "num_attention_heads": 8,
    "head_dim": 256,
    "num_hidden_layers": 6,
    "max_position_embeddings": 131072,
    "layer_types": ["sliding_attention"] * 5 + ["full_attention"],
    "rope_parameters": {
        "sliding_attention": {"rope_type": "default", "rope_theta": 20000.0},
        "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
    },
}


def test_layer_types_are_read_compared_priced_and_repaired(tmp_path):
    file = tmp_path / "config.json"
    file.write_text(json.dumps({"model_type": "gemma3", "text_config": GEMMA}))
    (before,) = lint_file(file)
    told = "base 1e+06, linear (factor 8) in full_attention; base 20000 in sliding_attention"
    assert str(before.readers["transformers 5"]) == told
    assert before.readers["vLLM"].same(before.readers["transformers 5"])
    assert str(before.readers["mlx-lm"]) == (
        "base 1e+06 in full_attention; base 10000 in sliding_attention"
    )
    assert {f.id for f in before.findings} == {"dialect-new", "readers-differ"}
    rows = disagreements(before)
    kinds = [row["sentence"].split("in layers of ")[1].split(",")[0] for row in rows]
    assert sorted(set(kinds)) == ["full_attention", "sliding_attention"]
    assert all(row["price"] is not None for row in rows)
    assert CliRunner().invoke(app, ["lint", str(file), "--fix"]).exit_code == 0
    (after,) = lint_file(file)
    assert {str(r) for r in after.readers.values()} == {told}
    assert after.findings == ()
    assert "rope_theta" not in json.loads(file.read_text())


def test_an_older_base_beside_layer_types_is_taken_away_from_the_second_in_olmo3():
    fields = {"model_type": "olmo3", "rope_theta": 654321.0, "layer_types": GEMMA["layer_types"]}
    readings = {r.name: str(r.read(fields)) for r in READERS if r.reads(fields)}
    assert readings["transformers 5"] == (
        "base 654321 in full_attention; base 500000 in sliding_attention"
    )
    assert readings["mlx-lm"] == "base 654321 in full_attention; base 654321 in sliding_attention"


@pytest.mark.parametrize(
    "more", [{}, {"attention_factor": 1.5}, {"factor": 4.0}, {"factor": 0.5}, {"factor": 1.0}]
)
def test_the_attention_factor_of_longrope_is_that_of_transformers(more):
    transformers = need("transformers")
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    lists = {"short_factor": [1.0] * 8, "long_factor": [2.0] * 8}
    fields = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}
    fields |= {"max_position_embeddings": 2048, "rope_theta": 10000.0}
    rope = {"rope_type": "longrope", "original_max_position_embeddings": 256, **lists, **more}
    fields["rope_scaling"] = rope
    reader = next(r for r in READERS if r.name == "transformers 5")
    need_version("transformers", reader.version)
    config = transformers.LlamaConfig(**{k: copy.deepcopy(v) for k, v in fields.items()})
    _, factor = ROPE_INIT_FUNCTIONS["longrope"](config)
    assert dict(reader.read(fields).rotation)["attention_factor"] == pytest.approx(factor)
