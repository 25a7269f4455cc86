"""One head of a larger model becomes a slash head, and the others stay or are silenced."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from slash_models import SPECS, certificate, on_target, prompts, random_llama, slash_heads

from ropeproof.constructions import build_model, write_head
from ropeproof.constructions.export.slots import open_slot
from ropeproof.theory.errors import InvalidArgument


@pytest.fixture(scope="module")
def heads():
    return slash_heads()


@pytest.fixture(params=SPECS)
def family(request):
    return request.param


def test_a_chosen_head_of_a_larger_model_with_shared_keys(heads):
    model = random_llama()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    with pytest.raises(InvalidArgument, match="layer: got '1, after layer 0'"):
        write_head(model, heads["llama"], layer=1, head_index=2)
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    written = write_head(model, heads["llama"], layer=1, head_index=2, earlier="silence")
    assert (written.layer, written.head_index, written.sharing) == (1, 2, (3,))
    assert written.certificate.quantities["score"] >= 0.9
    weights = on_target(model, prompts(40), layer=1, head_index=2)
    assert weights.min() >= written.certificate.quantities["weight"]
    for name in ("q", "k", "v"):
        assert not open_slot(model, 1, 2).projections()[name][1].any()
    # Nothing else changed: other heads' queries, the other keys, layer 2, the reader.
    after = model.state_dict()
    attention = "model.layers.1.self_attn."
    for name, rows in (("q_proj", [0, 1, 3]), ("k_proj", [0]), ("v_proj", [0])):
        for part in ("weight", "bias"):
            shape = (-1, 32, 128) if part == "weight" else (-1, 32)
            old, new = (s[f"{attention}{name}.{part}"].view(shape) for s in (before, after))
            assert torch.equal(old[rows], new[rows])
    columns = [s[attention + "o_proj.weight"].view(128, 4, 32) for s in (before, after)]
    assert torch.equal(columns[0][:, [0, 1, 3]], columns[1][:, [0, 1, 3]])
    untouched = [n for n in before if ".2." in n or n.startswith("lm_head") or ".1.mlp" in n]
    assert all(torch.equal(before[name], after[name]) for name in untouched)


def test_a_chosen_head_among_random_ones(heads, family):
    """Every family: random weights and biases everywhere, then one head written into layer 1."""
    model = build_model(family, heads[family], layers=3, head_index=2)
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.3 * torch.randn(parameter.shape, generator=generator))
    before = {name: value.clone() for name, value in model.named_parameters()}
    written = write_head(model, heads[family], layer=1, head_index=1, earlier="silence")
    assert written.sharing == ()
    ids = prompts()
    x = torch.tensor(np.array([heads[family].embed(p) for p in ids.tolist()]))
    with torch.no_grad():
        expected = heads[family].to_module()(x, return_attention=True)[1]
        found = model(ids, output_attentions=True, use_cache=False).attentions[1]
    torch.testing.assert_close(found[:, 1].double(), expected, rtol=0, atol=1e-4)
    assert (found[:, [0, 2]].double() - expected[:, None]).abs().max() > 0.1
    assert (
        on_target(model, ids, layer=1, head_index=1).min()
        >= written.certificate.quantities["weight"]
    )
    # Four blocks of one head, their three biases, the norm, the embeddings, and layer 0's outputs.
    width, block = model.config.hidden_size, 32 * model.config.hidden_size
    changed = {
        name: int((value != before[name]).sum())
        for name, value in model.named_parameters()
        if not torch.equal(value, before[name])
    }
    ours = {name: count for name, count in changed.items() if ".1." in name}
    weights = sum(count for name, count in ours.items() if "norm" not in name and "ln_" not in name)
    biases = 3 * 32 if family == "gpt_neox" else 0
    assert 4 * block - 200 <= weights <= 4 * block + biases
    assert sum(ours.values()) <= weights + 2 * width
    assert not any(".2." in name or "lm_head" in name for name in changed)


def test_the_other_heads_of_the_group_can_be_silenced(heads):
    model = random_llama()
    write_head(model, heads["llama"], layer=0, head_index=1, sharing="silence")
    slot = open_slot(model, 0, 0).projections()
    assert not slot["q"][0].any()
    assert not slot["o"][0].any()
    assert (
        on_target(model, prompts(40), head_index=1).min()
        >= certificate(model, head_index=1)["weight"]
    )
