"""The head of least amplitude for a weight, run in float64 and as a model of transformers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from ropeproof.constructions import build_model, certify_head
from ropeproof.constructions.heads.slash import slash_head, soft_head
from ropeproof.numerics.bounds.slash.soft import soft_optimum
from ropeproof.numerics.core.spec import amplitudes_and_phases
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import Linear, RopeSpec, Yarn

SPECS = {
    "half": RopeSpec(16, 10000),
    "interleaved": RopeSpec(16, 500, layout="interleaved"),
    "partial": RopeSpec(24, 10000, rotary_dim=12),
    "yarn": RopeSpec(32, 10000, rotary_dim=16, scaling=Yarn(factor=4, original_length=64)),
    "linear": RopeSpec(16, 10000, scaling=Linear(2)),
}


def rows(head, count=2):
    numbers = np.random.default_rng(3).integers(len(head.embeddings), size=(count, head.length))
    x = torch.from_numpy(np.array([head.embed(row) for row in numbers.tolist()]))
    with torch.no_grad():
        found = head.to_module()(x, return_attention=True)[1].numpy()
    return np.diagonal(found, -head.offset, axis1=1, axis2=2)


def amplitude(head):
    found, _ = amplitudes_and_phases(
        np.ascontiguousarray(head.w_q[:, 0]), np.ascontiguousarray(head.w_k[:, 0]), head.spec
    )
    return float(found.sum())


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize(("reach", "score"), [(1, 0.9), (12, 0.9), (12, 0.2)])
def test_it_has_the_weight_with_no_more_amplitude_than_is_needed(name, reach, score):
    head = soft_head(SPECS[name], reach, score)
    assert (head.offset, head.length) == (reach, 2 * reach + 1)
    assert head.certificate.claim == "slash.sandwich"
    assert head.certificate.quantities["score"] >= score
    found = rows(head)
    assert found.shape == (2, reach + 1)
    assert found.min() >= score
    assert found[:, -1] == pytest.approx(score, rel=1e-5)
    best = soft_optimum(SPECS[name], reach=reach, score=score)
    assert amplitude(head) <= best.amplitude_needed * (1 + 1e-5)
    less = replace(head, w_q=0.99 * head.w_q)
    assert rows(less)[:, -1].max() < score


def test_it_costs_about_half_of_what_the_margin_asks_for():
    spec, reach = RopeSpec(64, 10000), 40
    by_margin = slash_head(spec, reach, 2 * reach + 1, 0.9, leak=0)
    assert amplitude(soft_head(spec, reach, 0.9)) < 0.7 * amplitude(by_margin)


@pytest.mark.parametrize("family", ["llama", "gpt_neox"])
def test_a_model_of_transformers_shows_the_weight(family):
    spec = {
        "llama": RopeSpec(16, 10000),
        "gpt_neox": RopeSpec(16, 10000, rotary_dim=8),
    }[family]
    head = soft_head(spec, 8, 0.9)
    model = build_model(family, head, dtype=torch.float64)
    certificate = certify_head(model, offset=8, length=17)
    assert certificate.quantities["score"] >= 0.9 - 1e-4  # a stock model has float32 tables
    ids = torch.randint(len(head.embeddings), (3, 17), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        found = model(ids, output_attentions=True).attentions[0][:, 0].double().numpy()
    weights = np.diagonal(found, -8, axis1=1, axis2=2)
    assert weights.min() >= certificate.quantities["weight"]
    assert weights[:, -1] == pytest.approx(0.9, abs=1e-4)


def test_a_weight_that_even_attention_has_needs_no_head():
    head = soft_head(RopeSpec(8, 100), 4, 0.1)
    assert not head.w_q.any()
    assert rows(head).min() >= 1 / 9 - 1e-12


@pytest.mark.parametrize(
    ("reach", "score", "message"), [(0, 0.9, "reach: got 0"), (3, 1.5, "score: got 1.5")]
)
def test_bad_input_is_named(reach, score, message):
    with pytest.raises(InvalidArgument) as error:
        soft_head(RopeSpec(8, 100), reach, score)
    assert message in str(error.value)
