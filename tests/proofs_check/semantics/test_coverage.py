"""What `check --config` says of rotations that the claims cover in part."""

from __future__ import annotations

import json

import pytest

from ropeproof.proofs_check.instantiate.coverage import coverage
from ropeproof.proofs_check.instantiate.model import instantiate
from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.layers import layer_kinds
from ropeproof.theory.rotary.scaling import Linear, Proportional
from ropeproof.theory.rotary.spec import RopeSpec

IDS = ("rope.bounded", "rope.band", "rope.partial", "rope.nonresonant", "rope.expressive")
TEXT = Axes.sections((2, 1, 1))
SMOLLM = {
    "model_type": "smollm3",
    "hidden_size": 32,
    "num_attention_heads": 4,
    "num_hidden_layers": 6,
    "max_position_embeddings": 64,
    "rope_theta": 10000.0,
}


def by_claim(report):
    return {f.claim: f for f in report.facts}


def test_a_plain_rotation_is_covered_by_all():
    assert coverage(RopeSpec(8, 10000, rotary_dim=4, scaling=Linear(2))) == ()


def test_sections_have_the_numbers_of_text():
    report = instantiate(RopeSpec(8, 10000, axes=TEXT), IDS)
    assert report.facts == instantiate(RopeSpec(8, 10000), IDS).facts
    assert [c.covered for c in report.coverage] == [True, True, False]
    assert "slash.*" in report.coverage[-1].claims
    assert "time, height, width" in report.coverage[-1].why


def test_a_grid_has_no_number_of_a_lag():
    report = instantiate(RopeSpec(8, 10000, axes=Axes.grid(4)), (*IDS, "softmax.tv"))
    assert set(by_claim(report)) == {"rope.bounded", "rope.partial"}
    assert [c.covered for c in report.coverage] == [True, False]


def test_a_latent_head_is_partial_rope():
    spec = RopeSpec(12, 10000, rotary_dim=4, rotary_start=8)
    report = instantiate(spec, IDS)
    assert report.facts == instantiate(RopeSpec(12, 10000, rotary_dim=4), IDS).facts
    assert "coordinates 8 to 11" in report.coverage[0].why
    assert not report.coverage[1].covered


def test_proportional_rope_is_partial_rope_of_another_base():
    report = instantiate(RopeSpec(16, 10000, scaling=Proportional(4)), IDS)
    partial = instantiate(RopeSpec(16, 100, rotary_dim=8), IDS)
    for claim in ("rope.bounded", "rope.band", "rope.partial", "rope.expressive"):
        assert by_claim(report)[claim] == by_claim(partial)[claim]
    (row,) = report.coverage
    assert row.line() == (
        "covered: all claims of a real base: rope.partial with 8 coordinates and the base "
        "10000**(4/8)"
    )


@pytest.mark.parametrize(
    "still", [RopeSpec(8, 10000, rotary_dim=0), RopeSpec(8, 10000, scaling=Proportional(0))]
)
def test_where_nothing_turns_no_number_needs_a_frequency(still):
    facts = by_claim(instantiate(still, IDS))
    assert facts["rope.partial"].lower == 4
    assert not facts["rope.nonresonant"].applies
    assert not facts["rope.expressive"].applies


def test_layers_of_two_kinds_are_told_apart(tmp_path):
    (rotating, first), (still, last) = layer_kinds(SMOLLM)
    assert (first, last) == ((0, 1, 2, 4, 5), (3,))
    assert still.rotary_dim == 0
    text = str(instantiate(rotating, IDS, layers=first).table().renderables[0])
    assert text.strip().endswith("layers 0-2, 4-5")
    assert [c.covered for c in coverage(still)] == [True, False]
    every = {**SMOLLM, "no_rope_layers": [1] * 6}
    assert layer_kinds(every) == ((rotating, ()),)


def test_check_shows_them(tmp_path):
    from typer.testing import CliRunner

    from ropeproof.cli import app

    file = tmp_path / "config.json"
    file.write_text(json.dumps(SMOLLM))
    command = ["check", "rope.bounded", "--config", str(file), "--profile", "quick"]
    run = CliRunner().invoke(app, [*command, "--jobs", "1"])
    assert run.exit_code == 0, run.output
    assert "layers 0-2, 4-5" in run.output
    assert "not covered" in run.output
    run = CliRunner().invoke(app, [*command, "--jobs", "1", "--json", "-"])
    found = json.loads(run.output)
    assert found["model"]["layers"] == [0, 1, 2, 4, 5]
    assert found["other_layers"][0]["rotary_dim"] == 0
    assert found["other_layers"][0]["coverage"][1]["covered"] is False
