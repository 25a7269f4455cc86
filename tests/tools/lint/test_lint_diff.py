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


def diff(folder, one, other):
    files = []
    for name, fields in (("one", one), ("other", other)):
        (folder / name).mkdir()
        (folder / name / "config.json").write_text(json.dumps(fields))
        files.append(str(folder / name))
    result = CliRunner().invoke(app, ["diff", *files])
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
