"""Models of today: their files as they were read, and the class that transformers has for each."""

from __future__ import annotations

import pytest
from transformers import CONFIG_MAPPING

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.layers import layer_kinds
from ropeproof.theory.rotary.presets import PRESETS, preset_named
from ropeproof.theory.rotary.released import RELEASED
from ropeproof.theory.rotary.spec import Linear, LongRope, Proportional, Yarn

# head_dim, rotary_dim, layout, base, scaling, context, layers of this kind of all
TABLE = {
    "qwen3-8b": (128, 128, "half", 10**6, None, 40960),
    "qwen3.5-27b": (256, 64, "half", 10**7, None, 262144),
    "gemma-3-12b": (256, 256, "half", 10**6, Linear(8), 131072),
    "gemma-4-31b": (512, 512, "half", 10**6, Proportional(64), 262144),
    "deepseek-v3": (192, 64, "interleaved", 10**4, Yarn, 163840),
    "gpt-oss-20b": (64, 64, "half", 150000, Yarn, 131072),
    "mistral-small-24b": (128, 128, "half", 10**8, None, 32768),
    "smollm3-3b": (128, 128, "half", 5 * 10**6, None, 65536),
    "phi-4-mini": (128, 96, "half", 10**4, LongRope, 131072),
}


@pytest.mark.parametrize("name", TABLE)
def test_the_facts_of_a_model(name: str):
    head, rotated, layout, base, scaling, context = TABLE[name]
    spec = RELEASED[name].spec
    assert (spec.head_dim, spec.rotary_dim, spec.layout, spec.base) == (head, rotated, layout, base)
    assert RELEASED[name].context == context
    if isinstance(scaling, type):
        assert isinstance(spec.scaling, scaling)
    else:
        assert spec.scaling == scaling


@pytest.mark.parametrize("name", RELEASED)
def test_the_class_of_transformers_reads_the_same_rotations(name: str):
    fields = RELEASED[name].to_config()
    theirs = CONFIG_MAPPING[fields["model_type"]].from_dict(fields).to_dict()
    assert layer_kinds(theirs) == layer_kinds(RELEASED[name].to_config())


def test_a_name_is_found_in_either_table_and_an_unknown_one_is_named():
    assert not PRESETS.keys() & RELEASED.keys()
    assert preset_named("gpt-oss-20b") is RELEASED["gpt-oss-20b"]
    assert preset_named("llama-3-8b") is PRESETS["llama-3-8b"]
    with pytest.raises(
        InvalidArgument, match=r"preset: got 'qwen3', allowed: gpt-j-6b, .*phi-4-mini"
    ):
        preset_named("qwen3")


def test_every_model_says_where_its_file_was_read():
    assert all(len(model.source) > 20 for model in RELEASED.values())
