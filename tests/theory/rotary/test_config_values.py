"""Every field of a configuration times every kind of bad value: all commands refuse it, and alike."""

from __future__ import annotations

import copy
import json
import math

import pytest
from command_line import run
from config_fields import L3, LISTS, LLAMA
from lint_corpus import RIGHT

from ropeproof.theory.errors import InvalidArgument, RopeproofError
from ropeproof.theory.rotary.layout import MOST_COORDINATES
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.readers import lint_fields
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.theory.rotary.tables.allowed_values import (
    MOST_LAYERS,
    MOST_POSITIONS,
    MOST_WIDTH,
    refused_values,
)

ORIGINAL = "original_max_position_embeddings"
MORE = {**LLAMA, "num_hidden_layers": 4, "num_key_value_heads": 2}
YARN = {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 64, "beta_fast": 32, "beta_slow": 1}
DEEP = {"mscale": 1.0, "mscale_all_dim": 1.0, "truncate": True}
LATENT = {"qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "qk_head_dim": 24, "kv_lora_rank": 8}
TYPES = ["sliding_attention", "full_attention"] * 2

CONFIGS = {
    "llama": MORE,
    "llama, head_dim": {**MORE, "head_dim": 16},
    "linear": {**MORE, "rope_scaling": {"type": "linear", "factor": 2.0}},
    "dynamic": {**MORE, "rope_scaling": {"rope_type": "dynamic", "factor": 2.0}},
    "yarn": {**MORE, "rope_scaling": {**YARN, **DEEP}},
    "yarn, attention": {**MORE, "rope_scaling": {**YARN, "attention_factor": 1.2}},
    "longrope": {**MORE, "rope_scaling": {"type": "longrope", ORIGINAL: 64, **LISTS}},
    "llama3": {**MORE, "rope_scaling": {"rope_type": "llama3", **L3}},
    "llama3, in version 5": {
        **{key: value for key, value in MORE.items() if key != "rope_theta"},
        "rope_parameters": {"rope_type": "llama3", "rope_theta": 500000.0, **L3},
    },
    "original at the top": {
        **MORE,
        ORIGINAL: 64,
        "rope_scaling": {k: v for k, v in YARN.items() if k != ORIGINAL},
    },
    "gpt_neox": {
        **{key: value for key, value in MORE.items() if key != "rope_theta"},
        "model_type": "gpt_neox",
        "rotary_emb_base": 10000,
        "rotary_pct": 0.25,
    },
    "gptj": {
        "model_type": "gptj",
        "n_embd": 64,
        "n_head": 4,
        "n_positions": 64,
        "n_layer": 2,
        "rotary_dim": 8,
    },
    "phi": {**MORE, "model_type": "phi", "partial_rotary_factor": 0.5},
    "minimax_m2": {**MORE, "model_type": "minimax_m2", "head_dim": 16, "rotary_dim": 8},
    "falcon": {**MORE, "model_type": "falcon", "alibi": False},
    "granite": {**MORE, "model_type": "granite", "attention_multiplier": 0.25},
    "gemma2": {
        **MORE,
        "model_type": "gemma2",
        "head_dim": 16,
        "query_pre_attn_scalar": 16,
        "attn_logit_softcapping": 50.0,
    },
    "deepseek_v3": {**MORE, "model_type": "deepseek_v3", **LATENT, "rope_interleave": True},
    "cohere2": {
        **MORE,
        "model_type": "cohere2",
        "layer_types": TYPES,
        "sliding_window": 16,
        "sliding_window_pattern": 2,
    },
    "smollm3": {**MORE, "model_type": "smollm3", "no_rope_layer_interval": 2},
    "qwen2_vl": {
        **MORE,
        "model_type": "qwen2_vl",
        "rope_scaling": {"type": "mrope", "mrope_section": [2, 3, 3]},
    },
    "gemma3_text": {
        **{key: value for key, value in MORE.items() if key != "rope_theta"},
        "model_type": "gemma3_text",
        "head_dim": 16,
        "query_pre_attn_scalar": 16,
        "layer_types": TYPES,
        "rope_parameters": {
            "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
            "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
        },
    },
}
"""Right configurations that have between them every field that is read."""

BY_LAYER = {"cohere2", "smollm3", "gemma3_text"}
"""Of these the layer is named that is asked about."""

LIMITS = {
    "hidden_size": MOST_WIDTH,
    "n_embd": MOST_WIDTH,
    "num_attention_heads": MOST_WIDTH,
    "n_head": MOST_WIDTH,
    "num_key_value_heads": MOST_WIDTH,
    "num_hidden_layers": MOST_LAYERS,
    "n_layer": MOST_LAYERS,
    "no_rope_layer_interval": MOST_LAYERS,
    "sliding_window_pattern": MOST_LAYERS,
    "max_position_embeddings": MOST_POSITIONS,
    "n_positions": MOST_POSITIONS,
    "sliding_window": MOST_POSITIONS,
    ORIGINAL: MOST_POSITIONS,
    "head_dim": MOST_COORDINATES,
    "rotary_dim": MOST_COORDINATES,
    "qk_nope_head_dim": MOST_COORDINATES,
    "qk_rope_head_dim": MOST_COORDINATES,
    "qk_head_dim": MOST_COORDINATES,
}
"""Fields that are integers above 0, and the largest that is read."""

NUMBERS = {
    "rope_theta",
    "rotary_emb_base",
    "rotary_pct",
    "partial_rotary_factor",
    "factor",
    "beta_fast",
    "beta_slow",
    "attention_factor",
    "mscale",
    "mscale_all_dim",
    "low_freq_factor",
    "high_freq_factor",
    "attention_multiplier",
    "query_pre_attn_scalar",
    "attn_logit_softcapping",
}
BOOLS = {"truncate", "alibi", "rope_interleave"}
NAMES = {"type", "rope_type", "model_type"}
LISTED = {"short_factor", "long_factor", "mrope_section", "layer_types"}
MAPPINGS = {"rope_scaling", "rope_parameters"}
UNREAD = {"kv_lora_rank"}
"""Its presence alone says that attention is latent."""

NO_NUMBER = ["viele", "1", "", [], [1], {}, {"a": 1}, True, False, math.nan, math.inf, -math.inf]
NO_SIZE = [*NO_NUMBER, 0, -1, 1.5, 1e30, 1e40, 10**30, 10**40]


def bad_values(field):
    """What the field can never be."""
    if field in LIMITS:
        return [*NO_SIZE, LIMITS[field] + 1]
    if field in NUMBERS:
        return [*NO_NUMBER, -1, 1e-40, 1e40]
    if field in BOOLS:
        return ["viele", "true", "", [1], {"a": 1}, 2, -1, 0.5, math.nan]
    if field in NAMES:
        return [["viele"], {"a": 1}, True, 3, 0.5, math.nan]
    if field in LISTED:
        return ["viele", {"a": 1}, True, 3, [math.nan], [-1], [["viele"]], ["viele", 3]]
    if field in MAPPINGS:
        return ["viele", [1], True, 3, 0.5, math.nan]
    assert field in UNREAD, field
    return []


def places(fields, path=()):
    """The key path of every field, those of rotary parameters included."""
    for key, value in fields.items():
        kinds = isinstance(value, dict) and path and key.endswith("_attention")
        if not kinds:
            yield (*path, key)
        if isinstance(value, dict):
            yield from places(value, (*path, key))


def put(fields, path, value):
    found = copy.deepcopy(fields)
    place = found
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return found


CASES = [(name, path) for name, fields in CONFIGS.items() for path in places(fields)]
IDS = [f"{name}: {'.'.join(path)}" for name, path in CASES]


def read(name, fields):
    return RopeSpec.from_config(fields, layer=0 if name in BY_LAYER else None)


def refusal(name, fields):
    """Why the configuration cannot be read, None if it can."""
    try:
        read(name, fields)
    except InvalidArgument as error:
        return error
    return None


def errors(fields):
    return [found for found in lint_fields(fields) if found.level == "error"]


@pytest.mark.parametrize("name", CONFIGS)
def test_the_configurations_are_right(name):
    assert read(name, CONFIGS[name]).planes
    assert errors(CONFIGS[name]) == []


@pytest.mark.parametrize(("name", "path"), CASES, ids=IDS)
def test_a_bad_value_is_refused_by_name_and_found(name, path):
    passed = []
    for value in bad_values(path[-1]):
        fields = put(CONFIGS[name], path, value)
        error = refusal(name, fields)
        if error is None:
            passed.append((value, "read"))
        else:
            told = str(error)
            assert error.argument.startswith("config.") or error.argument == path[-1], (value, told)
            assert "allowed: " in told
        if not errors(fields):
            passed.append((value, "lint"))
    assert passed == []


@pytest.mark.parametrize(("name", "path"), CASES, ids=IDS)
def test_what_lint_finds_is_refused(name, path):
    """Also of values that only some fields may have, and of null."""
    for value in [None, 0, 1, 2, 3, 1.0, 2.5, 1e30, 1e31, 10**12, MOST_POSITIONS, *NO_NUMBER]:
        fields = put(CONFIGS[name], path, value)
        if errors(fields):
            with pytest.raises(RopeproofError):
                read(name, fields)


ONCE = {path[-1]: (name, path) for name, path in CASES if path[-1] in LIMITS}
WRONG = ["viele", 0, True, 1e30, [], math.nan]
SOME = [(*place, WRONG[number % len(WRONG)]) for number, place in enumerate(ONCE.values())]
"""Each field that is an integer, once, with one of the bad values in turn."""


@pytest.mark.parametrize(("name", "path", "value"), SOME, ids=lambda found: str(found)[:40])
def test_every_command_refuses_it(name, path, value, tmp_path):
    right, wrong = tmp_path / "right.json", tmp_path / "wrong.json"
    right.write_text(json.dumps(CONFIGS[name]))
    wrong.write_text(json.dumps(put(CONFIGS[name], path, value)))
    mine = tmp_path / "mine.py"
    mine.write_text("def rope(x, positions):\n    return x\n")
    layer = ["--layer", "0"] if name in BY_LAYER else []
    commands = [
        ["assess", str(wrong), "--length", "16", *layer],
        ["budget", "--config", str(wrong), "--length", "16"],
        ["check", "rope.relative", "--config", str(wrong)],
        ["conform", f"{mine}:rope", "--config", str(wrong), *layer],
        ["golden", str(wrong), "--output", str(tmp_path / "golden.json"), *layer],
        ["diff", str(right), str(wrong)],
    ]
    for command in commands:
        code, told = run(*command)
        assert code == 2, (command[0], told)
        assert "Traceback" not in told
    code, told = run("lint", str(wrong))
    assert code == 1, told
    assert path[-1] in told.replace("\n", "")


@pytest.mark.parametrize("fields", [fields for _, fields in RIGHT])
def test_released_configurations_have_no_such_value(fields):
    assert list(refused_values(fields)) == []


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda one: one.name)
def test_presets_have_no_such_value(preset):
    assert list(refused_values(preset.to_config())) == []


OTHERWISE = {"rope_interleave", "sliding_window"}
"""A null is another statement than nothing: half layout, and no layer with a window."""


@pytest.mark.parametrize(("name", "path"), [case for case in CASES if case[1][-1] not in OTHERWISE])
def test_null_is_as_absent(name, path):
    """The library reads a null as its default; here it is read as a field that is not there."""
    fields = put(CONFIGS[name], path, None)
    gone = copy.deepcopy(CONFIGS[name])
    place = gone
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    found = []
    for one in (fields, gone):
        try:
            found.append(read(name, one))
        except RopeproofError as error:
            found.append(type(error))
    assert found[0] == found[1]


def test_false_in_the_place_of_a_scaling_is_none():
    assert RopeSpec.from_config({**LLAMA, "rope_scaling": False}).scaling is None
    assert errors({**LLAMA, "rope_scaling": False}) == []
    for value in (0, "", []):
        with pytest.raises(InvalidArgument, match="rope_scaling"):
            RopeSpec.from_config({**LLAMA, "rope_scaling": value})
        assert errors({**LLAMA, "rope_scaling": value})
