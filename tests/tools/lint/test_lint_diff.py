"""What `ropeproof diff` says of two configurations: what differs, and at which lengths."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.lint.price import differences

TARGET = {
    "model_type": "llama",
    "hidden_size": 256,
    "num_attention_heads": 4,
    "max_position_embeddings": 4096,
    "rope_theta": 500000.0,
    "rope_scaling": {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 512,
    },
}
DRAFT = {k: v for k, v in TARGET.items() if k != "rope_scaling"}
LONG = {
    "model_type": "phi3",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "max_position_embeddings": 2048,
    "original_max_position_embeddings": 256,
    "rope_theta": 10000.0,
    "rope_scaling": {"type": "longrope", "short_factor": [1.0] * 8, "long_factor": [2.0] * 8},
}
OTHER = {**LONG, "rope_scaling": {**LONG["rope_scaling"], "short_factor": [1.5] * 8}}


def diff(folder, one, other, *more):
    files = []
    for name, fields in (("one", one), ("other", other)):
        (folder / name).mkdir(parents=True)
        (folder / name / "config.json").write_text(json.dumps(fields))
        files.append(str(folder / name))
    result = CliRunner().invoke(app, ["diff", *files, *more])
    return result.exit_code, " ".join(result.output.split())


def test_a_draft_that_has_lost_its_scaling_is_told_so(tmp_path):
    code, told = diff(tmp_path, TARGET, DRAFT)
    assert code == 1
    assert "the scaling is missing in the second: the first has Llama3 (factor 8, " in told


def test_lists_that_differ_for_short_sequences_alone_are_told_with_the_length(tmp_path):
    code, told = diff(tmp_path, LONG, OTHER)
    assert code == 1
    assert "not the same rotation at a length of 256 (at 2,048 the same)" in told
    assert "the lists of factors differ" in told


def test_differences_are_those_of_the_records():
    one, other = RopeSpec.from_config(TARGET), RopeSpec.from_config(DRAFT)
    assert differences(one, one) == ()
    assert differences(other, one)[0].startswith("the second has a scaling")
    assert differences(other, other.changed(base=10000)) == ("the base is 500000, and 10000",)


HEAD = {
    "architectures": ["LlamaForCausalLMEagle3"],
    "model_type": "llama",
    "hidden_size": 256,
    "num_attention_heads": 4,
    "num_hidden_layers": 1,
    "max_position_embeddings": 4096,
    "rope_theta": 500000.0,
    "rope_scaling": TARGET["rope_scaling"],
}


def test_a_draft_head_that_agrees_with_its_target_fits(tmp_path):
    code, told = diff(tmp_path, TARGET, HEAD, "--draft")
    assert code == 0, told
    assert "the draft fits its target; the draft is a head on the target's hidden states" in told


def test_a_draft_head_without_the_scaling_of_its_target_is_named_with_its_reach(tmp_path):
    lost = {k: v for k, v in HEAD.items() if k != "rope_scaling"} | {"max_position_embeddings": 512}
    code, told = diff(tmp_path, TARGET, lost, "--draft")
    assert code == 1
    assert (
        "must agree: the scaling is missing in the draft: the target has Llama3 (factor 8, " in told
    )
    assert "the draft's context is 512 positions, and the target's context 4,096" in told


def test_a_draft_head_with_another_factor_or_base_is_named(tmp_path):
    other = HEAD | {"rope_scaling": HEAD["rope_scaling"] | {"factor": 32.0}, "rope_theta": 10000.0}
    code, told = diff(tmp_path, TARGET, other, "--draft")
    assert code == 1
    assert "must agree: the base is 500000 in the target and 10000 in the draft" in told
    assert "factor 32" in told
    assert "(target, and draft)" in told


def test_a_draft_model_of_its_own_may_have_other_heads_and_another_base(tmp_path):
    small = TARGET | {"hidden_size": 128, "num_attention_heads": 4, "rope_theta": 10000.0}
    small |= {"rope_scaling": TARGET["rope_scaling"] | {"factor": 32.0}}
    code, told = diff(tmp_path, TARGET, small, "--draft")
    assert code == 0, told
    assert "a model of its own" in told
    assert "need not agree: the base is 500000 in the target and 10000 in the draft" in told
    assert "need not agree: 64 coordinates of a head in the target and 32 in the draft" in told


def test_a_draft_model_of_its_own_that_lost_its_scaling_is_named(tmp_path):
    small = DRAFT | {"hidden_size": 128}
    code, told = diff(tmp_path, TARGET, small, "--draft")
    assert code == 1
    assert "must agree: the scaling is missing in the draft" in told


def test_a_draft_model_that_was_trained_without_scaling_is_right(tmp_path):
    """A small model of another base or family, whose context is that of the target."""
    plain = DRAFT | {"hidden_size": 128, "rope_theta": 8000000.0}
    code, told = diff(tmp_path, TARGET, plain, "--draft")
    assert code == 0, told
    assert "need not agree: the scaling is missing in the draft" in told
    code, told = diff(tmp_path / "one", *2 * [DRAFT], "--draft", "--length", "8192")
    assert code == 1
    assert "the length that was asked for 8,192" in told


def test_a_draft_as_json(tmp_path):
    lost = {k: v for k, v in HEAD.items() if k != "rope_scaling"}
    _, told = diff(tmp_path, TARGET, lost, "--draft", "--json", "-")
    found = json.loads(told)
    assert (found["draft"], found["same"]) == ("head", False)
    assert found["must_agree"][0].startswith("the scaling is missing in the draft")
    assert found["need_not_agree"] == []
