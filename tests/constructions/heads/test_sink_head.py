"""A sink head, as a module and in a model of transformers, keeps the weight it promises."""

from __future__ import annotations

import pytest
import torch

from ropeproof.constructions.export import build_model
from ropeproof.constructions.heads.sink import sink_head
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

PROMPT = [0, *[1, 2, 3, 4] * 32]


def test_the_module_gives_the_sink_its_weight_at_every_position():
    head = sink_head(RopeSpec(16, 10000), len(PROMPT), 0.9)
    states = torch.from_numpy(head.embed(PROMPT))
    _, rows = head.to_module()(states[None], return_attention=True)
    assert float(rows[0, 1:, 0].min().detach()) >= head.certificate.quantities["weight"] - 1e-9


def test_a_llama_gives_the_sink_its_weight_at_every_position():
    head = sink_head(RopeSpec(16, 10000, layout="half"), len(PROMPT), 0.9)
    model = build_model("llama", head, dtype=torch.float64)
    rows = model(torch.tensor([PROMPT]), output_attentions=True).attentions[0][0, 0]
    # Llama forms its tables in float32: each angle is off by at most length * 2^-23, for the query and the
    # key, so a logit by twice that times the amplitude, and a weight by a quarter of it.
    moved = 2 * head.certificate.quantities["amplitude"] * len(PROMPT) * 2.0**-23
    promised = head.certificate.quantities["weight"]
    assert float(rows[1:, 0].min().detach()) >= promised - moved / 4


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("length", lambda: sink_head(RopeSpec(16, 10000), 1)),
        ("score", lambda: sink_head(RopeSpec(16, 10000), 8, 1.0)),
        ("tokens", lambda: sink_head(RopeSpec(16, 10000), 8, tokens=["a"])),
        ("length", lambda: sink_head(RopeSpec(2, 10000), 64)),
    ],
)
def test_bad_arguments_are_named(name, call):
    with pytest.raises(InvalidArgument, match=name):
        call()
