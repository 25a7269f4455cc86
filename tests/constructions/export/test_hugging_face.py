"""Slash heads in models of transformers: the guaranteed score in the model's own attention."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from slash_models import LENGTH, OFFSET, SPECS, certificate, on_target, prompts, slash_heads
from transformers import AutoModelForCausalLM, MistralConfig, Qwen2Config

from ropeproof.constructions import build_model, certify_head, slash_head, write_head
from ropeproof.constructions.export.slots import SLOTS, open_slot
from ropeproof.theory.rotary.spec import Linear, Llama3, RopeSpec, Yarn

SCALED = {
    "linear": RopeSpec(32, 10000, scaling=Linear(4)),
    "yarn": RopeSpec(32, 10000, scaling=Yarn(factor=4, original_length=32)),
    "llama3": RopeSpec(
        32,
        500000,
        scaling=Llama3(factor=8, low_freq_factor=1, high_freq_factor=4, original_length=64),
    ),
}
TYPES = [torch.float64, torch.float32, torch.bfloat16]


@pytest.fixture(scope="module")
def heads():
    return slash_heads()


@pytest.fixture(params=SPECS)
def family(request):
    return request.param


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_the_models_own_attention_shows_the_score(heads, family, dtype):
    model = build_model(family, heads[family], dtype=dtype)
    assert next(model.parameters()).dtype == dtype
    found = certify_head(model, offset=OFFSET, length=LENGTH)
    assert found.claim == "slash.sandwich"
    assert found.arithmetic == str(dtype).removeprefix("torch.")
    score = found.quantities["score"]
    assert score >= (0.3 if dtype == torch.bfloat16 else 0.9)
    for length in (LENGTH, 17, OFFSET + 1):
        weights = on_target(model, prompts(length=length))
        assert weights.min() >= found.quantities["weight"]
        assert weights.mean(1).min() >= score
    # The guarantee is no larger than what happens, and not far below it.
    if dtype != torch.bfloat16:
        assert on_target(model, prompts()).mean() - score < 0.05


def test_its_logits_are_those_of_the_head(heads, family):
    """Attention of the model against that of the head's own module, position by position."""
    model = build_model(family, heads[family], dtype=torch.float64)
    ids = prompts()
    x = torch.tensor(np.array([heads[family].embed(p) for p in ids.tolist()]))
    with torch.no_grad():
        expected = heads[family].to_module()(x, return_attention=True)[1]
        found = model(ids, output_attentions=True).attentions[0][:, 0]
    torch.testing.assert_close(found, expected, rtol=0, atol=2e-5)


def test_a_model_in_another_type_is_certified_as_it_is(heads, family):
    """Weights rounded to float32, then run in float64: the certificate is about those."""
    model = build_model(family, heads[family]).double()
    found = certificate(model)
    assert found["score"] >= 0.9
    assert on_target(model, prompts()).min() >= found["weight"]


@pytest.mark.parametrize("name", SCALED)
def test_scaled_frequencies(name):
    head = slash_head(SCALED[name], OFFSET, LENGTH, 0.9)
    for dtype in TYPES[:2]:
        model = build_model("llama", head, dtype=dtype)
        found = certificate(model)
        assert found["score"] >= 0.9
        assert on_target(model, prompts()).min() >= found["weight"]


def test_saved_and_loaded_unchanged(heads, family, tmp_path):
    model = build_model(family, heads[family])
    model.save_pretrained(tmp_path)
    assert [p.name for p in tmp_path.glob("*.safetensors")] == ["model.safetensors"]
    loaded = AutoModelForCausalLM.from_pretrained(tmp_path, attn_implementation="eager").eval()
    before, after = model.state_dict(), loaded.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(before[name], after[name]) for name in before)
    np.testing.assert_array_equal(on_target(loaded, prompts()), on_target(model, prompts()))
    assert certificate(loaded) == certificate(model)


def test_it_adds_the_attended_token_to_the_stream(heads, family):
    """The head's output is the token part of the position three back, in embedding units."""
    model = build_model(family, heads[family], dtype=torch.float64)
    ids = prompts()[:2]
    slot, states = open_slot(model, 0, 0), []
    hook = slot.writers(0)[0].register_forward_hook(lambda _m, _i, out: states.append(out))
    with torch.no_grad():
        model(ids)
        hook.remove()
        # Token parts around their mean: the shared direction is no part of what is added.
        parts = slot.embedding - slot.embedding.mean(0)
        off = states[0][:, OFFSET:] - parts[ids[:, :-OFFSET]]
        spread = (off - off.mean((0, 1))).norm(dim=-1).max() / parts.norm(dim=-1).max()
    assert float(spread) < 2 * (1 - certificate(model)["weight"])


@pytest.mark.parametrize(
    "config",
    [
        MistralConfig(
            vocab_size=20,
            hidden_size=64,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=1,
            head_dim=32,
            sliding_window=LENGTH,
        ),
        Qwen2Config(
            vocab_size=20,
            hidden_size=64,
            intermediate_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            num_key_value_heads=2,
        ),
    ],
    ids=["mistral", "qwen2"],
)
def test_relatives_of_llama(heads, config):
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    head = slash_head(
        RopeSpec.from_config(config), OFFSET, LENGTH, 0.9, tokens=[f"t{n}" for n in range(20)]
    )
    written = write_head(model, head, head_index=1)
    assert (
        on_target(model, prompts(20), head_index=1).min()
        >= written.certificate.quantities["weight"]
    )
    assert written.certificate.quantities["score"] >= 0.9


def test_families_are_those_of_the_readme():
    assert set(SLOTS) == {"llama", "mistral", "qwen2", "gpt_neox", "gptj"}
