"""A head in a trained model: its score on stated residual vectors, and what is measured beside it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from slash_models import LENGTH, OFFSET, prompts, random_llama, slash_heads

from ropeproof.constructions.export import check_directions, write_on_directions
from ropeproof.constructions.export.slots import open_slot
from ropeproof.theory.errors import InvalidArgument


@pytest.fixture
def head():
    return slash_heads()["llama"]


@pytest.fixture
def rows(head):
    shape = (len(head.embeddings), 128)
    return 0.5 * np.random.default_rng(3).normal(size=shape)


def attention(model, stream, layer=1, head_index=2):
    """The weights of a layer whose input is replaced by `stream`."""
    block = model.model.layers[layer]
    hook = block.register_forward_pre_hook(lambda _m, args: (stream, *args[1:]))
    try:
        with torch.no_grad():
            ids = torch.zeros(stream.shape[:2], dtype=torch.long)
            return model(ids, output_attentions=True, use_cache=False).attentions[layer][
                :, head_index
            ]
    finally:
        hook.remove()


@pytest.mark.parametrize("radius", [0.0, 0.002])
def test_the_score_holds_where_the_hypothesis_does(head, rows, radius):
    model = random_llama()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    stated = write_on_directions(model, head, rows, layer=1, head_index=2, radius=radius)
    weight = stated.certificate.quantities["weight"]
    assert weight > (0.85 if radius == 0 else 0.2)
    assert "layer 1" in stated.hypothesis
    assert stated.hypothesis in str(stated)
    assert (stated.certificate.claim, stated.certificate.runs) == ("slash.sandwich", "model")
    generator = np.random.default_rng(5)
    chosen = stated.directions[generator.integers(len(rows), size=(20, LENGTH))]
    noise = generator.normal(size=chosen.shape)
    noise *= np.linalg.norm(chosen, axis=-1, keepdims=True) / np.linalg.norm(
        noise, axis=-1, keepdims=True
    )
    stream = torch.tensor(chosen + 0.999 * radius * noise, dtype=torch.float32)
    on_target = attention(model, stream).diagonal(-OFFSET, 1, 2)
    assert float(on_target.min()) >= weight
    # Nothing but one head's own slices, and the keys that its group shares.
    changed = {n for n, v in model.state_dict().items() if not torch.equal(v, before[n])}
    assert {n.split(".")[-2] for n in changed} == {"q_proj", "k_proj", "v_proj", "o_proj"}
    assert all(".layers.1.self_attn." in n for n in changed)


def test_a_larger_radius_guarantees_less_and_a_large_one_nothing(head, rows):
    weights = [
        write_on_directions(random_llama(), head, rows, layer=1, radius=r).certificate.quantities[
            "weight"
        ]
        for r in (0.0, 0.002, 0.9)
    ]
    assert weights[0] > weights[1] > weights[2] == 0.0


def test_what_the_model_really_brings_is_measured(head):
    model = random_llama()
    ids = torch.arange(len(head.embeddings))[None]
    with torch.no_grad():
        rows = model(ids, output_hidden_states=True).hidden_states[1][0].double().numpy()
    stated = write_on_directions(model, head, rows, layer=1, head_index=0, radius=1e-5)
    far = check_directions(model, stated, prompts(2))
    assert not far.holds
    assert far.inside < far.positions == prompts(2).numel()
    assert far.farthest > stated.radius
    near = check_directions(model, stated, ids)
    assert near.holds
    assert near.weight >= stated.certificate.quantities["weight"]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"radius": 1.0}, "radius"),
        ({"radius": float("nan")}, "radius"),
        ({"directions": np.ones((3, 128))}, "directions"),
        ({"directions": None}, "directions"),
        ({"layer": 9}, "layer"),
    ],
)
def test_bad_arguments_are_named(head, rows, change, named):
    model = random_llama()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    given = {"directions": rows, "layer": 1, **change}
    if given["directions"] is None:  # all the same
        given["directions"] = np.ones_like(rows)
    with pytest.raises(InvalidArgument, match=f"^{named}"):
        write_on_directions(model, head, **given)
    assert all(torch.equal(before[n], v) for n, v in model.state_dict().items())


def test_projections_read_the_directions_as_the_head_reads_its_embeddings(head, rows):
    model = random_llama()
    write_on_directions(model, head, rows, layer=1, head_index=2)
    slot = open_slot(model, 1, 2)
    with torch.no_grad():
        normed = slot.norm(torch.tensor(rows, dtype=torch.float32)).double().numpy()
    weights = slot.projections()["q"][0].detach().double().numpy()
    np.testing.assert_allclose(normed @ weights.T, head.embeddings @ head.w_q.T, atol=1e-4)
