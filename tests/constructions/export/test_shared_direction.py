"""A slash head in a trained model that reads one shared direction: its score on covered rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from slash_models import random_llama
from transformers import GPTNeoXConfig, GPTNeoXForCausalLM

from ropeproof.constructions.export import (
    check_shared_direction,
    shared_direction,
    write_on_shared_direction,
)
from ropeproof.constructions.export.shared_direction import _longest_input
from ropeproof.constructions.export.slots import open_slot
from ropeproof.theory.errors import InvalidArgument

LENGTH, OFFSET, LAYER = 32, 2, 1


def neox():
    torch.manual_seed(1)
    config = GPTNeoXConfig(
        vocab_size=40,
        hidden_size=128,
        intermediate_size=64,
        num_hidden_layers=3,
        num_attention_heads=4,
        max_position_embeddings=64,
        rope_parameters={
            "rope_theta": 10000.0,
            "rope_type": "default",
            "partial_rotary_factor": 0.5,
        },
    )
    model = GPTNeoXForCausalLM._from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.2)
    return model


MODELS = {"llama": random_llama, "gpt_neox": neox}


def shared_part(model, size=4.0):
    """The model with a vector that all of its token embeddings share, and quiet layers after it."""
    rows = model.get_input_embeddings().weight
    with torch.no_grad():
        shared = torch.randn(rows.shape[1], generator=torch.Generator().manual_seed(3))
        rows += size * (shared - shared.mean()) / shared.std()
        for name, parameter in model.named_parameters():
            if "norm" in name and name.endswith("weight"):
                parameter.copy_(1 + 0.1 * parameter)
    return model


def texts(count, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, 40, (count, LENGTH), generator=generator)


@pytest.mark.parametrize("family", list(MODELS))
def test_covered_rows_have_the_score(family):
    model = shared_part(MODELS[family]())
    before = {name: value.clone() for name, value in model.state_dict().items()}
    found = shared_direction(model, texts(64, 0), layer=LAYER)
    assert found.lower < 1 < found.upper
    assert found.components.mean() == pytest.approx(1)
    stated = write_on_shared_direction(
        model, found, layer=LAYER, head_index=1, offset=OFFSET, length=LENGTH, score=0.8
    )
    certificate = stated.certificate
    assert certificate.claim == "slash.one-direction"
    assert (certificate.runs, certificate.arithmetic) == ("model", "float32")
    assert certificate.quantities["score"] >= 0.8
    assert stated.hypothesis in str(stated)
    seen = check_shared_direction(model, stated, texts(40, 1))
    assert seen.rows == 40 * (LENGTH - OFFSET)
    assert seen.covered > 0.5 * seen.rows
    assert seen.least >= certificate.quantities["score"]
    changed = {n for n, v in model.state_dict().items() if not torch.equal(v, before[n])}
    assert changed
    assert all(f".layers.{LAYER}." in n for n in changed)
    assert all("q_proj" in n or "k_proj" in n or "query_key_value" in n for n in changed)


def attention(model, stream, head_index):
    """The weights of the layer whose input is replaced by `stream`."""
    blocks = model.model.layers if hasattr(model, "model") else model.gpt_neox.layers
    hook = blocks[LAYER].register_forward_pre_hook(lambda _m, args: (stream, *args[1:]))
    try:
        with torch.no_grad():
            ids = torch.zeros(stream.shape[:2], dtype=torch.long)
            found = model(ids, output_attentions=True, use_cache=False)
            return found.attentions[LAYER][:, head_index].double().numpy()
    finally:
        hook.remove()


@pytest.mark.parametrize(("lower", "upper"), [(0.9, 1.05), (1.0, 1.0)])
def test_the_worst_components_of_the_interval_come_close_to_the_score(lower, upper):
    model = random_llama()
    slot = open_slot(model, LAYER, 0)
    with torch.no_grad():
        slot.norm.weight.fill_(1.0)
    vector = np.zeros(slot.hidden)
    vector[0] = 1.0
    stated = write_on_shared_direction(
        model,
        vector,
        layer=LAYER,
        offset=OFFSET,
        length=LENGTH,
        score=0.5,
        lower=lower,
        upper=upper,
    )
    # The last row and its target are lowest, all others highest; the rest of a vector is drawn.
    components = np.full(LENGTH, upper)
    components[[-1, -1 - OFFSET]] = lower
    rest = np.random.default_rng(0).normal(size=(20, LENGTH, slot.hidden - 1))
    rest *= np.sqrt(slot.hidden - components**2)[:, np.newaxis] / np.linalg.norm(
        rest, axis=-1, keepdims=True
    )
    stream = np.concatenate([np.broadcast_to(components[:, np.newaxis], (20, LENGTH, 1)), rest], -1)
    weights = attention(model, torch.tensor(stream, dtype=torch.float32), 0)
    least = weights[:, -1, -1 - OFFSET]
    score = stated.certificate.quantities["score"]
    assert (least >= score).all()
    assert least.max() < score + 0.2  # lags whose logit is negative have a component of 0 at worst


def test_bfloat16_is_certified_with_its_own_rounding():
    model = random_llama().to(torch.bfloat16)
    vector = np.zeros(128)
    vector[:4] = 0.5
    given = {"layer": LAYER, "offset": 1, "length": 16, "lower": 0.98, "upper": 1.02}
    with torch.no_grad():
        open_slot(model, LAYER, 0).norm.weight.fill_(1.0)
    stated = write_on_shared_direction(model, vector, score=0.4, **given)
    assert stated.certificate.arithmetic == "bfloat16"
    assert stated.certificate.quantities["score"] >= 0.4


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"score": 1}, "score"),
        ({"score": "much"}, "score"),
        ({"offset": -1}, "offset"),
        ({"length": 2}, "length"),
        ({"lower": 0}, "lower"),
        ({"lower": math.nan}, "lower"),
        ({"lower": 1.2}, "lower"),
        ({"upper": None}, "lower, upper"),
        ({"direction": np.zeros(128)}, "direction"),
        ({"direction": np.ones(5)}, "direction"),
        ({"layer": 9}, "layer"),
        ({"lower": 0.5, "upper": 2.0}, "score"),
    ],
)
def test_bad_arguments_are_named_and_nothing_is_written(change, named):
    model = random_llama()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    given = {
        **{"direction": np.ones(128) / 128, "layer": LAYER, "offset": OFFSET, "length": LENGTH},
        **{"score": 0.5, "lower": 0.9, "upper": 1.1, **change},
    }
    with pytest.raises(InvalidArgument, match=f"^{named}"):
        write_on_shared_direction(model, given.pop("direction"), **given)
    assert all(torch.equal(before[n], v) for n, v in model.state_dict().items())


def test_a_model_that_drops_at_random_is_refused():
    model = random_llama(attention_dropout=0.1).train()
    with pytest.raises(InvalidArgument, match=r"^model.*training mode with dropout"):
        write_on_shared_direction(
            model,
            np.ones(128) / 128,
            **{"layer": LAYER, "offset": 1, "length": 8, "score": 0.5, "lower": 0.9, "upper": 1.1},
        )


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_no_output_of_the_norm_is_longer_than_the_bound(dtype):
    model = random_llama().to(dtype)
    slot = open_slot(model, LAYER, 0)
    with torch.no_grad():
        slot.norm.weight.fill_(1.37)  # a number that bfloat16 rounds
        drawn = torch.randn(4000, slot.hidden, generator=torch.Generator().manual_seed(0))
        drawn = torch.cat([drawn, torch.eye(slot.hidden), torch.ones(1, slot.hidden)]) * 1e3
        sizes = slot.norm(drawn.to(dtype)).double().norm(dim=-1)
    bound = _longest_input(slot)
    assert float(sizes.max()) <= bound <= 1.1 * float(sizes.max())


def test_a_direction_belongs_to_its_layer_and_prompts_to_the_length():
    model = shared_part(random_llama())
    found = shared_direction(model, texts(16, 0), layer=LAYER)
    given = {"offset": OFFSET, "length": LENGTH, "score": 0.5}
    with pytest.raises(InvalidArgument, match=r"^direction: got .a direction of layer 1"):
        write_on_shared_direction(model, found, layer=2, **given)
    stated = write_on_shared_direction(model, found, layer=LAYER, **given)
    with pytest.raises(InvalidArgument, match=r"^input_ids"):
        check_shared_direction(model, stated, torch.zeros(1, LENGTH + 1, dtype=torch.long))
    with pytest.raises(InvalidArgument, match=r"^input_ids"):
        check_shared_direction(model, stated, torch.zeros(1, OFFSET, dtype=torch.long))
    assert repr(found).startswith("SharedDirection(layer=1, 512 tokens, components ")


def test_a_text_without_a_shared_direction_is_refused():
    model = random_llama(vocab_size=2000)
    ids = torch.randint(0, 2000, (40, LENGTH), generator=torch.Generator().manual_seed(0))
    with pytest.raises(InvalidArgument, match=r"^input_ids.*share a direction"):
        shared_direction(model, ids, layer=0)
