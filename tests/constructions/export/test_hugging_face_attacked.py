"""Models whose slash heads lack a condition of the theory, or whose weights were changed."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from slash_models import LENGTH, OFFSET, SPECS, certificate, on_target, prompts, slash_heads

from ropeproof.constructions import (
    aliasing_head,
    build_model,
    low_planes_head,
    rank_one_without_cone,
    to_layout,
)
from ropeproof.constructions.export.slots import open_slot
from ropeproof.theory.errors import InvalidArgument


@pytest.fixture(scope="module")
def heads():
    return slash_heads()


@pytest.fixture(params=SPECS)
def family(request):
    return request.param


class TestFailures:
    """A condition of the theory left out, or a certificate for other weights, is seen."""

    def test_low_planes_only(self):
        offset, length, amplitude = 24, 64, 30.0
        head = low_planes_head(SPECS["llama"], offset, length, amplitude, wavelength=300)
        model = build_model("llama", head)
        weights = on_target(model, prompts(2, length), offset=offset)
        omega = 2 * np.pi / 300
        rows = np.arange(offset + 1, length + 1)
        few = np.minimum(np.minimum(offset, rows - 1 - offset), int(1 / (omega * amplitude**0.5)))
        bound = 1 / (1 + 2 * np.exp(-0.5) * few)
        assert (weights <= bound + 1e-5).all()
        assert bound[-1] < 0.25
        assert certificate(model, offset=offset, length=length)["score"] <= bound[-1]

    def test_rank_one_without_a_cone(self):
        head = rank_one_without_cone(SPECS["llama"], OFFSET, LENGTH, 0.9)
        model = build_model("llama", head)
        ids = torch.tensor([[0] * LENGTH, [1] * LENGTH])
        weights = on_target(model, ids)
        assert weights[0].min() >= 0.9
        assert weights[1].mean() <= 0.2
        assert certificate(model)["score"] == 0

    def test_a_ghost(self):
        offset, length, amplitude = 60, 160, 40.0
        head = aliasing_head(SPECS["gpt_neox"], offset, length, amplitude)
        model = build_model("gpt_neox", head)
        with torch.no_grad():
            row = model(prompts(2, length), output_attentions=True).attentions[0][0, 0, -1]
        target = length - 1 - offset
        ghost = float(row[target + 44] / row[target])
        assert ghost == pytest.approx(np.exp(-amplitude * (1 - np.cos(44))), rel=1e-2)
        assert certificate(model, offset=offset, length=length)["score"] < 0.5

    def test_changed_weights_have_no_certificate(self, heads, family):
        model = build_model(family, heads[family])
        old = certificate(model)
        with torch.no_grad():
            open_slot(model, 0, 0).projections()["q"][0].mul_(0.5)
        assert on_target(model, prompts()).min() < old["weight"]
        new = certificate(model)
        assert new["weight"] < old["weight"]
        assert on_target(model, prompts()).min() >= new["weight"]

    def test_embeddings_off_the_cone_have_no_certificate(self, heads, family):
        model = build_model(family, heads[family])
        with torch.no_grad():
            open_slot(model, 0, 0).embedding[5].mul_(-1)
        assert on_target(model, torch.full((1, LENGTH), 5)).min() >= 0.9  # both signs flip
        assert on_target(model, prompts()).min() < 0.1
        assert certificate(model)["score"] == 0

    def test_wrong_rotation_tables_have_no_certificate(self, heads):
        """Frequencies rounded to bfloat16, as `model.to(torch.bfloat16)` does."""
        whole = build_model("llama", heads["llama"], dtype=torch.bfloat16)
        cast = build_model("llama", heads["llama"]).to(torch.bfloat16)
        assert certificate(cast)["score"] < certificate(whole)["score"]
        for model in (whole, cast):
            assert on_target(model, prompts()).min() >= certificate(model)["weight"]

    def test_the_wrong_layout_is_seen(self, heads):
        other = to_layout(heads["llama"], "interleaved")
        with pytest.raises(InvalidArgument, match="layout interleaved"):
            build_model("llama", other)
        model = build_model("llama", heads["llama"], dtype=torch.float64)
        slot = open_slot(model, 0, 0).projections()
        with torch.no_grad():
            for name in ("q", "k"):
                half = slot[name][0]
                half.copy_(torch.cat((half[0::2], half[1::2])).clone())
        assert on_target(model, prompts()).min() < 0.5
        assert certificate(model)["weight"] <= on_target(model, prompts()).min()
